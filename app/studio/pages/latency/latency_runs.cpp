#include "app/studio/pages/latency/latency_runs.h"

#include <algorithm>
#include <map>

#include "app/studio/kept_runs.h"
#include "app/studio/text.h"
#include "engine/experiments/latency_experiment.h"
#include "engine/model/runtime.h"

namespace orthros::studio {
namespace {

constexpr int64_t kEqualTokens = 64;

Result<Arm> armOf(const LatencyArmSource& arm, JobContext& context) {
  const Model& open = *arm.source.model;
  if (!arm.dtype || *arm.dtype == open.report().compute_type)
    return arm_of(arm.source.model, arm.source.config, context.stop(), context.sink());
  LoadOptions options = arm.load;
  options.compute_type = arm.dtype;
  ORTHROS_TRY(ModelFiles files, open_model(open.files().path));
  ORTHROS_TRY(auto model, Model::load(std::move(files), options, context.stop(), context.sink()));
  return arm_of(std::move(model), arm.source.config, context.stop(), context.sink());
}

Result<LatencyExperiment> begin(const LatencyPlan& plan, store::RunStore& store, std::vector<Arm> arms) {
  std::vector<LatencyArm> local = local_latency_arms(std::move(arms));
  if (plan.resume.isEmpty())
    return LatencyExperiment::create(store, plan.spec, std::move(local), toStd(plan.name));
  return LatencyExperiment::resume(store, toStd(plan.resume), plan.spec, std::move(local),
                                   /*retry_failed=*/false);
}

// A sweep over thread counts leaves the engine's thread with the last of them.
class ThreadsKept {
 public:
  ThreadsKept() : m_threads(num_threads()) {}
  ThreadsKept(const ThreadsKept&) = delete;
  ThreadsKept& operator=(const ThreadsKept&) = delete;
  ~ThreadsKept() { static_cast<void>(set_num_threads(m_threads)); }

 private:
  int m_threads;
};

// Once for each arm with an output stream, on the open model's weights. What cannot be read both ways has
// none.
Result<void> keepEqualWork(const LatencyPlan& plan, LatencyExperiment& experiment, JobContext& context) {
  for (size_t i = 0; i < plan.arms.size(); ++i) {
    if (!plan.arms[i].source.config.has_output_stream()) continue;
    const auto work = measure_equal_work(plan.arms[i].source.model, kEqualTokens, 0, context.stop());
    if (work) ORTHROS_TRY_VOID(experiment.keep_equal_work(i, *work));
  }
  return {};
}

bool isEnded(store::CellStatus status) {
  return status != store::CellStatus::pending && status != store::CellStatus::running &&
         status != store::CellStatus::cancelled;
}

void count(LatencyView& view) {
  for (const LatencyCellReport& cell : view.report.cells) {
    for (const LatencyArmCell& arm : cell.arms) {
      ++view.cells;
      view.ended += isEnded(arm.status) ? 1 : 0;
      view.samples += std::ssize(arm.timings);
    }
  }
}

}  // namespace

Result<void> runLatency(const LatencyPlan& plan, store::RunStore& store, JobContext& context,
                        const std::function<void(const QString&)>& begun,
                        const std::function<void()>& advanced) {
  const ThreadsKept threads;
  std::vector<Arm> arms;
  for (const LatencyArmSource& source : plan.arms) {
    ORTHROS_TRY(Arm arm, armOf(source, context));
    arms.push_back(std::move(arm));
  }
  ORTHROS_TRY(LatencyExperiment experiment, begin(plan, store, std::move(arms)));
  begun(toQt(experiment.experiment().uuid));
  ORTHROS_TRY_VOID(experiment.keep_ceilings(measure_machine_rates()));
  ORTHROS_TRY_VOID(keepEqualWork(plan, experiment, context));
  RunControl control;
  control.stop = context.stop();
  control.pause = plan.pause;
  control.progress = [sink = context.sink(), &advanced](const Progress& at) {
    sink(at);
    advanced();
  };
  return experiment.run(control);
}

Result<LatencyView> readLatency(const QString& storePath, const QString& uuid, const Resampling& resampling) {
  ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(storePath)));
  ORTHROS_TRY(const auto experiment, reader->find_experiment(toStd(uuid), store::ExperimentKind::latency));
  if (experiment.kind != store::ExperimentKind::latency)
    return fail(ErrorCode::invalid_argument, "{} is no latency experiment", toStd(uuid));
  LatencyView view;
  view.uuid = toQt(experiment.uuid);
  view.name = toQt(experiment.name);
  view.created = localTime(experiment.created_utc);
  view.specHash = toQt(experiment.spec_sha256).left(12);
  view.spec = Json::parse(experiment.spec_json, nullptr, /*allow_exceptions=*/false);
  ORTHROS_TRY(view.report, read_latency_report(*reader, experiment, resampling));
  ORTHROS_TRY(const auto runs, reader->runs(experiment.id));
  std::map<int64_t, store::RunStatus> newest;  // by arm
  for (const store::RunRecord& run : runs) {
    newest[run.arm] = run.status;
    if (run.status == store::RunStatus::failed) view.problem = toQt(run.error);
  }
  if (!runs.empty()) {
    ORTHROS_TRY(const auto environment, reader->environment(runs.back().environment_id));
    view.build = toQt(environment.app_version);
    if (!environment.git_commit.empty())
      view.build += QStringLiteral(" ") + toQt(environment.git_commit).left(8);
  }
  view.isDone = !newest.empty() && std::ranges::all_of(newest, [](const auto& arm) {
    return arm.second == store::RunStatus::done;
  });
  if (view.isDone) view.problem.clear();
  count(view);
  return view;
}

std::vector<LatencyArmSource> withTypes(std::vector<NiahArmSource> sources, const Json& spec,
                                        const LoadOptions& load) {
  std::vector<LatencyArmSource> arms;
  for (size_t i = 0; i < sources.size(); ++i) {
    LatencyArmSource arm{std::move(sources[i]), {}, load};
    const Json& kept = spec["arms"][i];
    const std::string type = kept.value("dtype", std::string());
    for (const ScalarType one : {ScalarType::float32, ScalarType::bfloat16}) {
      if (type == to_string(one) && arm.source.model->report().compute_type != one) arm.dtype = one;
    }
    arms.push_back(std::move(arm));
  }
  return arms;
}

}  // namespace orthros::studio
