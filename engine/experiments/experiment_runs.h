// ExperimentRuns: an experiment's runs (one an arm) and cells in the run store, made new or taken up again.
// It knows what is there already, so that a resumed experiment runs only what is missing. Both kinds of
// experiment use it. Errors: invalid_argument with the reason when models, spec, tokenizer or generator
// differ; else as RunStore. Threads: one caller. Public: no torch.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/experiments/arm.h"
#include "engine/store/run_reader.h"
#include "engine/store/run_store.h"

namespace orthros {

/// What the store keeps of a run besides its arm.
struct RunSetup {
  int64_t seed = 0;
  Json settings = Json::object();
};

struct CellState {
  store::RowId id = 0;
  store::CellStatus status = store::CellStatus::pending;
  std::set<int64_t> done;  // trial_no or rep_no of what is stored, whichever run of the arm did it
  // Latency: numbers of the next sample and warm-up, and what is there of counted samples.
  int64_t next_no = 0, next_warmup = 0;
  struct Kept {
    int64_t prefill_ns = 0, e2e_ns = 0;
  };
  std::vector<Kept> kept;
};

class ExperimentRuns {
 public:
  /// `cells`: the plan, the same for every arm.
  static Result<ExperimentRuns> create(store::RunStore& store, const store::ExperimentRecord& experiment,
                                       const std::vector<Arm>& arms,
                                       const std::vector<store::CellRecord>& cells, const RunSetup& setup);
  /// `experiment.spec_json` is what would be created now; it must equal the stored one.
  static Result<ExperimentRuns> resume(store::RunStore& store, const store::ExperimentRecord& experiment,
                                       const std::vector<Arm>& arms,
                                       const std::vector<store::CellRecord>& cells, const RunSetup& setup,
                                       bool retry_failed);

  const store::ExperimentRecord& experiment() const { return experiment_; }
  store::RunStore& store() const { return *store_; }
  store::RowId run(size_t arm) const { return runs_[arm]; }
  std::optional<store::RowId> tokenizer(size_t arm) const { return tokenizers_[arm]; }
  CellState& cell(size_t arm, const std::string& key) { return cells_[arm].at(key); }
  const CellState& cell(size_t arm, const std::string& key) const { return cells_[arm].at(key); }

  Result<void> begin();
  /// How the work ended: ok is done, cancelled is interrupted (it can be resumed), anything else is failed.
  /// `attn_impl` by arm, as the back ends reported; empty texts are left out.
  Result<void> end(const Result<void>& work, const std::vector<std::string>& attn_impl);
  Result<void> begin_cell(size_t arm, const std::string& key);
  Result<void> end_cell(size_t arm, const std::string& key, store::CellStatus status,
                        std::string_view error_class = {}, std::string_view error_text = {});

 private:
  ExperimentRuns(store::RunStore& store, store::ExperimentRecord experiment)
      : store_(&store), experiment_(std::move(experiment)) {}
  Result<void> add_run(size_t index, const Arm& arm, const std::vector<store::CellRecord>& cells,
                       const RunSetup& setup);
  Result<void> read_arm(const store::RunReader& reader, size_t arm,
                        const std::vector<store::RunRecord>& runs);

  store::RunStore* store_;
  store::ExperimentRecord experiment_;
  std::vector<store::RowId> runs_;
  std::vector<std::optional<store::RowId>> tokenizers_;
  std::vector<std::map<std::string, CellState>> cells_;  // by arm
};

/// A cell that ended as it is: nothing of it will run (done, or failed and not retried).
bool is_final(store::CellStatus status);

/// What differs between two specs, in words; empty when nothing does.
std::string spec_difference(const Json& stored, const Json& now);

/// oom for out_of_memory, error for anything else; the class is the error code's name.
store::CellStatus failed_status(const Error& error);

}  // namespace orthros
