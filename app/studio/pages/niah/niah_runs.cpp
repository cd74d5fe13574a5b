#include "app/studio/pages/niah/niah_runs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "app/studio/kept_runs.h"
#include "app/studio/text.h"
#include "engine/experiments/niah_experiment.h"

namespace orthros::studio {
namespace {

Result<NiahExperiment> begin(const NiahPlan& plan, store::RunStore& store, std::vector<Arm> arms) {
  if (plan.resume.isEmpty())
    return NiahExperiment::create(store, plan.spec, std::move(arms), toStd(plan.name));
  return NiahExperiment::resume(store, toStd(plan.resume), plan.spec, std::move(arms), plan.retryFailed);
}

// Of several open models of one name the one whose weights were kept.
Result<Arm> armOf(const NiahArmSource& source, JobContext& context) {
  ORTHROS_TRY(Arm arm, arm_of(source.model, source.config, context.stop(), context.sink()));
  for (const auto& other : source.others) {
    if (source.weightsSha256.empty() || arm.record.weights_sha256 == source.weightsSha256) break;
    ORTHROS_TRY(arm, arm_of(other, source.config, context.stop(), context.sink()));
  }
  return arm;
}

// Window of the base stream, and how far through all layers a token reaches the last row: L (w - 1) before
// it.
std::pair<qint64, qint64> windowOf(const std::string& configJson) {
  const auto config = parse_model_config(Json::parse(configJson, nullptr, false));
  if (!config) return {0, 0};
  qint64 window = 0;
  qint64 reach = 1;
  for (const LayerSpec& layer : config->layers) {
    if (layer.window.is_full()) return {0, 0};
    window = std::max<qint64>(window, layer.window.window);
    reach += layer.window.window - 1;
  }
  return {window, reach};
}

QString buildOf(const store::EnvironmentRecord& environment) {
  constexpr qsizetype kDigits = 9;
  QString build = toQt(environment.app_version);
  if (!environment.git_commit.empty() && environment.git_commit != "unknown")
    build += u' ' + toQt(environment.git_commit).left(kDigits);
  return environment.git_dirty ? build + u'+' : build;
}

std::string architectureOf(const Json& spec, size_t arm) {
  if (!spec.is_object() || !spec.contains("arms") || !spec["arms"].is_array() || spec["arms"].size() <= arm)
    return {};
  const Json& one = spec["arms"][arm];
  return one.is_object() && one.contains("architecture") && one["architecture"].is_string()
             ? one["architecture"].get<std::string>()
             : std::string();
}

}  // namespace

Result<void> runNiah(const NiahPlan& plan, store::RunStore& store, JobContext& context,
                     const std::function<void(const QString&)>& begun,
                     const std::function<void()>& advanced) {
  std::vector<Arm> arms;
  for (const NiahArmSource& source : plan.arms) {
    ORTHROS_TRY(Arm arm, armOf(source, context));
    arms.push_back(std::move(arm));
  }
  ORTHROS_TRY(NiahExperiment experiment, begin(plan, store, std::move(arms)));
  begun(toQt(experiment.experiment().uuid));
  RunControl control;
  control.stop = context.stop();
  control.pause = plan.pause;
  control.progress = [sink = context.sink(), &advanced](const Progress& at) {
    sink(at);
    advanced();
  };
  return experiment.run(control);
}

Result<NiahView> readNiah(const QString& storePath, const QString& uuid) {
  ORTHROS_TRY(const auto reader, store::RunReader::open(toStd(storePath)));
  ORTHROS_TRY(const auto experiment, reader->find_experiment(toStd(uuid), store::ExperimentKind::niah));
  if (experiment.kind != store::ExperimentKind::niah)
    return fail(ErrorCode::invalid_argument, "{} is no needle experiment", toStd(uuid));
  NiahView view;
  view.uuid = toQt(experiment.uuid);
  view.name = toQt(experiment.name);
  view.created = localTime(experiment.created_utc);
  view.specHash = toQt(experiment.spec_sha256).left(12);
  view.spec = Json::parse(experiment.spec_json, nullptr, /*allow_exceptions=*/false);
  ORTHROS_TRY(view.map, read_niah_map(*reader, experiment));
  // The report compares all with the first; here any two can be looked at.
  for (size_t a = 1; a < view.map.arms.size(); ++a) {
    for (size_t b = a + 1; b < view.map.arms.size(); ++b)
      view.map.pairs.push_back({a, b, delta_map(view.map.arms[a].map_cells, view.map.arms[b].map_cells)});
  }
  ORTHROS_TRY(const auto runs, reader->runs(experiment.id));
  std::map<int64_t, store::RunStatus> newest;  // by arm
  view.windows.resize(std::ssize(view.map.arms));
  view.reaches.resize(std::ssize(view.map.arms));
  for (const store::RunRecord& run : runs) {
    newest[run.arm] = run.status;
    if (run.model_id) {
      ORTHROS_TRY(const auto model, reader->model(*run.model_id));
      std::tie(view.windows[run.arm], view.reaches[run.arm]) = windowOf(model.config_json);
    }
    ORTHROS_TRY(const auto environment, reader->environment(run.environment_id));
    view.build = buildOf(environment);
    if (run.status == store::RunStatus::failed) view.problem = toQt(run.error);
  }
  view.isDone =
      std::ranges::all_of(newest, [](const auto& arm) { return arm.second == store::RunStatus::done; });
  if (view.isDone) view.problem.clear();
  const NiahCount count = countOf(view.map.spec);
  view.planned = count.trials * static_cast<qint64>(view.map.arms.size());
  for (size_t arm = 0; arm < view.map.arms.size(); ++arm) {
    const NiahArmMap& map = view.map.arms[arm];
    view.architectures.append(toQt(architectureOf(view.spec, arm)));
    view.trials += map.all.n + map.needle_only.n;
    for (const NiahShare& share : map.no_needle) view.trials += share.n;
    for (const auto& column : map.cells)
      view.failed += std::ranges::count_if(column, [](const NiahShare& share) {
        return share.status == store::CellStatus::oom || share.status == store::CellStatus::timeout ||
               share.status == store::CellStatus::error || share.status == store::CellStatus::skipped;
      });
  }
  return view;
}

NiahCount countOf(const NiahSpec& spec) {
  NiahCount count;
  for (const NiahCell& cell : niah_cells(spec)) {
    ++(cell.control == NeedleControl::none ? count.cells : count.controls);
    count.trials += cell.trials;
    count.tokens += cell.trials * cell.length;
  }
  return count;
}

}  // namespace orthros::studio
