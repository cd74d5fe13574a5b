// CommandPalette: every action of the program by name (Ctrl+K). Words may come in any order; Enter runs.
#pragma once

#include <QAbstractListModel>
#include <QFrame>
#include <QList>
#include <QPointer>

class QAction;
class QLineEdit;
class QListView;
class QSortFilterProxyModel;

namespace orthros::widgets {

/// The visible, enabled actions with a text.
class ActionModel : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;
  void setActions(const QList<QAction*>& actions);
  QAction* action(const QModelIndex& index) const;
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  QList<QPointer<QAction>> m_actions;
};

class CommandPalette : public QFrame {
  Q_OBJECT
 public:
  /// A child of the window, above its middle.
  explicit CommandPalette(QWidget* window);
  void open(const QList<QAction*>& actions);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void run();

  ActionModel* m_model;
  QSortFilterProxyModel* m_filter;
  QLineEdit* m_edit;
  QListView* m_list;
  QPointer<QWidget> m_before;  // had the focus when this opened
};

}  // namespace orthros::widgets
