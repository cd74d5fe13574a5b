// RunReader: reading a run database on a connection of its own, also while a run is being written.
// Errors: not_found (no file, no such row), corrupt_file, io. A database of a newer schema opens here, and
// newer_schema() says so. Threads: one reader, one thread. Public: no torch.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/job_control.h"
#include "engine/base/result.h"
#include "engine/store/records.h"

namespace orthros::store {

struct ExperimentSummary {
  ExperimentRecord experiment;
  int64_t runs = 0, cells = 0, cells_done = 0, results = 0;  // results: trials, samples, tokens, points
  RunStatus status = RunStatus::queued;  // the least finished of its arms, each by its newest run
  std::vector<std::string> arms;
};

/// A stored value of any column, for tables and exports.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // NULL is "", blobs are hex
};

class RunReader {
 public:
  static Result<std::unique_ptr<RunReader>> open(const std::filesystem::path& path);
  ~RunReader();

  bool newer_schema() const;
  /// Grows with every commit by another connection: poll it to know when to read again.
  Result<int64_t> data_version() const;

  /// Newest first.
  Result<std::vector<ExperimentSummary>> experiments(std::optional<ExperimentKind> kind = {}) const;
  /// By uuid, by a unique beginning of it (at least 4 characters), or "last": the newest, of that kind where
  /// one is given.
  Result<ExperimentRecord> find_experiment(std::string_view name,
                                           std::optional<ExperimentKind> kind = {}) const;
  Result<std::vector<RunRecord>> runs(RowId experiment) const;  // by arm, then by creation
  Result<std::vector<CellRecord>> cells(RowId run) const;       // by ordinal
  /// Without probes unless asked for; 10,000 of them within 200 ms.
  Result<std::vector<NiahTrialRecord>> trials(RowId run, bool with_probes = false) const;
  Result<std::vector<LatencySampleRecord>> samples(RowId run) const;
  Result<PromptRecord> prompt(RowId prompt) const;
  Result<std::optional<RowId>> find_prompt(std::string_view ids_sha256) const;
  Result<std::vector<GenTokenRecord>> tokens(RowId run) const;
  Result<std::vector<AttnStepRecord>> attention_steps(RowId run) const;
  Result<std::vector<InvariantRecord>> invariants(RowId run) const;
  Result<std::vector<TrainPointRecord>> train_points(RowId run) const;
  Result<std::vector<EventRecord>> events(RowId run) const;
  Result<std::vector<PaperPointRecord>> paper_points() const;
  Result<EnvironmentRecord> environment(RowId environment) const;
  Result<ModelRecord> model(RowId model) const;
  Result<TokenizerRecord> tokenizer(RowId tokenizer) const;

  /// Any one read-only statement (the SQL pane and exports); at most `max_rows` rows. A statement that would
  /// write is invalid_argument, as is one with a value above 256 MB; one that `stop` ends is cancelled. Blobs
  /// are hex up to 64 bytes, else "blob, N bytes, 0x…"; texts are cut at 64 KB: "… (N bytes)".
  Result<Table> query(std::string_view sql, int64_t max_rows = 100'000, const StopToken& stop = {}) const;
  /// Ends the call that is going on with `cancelled`. Any thread.
  void interrupt();

 private:
  struct Impl;
  explicit RunReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace orthros::store
