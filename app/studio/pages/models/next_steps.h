// NextSteps: what can be done with an open model: one button for each page, with what the page is for.
#pragma once

#include <QFrame>

#include "app/studio/page.h"

namespace orthros::studio {

class NextSteps : public QFrame {
  Q_OBJECT
 public:
  explicit NextSteps(const QList<Page*>& pages, QWidget* parent = nullptr);

 Q_SIGNALS:
  void pageRequested(const QString& name);
};

}  // namespace orthros::studio
