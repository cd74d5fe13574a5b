// LatencyExperiment: samples of several arms over the points of a spec, each committed as it ends, outside
// the timed region. A cell that fails is recorded (oom, timeout, error), larger ones of that arm are skipped,
// the rest goes on. Errors: invalid_argument (spec, no arm, resume of something else), store errors,
// cancelled (then resumable). Threads: one caller. Public: no torch. Source: niah-and-latency.md 6.2.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/experiments/ceilings.h"
#include "engine/experiments/equal_work.h"
#include "engine/experiments/experiment_runs.h"
#include "engine/experiments/latency_cell.h"
#include "engine/experiments/latency_spec.h"

namespace orthros {

/// An arm and where its samples are taken.
struct LatencyArm {
  Arm arm;
  std::shared_ptr<LatencyTarget> target;
};
std::vector<LatencyArm> local_latency_arms(std::vector<Arm> arms,
                                           const Clock& clock = SteadyClock::instance());

class LatencyExperiment {
 public:
  static Result<LatencyExperiment> create(store::RunStore& store, const LatencySpec& spec,
                                          std::vector<LatencyArm> arms, const std::string& name);
  static Result<LatencyExperiment> resume(store::RunStore& store, const std::string& uuid,
                                          const LatencySpec& spec, std::vector<LatencyArm> arms,
                                          bool retry_failed);

  const store::ExperimentRecord& experiment() const { return runs_.experiment(); }
  /// Kept with every run; the report holds its times against them.
  Result<void> keep_ceilings(const MachineRates& rates);
  /// Kept with the run of one arm.
  Result<void> keep_equal_work(size_t arm, const EqualWork& work);
  Result<void> run(const RunControl& control, const Clock& clock = SteadyClock::instance());

 private:
  struct Failure {
    LatencyPoint point;
    store::CellStatus status;
  };

  LatencyExperiment(LatencySpec spec, std::vector<LatencyArm> arms, ExperimentRuns runs)
      : spec_(std::move(spec)), arms_(std::move(arms)), runs_(std::move(runs)) {}

  Result<void> run_points(const RunControl& control, const Clock& clock);
  Result<void> run_point(const LatencyPoint& point, const RunControl& control, const Clock& clock);
  /// Arms of the point that are still to be measured, opened; those that cannot open are ended as failed.
  Result<std::vector<CellArm>> open_cell(const LatencyPoint& point, LatencyRequest& request,
                                         bool try_dominated);
  Result<void> fail_cell(size_t arm, const LatencyPoint& point, const Error& error);
  Result<void> keep(const LatencyPoint& point, const CellSample& sample, store::RowId prompt);
  Result<store::RowId> keep_prompt(const LatencyPoint& point, const LatencyRequest& request, size_t arm);
  const Failure* dominating(size_t arm, const LatencyPoint& point) const;
  int64_t cost(const LatencyPoint& point) const;

  LatencySpec spec_;
  std::vector<LatencyArm> arms_;
  ExperimentRuns runs_;
  std::vector<std::string> backends_;
  std::vector<std::vector<Failure>> failures_;  // by arm
  std::vector<bool> called_;                    // by arm: its first sample ever in this process is cold
  int64_t sequence_ = 0;
  int64_t done_ = 0, total_ = 0;
};

Json latency_experiment_json(const LatencySpec& spec, const std::vector<LatencyArm>& arms);

}  // namespace orthros
