#include "engine/experiments/experiment_runs.h"

#include <algorithm>

#include "engine/model/runtime.h"
#include "engine/store/environment.h"
#include "engine/store/run_reader.h"

namespace orthros {
namespace {

using store::CellStatus;
using store::ExperimentKind;

store::EnvironmentRecord environment() {
  store::EnvironmentRecord record = store::current_environment();
  record.libtorch = torch_version();
  return record;
}

store::RunRecord run_record(const Arm& arm, size_t index, const RunSetup& setup) {
  store::RunRecord run;
  run.arm = static_cast<int64_t>(index);
  run.arm_label = arm.label;
  run.device = arm.device;
  run.dtype = arm.dtype;
  run.weights = arm.weights;
  run.kv_dtype = arm.kv_dtype;
  run.n_threads = num_threads();
  run.seed = setup.seed;
  run.settings_json = setup.settings.dump();
  return run;
}

// "arms[1].weights_sha256" in a reader's words.
std::string in_words(const std::string& pointer) {
  return pointer.starts_with('/') ? pointer.substr(1) : pointer;
}

}  // namespace

bool is_final(CellStatus status) {
  return status != CellStatus::pending && status != CellStatus::running;
}

store::CellStatus failed_status(const Error& error) {
  return error.code == ErrorCode::out_of_memory ? CellStatus::oom : CellStatus::error;
}

std::string spec_difference(const Json& stored, const Json& now) {
  std::string words;
  for (const Json& change : Json::diff(stored, now)) {
    if (!words.empty()) words += ", ";
    words += in_words(change.value("path", std::string()));
  }
  return words;
}

Result<void> ExperimentRuns::add_run(size_t index, const Arm& arm,
                                     const std::vector<store::CellRecord>& cells, const RunSetup& setup) {
  store::RunRecord run = run_record(arm, index, setup);
  run.experiment_id = experiment_.id;
  ORTHROS_TRY(run.environment_id, store_->put_environment(environment()));
  ORTHROS_TRY(run.model_id, store_->put_model(arm.record));
  if (arm.tokenizer) {
    ORTHROS_TRY(run.tokenizer_id, store_->put_tokenizer(*arm.tokenizer));
  }
  ORTHROS_TRY(const store::RunRecord created, store_->create_run(run, cells));
  runs_[index] = created.id;
  tokenizers_[index] = run.tokenizer_id;
  return {};
}

Result<ExperimentRuns> ExperimentRuns::create(store::RunStore& store,
                                              const store::ExperimentRecord& experiment,
                                              const std::vector<Arm>& arms,
                                              const std::vector<store::CellRecord>& cells,
                                              const RunSetup& setup) {
  ORTHROS_TRY(const store::ExperimentRecord created, store.create_experiment(experiment));
  ExperimentRuns result(store, created);
  result.runs_.resize(arms.size());
  result.tokenizers_.resize(arms.size());
  result.cells_.resize(arms.size());
  for (size_t arm = 0; arm < arms.size(); ++arm)
    ORTHROS_TRY_VOID(result.add_run(arm, arms[arm], cells, setup));
  ORTHROS_TRY(const auto reader, store::RunReader::open(store.path()));
  ORTHROS_TRY(const auto runs, reader->runs(created.id));
  for (size_t arm = 0; arm < arms.size(); ++arm) ORTHROS_TRY_VOID(result.read_arm(*reader, arm, runs));
  return result;
}

Result<ExperimentRuns> ExperimentRuns::resume(store::RunStore& store,
                                              const store::ExperimentRecord& experiment,
                                              const std::vector<Arm>& arms,
                                              const std::vector<store::CellRecord>& cells,
                                              const RunSetup& setup, bool retry_failed) {
  ORTHROS_TRY(const auto reader, store::RunReader::open(store.path()));
  ORTHROS_TRY(const store::ExperimentRecord stored, reader->find_experiment(experiment.uuid));
  const Json before = Json::parse(stored.spec_json, nullptr, false);
  const std::string difference = spec_difference(before, Json::parse(experiment.spec_json, nullptr, false));
  if (!difference.empty()) {
    return fail(
        Error{ErrorCode::invalid_argument,
              fmt::format("cannot resume {}: not as it was begun: {}", stored.uuid.substr(0, 8), difference),
              "give the same models and settings, or start a new experiment"});
  }
  ORTHROS_TRY(const store::RowId here, store.put_environment(environment()));
  ORTHROS_TRY(std::vector<store::RunRecord> runs, reader->runs(stored.id));
  ExperimentRuns result(store, stored);
  result.runs_.resize(arms.size());
  result.tokenizers_.resize(arms.size());
  result.cells_.resize(arms.size());
  for (size_t arm = 0; arm < arms.size(); ++arm) {
    // A run belongs to one environment: what is done elsewhere goes into a run of its own.
    const auto same = std::ranges::find_if(runs, [&](const store::RunRecord& run) {
      return run.arm == static_cast<int64_t>(arm) && run.environment_id == here;
    });
    if (same == runs.end()) {
      ORTHROS_TRY_VOID(result.add_run(arm, arms[arm], cells, setup));
    } else {
      result.runs_[arm] = same->id;
      result.tokenizers_[arm] = same->tokenizer_id;
    }
  }
  ORTHROS_TRY(runs, reader->runs(stored.id));
  for (size_t arm = 0; arm < arms.size(); ++arm) {
    ORTHROS_TRY_VOID(result.read_arm(*reader, arm, runs));
    if (!retry_failed) continue;
    for (auto& [key, cell] : result.cells_[arm]) {
      if (cell.status != CellStatus::done) cell.status = CellStatus::pending;
    }
  }
  return result;
}

// Results may lie in several runs of the arm; new ones go to the cells of its present run.
Result<void> ExperimentRuns::read_arm(const store::RunReader& reader, size_t arm,
                                      const std::vector<store::RunRecord>& runs) {
  auto& states = cells_[arm];
  for (const store::RunRecord& run : runs) {
    if (run.arm != static_cast<int64_t>(arm)) continue;
    ORTHROS_TRY(const std::vector<store::CellRecord> cells, reader.cells(run.id));
    std::map<store::RowId, CellState*> by_id;
    for (const store::CellRecord& cell : cells) {
      CellState& state = states[cell.key];
      by_id[cell.id] = &state;
      if (run.id == runs_[arm]) state.id = cell.id;
      // Finished in any run of the arm is finished; "done" counts more than how another attempt failed.
      if (is_final(cell.status) && state.status != CellStatus::done) state.status = cell.status;
    }
    if (experiment_.kind == ExperimentKind::niah) {
      ORTHROS_TRY(const auto trials, reader.trials(run.id));
      for (const auto& trial : trials) by_id.at(trial.cell_id)->done.insert(trial.trial_no);
    } else if (experiment_.kind == ExperimentKind::latency) {
      ORTHROS_TRY(const auto samples, reader.samples(run.id));
      for (const auto& sample : samples) {
        CellState& state = *by_id.at(sample.cell_id);
        int64_t& next = sample.warmup ? state.next_warmup : state.next_no;
        next = std::max(next, sample.rep_no + 1);
        if (sample.warmup) continue;
        state.done.insert(sample.rep_no);
        if (sample.excluded.empty()) state.kept.push_back({sample.prefill_ns, sample.e2e_ns});
      }
    }
  }
  return {};
}

Result<void> ExperimentRuns::begin() {
  for (const store::RowId run : runs_) ORTHROS_TRY_VOID(store_->begin_run(run));
  return {};
}

Result<void> ExperimentRuns::end(const Result<void>& work, const std::vector<std::string>& attn_impl) {
  const bool stopped = !work && work.error().code == ErrorCode::cancelled;
  const auto status = work      ? store::RunStatus::done
                      : stopped ? store::RunStatus::interrupted
                                : store::RunStatus::failed;
  const std::string error = work || stopped ? std::string() : work.error().line();
  for (size_t arm = 0; arm < runs_.size(); ++arm) {
    if (arm < attn_impl.size() && !attn_impl[arm].empty()) {
      ORTHROS_TRY_VOID(store_->set_attn_impl(runs_[arm], attn_impl[arm]));
    }
    ORTHROS_TRY_VOID(store_->end_run(runs_[arm], status, error));
  }
  return {};
}

Result<void> ExperimentRuns::begin_cell(size_t arm, const std::string& key) {
  CellState& state = cell(arm, key);
  ORTHROS_TRY_VOID(store_->begin_cell(state.id));
  state.status = CellStatus::running;
  return {};
}

Result<void> ExperimentRuns::end_cell(size_t arm, const std::string& key, CellStatus status,
                                      std::string_view error_class, std::string_view error_text) {
  CellState& state = cell(arm, key);
  ORTHROS_TRY_VOID(store_->end_cell(state.id, status, error_class, error_text));
  state.status = status;
  return {};
}

}  // namespace orthros
