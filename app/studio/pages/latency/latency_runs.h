// Latency experiments of the run store, for jobs: run or resume one, list them, read one as figures while it
// runs or afterwards. Errors: as the engine and the store; an absent store is an empty list. Threads: any;
// readers have a connection of their own.
#pragma once

#include <QList>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>

#include "app/studio/job.h"
#include "app/studio/pages/niah/niah_arms.h"
#include "engine/experiments/latency_report.h"
#include "engine/experiments/run_control.h"
#include "engine/store/run_store.h"

namespace orthros::studio {

/// Another compute type than the open model's: the job loads the weights once more.
struct LatencyArmSource {
  NiahArmSource source;
  std::optional<ScalarType> dtype;
  LoadOptions load;
};

struct LatencyPlan {
  LatencySpec spec;
  std::vector<LatencyArmSource> arms;
  QString name, resume;  // resume: uuid of what was begun before; empty: begin anew
  std::shared_ptr<PauseGate> pause;
};

/// Runs until the plan is done or the job is stopped; every sample is kept at once. `begun` is called with
/// the uuid once it is stored, `advanced` after every sample, both on this thread.
Result<void> runLatency(const LatencyPlan& plan, store::RunStore& store, JobContext& context,
                        const std::function<void(const QString&)>& begun,
                        const std::function<void()>& advanced);

/// One experiment, as far as it is.
struct LatencyView {
  QString uuid, name, created, specHash, build;
  Json spec;
  LatencyReport report;
  bool isDone = false;  // every arm ended; what is not can be resumed
  qint64 samples = 0, cells = 0, ended = 0;
  QString problem;  // why an arm failed
};
/// `uuid`: the whole of it, a beginning, or "last": the newest of this kind.
Result<LatencyView> readLatency(const QString& storePath, const QString& uuid,
                                const Resampling& resampling = {});

/// The compute type that each arm of a kept spec had, where the open model's is another.
std::vector<LatencyArmSource> withTypes(std::vector<NiahArmSource> sources, const Json& spec,
                                        const LoadOptions& load);

}  // namespace orthros::studio
