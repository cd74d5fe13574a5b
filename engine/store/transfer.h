// Moving runs: a whole database, one experiment as a small bundle (itself a run store file with a manifest
// table: schema, app version, sha256 of every table's content), CSV and JSONL of the views. Import matches by
// uuid and sha256 and renumbers ids; a second import changes nothing; other content under the same uuid is
// refused. Errors: io (target exists unless overwrite), not_found, unsupported (newer schema, says what to
// do), corrupt_file. Everything is written to a temporary file, then renamed. Public: no torch.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/store/records.h"
#include "engine/store/run_store.h"

namespace orthros::store {

/// Whole database by VACUUM INTO.
Result<void> export_database(const std::filesystem::path& database, const std::filesystem::path& target,
                             bool overwrite = false);
Result<void> export_bundle(const std::filesystem::path& database, std::string_view experiment_uuid,
                           const std::filesystem::path& target, bool overwrite = false);

struct ImportReport {
  int64_t experiments_added = 0, experiments_present = 0;
  int64_t runs_added = 0, cells_added = 0, results_added = 0;
};
/// Names, notes, tags, stars, exclusions, later scores and states do not count as content: of an experiment
/// that is there already they are left as they are.
Result<ImportReport> import_bundle(RunStore& store, const std::filesystem::path& bundle);

/// Views that can be exported as text; each column has a unit and, where derived, a formula.
struct ViewColumn {
  std::string name, unit, formula;
};
struct View {
  std::string name, description;
  std::vector<ViewColumn> columns;
};
const std::vector<View>& views();  // v_niah_cell, v_niah_trial, v_latency, v_table4, ...

/// All experiments when the uuid is empty. CSV: "# formula" comment lines, then headers "ttft [s]". JSONL: a
/// first object with columns, units and formulas, then one object a row.
enum class TextFormat { csv, jsonl };
Result<void> export_view(const std::filesystem::path& database, std::string_view view,
                         std::string_view experiment_uuid, TextFormat format,
                         const std::filesystem::path& target, bool overwrite = false);

/// Two or more experiments: only what is not the same in all of them, of spec, models and environment.
struct Difference {
  std::string key;
  std::vector<std::string> values;  // of each experiment; "(none)": it has no such key
};
Result<std::vector<Difference>> compare_experiments(const std::filesystem::path& database,
                                                    std::span<const std::string> uuids);

}  // namespace orthros::store
