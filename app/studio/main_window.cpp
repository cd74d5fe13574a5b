#include "app/studio/main_window.h"

#include <QActionGroup>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>

#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/latency/latency_page.h"
#include "app/studio/pages/lessons/lessons_page.h"
#include "app/studio/pages/models/models_page.h"
#include "app/studio/pages/niah/niah_page.h"
#include "app/studio/pages/prompt/prompt_page.h"
#include "app/studio/pages/runs/runs_page.h"
#include "app/studio/pages/settings/settings_page.h"
#include "app/studio/pages/training/training_page.h"
#include "app/studio/sample_models.h"
#include "app/studio/title_bar.h"
#include "widgets/command_palette.h"
#include "widgets/controls.h"
#include "widgets/icon.h"
#include "widgets/motion.h"
#include "widgets/shortcut_overlay.h"

namespace orthros::studio {
namespace {

QStringList bundlesOf(const QMimeData* data) {
  QStringList bundles;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile() && RunsPage::isBundle(url.toLocalFile())) bundles.append(url.toLocalFile());
  }
  return bundles;
}

}  // namespace

MainWindow::MainWindow(Workspace& workspace, QWidget* parent)
    : QMainWindow(parent),
      m_workspace(workspace),
      m_stack(new QStackedWidget(this)),
      m_pageActions(new QActionGroup(this)),
      m_titleBar(new TitleBar(workspace, this)),
      m_jobBar(new widgets::JobBar(this)) {
  setWindowTitle(tr("Orthros Studio"));
  setObjectName(QStringLiteral("mainWindow"));
  setAcceptDrops(true);
  resize(1280, 800);
  setMinimumSize(880, 560);
  auto* centre = new QWidget(this);
  auto* row = new QHBoxLayout(centre);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(makeRail());
  auto* column = new QVBoxLayout;
  column->setSpacing(0);
  column->addWidget(m_titleBar);
  column->addWidget(m_stack, 1);
  column->addWidget(m_jobBar);
  row->addLayout(column, 1);
  setCentralWidget(centre);

  auto* models = new ModelsPage(workspace, this);
  auto* prompt = new PromptPage(workspace, this);
  addPage(models);
  addPage(prompt);
  auto* attention = new AttentionPage(workspace, this);
  addPage(attention);
  auto* niah = new NiahPage(workspace, this);
  addPage(niah);
  addPage(new LatencyPage(workspace, this));
  auto* lessons = new LessonsPage(workspace, this);
  addPage(lessons);
  auto* training = new TrainingPage(workspace, this);
  addPage(training);
  connect(training, &TrainingPage::modelsRequested, this, [this] { showPage(QStringLiteral("models")); });
  auto* runs = new RunsPage(workspace, this);
  addPage(runs);
  addPage(new SettingsPage(workspace, this));
  QList<Page*> nextSteps;
  for (int i = 0; i < m_stack->count(); ++i) {
    auto* page = static_cast<Page*>(m_stack->widget(i));
    // Those that do something with the open model.
    const QStringList others{QStringLiteral("models"), QStringLiteral("training"), QStringLiteral("runs"),
                             QStringLiteral("settings")};
    if (!others.contains(page->name())) nextSteps.append(page);
  }
  models->setNextSteps(nextSteps);
  connect(models, &ModelsPage::pageRequested, this, &MainWindow::showPage);
  connect(lessons, &LessonsPage::presentingChanged, this, &MainWindow::present);
  connect(models, &ModelsPage::promptRequested, this, [this] { showPage(QStringLiteral("prompt")); });
  connect(models, &ModelsPage::openFolderRequested, this, &MainWindow::chooseFolder);
  connect(models, &ModelsPage::openFileRequested, this, &MainWindow::chooseFile);
  connect(prompt, &PromptPage::attentionRequested, this,
          [this, attention](const QString& text, const WindowSpec& window) {
            showPage(QStringLiteral("attention"));
            attention->lookAt(text, window);
          });
  const auto explore = [this, attention](const AttentionRequest& request) {
    showPage(QStringLiteral("attention"));
    attention->lookAt(request);
  };
  connect(niah, &NiahPage::attentionRequested, this, explore);
  connect(lessons, &LessonsPage::attentionRequested, this, explore);
  connect(prompt, &PromptPage::idsRequested, this, explore);
  connect(prompt, &PromptPage::modelsRequested, this, [this] { showPage(QStringLiteral("models")); });
  QSet<QString> kinds;
  for (const QString& name : pageNames()) kinds.insert(page(name)->runKind());
  runs->setKinds(kinds - QSet<QString>{QString()});
  connect(runs, &RunsPage::useRequested, this, &MainWindow::useRun);
  connect(runs, &RunsPage::promptRequested, this, [this] { showPage(QStringLiteral("prompt")); });
  makeActions();
  // Runs whose program has died are no longer running, on whatever page they are listed.
  workspace.files().start<void>(
      tr("Look after the run store"),
      [path = workspace.settings().runStorePath(), &workspace](JobContext&) -> Result<void> {
        if (QFileInfo::exists(path)) (void)workspace.runStore(path);
        return {};
      },
      this, [](Result<void>&) {}, /*quiet=*/true);

  m_dropHint = widgets::makeLabel(tr("Drop a model folder or a .gguf file to open it"), "section", this);
  m_dropHint->setProperty("notice", QStringLiteral("info"));
  static_cast<QLabel*>(m_dropHint)->setAlignment(Qt::AlignCenter);
  m_dropHint->hide();
  m_palette = new widgets::CommandPalette(this);
  m_shortcuts = new widgets::ShortcutOverlay(this);
  connect(&workspace.engine(), &JobRunner::jobsChanged, this, &MainWindow::updateJobs);
  connect(&workspace.files(), &JobRunner::jobsChanged, this, &MainWindow::updateJobs);
  connect(m_jobBar, &widgets::JobBar::stopRequested, this, [this](quint64 id) {
    for (JobRunner* runner : {&m_workspace.engine(), &m_workspace.files()}) {
      for (Job* job : runner->jobs()) {
        if (job->view().id == id) job->stop();
      }
    }
  });
  connect(m_titleBar, &TitleBar::searchRequested, this, [this] { m_palette->open(allActions()); });
  connect(m_titleBar, &TitleBar::openRequested, this, &MainWindow::chooseFolder);
  showPage(QStringLiteral("models"));
}

QWidget* MainWindow::makeRail() {
  m_rail = new QWidget(this);
  m_rail->setObjectName(QStringLiteral("rail"));
  m_rail->setAttribute(Qt::WA_StyledBackground);
  m_rail->setFixedWidth(64);
  m_railPages = new QVBoxLayout(m_rail);
  // Ten buttons stand in the least height, 560 pixels.
  m_railPages->setContentsMargins(4, 6, 4, 6);
  m_railPages->setSpacing(2);
  m_railPages->addStretch(1);
  return m_rail;
}

void MainWindow::addPage(Page* page) {
  page->setObjectName(page->name() + QStringLiteral("Page"));
  page->setFocusPolicy(Qt::ClickFocus);
  const int index = m_stack->addWidget(page);
  auto* action = new QAction(tr("Go to %1").arg(page->title()), this);
  action->setObjectName(QStringLiteral("go-") + page->name());
  action->setCheckable(true);
  action->setIconText(page->title());
  action->setToolTip(page->purpose());
  const bool isSettings = page->name() == u"settings";
  action->setShortcut(isSettings ? QKeySequence(QStringLiteral("Ctrl+,"))
                                 : QKeySequence(QStringLiteral("Ctrl+%1").arg(index + 1)));
  m_pageActions->addAction(action);
  addAction(action);
  connect(action, &QAction::triggered, this, [this, index, action] {
    action->setChecked(true);
    m_stack->setCurrentIndex(index);
    m_stack->currentWidget()->setFocus();
  });
  auto* button = new QToolButton(m_rail);
  button->setDefaultAction(action);
  button->setObjectName(QStringLiteral("rail-") + page->name());
  button->setAccessibleName(page->title());
  button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  button->setIconSize({22, 22});
  button->setFixedHeight(52);
  button->setCursor(Qt::PointingHandCursor);
  const auto paint = [action, page] {
    action->setIcon(widgets::icon(page->iconName(), widgets::Role::Muted));
  };
  paint();
  connect(&widgets::ThemeHub::instance(), &widgets::ThemeHub::changed, this, paint);
  // Settings stand at the foot, under the stretch.
  if (isSettings) {
    m_railPages->addWidget(button);
  } else {
    m_railPages->insertWidget(m_railPages->count() - 1, button);
  }
}

QAction* MainWindow::addCommand(const QString& name, const QString& text, const QKeySequence& keys,
                                std::function<void()> run) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setShortcut(keys);
  connect(action, &QAction::triggered, this, std::move(run));
  addAction(action);
  return action;
}

void MainWindow::makeActions() {
  const auto keys = [](const char* text) { return QKeySequence(QString::fromLatin1(text)); };
  addCommand(QStringLiteral("open-folder"), tr("Open a model folder…"), keys("Ctrl+O"),
             [this] { chooseFolder(); });
  addCommand(QStringLiteral("open-file"), tr("Open a .gguf file…"), keys("Ctrl+Shift+O"),
             [this] { chooseFile(); });
  addCommand(QStringLiteral("stop"), tr("Stop the newest job"), keys("Ctrl+."), [this] { stopNewest(); });
  addCommand(QStringLiteral("palette"), tr("Search or run a command"), keys("Ctrl+K"),
             [this] { m_palette->open(allActions()); });
  addCommand(QStringLiteral("shortcuts"), tr("Show all keys"), keys("?"), [this] { showShortcuts(); });
  const std::pair<const char*, widgets::ThemeMode> themes[] = {{"system", widgets::ThemeMode::System},
                                                               {"light", widgets::ThemeMode::Light},
                                                               {"dark", widgets::ThemeMode::Dark}};
  const QString texts[] = {tr("Theme: as the system"), tr("Theme: light"), tr("Theme: dark")};
  for (size_t i = 0; i < std::size(themes); ++i) {
    addCommand(QStringLiteral("theme-") + QLatin1String(themes[i].first), texts[i], {},
               [this, mode = themes[i].second] { m_workspace.settings().setThemeMode(mode); });
  }
  addCommand(QStringLiteral("default-layout"), tr("Restore Default Layout"), {},
             [this] { restoreDefaultLayout(); });
  addCommand(QStringLiteral("quit"), tr("Quit"), keys("Ctrl+Q"), [this] { close(); });
  addCommand(QStringLiteral("run"), tr("Run what this page does"), keys("Ctrl+Return"),
             [this] { currentPage()->primaryAction(); });
  auto* escapeKey = new QShortcut(QKeySequence(Qt::Key_Escape), this);
  connect(escapeKey, &QShortcut::activated, this, &MainWindow::escape);
  const auto applyMotion = [this] { widgets::setMotionReduced(m_workspace.settings().reducedMotion()); };
  connect(&m_workspace.settings(), &Settings::changed, this, applyMotion);
  applyMotion();
  connect(&m_workspace.settings(), &Settings::changed, this,
          [this, mode = m_workspace.settings().themeMode()]() mutable {
            if (mode == m_workspace.settings().themeMode()) return;
            mode = m_workspace.settings().themeMode();
            widgets::ThemeHub::instance().apply(mode);
          });
  auto* help = new QToolButton(m_rail);
  help->setObjectName(QStringLiteral("rail-help"));
  help->setText(tr("Keys"));
  help->setAccessibleName(tr("Keyboard shortcuts"));
  help->setToolTip(tr("Every key of the program (?)"));
  help->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  help->setIconSize({22, 22});
  help->setFixedHeight(52);
  widgets::setThemedIcon(help, QStringLiteral("help"), widgets::Role::Muted);
  connect(help, &QToolButton::clicked, this, &MainWindow::showShortcuts);
  m_railPages->addWidget(help);
}

void MainWindow::openFirstModel(const QString& path) {
  const QStringList recent = m_workspace.settings().recentModels();
  QString first = path;
  if (first.isEmpty() && !recent.isEmpty()) first = recent.front();
  if (first.isEmpty()) first = sampleModel(QStringLiteral("smollm2"));
  if (!first.isEmpty()) m_workspace.library().open(first);
}

Page* MainWindow::page(const QString& name) const {
  return findChild<Page*>(name + QStringLiteral("Page"));
}

Page* MainWindow::currentPage() const {
  return static_cast<Page*>(m_stack->currentWidget());
}

QStringList MainWindow::pageNames() const {
  QStringList names;
  for (int i = 0; i < m_stack->count(); ++i) names.append(static_cast<Page*>(m_stack->widget(i))->name());
  return names;
}

void MainWindow::showPage(const QString& name) {
  if (auto* action = findChild<QAction*>(QStringLiteral("go-") + name)) action->trigger();
}

void MainWindow::useRun(const QString& kind, const QString& uuid, RunUse use) {
  for (const QString& name : pageNames()) {
    if (page(name)->runKind() != kind) continue;
    showPage(name);
    page(name)->useRun(uuid, use);
  }
}

void MainWindow::updateJobs() {
  QList<widgets::JobView> views;
  for (JobRunner* runner : {&m_workspace.engine(), &m_workspace.files()}) {
    for (const Job* job : runner->jobs()) {
      if (!job->isQuiet()) views.append(job->view());
    }
  }
  std::ranges::sort(views, std::ranges::greater(), &widgets::JobView::id);
  m_jobBar->setJobs(views);
  if (m_closing && m_workspace.engine().isIdle() && m_workspace.files().isIdle())
    QMetaObject::invokeMethod(
        this, [this] { close(); }, Qt::QueuedConnection);
}

QList<QAction*> MainWindow::allActions() const {
  return actions() + currentPage()->actions();
}

// The one that the job bar shows.
void MainWindow::stopNewest() {
  Job* newest = nullptr;
  for (Job* job : m_workspace.engine().jobs() + m_workspace.files().jobs()) {
    if (!job->isActive() || job->isQuiet()) continue;
    if (newest == nullptr || job->view().id > newest->view().id) newest = job;
  }
  if (newest != nullptr) newest->stop();
}

void MainWindow::escape() {
  if (m_palette->isVisible()) {
    m_palette->hide();
  } else if (m_shortcuts->isVisible()) {
    m_shortcuts->hide();
  } else if (!currentPage()->escape()) {
    stopNewest();
  }
}

void MainWindow::showShortcuts() {
  const QList<widgets::ShortcutRow> everywhere{
      {tr("Esc"), tr("Close a popup, release a pin, then stop")},
      {QStringLiteral("← →"), tr("Next or previous token (in the output)")},
      {tr("Tab"), tr("Next control")}};
  m_shortcuts->open(allActions(), everywhere + currentPage()->moreKeys());
}

void MainWindow::chooseFolder() {
  const QString path = QFileDialog::getExistingDirectory(this, tr("Open a model folder"));
  if (!path.isEmpty()) m_workspace.library().open(path);
}

void MainWindow::chooseFile() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open a .gguf file"), {},
                                                    tr("GGUF models (*.gguf);;All files (*)"));
  if (!path.isEmpty()) m_workspace.library().open(path);
}

void MainWindow::restoreLayout() {
  const QByteArray state = m_workspace.settings().layout(QStringLiteral("window"));
  if (!state.isEmpty()) restoreGeometry(state);
}

void MainWindow::present(bool presenting, bool fullScreen) {
  for (QWidget* part : {m_rail, static_cast<QWidget*>(m_titleBar), static_cast<QWidget*>(m_jobBar)})
    part->setVisible(!presenting);
  setWindowState(windowState().setFlag(Qt::WindowFullScreen, presenting && fullScreen));
}

void MainWindow::restoreDefaultLayout() {
  m_workspace.settings().forgetLayout();
  showNormal();
  resize(1280, 800);
}

void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  // After the window manager has had its say.
  if (m_shownGeometry.isNull())
    QMetaObject::invokeMethod(
        this, [this] { m_shownGeometry = geometry(); }, Qt::QueuedConnection);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!m_shownGeometry.isNull() && geometry() != m_shownGeometry && !m_closing)
    m_workspace.settings().setLayout(QStringLiteral("window"), saveGeometry());
  if (m_workspace.engine().isIdle() && m_workspace.files().isIdle()) {
    event->accept();
    return;
  }
  // Nothing waits here: the window closes when the last job has ended.
  m_closing = true;
  m_workspace.engine().stopAll();
  m_workspace.files().stopAll();
  event->ignore();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!event->mimeData()->hasUrls()) return;
  event->acceptProposedAction();
  auto* hint = static_cast<QLabel*>(m_dropHint);
  hint->setText(bundlesOf(event->mimeData()).isEmpty() ? tr("Drop a model folder or a .gguf file to open it")
                                                       : RunsPage::dropHint());
  m_dropHint->setGeometry(rect().adjusted(88, 72, -24, -60));
  m_dropHint->show();
  m_dropHint->raise();
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) {
  m_dropHint->hide();
}

void MainWindow::dropEvent(QDropEvent* event) {
  m_dropHint->hide();
  event->acceptProposedAction();
  const QStringList bundles = bundlesOf(event->mimeData());
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile() && !bundles.contains(url.toLocalFile()))
      m_workspace.library().open(url.toLocalFile());
  }
  showPage(bundles.isEmpty() ? QStringLiteral("models") : QStringLiteral("runs"));
  if (!bundles.isEmpty()) static_cast<RunsPage*>(currentPage())->importFiles(bundles);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  if (m_shortcuts != nullptr && m_shortcuts->isVisible()) m_shortcuts->setGeometry(rect());
}

}  // namespace orthros::studio
