// RunStore: the writing side of one run database. Every call runs on the store's one writer thread and
// returns after its transaction is committed, so what returned ok survives kill -9 and power loss. Errors: io
// (cannot open, disk full), corrupt_file (not a run store, damaged), unsupported (newer schema: opened
// read-only by RunReader; read-only medium), not_found, invalid_argument. A failed call changes nothing.
// Threads: any thread may call. Reading: RunReader (run_reader.h), each on its own connection. Public: no
// torch.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/store/records.h"

namespace orthros::store {

/// The platform's data folder for this program, "orthros/runs.sqlite" in it (XDG_DATA_HOME on Linux).
std::filesystem::path default_path();

class RunStore {
 public:
  /// Creates, migrates (after an online backup beside the file) or opens.
  static Result<std::unique_ptr<RunStore>> open(const std::filesystem::path& path);
  ~RunStore();

  const std::filesystem::path& path() const;

  /// Found by their identity, or added.
  Result<RowId> put_environment(const EnvironmentRecord& environment);
  Result<RowId> put_tokenizer(const TokenizerRecord& tokenizer);
  Result<RowId> put_model(const ModelRecord& model);
  Result<RowId> put_prompt(const PromptRecord& prompt, std::optional<RowId> tokenizer);
  /// Printed values of papers; a point that is there already takes the new value.
  Result<void> put_paper_points(std::span<const PaperPointRecord> points);

  Result<ExperimentRecord> create_experiment(const ExperimentRecord& experiment);
  /// The run with all its cells, in one transaction.
  Result<RunRecord> create_run(const RunRecord& run, std::span<const CellRecord> cells);
  /// Adds cells to a run; those whose key is there already are left alone.
  Result<void> add_cells(RowId run, std::span<const CellRecord> cells);

  /// running, with this process as owner; refused (invalid_argument) while another live process owns the run.
  /// Cells that a dead owner left running become pending.
  Result<void> begin_run(RowId run);
  /// Ends the ownership: any status but running. Records the event; cells still running become pending.
  Result<void> end_run(RowId run, RunStatus status, std::string_view error = {});
  Result<void> set_attn_impl(RowId run, std::string_view attn_impl);

  /// running, attempts + 1.
  Result<void> begin_cell(RowId cell);
  Result<void> end_cell(RowId cell, CellStatus status, std::string_view error_class = {},
                        std::string_view error_text = {});

  /// One transaction each; also the heartbeat of the run. A trial or sample that is there already is refused.
  Result<RowId> add_trial(const NiahTrialRecord& trial);
  Result<RowId> add_sample(const LatencySampleRecord& sample);
  Result<void> add_tokens(RowId run, RowId prompt, std::span<const GenTokenRecord> tokens);
  Result<void> add_attention_step(RowId run, const AttnStepRecord& step);
  Result<void> add_invariants(RowId run, std::span<const InvariantRecord> invariants);
  Result<void> add_train_points(RowId run, std::span<const TrainPointRecord> points);
  Result<void> add_event(RowId run, std::string_view kind, std::string_view detail);
  /// Re-scoring adds; a score that is there already for this scorer is refused unless equal.
  Result<void> add_score(RowId trial, const ScoreRecord& score);
  /// Keeps the sample, takes it out of the statistics.
  Result<void> exclude_sample(RowId sample, std::string_view reason);

  /// Runs whose owner is gone (another boot, dead process) become interrupted and their running cells
  /// pending. Returns the runs it changed. Call at start.
  Result<std::vector<RowId>> recover();

  Result<void> set_note(RowId experiment, std::string_view note);
  Result<void> set_tags(RowId experiment, std::string_view tags);
  Result<void> set_starred(RowId experiment, bool starred);
  Result<void> set_name(RowId experiment, std::string_view name);
  /// With all its runs, and the prompts that no other run uses. Refused while a live process owns one of
  /// them.
  Result<void> delete_experiment(RowId experiment);

 private:
  friend struct StoreAccess;  // import (transfer.h) writes on the same thread
  struct Impl;
  explicit RunStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace orthros::store
