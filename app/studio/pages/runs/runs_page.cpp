#include "app/studio/pages/runs/runs_page.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include "app/studio/pages/runs/run_comparison.h"
#include "app/studio/pages/runs/run_delegate.h"
#include "app/studio/pages/runs/sql_pane.h"
#include "app/studio/text.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

constexpr int kPollMs = 1000;  // a commit of another program is seen after this at the latest
constexpr int kSearchMs = 150;
constexpr int kNarrow = 1000;  // pixels: the drawer waits to be asked for

}  // namespace

RunsPage::RunsPage(Workspace& workspace, QWidget* parent)
    : Page(parent),
      m_workspace(workspace),
      m_model(new RunTableModel(this)),
      m_filter(new RunFilter(this)),
      m_count(widgets::makeLabel({}, "muted", this)),
      m_notice(new widgets::Notice(this)),
      m_stack(new QStackedWidget(this)),
      m_sql(new SqlPane(workspace, this)),
      m_pollTimer(new QTimer(this)),
      m_searchTimer(new QTimer(this)) {
  m_notice->setObjectName(QStringLiteral("runsNotice"));
  m_count->setObjectName(QStringLiteral("runsCount"));
  m_filter->setSourceModel(m_model);
  auto* runs = new QWidget(this);
  auto* column = new QVBoxLayout(runs);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  auto* filters = makeFilters();
  column->addWidget(makeActionBar());
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(makeTable(), 1);
  row->addWidget(makeDrawer());
  column->addLayout(row, 1);
  m_stack->addWidget(runs);
  m_stack->addWidget(m_sql);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 12, 16, 10);
  layout->setSpacing(8);
  layout->addWidget(filters);
  layout->addWidget(m_notice);
  layout->addWidget(m_stack, 1);
  m_pollTimer->setInterval(kPollMs);
  m_searchTimer->setSingleShot(true);
  m_searchTimer->setInterval(kSearchMs);
  connect(m_pollTimer, &QTimer::timeout, this, &RunsPage::read);
  connect(m_searchTimer, &QTimer::timeout, this, &RunsPage::filterChanged);
  connect(&workspace, &Workspace::runKept, this, [this] {
    if (isVisible()) read();
  });
  connect(m_notice, &widgets::Notice::actionRequested, this, &RunsPage::undo);
  connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &RunsPage::selectionChanged);
  connect(m_runDetails, &RunDetails::edited, this, &RunsPage::edit);
  makeActions();
  refresh();
}

void RunsPage::primaryAction() {
  if (m_stack->currentWidget() == m_sql) {
    m_sql->run();
  } else {
    use(RunUse::Show);
  }
}

bool RunsPage::escape() {
  if (m_sql->isRunning()) {
    m_sql->stop();
    return true;
  }
  if (m_stack->currentIndex() != 0) return false;
  if (m_view->selectionModel()->hasSelection()) {
    m_view->clearSelection();
    return true;
  }
  if (!m_filter->isFiltering()) return false;
  m_search->clear();
  for (QComboBox* box : {m_kind, m_status, m_tag}) box->setCurrentIndex(0);
  m_starred->setChecked(false);
  filterChanged();
  return true;
}

void RunsPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  m_pollTimer->start();
  read();
}

void RunsPage::hideEvent(QHideEvent* event) {
  Page::hideEvent(event);
  m_pollTimer->stop();
  m_runDetails->commit();
}

void RunsPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  if (!m_drawerChosen) m_details->setChecked(width() >= kNarrow);
  m_count->setVisible(width() >= 900);  // the search field needs the room
}

bool RunsPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_table && event->type() == QEvent::Resize) fitColumns();
  return Page::eventFilter(watched, event);
}

void RunsPage::read() {
  if (m_isReading) {
    m_readAgain = true;
    return;
  }
  m_isReading = true;
  m_readAgain = false;
  const QString path = m_workspace.settings().runStorePath();
  if (!m_watch || m_watch->path() != path) m_watch = std::make_shared<RunWatch>(path);
  using Rows = std::optional<QList<RunRow>>;
  m_workspace.files().start<Rows>(
      tr("Read the runs"),
      [watch = m_watch, &workspace = m_workspace](JobContext&) {
        // Opened for writing it is brought to this program's schema, and runs whose program died are no
        // longer running. A store of a newer program can be read none the less.
        if (QFileInfo::exists(watch->path())) (void)workspace.runStore(watch->path());
        return watch->read();
      },
      this,
      [this](Result<Rows>& rows) {
        m_isReading = false;
        if (!rows) {
          complain(rows.error());
          m_pollTimer->stop();  // said once; coming back to the page asks again
        } else if (*rows) {
          showRows(**rows);
        }
        m_wasRead = true;
        refresh();
        if (m_readAgain) {
          read();
        } else {
          Q_EMIT shown();
        }
      },
      /*quiet=*/true);
}

// What the user looks at stays where it is, whatever comes above it.
void RunsPage::showRows(const QList<RunRow>& rows) {
  QScrollBar* bar = m_view->verticalScrollBar();
  const QPersistentModelIndex top = bar->value() > 0 ? m_view->indexAt({0, 0}) : QModelIndex();
  const int before = top.isValid() ? m_view->visualRect(top).top() : 0;
  m_model->setRows(rows);
  if (top.isValid()) {
    m_view->doItemsLayout();
    bar->setValue(bar->value() + m_view->visualRect(top).top() - before);
  }
  fillTags();
  selectionChanged();
}

void RunsPage::fillTags() {
  const QStringList tags = m_model->tags();
  QStringList there;
  for (int i = 1; i < m_tag->count(); ++i) there.append(m_tag->itemText(i));
  if (tags == there) return;
  const QString chosen = m_tag->currentData().toString();
  const QSignalBlocker quiet(m_tag);
  while (m_tag->count() > 1) m_tag->removeItem(1);
  for (const QString& tag : tags) m_tag->addItem(tag, tag);
  m_tag->setCurrentIndex(std::max(0, m_tag->findData(chosen)));
  if (m_tag->currentData().toString() != chosen) m_filter->setTag({});
}

void RunsPage::filterChanged() {
  m_searchTimer->stop();
  m_filter->setText(m_search->text());
  m_filter->setKind(m_kind->currentData().toString());
  m_filter->setStatus(m_status->currentData().toString());
  m_filter->setTag(m_tag->currentData().toString());
  m_filter->setStarred(m_starred->isChecked());
  refresh();
}

QList<RunRow> RunsPage::selectedRuns() const {
  QList<int> rows;
  for (const QModelIndex& index : m_view->selectionModel()->selectedRows()) rows.append(index.row());
  std::ranges::sort(rows);
  QList<RunRow> runs;
  for (const int row : rows)
    runs.append(m_filter->index(row, 0).data(RunTableModel::RowRole).value<RunRow>());
  return runs;
}

void RunsPage::select(const QStringList& uuids) {
  QItemSelection selection;
  for (int row = 0; row < m_filter->rowCount(); ++row) {
    const QModelIndex index = m_filter->index(row, 0);
    if (uuids.contains(index.data(RunTableModel::UuidRole).toString()))
      selection.select(index, m_filter->index(row, RunTableModel::ColumnCount - 1));
  }
  m_view->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

void RunsPage::selectionChanged() {
  const QList<RunRow> runs = selectedRuns();
  if (runs.size() == 1) {
    m_runDetails->setRun(runs.front());
    m_drawerStack->setCurrentWidget(m_runDetails);
    m_drawerTitle->setText(tr("Run"));
  } else if (runs.size() > 1) {
    m_runDetails->commit();
    m_comparison->setRuns(runs.first(std::min(runs.size(), kMostCompared)));
    m_drawerStack->setCurrentWidget(m_comparison);
    m_drawerTitle->setText(runs.size() > kMostCompared
                               ? tr("Compare the first %1 of %2 runs").arg(kMostCompared).arg(runs.size())
                               : tr("Compare %1 runs").arg(runs.size()));
  }
  refresh();
}

void RunsPage::refresh() {
  const QList<RunRow> runs = selectedRuns();
  const bool one = runs.size() == 1;
  const QString kind = one ? runs.front().kind : QString();
  const bool shown = m_kinds.contains(kind);
  m_open->setEnabled(shown);
  m_resume->setEnabled(shown && runs.front().canResume());
  m_again->setEnabled(shown && !runs.front().isRunning());
  m_copy->setEnabled(shown);
  m_export->setEnabled(!runs.isEmpty());
  m_delete->setEnabled(!runs.isEmpty());
  m_drawer->setVisible(!runs.isEmpty() && m_details->isChecked());
  m_drawer->setFixedWidth(runs.size() > 1 ? std::clamp(width() * 45 / 100, 340, 760) : 320);
  const int all = m_model->rowCount(), visible = m_filter->rowCount();
  m_table->setCurrentIndex(visible > 0 || !m_wasRead ? 0 : all == 0 ? 1 : 2);
  m_count->setText(all == 1 && visible == 1 ? tr("1 run")
                   : all == visible
                       ? tr("%1 runs").arg(widgets::formatCount(all))
                       : tr("%1 of %2 runs").arg(widgets::formatCount(visible), widgets::formatCount(all)));
}

// Columns that say least go first where there is little room.
void RunsPage::fitColumns() {
  if (m_view == nullptr) return;
  const int room = m_table->width();
  const std::pair<int, int> needs[] = {{RunTableModel::Duration, 1000}, {RunTableModel::Results, 900},
                                       {RunTableModel::When, 820},      {RunTableModel::Kind, 700},
                                       {RunTableModel::Curve, 580},     {RunTableModel::Figure, 460}};
  for (const auto& [column, least] : needs) m_view->setColumnHidden(column, room < least);
  m_view->setColumnWidth(RunTableModel::Figure, room < 1300 ? 192 : 280);
}

void RunsPage::use(RunUse use) {
  const QList<RunRow> runs = selectedRuns();
  if (runs.size() != 1 || !m_kinds.contains(runs.front().kind)) return;
  if (use == RunUse::Resume && !runs.front().canResume()) return;
  m_notice->hide();
  Q_EMIT useRequested(runs.front().kind, runs.front().uuid, use);
}

void RunsPage::complain(const Error& error) {
  m_notice->show(widgets::Notice::Kind::Bad, toQt(error));
}

void RunsPage::prepareForPicture() {
  const auto draw = [this] { QTimer::singleShot(100, this, &Page::readyForPicture); };
  const auto fill = [this, draw] {
    if (m_model->rowCount() > 0) select({m_model->rows().front().uuid});
    draw();
  };
  if (m_wasRead && !m_isReading) {
    fill();
  } else {
    connect(this, &RunsPage::shown, this, fill, Qt::SingleShotConnection);
  }
}

}  // namespace orthros::studio
