// NiahExperiment: needle trials of several arms on the same prompts, every finished trial committed to the
// store. Order: shortest length first; within a cell trial by trial, arms A B, B A, ... so that drift favours
// none. Errors: invalid_argument (spec, arms with different tokenizers, resume of something else), store
// errors, cancelled. A cell that fails (out of memory, error) is recorded and the rest goes on. Threads: one
// caller. Public: no torch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/experiments/clock.h"
#include "engine/experiments/experiment_runs.h"
#include "engine/experiments/niah_spec.h"
#include "engine/experiments/run_control.h"

namespace orthros {

class NiahExperiment {
 public:
  static Result<NiahExperiment> create(store::RunStore& store, const NiahSpec& spec, std::vector<Arm> arms,
                                       const std::string& name);
  /// What is stored of `uuid` is kept; only what is missing runs.
  static Result<NiahExperiment> resume(store::RunStore& store, const std::string& uuid, const NiahSpec& spec,
                                       std::vector<Arm> arms, bool retry_failed);

  const store::ExperimentRecord& experiment() const { return runs_.experiment(); }
  /// ok when every cell ended; cancelled when stopped (the runs are then interrupted and can be resumed).
  Result<void> run(const RunControl& control, const Clock& clock = SteadyClock::instance());

 private:
  NiahExperiment(NiahSpec spec, std::vector<Arm> arms, std::shared_ptr<const NeedleTask> task,
                 ExperimentRuns runs)
      : spec_(std::move(spec)), arms_(std::move(arms)), task_(std::move(task)), runs_(std::move(runs)) {}

  Result<void> run_cells(const RunControl& control, const Clock& clock);
  Result<void> run_cell(const NiahCell& cell, const RunControl& control, const Clock& clock);
  Result<void> run_trial(const NiahCell& cell, int64_t trial, const RunControl& control, const Clock& clock);
  Result<void> run_arm(const NiahCell& cell, size_t arm, int64_t trial, const NeedlePrompt& prompt,
                       store::RowId prompt_id, const RunControl& control, const Clock& clock);
  Result<void> skip_dominated(const NiahCell& cell, bool try_dominated);
  void advance(const RunControl& control, const NiahCell& cell, size_t arm);

  NiahSpec spec_;
  std::vector<Arm> arms_;
  std::shared_ptr<const NeedleTask> task_;
  ExperimentRuns runs_;
  std::vector<std::string> backends_;
  std::vector<std::string> out_of_memory_;  // by arm: key of the first cell that did not fit
  std::string phase_;
  int64_t done_ = 0, total_ = 0;
  int64_t done_trials_ = 0, total_trials_ = 0;
};

/// The experiment's spec as stored: task, arms, tokenizer, generator.
Json niah_experiment_json(const NiahSpec& spec, const std::vector<Arm>& arms, const NeedleTask& task);

}  // namespace orthros
