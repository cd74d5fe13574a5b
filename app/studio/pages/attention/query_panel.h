// QueryPanel: the queries that asked, before and after scale-offset, of both streams; or one line that says
// why there is nothing to compare.
#pragma once

#include <QWidget>

#include "app/studio/pages/attention/pins.h"

class QLabel;
class QPushButton;

namespace orthros::widgets {
class QueryBars;
}  // namespace orthros::widgets

namespace orthros::studio {

class QueryPanel : public QWidget {
  Q_OBJECT
 public:
  explicit QueryPanel(QWidget* parent = nullptr);
  /// Of the current query; x′ where it has one in the regime.
  void setRow(const AttentionCapture& capture, int layer, int head, const Pins& pins);

 private:
  QString missing(const AttentionCapture& capture, int layer) const;

  QLabel* m_said;
  widgets::QueryBars* m_bars;
  QPushButton* m_copy;
};

}  // namespace orthros::studio
