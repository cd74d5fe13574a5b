// The NIAH page's jobs: run, pause, resume, the sample models, and reading what is stored meanwhile.
#include <QElapsedTimer>
#include <QFileDialog>
#include <QTimer>

#include "app/studio/pages/niah/niah_form.h"
#include "app/studio/pages/niah/niah_page.h"
#include "app/studio/pages/niah/niah_views.h"
#include "app/studio/sample_models.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

constexpr qint64 kTellEveryMs = 100;  // trials of tiny models come faster than anyone can see
constexpr const char* kSamples[] = {"needle-transformer", "needle-swa", "needle-orthros"};

}  // namespace

void NiahPage::run() {
  if (isRunning() || !m_form->canRun()) return;
  auto arms = m_form->sources();
  auto spec = m_form->spec();
  if (!arms || !spec) {
    m_notice->show(widgets::Notice::Kind::Bad, toQt(arms ? spec.error() : arms.error()));
    return;
  }
  NiahPlan plan;
  plan.arms = std::move(*arms);
  plan.name = tr("%1, up to %2 tokens")
                  .arg(toQt(to_string(spec->task.variant)), widgets::tokensText(spec->lengths.back()));
  plan.spec = std::move(*spec);
  start(std::move(plan));
}

void NiahPage::runSamples() {
  if (isRunning() || !m_samples.isEmpty()) return;
  m_notice->hide();
  QList<quint64> opened;
  for (const char* name : kSamples) {
    const QString path = sampleModel(QString::fromLatin1(name));
    if (path.isEmpty()) {
      m_notice->show(
          widgets::Notice::Kind::Bad,
          tr("%1 is not here: it comes with the program, in sample_models").arg(QLatin1String(name)));
      return;
    }
    opened.append(m_workspace.library().open(path));
  }
  m_samples = opened;
  refresh();
  runWhenSamplesAreOpen();
}

void NiahPage::runWhenSamplesAreOpen() {
  if (m_samples.isEmpty()) return;
  QList<NiahArmChoice> arms;
  for (const quint64 id : m_samples) {
    const OpenedModel* model = m_workspace.library().find(id);
    const bool coming = model != nullptr && (model->state == OpenedModel::State::Reading ||
                                             model->state == OpenedModel::State::Loading);
    if (coming) return;
    if (model == nullptr || model->state != OpenedModel::State::Ready) {
      m_samples.clear();
      m_notice->show(widgets::Notice::Kind::Bad,
                     model == nullptr ? tr("A needle model was closed before it could run") : model->problem);
      refresh();
      return;
    }
    arms.append({id, {}, {}, {}});
  }
  m_samples.clear();
  m_form->setArms(arms);
  m_form->setPreset(QStringLiteral("quick"));
  run();
}

void NiahPage::resume() {
  if (isRunning() || !m_view || (m_view->isDone && m_view->failed == 0)) return;
  NiahPlan plan;
  plan.spec = m_view->map.spec;
  plan.retryFailed = m_view->isDone;
  if (plan.spec.task.haystack == HaystackKind::folder) {
    // The store keeps a hash of what it holds, not where it lies.
    if (m_form->folder().isEmpty())
      m_form->setFolder(QFileDialog::getExistingDirectory(this, tr("The text folder of this run")));
    if (m_form->folder().isEmpty()) {
      m_notice->show(widgets::Notice::Kind::Bad,
                     tr("This run hid its needles in a folder of texts: choose it in the list of haystacks, "
                        "then resume."));
      return;
    }
    plan.spec.task.folder = toStd(m_form->folder());
  }
  auto arms = findArms(m_workspace.library(), m_view->spec);
  if (!arms) {
    m_notice->show(widgets::Notice::Kind::Bad, toQt(arms.error()));
    return;
  }
  plan.arms = std::move(*arms);
  plan.resume = m_view->uuid;
  start(std::move(plan));
}

void NiahPage::start(NiahPlan plan) {
  m_notice->hide();
  m_running.clear();
  m_pause = plan.pause = std::make_shared<PauseGate>();
  const auto shared = std::make_shared<const NiahPlan>(std::move(plan));
  const auto work = [shared, path = m_workspace.settings().runStorePath(), &workspace = m_workspace,
                     page = QPointer<NiahPage>(this)](JobContext& context) -> Result<void> {
    ORTHROS_TRY(store::RunStore * store, workspace.runStore(path));
    const auto begun = [page](const QString& uuid) {
      QMetaObject::invokeMethod(
          page, [page, uuid] { page->began(uuid); }, Qt::QueuedConnection);
    };
    QElapsedTimer told;
    const auto advanced = [page, &told] {
      if (told.isValid() && told.elapsed() < kTellEveryMs) return;
      told.start();
      QMetaObject::invokeMethod(
          page, [page] { page->advanced(); }, Qt::QueuedConnection);
    };
    ORTHROS_TRY_VOID(runNiah(*shared, *store, context, begun, advanced));
    context.setMessage(tr("%1 trials kept").arg(countOf(shared->spec).trials * std::ssize(shared->arms)));
    return {};
  };
  m_job = m_workspace.engine().start<void>(tr("Needle in a haystack"), work, this,
                                           [this](Result<void>& result) { ended(result); });
  refresh();
}

void NiahPage::setPaused(bool paused) {
  if (!isRunning() || !m_pause) return;
  if (paused) {
    m_pause->pause();
  } else {
    m_pause->resume();
  }
  m_readTimer->start();  // what the last trial added
  refresh();
}

void NiahPage::began(const QString& uuid) {
  m_running = m_uuid = uuid;
  closeInspector();
  read();
}

void NiahPage::advanced() {
  if (m_uuid == m_running && !m_readTimer->isActive()) m_readTimer->start();
}

void NiahPage::ended(const Result<void>& result) {
  m_readTimer->stop();
  m_pause.reset();
  m_failure.reset();
  if (!result) m_failure = result.error();
  m_form->setState(NiahForm::State::Idle);
  if (m_running.isEmpty()) {  // refused before anything was stored
    sayHowItEnded();
    refresh();
    Q_EMIT finished();
    return;
  }
  m_workspace.announceRun();
  readRates();
  m_hasEnded = true;
  if (m_uuid == m_running) {
    read();
  } else {
    m_hasEnded = false;
    refresh();
    Q_EMIT finished();
  }
}

void NiahPage::read() {
  if (m_isReading) {
    m_readAgain = true;
    return;
  }
  m_isReading = true;
  m_readAgain = false;
  const bool last = m_hasEnded;
  m_workspace.files().start<NiahView>(
      tr("Read the maps"),
      [path = m_workspace.settings().runStorePath(), uuid = m_uuid](JobContext&) {
        return readNiah(path, uuid);
      },
      this,
      [this, uuid = m_uuid, last](Result<NiahView>& view) {
        m_isReading = false;
        if (uuid == m_uuid && view) {
          showView(std::move(*view));
          takeUse();
        } else if (uuid == m_uuid) {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(view.error()));
        }
        if (m_readAgain) {
          read();
          return;
        }
        if (!last) return;
        m_hasEnded = false;
        sayHowItEnded();
        refresh();
        Q_EMIT finished();
      },
      /*quiet=*/true);
}

void NiahPage::readRates() {
  m_workspace.files().start<NiahRates>(
      tr("Read how long trials took"),
      [path = m_workspace.settings().runStorePath()](JobContext&) { return readNiahRates(path); }, this,
      [this](Result<NiahRates>& rates) {
        if (rates) m_form->setRates(*rates);
      },
      /*quiet=*/true);
}

void NiahPage::sayHowItEnded() {
  using Kind = widgets::Notice::Kind;
  if (m_failure && m_failure->code != ErrorCode::cancelled) {
    m_notice->show(Kind::Bad, toQt(*m_failure));
    return;
  }
  if (!m_view || m_view->uuid != m_running) return;
  if (m_failure) {
    m_notice->show(Kind::Info,
                   tr("Stopped. %1 of %2 trials are kept; Resume goes on with the others.")
                       .arg(m_view->trials)
                       .arg(m_view->planned),
                   tr("Resume"));
  } else if (m_view->failed > 0) {
    m_notice->show(Kind::Warn,
                   tr("%n cells have no result: point at a hatched one to see why.", nullptr,
                      static_cast<int>(m_view->failed)),
                   tr("Retry failed"));
  }
}

}  // namespace orthros::studio
