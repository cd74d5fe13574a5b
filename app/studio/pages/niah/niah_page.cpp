#include "app/studio/pages/niah/niah_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "app/studio/kept_runs.h"
#include "app/studio/pages/niah/niah_column.h"
#include "app/studio/pages/niah/niah_form.h"
#include "app/studio/pages/niah/niah_inspector.h"
#include "app/studio/pages/niah/niah_views.h"
#include "app/studio/text.h"
#include "widgets/controls.h"

namespace orthros::studio {
namespace {

constexpr int kReadDelayMs = 250;     // several trials are read at once
constexpr int kLowPage = 640;         // below it the set-up folds away when a kept run is opened
constexpr int kLeastMapHeight = 240;  // then the maps scroll
constexpr int kLeastMapWidth = 210;

}  // namespace

NiahPage::NiahPage(Workspace& workspace, QWidget* parent)
    : Page(parent),
      m_workspace(workspace),
      m_form(new NiahForm(workspace.library(), this)),
      m_notice(new widgets::Notice(this)),
      m_about(widgets::makeLabel({}, "muted", this)),
      m_measure(new QComboBox(this)),
      m_viewButton(widgets::makeButton(tr("Axes"), {}, "plain", this)),
      m_difference(widgets::makeButton(tr("Difference"), {}, "toggle", this)),
      m_pair(new QComboBox(this)),
      m_resume(widgets::makeButton(tr("Resume"), QStringLiteral("play"), "plain", this)),
      m_kept(widgets::makeButton(tr("Kept"), QStringLiteral("history"), "plain", this)),
      m_keptMenu(nullptr),
      m_export(widgets::makeButton(tr("Export…"), QStringLiteral("export"), "plain", this)),
      m_stack(new QStackedWidget(this)),
      m_run(new ExperimentRun(
          workspace, [this](const QString& uuid, const std::function<void()>& done) { readMaps(uuid, done); },
          kReadDelayMs, this)) {
  m_notice->setObjectName(QStringLiteral("niahNotice"));
  connect(&workspace.library(), &ModelLibrary::changed, m_form, &NiahForm::refreshModels);
  connect(&workspace.library(), &ModelLibrary::changed, this, &NiahPage::runWhenSamplesAreOpen);
  auto* panel = widgets::makePanel(this);
  auto* inside = new QVBoxLayout(panel);
  inside->setContentsMargins(16, 10, 16, 10);
  inside->addWidget(m_form);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 12, 16, 10);
  layout->setSpacing(10);
  layout->addWidget(panel);
  layout->addWidget(makeHead());
  layout->addWidget(m_notice);
  m_stack->addWidget(makeEmpty());
  m_stack->addWidget(makeContent());
  layout->addWidget(m_stack, 1);
  connect(m_run, &ExperimentRun::begun, this, &NiahPage::closeInspector);
  connect(m_run, &ExperimentRun::changed, this, &NiahPage::refresh);
  connect(m_run, &ExperimentRun::ended, this, [this] {
    if (!m_run->running().isEmpty()) readRates();
    sayHowItEnded();
    refresh();
    Q_EMIT finished();
  });
  connect(m_form, &NiahForm::runRequested, this, &NiahPage::run);
  connect(m_form, &NiahForm::stopRequested, m_run, &ExperimentRun::stop);
  connect(m_form, &NiahForm::pauseRequested, this, &NiahPage::setPaused);
  connect(m_notice, &widgets::Notice::actionRequested, this, &NiahPage::resume);
  makeActions();
  refresh();
}

QWidget* NiahPage::makeContent() {
  auto* content = widgets::makePanel(this);
  m_maps = new QWidget(content);
  m_maps->setObjectName(QStringLiteral("scrollBody"));
  m_row = new QHBoxLayout(m_maps);
  m_row->setContentsMargins(0, 0, 0, 0);
  m_row->setSpacing(12);
  m_delta = new NiahColumn(m_maps);
  m_delta->map()->setObjectName(QStringLiteral("niahDelta"));
  m_delta->hide();
  m_row->addWidget(m_delta, 1);
  connect(m_delta, &NiahColumn::hovered, this, &NiahPage::lookAt);
  connect(m_delta, &NiahColumn::chosen, this, [this](widgets::NeedleIndex index) {
    const int pair = m_pair->currentIndex();
    choose(index, pair < 0 ? 0 : static_cast<qsizetype>(m_view->map.pairs[static_cast<size_t>(pair)].a));
  });
  m_readout = widgets::makeLabel({}, "caption", content);
  m_readout->setObjectName(QStringLiteral("niahReadout"));
  m_readout->setWordWrap(true);
  m_readout->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_readout->installEventFilter(this);
  auto* scroll = new QScrollArea(content);
  scroll->setObjectName(QStringLiteral("niahScroll"));
  scroll->setWidget(m_maps);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  m_inspector = new NiahInspector(m_workspace, content);
  connect(m_inspector, &NiahInspector::closed, this, &NiahPage::closeInspector);
  connect(m_inspector, &NiahInspector::attentionRequested, this, &NiahPage::attentionRequested);
  auto* left = new QVBoxLayout;
  left->setSpacing(6);
  left->addWidget(scroll, 1);
  left->addWidget(widgets::makeLine(Qt::Horizontal, content));
  left->addWidget(m_readout);
  auto* layout = new QHBoxLayout(content);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(0);
  layout->addLayout(left, 1);
  layout->addWidget(m_inspector);
  return content;
}

void NiahPage::open(const QString& uuid) {
  m_notice->hide();
  m_use = RunUse::Show;
  m_fillForm = true;
  closeInspector();
  if (height() < kLowPage) m_form->setFolded(true);
  m_run->show(uuid);
}

void NiahPage::useRun(const QString& uuid, RunUse use) {
  if (isRunning() && use != RunUse::Show) {
    m_notice->show(widgets::Notice::Kind::Warn, tr("A map is running: stop it or wait for its end first."));
    return;
  }
  open(uuid);
  m_use = use;
}

// The run is shown; its spec stands in the form.
void NiahPage::takeUse() {
  const RunUse use = std::exchange(m_use, RunUse::Show);
  if (use == RunUse::Resume) resume();
  if (use != RunUse::Again && use != RunUse::Copy) return;
  const auto arms = findArmChoices(m_workspace.library(), m_view->spec);
  if (!arms) {
    m_notice->show(widgets::Notice::Kind::Warn, toQt(arms.error()));
    return;
  }
  m_form->setArms(*arms);
  if (use == RunUse::Again) run();
}

void NiahPage::showView(NiahView view) {
  m_view = std::move(view);
  if (m_fillForm) m_form->setSpec(m_view->map.spec);
  m_fillForm = false;
  while (m_columns.size() > static_cast<qsizetype>(m_view->map.arms.size())) {
    NiahColumn* column = m_columns.takeLast();
    m_row->removeWidget(column);
    column->hide();
    column->deleteLater();
  }
  while (m_columns.size() < static_cast<qsizetype>(m_view->map.arms.size())) {
    const qsizetype arm = m_columns.size();
    auto* column = new NiahColumn(m_maps);
    column->map()->setObjectName(QStringLiteral("niahMap%1").arg(arm));
    column->measureMap()->setObjectName(QStringLiteral("niahMeasure%1").arg(arm));
    m_row->insertWidget(static_cast<int>(arm), column, 1);
    m_columns.append(column);
    connect(column, &NiahColumn::hovered, this, &NiahPage::lookAt);
    connect(column, &NiahColumn::chosen, this,
            [this, arm](widgets::NeedleIndex index) { choose(index, arm); });
  }
  fillPairs();
  showMaps();
  if (m_inspector->isVisible()) m_inspector->follow(*m_view);
  m_stack->setCurrentIndex(1);
  refresh();
  Q_EMIT shown();
}

void NiahPage::fillPairs() {
  const QStringList labels = armNames(*m_view);
  QStringList texts;
  for (const NiahPair& pair : m_view->map.pairs)
    texts.append(QStringLiteral("%1 − %2").arg(labels[static_cast<qsizetype>(pair.a)],
                                               labels[static_cast<qsizetype>(pair.b)]));
  QStringList there;
  for (int i = 0; i < m_pair->count(); ++i) there.append(m_pair->itemText(i));
  if (texts == there) return;
  const QSignalBlocker quiet(m_pair);
  m_pair->clear();
  m_pair->addItems(texts);
}

void NiahPage::showMaps() {
  if (!m_view) return;
  int columns = static_cast<int>(m_columns.size());
  for (size_t arm = 0; arm < m_view->map.arms.size(); ++arm) {
    NiahColumn* column = m_columns[static_cast<qsizetype>(arm)];
    column->setStyle(m_style);
    column->show(mapDataOf(*m_view, arm), armNote(*m_view, arm));
  }
  const int pair = m_pair->currentIndex();
  if (m_difference->isChecked() && pair >= 0) {
    m_delta->show(deltaDataOf(*m_view, static_cast<size_t>(pair)),
                  deltaNote(*m_view, static_cast<size_t>(pair)));
    m_delta->setStyle(m_style);
    ++columns;
  } else {
    m_delta->hide();
  }
  const int maps = m_style.measure == widgets::NeedleMeasure::Found ? 1 : 2;
  m_maps->setMinimumSize(columns * kLeastMapWidth, maps * kLeastMapHeight);
  holdReadout();
  lookAt(m_chosen);
}

void NiahPage::setStyle(const widgets::NeedleStyle& style) {
  if (style == m_style) return;
  m_style = style;
  const QSignalBlocker quiet(m_measure);
  m_measure->setCurrentIndex(static_cast<int>(style.measure));
  showMaps();
}

QList<NiahColumn*> NiahPage::shownColumns() const {
  return m_delta->isHidden() ? m_columns : m_columns + QList<NiahColumn*>{m_delta};
}

QStringList NiahPage::readoutLines(widgets::NeedleIndex index) const {
  QStringList lines;
  for (const NiahColumn* column : shownColumns()) {
    const QString text = column->map()->readout(index);
    if (!text.isEmpty()) lines.append(column->map()->data().title + QStringLiteral(":  ") + text);
  }
  return lines;
}

// The same cell in every map, and one line of each.
void NiahPage::lookAt(widgets::NeedleIndex index) {
  const widgets::NeedleIndex at = index.isValid() ? index : m_chosen;
  for (NiahColumn* column : shownColumns()) column->setMarked(at);
  QStringList lines = readoutLines(at);
  if (lines.isEmpty())
    lines.append(tr("Point at a cell, or walk with the arrow keys; click for its trials."));
  m_readout->setText(lines.join(u'\n'));
}

// As much as a line of each map takes, so that what is pointed at does not move away.
void NiahPage::holdReadout() {
  const QRect room(0, 0, std::max(100, m_readout->width()), QWIDGETSIZE_MAX);
  const QString text = readoutLines({0, 0}).join(u'\n');
  m_readout->setMinimumHeight(m_readout->fontMetrics().boundingRect(room, Qt::TextWordWrap, text).height());
}

bool NiahPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_readout && event->type() == QEvent::Resize) holdReadout();
  return Page::eventFilter(watched, event);
}

void NiahPage::choose(widgets::NeedleIndex index, qsizetype arm) {
  m_chosen = index;
  lookAt(index);
  m_inspector->look(*m_view, index, arm);
}

void NiahPage::closeInspector() {
  m_inspector->hide();
  m_chosen = {};
  for (NiahColumn* column : m_columns) column->setMarked({});
  m_delta->setMarked({});
  lookAt({});
}

bool NiahPage::escape() {
  if (!m_chosen.isValid()) return false;
  closeInspector();
  return true;
}

QString NiahPage::stateText() const {
  if (m_run->showsRunning()) return isPaused() ? tr("paused") : tr("running");
  if (!m_view->problem.isEmpty()) return tr("failed: %1").arg(m_view->problem);
  if (!m_view->isDone) return tr("not finished");
  return m_view->failed > 0 ? tr("done, %n cells without a result", nullptr, static_cast<int>(m_view->failed))
                            : tr("done");
}

void NiahPage::refresh() {
  const bool running = isRunning();
  m_form->setState(!running     ? NiahForm::State::Idle
                   : isPaused() ? NiahForm::State::Paused
                                : NiahForm::State::Running);
  const bool several = m_view && m_view->map.arms.size() > 1;
  m_difference->setVisible(several);
  m_pair->setVisible(several && m_difference->isChecked());
  m_about->setVisible(m_view || running);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_measure, m_viewButton, m_export})
    widget->setVisible(m_view.has_value());
  const bool retry = m_view && m_view->isDone && m_view->failed > 0;
  m_resume->setVisible(m_view && (!m_view->isDone || retry) && !running);
  m_resume->setText(retry ? tr("Retry failed") : tr("Resume"));
  m_resume->setToolTip(retry ? tr("Runs the cells without a result once more (R)")
                             : tr("Runs what is missing of this run (R)"));
  if (!m_view) {
    m_about->setText(running ? tr("Preparing…") : QString());
    return;
  }
  QStringList about{stateText(), m_view->name, captionOf(*m_view)};
  about.removeAll(QString());
  m_about->setText(about.join(QStringLiteral(" · ")));
}

void NiahPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  readRates();
}

void NiahPage::prepareForPicture() {
  // A run that is kept there already, else what the form asks.
  const auto draw = [this] { QTimer::singleShot(50, this, &Page::readyForPicture); };
  m_workspace.files().start<QList<ListedRun>>(
      tr("Read kept runs"),
      [path = m_workspace.settings().runStorePath()](JobContext&) {
        return readKeptRuns(path, store::ExperimentKind::niah);
      },
      this,
      [this, draw](Result<QList<ListedRun>>& rows) {
        m_difference->setChecked(true);
        if (rows && !rows->isEmpty()) {
          connect(this, &NiahPage::shown, this, draw, Qt::SingleShotConnection);
          open(rows->front().uuid);
        } else if (m_form->canRun()) {
          connect(this, &NiahPage::finished, this, draw, Qt::SingleShotConnection);
          run();
        } else {
          draw();
        }
      },
      /*quiet=*/true);
}

}  // namespace orthros::studio
