// RunsPage: everything that was run and kept: a table that follows the store, what a run is in a drawer, two
// or more compared there; open, resume, run again, copy to the form; files out and in; delete with undo; and
// any question in SQL.
#pragma once

#include <QPointer>
#include <QSet>
#include <functional>

#include "app/studio/page.h"
#include "app/studio/pages/runs/run_details.h"
#include "app/studio/pages/runs/run_files.h"
#include "app/studio/pages/runs/run_table_model.h"
#include "app/studio/workspace.h"
#include "widgets/controls.h"

class QComboBox;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QTableView;
class QTimer;

namespace orthros::studio {

class RunComparison;
class SqlPane;

class RunsPage : public Page {
  Q_OBJECT
 public:
  explicit RunsPage(Workspace& workspace, QWidget* parent = nullptr);
  QString name() const override { return QStringLiteral("runs"); }
  QString title() const override { return tr("Runs"); }
  QString iconName() const override { return QStringLiteral("runs"); }
  QString purpose() const override {
    return tr("Everything that was run: find it, compare it, take it along");
  }
  void primaryAction() override;
  bool escape() override;
  void prepareForPicture() override;

  /// Kinds that some page shows.
  void setKinds(const QSet<QString>& kinds) { m_kinds = kinds; }
  /// Text of the window's hint while such a file hangs over it; and what takes it.
  static QString dropHint() { return tr("Drop the bundle to add its runs to the store"); }
  static bool isBundle(const QString& path);
  void importFiles(const QStringList& paths);
  void exportTo(const QString& path);
  SqlPane* sql() const { return m_sql; }
  QList<RunRow> selectedRuns() const;
  void select(const QStringList& uuids);

 Q_SIGNALS:
  /// The user wants this run on the page that shows its kind.
  void useRequested(const QString& kind, const QString& uuid, RunUse use);
  void promptRequested();  // there is no run yet: make one
  void shown();            // the table is that of the store
  void changed();          // a star, name, tag, note, deletion or import is in the store, or was refused
  void exported();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeFilters();
  QWidget* makeActionBar();
  QWidget* makeTable();
  QWidget* makeDrawer();
  QWidget* makeEmpty();
  void makeActions();
  QPushButton* makeCommand(const char* name, const QString& text, const char* icon, const QString& tip,
                           std::function<void()> run);
  void read();
  void showRows(const QList<RunRow>& rows);
  void fillTags();
  void filterChanged();
  void selectionChanged();
  void fitColumns();
  void refresh();
  void use(RunUse use);
  void edit(qint64 id, RunField field, const QString& text);
  void toggleStar();
  void removeSelected();
  void undo();
  void chooseExport(const QString& suffix);
  void exportMany(const QString& folder, const QString& suffix);
  void chooseImport();
  QList<RunName> selectedNames() const;
  /// A change of the store as a job; then the table is read again and `done` says how it went.
  void change(const QString& title, std::function<Result<void>(store::RunStore&, JobContext&)> work,
              std::function<void(const Result<void>&)> done, bool quiet = false);
  void complain(const Error& error);

  Workspace& m_workspace;
  QSet<QString> m_kinds;
  RunTableModel* m_model;
  RunFilter* m_filter;
  QTableView* m_view = nullptr;
  QLineEdit* m_search = nullptr;
  QComboBox* m_kind = nullptr;
  QComboBox* m_status = nullptr;
  QComboBox* m_tag = nullptr;
  QPushButton* m_starred = nullptr;
  QPushButton* m_details = nullptr;
  QPushButton* m_runsTab = nullptr;
  QPushButton* m_sqlTab = nullptr;
  QPushButton* m_open = nullptr;
  QPushButton* m_resume = nullptr;
  QPushButton* m_again = nullptr;
  QPushButton* m_copy = nullptr;
  QPushButton* m_export = nullptr;
  QPushButton* m_delete = nullptr;
  QLabel* m_count;
  widgets::Notice* m_notice;
  QStackedWidget* m_stack;            // runs, SQL
  QStackedWidget* m_table = nullptr;  // table, empty, nothing found
  QFrame* m_drawer = nullptr;
  QLabel* m_drawerTitle = nullptr;
  QStackedWidget* m_drawerStack = nullptr;
  RunDetails* m_runDetails = nullptr;
  RunComparison* m_comparison = nullptr;
  SqlPane* m_sql;
  QTimer* m_pollTimer;
  QTimer* m_searchTimer;
  std::shared_ptr<RunWatch> m_watch;
  QList<RunName> m_deleted;  // what undo brings back
  bool m_isReading = false, m_readAgain = false, m_wasRead = false, m_drawerChosen = false;
};

}  // namespace orthros::studio
