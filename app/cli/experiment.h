// What the experiment commands share: arms, the run store, resuming, and tables of text.
#pragma once

#include "app/cli/cli.h"
#include "engine/experiments/arm.h"
#include "engine/experiments/latency_report.h"
#include "engine/experiments/niah_map.h"
#include "engine/experiments/run_control.h"
#include "engine/store/run_reader.h"
#include "engine/store/run_store.h"

namespace orthros::cli {

/// --db: which run database.
struct StoreOptions {
  std::string db;
  std::filesystem::path path() const;
};
void add_store_option(CLI::App& app, StoreOptions& options);
/// Opens the store and takes note of runs whose program has died.
Result<std::unique_ptr<store::RunStore>> open_store(const StoreOptions& options);
Result<std::unique_ptr<store::RunReader>> open_reader(const StoreOptions& options);

/// --arm, --name, --resume, --retry-failed, --db and the common options.
struct ExperimentOptions {
  CommonOptions common;
  StoreOptions store;
  std::vector<std::string> arms;
  std::string name, resume;
  bool retry_failed = false, try_dominated = false;
};
void add_experiment_options(CLI::App& app, ExperimentOptions& options);
Result<std::vector<Arm>> open_arms(const ExperimentOptions& options);
RunControl run_control(const ExperimentOptions& options);
/// The stored experiment of --resume; its kind must be `kind`.
Result<store::ExperimentRecord> find_resumed(const ExperimentOptions& options, store::ExperimentKind kind);
/// "stored as 1a2b3c4d", or how to go on when it was stopped.
void say_where(const std::string& command, const store::ExperimentRecord& experiment,
               const Result<void>& ran);

/// "256,512,1K": whole numbers with commas; K is 1,024, M 1,048,576.
Result<std::vector<int64_t>> parse_lengths(const std::string& text, const std::string& option);

/// Names come from other people's bundles too: without control characters, cut after `most` characters.
std::string one_line(const std::string& text, size_t most = std::string::npos);

/// Columns as wide as their widest cell; the first `left` are flush left, the others right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header, size_t left = 1)
      : rows_{std::move(header)}, left_(left) {}
  void add(std::vector<std::string> row);
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
  size_t left_;
};

/// What all labels begin with is left out: arms of one model are told apart by how they read it.
std::vector<std::string> short_labels(const std::vector<std::string>& labels);
/// "model, " of all labels, or nothing.
std::string common_model(const std::vector<std::string>& labels);

/// --keep, --db and --name of a single run: whether it goes into the run database.
struct KeepOptions {
  StoreOptions store;
  bool keep = false;
  std::string name;
};
void add_keep_options(CLI::App& app, KeepOptions& options);

/// Why a cell has no figure: "memory", "timeout", "error", "skipped", else "-".
std::string status_text(store::CellStatus status);
template <class Arms>
std::vector<std::string> labels_of(const Arms& arms) {
  std::vector<std::string> labels;
  for (const auto& arm : arms) labels.push_back(one_line(arm.label));
  return labels;
}

void print_niah(const NiahMap& map);
Json niah_json(const NiahMap& map);
void print_latency(const LatencyReport& report);
Json latency_json(const LatencyReport& report);

}  // namespace orthros::cli
