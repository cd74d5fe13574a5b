// TitleBar: which model the pages work on, how it is held, and the way to every command.
#pragma once

#include <QWidget>

#include "app/studio/workspace.h"

class QLabel;
class QPushButton;

namespace orthros::studio {

class TitleBar : public QWidget {
  Q_OBJECT
 public:
  explicit TitleBar(Workspace& workspace, QWidget* parent = nullptr);

 Q_SIGNALS:
  void searchRequested();
  void openRequested();

 private:
  void refresh();
  void openMenu();

  Workspace& m_workspace;
  QPushButton* m_model;
  QLabel* m_architecture;
  QLabel* m_backend;
  QPushButton* m_search;
};

}  // namespace orthros::studio
