// Screenshot: draws a page of the real window once it is filled: --screenshot PAGE --out FILE.
#pragma once

#include <QObject>

#include "app/studio/main_window.h"
#include "app/studio/options.h"

namespace orthros::studio {

class Screenshot : public QObject {
  Q_OBJECT
 public:
  Screenshot(MainWindow& window, Workspace& workspace, const Options& options, QObject* parent = nullptr);

 Q_SIGNALS:
  /// `problem` is empty when the file is written.
  void done(const QString& problem);

 private:
  void prepare();
  void draw();
  QString modelProblem() const;  // empty: the model named on the command line is there

  MainWindow& m_window;
  Workspace& m_workspace;
  Options m_options;
};

}  // namespace orthros::studio
