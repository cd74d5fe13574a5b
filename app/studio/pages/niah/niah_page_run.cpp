// The NIAH page's jobs: run, pause, resume, the sample models, and reading what is stored meanwhile.
#include <QFileDialog>

#include "app/studio/pages/niah/niah_form.h"
#include "app/studio/pages/niah/niah_page.h"
#include "app/studio/pages/niah/niah_views.h"
#include "app/studio/sample_models.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

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
  const auto gate = plan.pause = std::make_shared<PauseGate>();
  const auto shared = std::make_shared<const NiahPlan>(std::move(plan));
  m_run->start(
      tr("Needle in a haystack"),
      [shared](store::RunStore& store, JobContext& context, const auto& begun,
               const auto& advanced) -> Result<void> {
        ORTHROS_TRY_VOID(runNiah(*shared, store, context, begun, advanced));
        context.setMessage(tr("%1 trials kept").arg(countOf(shared->spec).trials * std::ssize(shared->arms)));
        return {};
      },
      gate);
}

void NiahPage::readMaps(const QString& uuid, const std::function<void()>& done) {
  m_workspace.files().start<NiahView>(
      tr("Read the maps"),
      [path = m_workspace.settings().runStorePath(), uuid](JobContext&) { return readNiah(path, uuid); },
      this,
      [this, uuid, done](Result<NiahView>& view) {
        if (uuid == m_run->shown() && view) {
          showView(std::move(*view));
          takeUse();
        } else if (uuid == m_run->shown()) {
          m_notice->show(widgets::Notice::Kind::Bad, toQt(view.error()));
        }
        done();
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
  const std::optional<Error>& failure = m_run->failure();
  if (failure && failure->code != ErrorCode::cancelled) {
    m_notice->show(Kind::Bad, toQt(*failure));
    return;
  }
  if (!m_view || m_view->uuid != m_run->running()) return;
  if (failure) {
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
