#include "app/studio/pages/latency/latency_page.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "app/studio/kept_runs.h"
#include "app/studio/pages/latency/latency_form.h"
#include "app/studio/pages/latency/latency_panels.h"
#include "app/studio/pages/latency/latency_table.h"
#include "app/studio/pages/latency/latency_text.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/needle_map.h"

namespace orthros::studio {
namespace {

// What is read and drawn meanwhile takes from what is measured: seldom, and with coarser intervals.
constexpr int kReadDelayMs = 1000;
constexpr Resampling kWhileItRuns{400, 100};
constexpr int kLowPage = 880;  // below this height the form folds when there is something to see

}  // namespace

LatencyPage::LatencyPage(Workspace& workspace, QWidget* parent)
    : Page(parent),
      m_workspace(workspace),
      m_form(new LatencyForm(workspace.library(), this)),
      m_notice(new widgets::Notice(this)),
      m_about(new widgets::ElidedLabel("muted", this)),
      m_quantity(new QComboBox(this)),
      m_log(widgets::makeButton(tr("Log"), {}, "toggle", this)),
      m_model(widgets::makeButton(tr("Model"), {}, "toggle", this)),
      m_paper(widgets::makeButton(tr("Paper"), {}, "toggle", this)),
      m_tableButton(widgets::makeButton(tr("Table"), {}, "toggle", this)),
      m_resume(widgets::makeButton(tr("Resume"), QStringLiteral("play"), "plain", this)),
      m_kept(widgets::makeButton(tr("Kept"), QStringLiteral("history"), "plain", this)),
      m_keptMenu(nullptr),
      m_export(widgets::makeButton(tr("Export…"), QStringLiteral("export"), "plain", this)),
      m_stack(new QStackedWidget(this)),
      m_table(new LatencyTable(this)),
      m_run(new ExperimentRun(
          workspace,
          [this](const QString& uuid, const std::function<void()>& done) { readCurves(uuid, done); },
          kReadDelayMs, this)) {
  m_notice->setObjectName(QStringLiteral("latencyNotice"));
  connect(&workspace.library(), &ModelLibrary::changed, m_form, &LatencyForm::refreshModels);
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
  connect(m_run, &ExperimentRun::changed, this, &LatencyPage::refresh);
  connect(m_run, &ExperimentRun::ended, this, [this] {
    sayHowItEnded();
    refresh();
    Q_EMIT finished();
  });
  connect(m_form, &LatencyForm::runRequested, this, &LatencyPage::run);
  connect(m_form, &LatencyForm::pauseRequested, this, [this] { m_run->setPaused(!isPaused()); });
  connect(m_form, &LatencyForm::stopRequested, m_run, &ExperimentRun::stop);
  connect(m_notice, &widgets::Notice::actionRequested, this, &LatencyPage::resume);
  makeActions();
  refresh();
}

void LatencyPage::run() {
  if (isRunning() || !m_form->canRun()) return;
  auto arms = m_form->sources();
  auto spec = m_form->spec();
  if (!arms || !spec) {
    m_notice->show(widgets::Notice::Kind::Bad, toQt(arms ? spec.error() : arms.error()));
    return;
  }
  LatencyPlan plan;
  plan.arms = std::move(*arms);
  int64_t longest = 0;
  for (const LatencyPoint& point : spec->points) longest = std::max(longest, point.tokens);
  plan.name = tr("%1, up to %2 tokens").arg(toQt(to_string(spec->mode)), widgets::tokensText(longest));
  plan.spec = std::move(*spec);
  start(std::move(plan));
}

void LatencyPage::resume() {
  if (isRunning() || !m_view || m_view->isDone) return;
  auto arms = findArms(m_workspace.library(), m_view->spec);
  if (!arms) {
    m_notice->show(widgets::Notice::Kind::Bad, toQt(arms.error()));
    return;
  }
  LatencyPlan plan;
  plan.spec = m_view->report.spec;
  plan.arms = withTypes(std::move(*arms), m_view->spec, m_workspace.library().loadOptions());
  plan.resume = m_view->uuid;
  start(std::move(plan));
}

void LatencyPage::start(LatencyPlan plan) {
  m_notice->hide();
  const auto gate = plan.pause = std::make_shared<PauseGate>();
  const auto shared = std::make_shared<const LatencyPlan>(std::move(plan));
  m_run->start(
      tr("Latency"),
      [shared](store::RunStore& store, JobContext& context, const auto& begun,
               const auto& advanced) -> Result<void> {
        ORTHROS_TRY_VOID(runLatency(*shared, store, context, begun, advanced));
        context.setMessage(tr("%1 points timed").arg(std::ssize(shared->spec.points)));
        return {};
      },
      gate);
}

void LatencyPage::open(const QString& uuid) {
  m_notice->hide();
  m_fillForm = true;
  m_use = RunUse::Show;
  m_run->show(uuid);
}

void LatencyPage::useRun(const QString& uuid, RunUse use) {
  if (isRunning() && use != RunUse::Show) {
    m_notice->show(widgets::Notice::Kind::Warn, tr("A sweep is running: stop it or wait for its end first."));
    return;
  }
  open(uuid);
  m_use = use;
}

// The run is shown; its spec stands in the form.
void LatencyPage::takeUse() {
  const RunUse use = std::exchange(m_use, RunUse::Show);
  if (use == RunUse::Resume) resume();
  if (use != RunUse::Again && use != RunUse::Copy) return;
  const auto readings = findArmChoices(m_workspace.library(), m_view->spec);
  auto arms = findArms(m_workspace.library(), m_view->spec);
  if (!readings || !arms) {
    m_notice->show(widgets::Notice::Kind::Warn, toQt(readings ? arms.error() : readings.error()));
    return;
  }
  const auto sources = withTypes(std::move(*arms), m_view->spec, m_workspace.library().loadOptions());
  QList<LatencyArmChoice> choices;
  for (const LatencyArmSource& source : sources)
    choices.append(LatencyArmChoice{readings->at(choices.size()), source.dtype});
  m_form->setArms(choices);
  if (use == RunUse::Again) run();
}

void LatencyPage::readCurves(const QString& uuid, const std::function<void()>& done) {
  m_workspace.files().start<LatencyView>(
      tr("Read the samples"),
      [path = m_workspace.settings().runStorePath(), uuid,
       resampling = isRunning() ? kWhileItRuns : Resampling{}](JobContext&) {
        return readLatency(path, uuid, resampling);
      },
      this,
      [this, uuid, done](Result<LatencyView>& view) {
        if (uuid == m_run->shown() && view) {
          m_run->setShown(view->uuid);
          showView(std::move(*view));
          takeUse();
        } else if (uuid == m_run->shown()) {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(view.error()));
        }
        done();
      },
      /*quiet=*/true);
}

void LatencyPage::showView(LatencyView view) {
  const bool another = !m_view || m_view->uuid != view.uuid;
  m_view = std::move(view);
  if (m_fillForm) m_form->setSpec(m_view->report.spec);
  m_fillForm = false;
  if (another) {
    fillQuantities();
    if (height() < kLowPage) m_form->setFolded(true);
  }
  showFigures();
  m_stack->setCurrentIndex(1);
  refresh();
  Q_EMIT shown();
}

void LatencyPage::fillQuantities() {
  const std::vector<TimingQuantity> quantities = quantitiesOf(*m_view);
  const QSignalBlocker quiet(m_quantity);
  m_quantity->clear();
  for (const TimingQuantity quantity : quantities)
    m_quantity->addItem(quantityName(quantity), static_cast<int>(quantity));
  m_look.quantity = quantities.front();
}

void LatencyPage::setLook(const LatencyLook& look) {
  m_look = look;
  const QSignalBlocker quiet(m_quantity);
  m_quantity->setCurrentIndex(m_quantity->findData(static_cast<int>(look.quantity)));
  m_log->setChecked(look.isLog);
  m_model->setChecked(look.hasModel);
  m_paper->setChecked(look.hasPaper);
  showFigures();
}

void LatencyPage::showFigures() {
  if (!m_view) return;
  m_panels->show(*m_view, m_look);
  m_table->setView(*m_view, m_look.hasPaper);
}

void LatencyPage::sayHowItEnded() {
  using Kind = widgets::Notice::Kind;
  const std::optional<Error>& failure = m_run->failure();
  if (failure && failure->code != ErrorCode::cancelled) {
    m_notice->show(Kind::Bad, toQt(*failure));
    return;
  }
  if (!m_view || m_view->uuid != m_run->running()) return;
  if (failure) {
    m_notice->show(
        Kind::Info,
        tr("Stopped. %1 samples are kept, %2 of %3 cells are done; Resume goes on with the others.")
            .arg(m_view->samples)
            .arg(m_view->ended)
            .arg(m_view->cells),
        tr("Resume"));
    return;
  }
  int missing = 0;
  for (const LatencyCellReport& cell : m_view->report.cells) {
    for (const LatencyArmCell& arm : cell.arms) missing += missingText(arm).isEmpty() ? 0 : 1;
  }
  if (missing > 0)
    m_notice->show(Kind::Warn, tr("%n cells have no result: the table and the crosses in the plot say why.",
                                  nullptr, missing));
}

void LatencyPage::refresh() {
  const bool running = isRunning();
  m_form->setRunning(running, isPaused());
  m_resume->setVisible(m_view && !m_view->isDone && !running);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_quantity, m_log, m_model, m_paper, m_tableButton})
    widget->setVisible(m_view.has_value());
  m_export->setEnabled(m_view.has_value());
  if (!m_view) {
    m_about->setWhole(running ? tr("Preparing…") : QString());
    return;
  }
  const bool hasPaper =
      paperAxis({m_look.quantity, false}, m_view->report.spec.mode).has_value() ||
      paperAxis({ratioQuantity(m_look.quantity), true}, m_view->report.spec.mode).has_value();
  m_paper->setEnabled(hasPaper);
  m_model->setEnabled(hasFits(*m_view));
  const QString state = m_run->showsRunning()        ? (isPaused() ? tr("paused") : tr("running"))
                        : m_view->isDone             ? tr("done")
                        : !m_view->problem.isEmpty() ? tr("failed: %1").arg(m_view->problem)
                                                     : tr("not finished");
  QStringList about{state, m_view->name, captionOf(*m_view)};
  about.removeAll(QString());
  m_about->setWhole(about.join(QStringLiteral(" · ")));
}

// Once, when the page is first looked at: a third of a second that makes the estimates of the form honest.
void LatencyPage::measureMachine() {
  if (m_isMeasuring || m_form->hasRates() || isRunning()) return;
  m_isMeasuring = true;
  m_workspace.engine().start<MachineRates>(
      tr("Measure the machine"), [](JobContext&) -> Result<MachineRates> { return measure_machine_rates(); },
      this,
      [this](Result<MachineRates>& rates) {
        m_isMeasuring = false;
        if (rates) m_form->setRates(*rates);
      },
      /*quiet=*/true);
}

void LatencyPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  measureMachine();
}

void LatencyPage::prepareForPicture() {
  // The newest run that is kept, else the smallest of what the form asks.
  const auto draw = [this] { QTimer::singleShot(50, this, &Page::readyForPicture); };
  m_workspace.files().start<QList<ListedRun>>(
      tr("Read kept runs"),
      [path = m_workspace.settings().runStorePath()](JobContext&) {
        return readKeptRuns(path, store::ExperimentKind::latency);
      },
      this,
      [this, draw](Result<QList<ListedRun>>& rows) {
        if (!rows || rows->isEmpty()) {
          m_form->setPreset(QStringLiteral("smoke"));
          if (!m_form->canRun()) return draw();
          connect(this, &LatencyPage::finished, this, draw, Qt::SingleShotConnection);
          return run();
        }
        connect(this, &LatencyPage::shown, this, draw, Qt::SingleShotConnection);
        open(rows->front().uuid);
      },
      /*quiet=*/true);
}

}  // namespace orthros::studio
