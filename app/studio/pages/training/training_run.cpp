#include "app/studio/pages/training/training_run.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <map>

#include "app/studio/kept_runs.h"
#include "app/studio/pages/training/training_recipes.h"
#include "app/studio/text.h"
#include "engine/formats/json.h"
#include "engine/model/runtime.h"
#include "engine/store/run_reader.h"
#include "engine/training/training_log.h"

namespace orthros::studio {
namespace {

constexpr qint64 kTellEveryMs = 100;  // steps of tiny models come faster than anyone can see

QString architectureOf(const std::string& settings) {
  const Json json = Json::parse(settings, nullptr, /*allow_exceptions=*/false);
  return json.is_object() && json.contains("architecture") && json["architecture"].is_string()
             ? toQt(json["architecture"].get<std::string>())
             : QString();
}

// Between the trainer's hooks and the page: gathers, and tells some times a second.
class Teller {
 public:
  explicit Teller(const std::function<void(TrainingNews)>& tell) : m_tell(tell) { m_clock.start(); }
  TrainingNews& news() { return m_news; }
  void tellSometimes() {
    if (m_clock.elapsed() >= kTellEveryMs) tellNow();
  }
  void tellNow() {
    m_clock.restart();
    TrainingNews next;
    next.uuid = m_news.uuid;
    next.totalSteps = m_news.totalSteps;
    m_tell(std::exchange(m_news, next));
  }

 private:
  const std::function<void(TrainingNews)>& m_tell;
  TrainingNews m_news;
  QElapsedTimer m_clock;
};

}  // namespace

Result<TrainingEnd> runTraining(const TrainingPlan& plan, store::RunStore& store, JobContext& context,
                                const std::function<void(TrainingNews)>& tell) {
  ORTHROS_TRY(training::TrainConfig config, training::read_train_config(toStd(plan.recipe)));
  // The recipe's own place may lie in a source tree.
  config.output = toStd(plan.output);
  ORTHROS_TRY_VOID(set_num_threads(plan.threads));
  Teller teller(tell);
  training::TrainingLog log;
  training::TrainHooks hooks;
  hooks.stop = context.stop();
  hooks.resume = plan.resume;
  hooks.stop_after = plan.steps;
  hooks.on_note = [&log](const std::string& text) { log.note(text); };
  hooks.on_probe = [&teller](const training::ProbeEvent& e) {
    teller.news().probes.push_back({e.step, e.exact, e.samples});
  };
  hooks.on_step = [&](const training::StepEvent& e) -> Result<void> {
    // Only now: a run that is refused leaves nothing behind.
    if (!log.is_open()) {
      ORTHROS_TRY_VOID(log.open(store, config, {toStd(plan.recipe), toStd(plan.name), plan.resume}));
      ORTHROS_TRY_VOID(rememberRecipe(plan.output, plan.recipe));
    }
    ORTHROS_TRY_VOID(log.add(e));
    TrainingNews& news = teller.news();
    news.uuid = toQt(log.experiment());
    news.totalSteps = e.total_steps;
    news.stage = e.stage + 1;
    news.score = e.score;
    news.points.push_back({e.step, e.loss, e.learning_rate, e.gradient_norm, e.tokens_per_second});
    context.progress(QString(), e.step, e.total_steps);
    teller.tellSometimes();
    return {};
  };
  const Result<training::TrainSummary> ran = training::train(config, hooks);
  const Result<void> kept = log.finish(ran);
  teller.tellNow();
  if (!ran) return fail(ran.error());
  ORTHROS_TRY_VOID(kept);
  return TrainingEnd{ran->steps,   ran->loss,     ran->score,
                     ran->seconds, ran->finished, ran->finished ? pathToQt(ran->model) : QString()};
}

Result<TrainingCurves> readTraining(const QString& storePath, const QString& uuid) {
  ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(storePath)));
  ORTHROS_TRY(const auto experiment, reader->find_experiment(toStd(uuid)));
  if (experiment.kind != store::ExperimentKind::training)
    return fail(ErrorCode::invalid_argument, "{} is no training", toStd(uuid));
  ORTHROS_TRY(const auto runs, reader->runs(experiment.id));
  TrainingCurves curves;
  curves.uuid = toQt(experiment.uuid);
  curves.name = toQt(experiment.name);
  curves.created = localTime(experiment.created_utc);
  std::map<int64_t, store::TrainPointRecord> points;
  for (const store::RunRecord& run : runs) {
    ORTHROS_TRY(const auto some, reader->train_points(run.id));
    for (const store::TrainPointRecord& point : some) points[point.step] = point;
    curves.status = toQt(to_string(run.status));
    curves.problem = toQt(run.error);
    curves.architecture = architectureOf(run.settings_json);
  }
  for (const auto& [step, p] : points) curves.points.push_back({step, p.loss, p.lr, p.grad_norm, p.tok_s});
  return curves;
}

Result<QList<KeptTraining>> readKeptTrainings(const QString& storePath) {
  if (!QFileInfo::exists(storePath)) return QList<KeptTraining>();
  ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(storePath)));
  ORTHROS_TRY(const auto summaries, reader->experiments(store::ExperimentKind::training));
  QList<KeptTraining> rows;
  for (const store::ExperimentSummary& summary : summaries)
    rows.append({toQt(summary.experiment.uuid), toQt(summary.experiment.name),
                 localTime(summary.experiment.created_utc), toQt(to_string(summary.status)),
                 summary.results});
  return rows;
}

}  // namespace orthros::studio
