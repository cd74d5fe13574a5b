// The Runs page's parts: filters, action bar, table, drawer, what stands there when there is nothing.
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include "app/studio/pages/runs/run_comparison.h"
#include "app/studio/pages/runs/run_delegate.h"
#include "app/studio/pages/runs/runs_page.h"
#include "app/studio/pages/runs/sql_pane.h"
#include "widgets/icon.h"

namespace orthros::studio {
namespace {

QWidget* makeMessage(const QString& title, const QString& text, const char* name, QWidget* parent,
                     QWidget* action = nullptr) {
  auto* message = widgets::makePanel(parent);
  message->setObjectName(QString::fromLatin1(name));
  auto* words = widgets::makeLabel(text, "muted", message);
  words->setWordWrap(true);
  words->setAlignment(Qt::AlignCenter);
  words->setFixedWidth(440);
  auto* middle = new QHBoxLayout;  // no alignment: it would cut what wraps
  middle->addStretch(1);
  middle->addWidget(words);
  middle->addStretch(1);
  auto* layout = new QVBoxLayout(message);
  layout->setSpacing(12);
  layout->addStretch(1);
  layout->addWidget(widgets::makeLabel(title, "section", message), 0, Qt::AlignHCenter);
  layout->addLayout(middle);
  if (action != nullptr) layout->addWidget(action, 0, Qt::AlignHCenter);
  layout->addStretch(2);
  return message;
}

}  // namespace

QWidget* RunsPage::makeFilters() {
  auto* bar = new QWidget(this);
  m_runsTab = widgets::makeButton(tr("Table"), {}, "toggle", bar);
  m_sqlTab = widgets::makeButton(tr("SQL"), {}, "toggle", bar);
  m_runsTab->setObjectName(QStringLiteral("runsTab"));
  m_sqlTab->setObjectName(QStringLiteral("sqlTab"));
  m_sqlTab->setToolTip(tr("Ask the run store yourself (Q)"));
  for (QPushButton* tab : {m_runsTab, m_sqlTab}) {
    tab->setCheckable(true);
    tab->setAutoExclusive(true);
  }
  m_runsTab->setChecked(true);
  auto* filters = new QWidget(bar);
  m_search = new QLineEdit(filters);
  m_search->setObjectName(QStringLiteral("runsSearch"));
  m_search->setPlaceholderText(tr("Search name, model, tag, note"));
  m_search->setAccessibleName(tr("Search runs"));
  m_search->setClearButtonEnabled(true);
  m_search->setMinimumWidth(140);
  m_search->setMaximumWidth(320);
  m_kind = new QComboBox(filters);
  m_kind->setObjectName(QStringLiteral("runsKind"));
  m_kind->setAccessibleName(tr("Kind"));
  m_kind->addItem(tr("All kinds"), QString());
  for (const char* kind : {"niah", "latency", "prompt", "attention", "training", "convert"})
    m_kind->addItem(kindText(QLatin1String(kind)), QLatin1String(kind));
  m_status = new QComboBox(filters);
  m_status->setObjectName(QStringLiteral("runsStatus"));
  m_status->setAccessibleName(tr("State"));
  m_status->addItem(tr("Any state"), QString());
  m_status->addItem(tr("can go on"), QStringLiteral("unfinished"));
  for (const char* status : {"running", "done", "cancelled", "interrupted", "paused", "failed", "queued"})
    m_status->addItem(statusText(QLatin1String(status)), QLatin1String(status));
  m_tag = new QComboBox(filters);
  m_tag->setObjectName(QStringLiteral("runsTag"));
  m_tag->setAccessibleName(tr("Tag"));
  m_tag->addItem(tr("Any tag"), QString());
  m_tag->setMaximumWidth(140);
  m_starred = widgets::makeButton({}, QStringLiteral("star"), "toggle", filters);
  m_starred->setObjectName(QStringLiteral("runsStarred"));
  m_starred->setAccessibleName(tr("Only starred"));
  m_starred->setToolTip(tr("Only starred runs"));
  m_starred->setCheckable(true);
  auto* inside = new QHBoxLayout(filters);
  inside->setContentsMargins(0, 0, 0, 0);
  inside->setSpacing(8);
  inside->addWidget(m_search, 1);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_kind, m_status, m_tag, m_starred, m_count})
    inside->addWidget(widget);
  inside->addStretch(1);
  auto* bring = widgets::makeButton(tr("Import…"), QStringLiteral("import"), "plain", bar);
  bring->setObjectName(QStringLiteral("runsImport"));
  bring->setToolTip(tr("Adds the runs of a bundle (.sqlite); dropping it on the window does the same"));
  connect(bring, &QPushButton::clicked, this, &RunsPage::chooseImport);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_runsTab, m_sqlTab}) layout->addWidget(widget);
  layout->addSpacing(8);
  layout->addWidget(filters, 1);
  layout->addWidget(bring);
  auto sizes = filters->sizePolicy();
  sizes.setRetainSizeWhenHidden(true);
  filters->setSizePolicy(sizes);
  connect(m_search, &QLineEdit::textChanged, m_searchTimer, qOverload<>(&QTimer::start));
  for (QComboBox* box : {m_kind, m_status, m_tag})
    connect(box, &QComboBox::currentIndexChanged, this, &RunsPage::filterChanged);
  connect(m_starred, &QPushButton::toggled, this, &RunsPage::filterChanged);
  connect(m_sqlTab, &QPushButton::toggled, this, [this, filters](bool sql) {
    m_stack->setCurrentIndex(sql ? 1 : 0);
    filters->setVisible(!sql);
  });
  return bar;
}

QPushButton* RunsPage::makeCommand(const char* name, const QString& text, const char* icon,
                                   const QString& tip, std::function<void()> run) {
  auto* button = widgets::makeButton(text, QString::fromLatin1(icon), "plain", this);
  button->setObjectName(QString::fromLatin1(name));
  button->setToolTip(tip);
  if (run) connect(button, &QPushButton::clicked, this, std::move(run));
  return button;
}

QWidget* RunsPage::makeActionBar() {
  auto* bar = new QWidget(this);
  m_open = makeCommand("runsOpen", tr("Open"), "folder", tr("Shows the run on its own page (Return)"),
                       [this] { use(RunUse::Show); });
  m_resume = makeCommand("runsResume", tr("Resume"), "play", tr("Runs what is missing of it (R)"),
                         [this] { use(RunUse::Resume); });
  m_again = makeCommand("runsAgain", tr("Run again"), "history", tr("The same again, as a new run (Ctrl+R)"),
                        [this] { use(RunUse::Again); });
  m_copy = makeCommand("runsCopy", tr("Copy to form"), "copy", tr("Fills the page's form with its spec (C)"),
                       [this] { use(RunUse::Copy); });
  m_export = makeCommand("runsExport", tr("Export"), "export", tr("As a bundle, or its numbers (E)"), {});
  auto* menu = new QMenu(m_export);
  const std::pair<const char*, QString> kinds[] = {{"sqlite", tr("Bundle (.sqlite)…")},
                                                   {"csv", tr("Numbers as CSV…")},
                                                   {"jsonl", tr("Numbers as JSONL…")}};
  for (const auto& [suffix, text] : kinds) {
    QAction* action = menu->addAction(text);
    action->setObjectName(QStringLiteral("runs-export-") + QLatin1String(suffix));
    connect(action, &QAction::triggered, this,
            [this, kind = QString::fromLatin1(suffix)] { chooseExport(kind); });
  }
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    const QList<RunRow> runs = selectedRuns();
    const bool numbers =
        std::ranges::all_of(runs, [](const RunRow& run) { return !viewOfKind(run.kind).isEmpty(); });
    for (QAction* action : menu->actions())
      action->setEnabled(action->objectName() == u"runs-export-sqlite" || numbers);
  });
  m_export->setMenu(menu);
  m_delete = makeCommand("runsDelete", tr("Delete"), "trash", tr("Can be undone (Del)"),
                         [this] { removeSelected(); });
  m_details = widgets::makeButton(tr("Details"), QStringLiteral("info"), "toggle", bar);
  m_details->setObjectName(QStringLiteral("runsDetails"));
  m_details->setToolTip(tr("What is known of the run; of two or more, what differs (D)"));
  m_details->setCheckable(true);
  connect(m_details, &QPushButton::clicked, this, [this] { m_drawerChosen = true; });
  connect(m_details, &QPushButton::toggled, this, &RunsPage::refresh);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  for (QWidget* widget : {m_open, m_resume, m_again, m_copy, m_export, m_delete}) layout->addWidget(widget);
  layout->addStretch(1);
  layout->addWidget(m_details);
  return bar;
}

QWidget* RunsPage::makeTable() {
  m_table = new QStackedWidget(this);
  m_table->installEventFilter(this);
  m_view = new QTableView(m_table);
  m_view->setObjectName(QStringLiteral("runsTable"));
  m_view->setAccessibleName(tr("Runs"));
  m_view->setModel(m_filter);
  m_view->setItemDelegate(new RunDelegate(m_view));
  m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_view->setShowGrid(false);
  m_view->setWordWrap(false);
  m_view->setTabKeyNavigation(false);
  m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_view->verticalHeader()->hide();
  m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  m_view->verticalHeader()->setDefaultSectionSize(RunDelegate::kRowHeight);
  QHeaderView* header = m_view->horizontalHeader();
  header->setHighlightSections(false);
  header->setMinimumSectionSize(28);
  const std::pair<int, int> widths[] = {{RunTableModel::Star, 34},     {RunTableModel::Kind, 108},
                                        {RunTableModel::Status, 112},  {RunTableModel::When, 140},
                                        {RunTableModel::Duration, 96}, {RunTableModel::Results, 72},
                                        {RunTableModel::Figure, 192},  {RunTableModel::Curve, 112}};
  for (const auto& [column, width] : widths) m_view->setColumnWidth(column, width);
  header->setSectionResizeMode(RunTableModel::Star, QHeaderView::Fixed);
  header->setSectionResizeMode(RunTableModel::Name, QHeaderView::Stretch);
  m_view->setSortingEnabled(true);
  m_view->sortByColumn(RunTableModel::When, Qt::DescendingOrder);
  connect(m_view, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() == RunTableModel::Star) toggleStar();
  });
  connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) {
    if (index.column() != RunTableModel::Star) use(RunUse::Show);
  });
  connect(&widgets::ThemeHub::instance(), &widgets::ThemeHub::changed, m_view->viewport(),
          qOverload<>(&QWidget::update));
  m_table->addWidget(m_view);
  m_table->addWidget(makeEmpty());
  m_table->addWidget(makeMessage(tr("Nothing found"),
                                 tr("No run fits the search and the filters. Esc clears them."),
                                 "runsNothing", m_table));
  return m_table;
}

QWidget* RunsPage::makeEmpty() {
  auto* go = widgets::makeButton(tr("Run a prompt"), QStringLiteral("prompt"), "primary", m_table);
  connect(go, &QPushButton::clicked, this, &RunsPage::promptRequested);
  return makeMessage(
      tr("No run yet"),
      tr("What you run on the pages Prompt, Attention, NIAH, Latency and Training is kept here "
         "when it ends, and while it runs. Runs of others come in by dropping their bundle "
         "(.sqlite) on this window."),
      "runsEmpty", m_table, go);
}

QWidget* RunsPage::makeDrawer() {
  m_drawer = widgets::makePanel(this);
  m_drawer->setObjectName(QStringLiteral("runsDrawer"));
  m_drawerTitle = widgets::makeLabel({}, "section", m_drawer);
  auto* close = widgets::makeToolButton(QStringLiteral("close"), tr("Close"), m_drawer);
  connect(close, &QToolButton::clicked, this, [this] {
    m_drawerChosen = true;
    m_details->setChecked(false);
  });
  auto* head = new QHBoxLayout;
  head->addWidget(m_drawerTitle, 1);
  head->addWidget(close);
  m_drawerStack = new QStackedWidget(m_drawer);
  m_runDetails = new RunDetails(m_drawerStack);
  m_comparison = new RunComparison(m_workspace, m_drawerStack);
  m_drawerStack->addWidget(m_runDetails);
  m_drawerStack->addWidget(m_comparison);
  auto* scroll = new QScrollArea(m_drawer);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_drawerStack->setObjectName(QStringLiteral("scrollBody"));
  scroll->setWidget(m_drawerStack);
  auto* layout = new QVBoxLayout(m_drawer);
  layout->setContentsMargins(16, 12, 12, 12);
  layout->setSpacing(8);
  layout->addLayout(head);
  layout->addWidget(scroll, 1);
  m_drawer->hide();
  return m_drawer;
}

void RunsPage::makeActions() {
  const auto add = [this](const char* name, const QString& text, const char* keys,
                          std::function<void()> run) {
    m_view->addAction(addKey(name, text, keys, std::move(run)));
  };
  add("runs-open", tr("Runs: open"), "", [this] { use(RunUse::Show); });
  add("runs-resume", tr("Runs: resume"), "R", [this] { use(RunUse::Resume); });
  add("runs-again", tr("Runs: run again"), "Ctrl+R", [this] { use(RunUse::Again); });
  add("runs-copy", tr("Runs: copy to the form"), "C", [this] { use(RunUse::Copy); });
  add("runs-star", tr("Runs: star, or take it away"), "S", [this] { toggleStar(); });
  add("runs-export", tr("Runs: export a bundle"), "E", [this] {
    if (m_export->isEnabled()) chooseExport(QStringLiteral("sqlite"));
  });
  add("runs-delete", tr("Runs: delete"), "Del", [this] { removeSelected(); });
  addKey("runs-undo", tr("Runs: undo the last deletion"), "Ctrl+Z", [this] { undo(); });
  addKey("runs-import", tr("Runs: import a bundle"), "I", [this] { chooseImport(); });
  addKey("runs-details", tr("Runs: details or comparison"), "D", [this] { m_details->click(); });
  addKey("runs-search", tr("Runs: search"), "Ctrl+F", [this] {
    m_runsTab->click();
    m_search->setFocus();
  });
  addKey("runs-sql", tr("Runs: ask in SQL"), "Q", [this] { m_sqlTab->click(); });
}

}  // namespace orthros::studio
