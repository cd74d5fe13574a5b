// Arms, the run store and resuming, as the experiment commands share them.
#include "app/cli/experiment.h"

#include <algorithm>
#include <charconv>

namespace orthros::cli {
namespace {

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// 0: no unit.
int64_t unit_of(char letter) {
  if (letter == 'k' || letter == 'K') return 1024;
  return letter == 'm' || letter == 'M' ? 1024 * 1024 : 0;
}

size_t columns_of(const std::string& text) {
  return text.size() - static_cast<size_t>(std::ranges::count_if(text, is_continuation));
}

}  // namespace

std::filesystem::path StoreOptions::path() const {
  return db.empty() ? store::default_path() : std::filesystem::path(db);
}

void add_store_option(CLI::App& app, StoreOptions& options) {
  app.add_option("--db", options.db, "Run database (default: runs.sqlite in your data folder)");
}

Result<std::unique_ptr<store::RunStore>> open_store(const StoreOptions& options) {
  ORTHROS_TRY(auto opened, store::RunStore::open(options.path()));
  ORTHROS_TRY(const std::vector<store::RowId> recovered, opened->recover());
  if (!recovered.empty()) {
    note("{} run{} had been cut off; what was finished is kept (see: orthros runs list)", recovered.size(),
         recovered.size() == 1 ? "" : "s");
  }
  return opened;
}

Result<std::unique_ptr<store::RunReader>> open_reader(const StoreOptions& options) {
  ORTHROS_TRY(auto reader, store::RunReader::open(options.path()));
  if (reader->newer_schema()) note("the run database was written by a newer orthros: it is only read");
  return reader;
}

void add_experiment_options(CLI::App& app, ExperimentOptions& options) {
  add_common_options(app, options.common);
  add_store_option(app, options.store);
  app.add_option("--arm", options.arms,
                 "MODEL[:transformer|:swa,w=128,s=4|:orthros,w=128,s=4[,dtype=..][,weights=..][,kv=..]]; "
                 "repeat for each arm")
      ->required()
      ->allow_extra_args(false);  // a list of values would swallow what follows
  app.add_option("--name", options.name, "Name in the run list");
  CLI::Option* resume =
      app.add_option("--resume", options.resume, "Go on with this stored experiment (its id, or last)");
  app.add_flag("--try-all", options.try_dominated, "Also cells that a smaller one's failure says will fail");
  app.add_flag("--retry-failed", options.retry_failed, "With --resume: also cells that failed")
      ->needs(resume);
}

Result<std::vector<Arm>> open_arms(const ExperimentOptions& options) {
  ORTHROS_TRY_VOID(apply(options.common));
  std::vector<ArmSpec> specs;
  for (const std::string& text : options.arms) {
    ORTHROS_TRY(const ArmSpec spec, parse_arm(text));
    specs.push_back(spec);
  }
  return orthros::open_arms(specs, load_options(options.common), stop_token(), progress_bar());
}

RunControl run_control(const ExperimentOptions& options) {
  RunControl control;
  control.stop = stop_token();
  control.progress = progress_bar();
  control.try_dominated = options.try_dominated;
  return control;
}

Result<store::ExperimentRecord> find_resumed(const ExperimentOptions& options, store::ExperimentKind kind) {
  ORTHROS_TRY(const auto reader, open_reader(options.store));
  ORTHROS_TRY(const store::ExperimentRecord found, reader->find_experiment(options.resume, kind));
  if (found.kind != kind) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("{} is a {} experiment", found.uuid.substr(0, 8), to_string(found.kind)),
                      fmt::format("resume it with orthros {}", to_string(found.kind))});
  }
  return found;
}

void say_where(const std::string& command, const store::ExperimentRecord& experiment,
               const Result<void>& ran) {
  const std::string id = experiment.uuid.substr(0, 8);
  if (ran) {
    note("stored as {}", id);
  } else {
    note("what is finished is kept; to go on: orthros {} --resume {}, with the same --arm and --db", command,
         id);
  }
}

void add_keep_options(CLI::App& app, KeepOptions& options) {
  CLI::Option* keep = app.add_flag("--keep", options.keep, "Keep the run in the run database");
  app.add_option("--db", options.store.db, "Run database (default: runs.sqlite in your data folder)")
      ->needs(keep);
  app.add_option("--name", options.name, "Name in the run list")->needs(keep);
}

Result<std::vector<int64_t>> parse_lengths(const std::string& text, const std::string& option) {
  std::vector<int64_t> values;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = trimmed(text.substr(begin, end - begin));
    int64_t value = 0;
    const char* last = word.data() + word.size();
    const auto [next, error] = std::from_chars(word.data(), last, value);
    const int64_t unit = next == last ? 1 : next + 1 == last ? unit_of(*next) : 0;
    if (error != std::errc() || unit == 0 || value < 0 || value > (int64_t{1} << 40) / unit) {
      return fail(Error{ErrorCode::invalid_argument, fmt::format("{}: '{}' is no length", option, word),
                        "write for example 256,512,1K,1M"});
    }
    values.push_back(value * unit);
    begin = end + 1;
  }
  return values;
}

std::string one_line(const std::string& text, size_t most) {
  const std::string valid = valid_utf8(text);
  std::string out;
  size_t columns = 0;
  for (size_t i = 0; i < valid.size(); ++columns) {
    if (columns == most) return out + "...";
    size_t length = 1;
    while (i + length < valid.size() && is_continuation(valid[i + length])) ++length;
    const auto first = static_cast<unsigned char>(valid[i]);
    // C0, DEL, and C1, which is 0xc2 0x80 to 0xc2 0x9f.
    const bool c1 = first == 0xc2 && static_cast<unsigned char>(valid[i + 1]) < 0xa0;
    if (first < 0x20 || first == 0x7f || c1) {
      out += '?';
    } else {
      out.append(valid, i, length);
    }
    i += length;
  }
  return out;
}

void TextTable::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = one_line(cell);
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  std::vector<size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      const std::string space(widths[i] - columns_of(row[i]), ' ');
      line += i < left_ ? row[i] + space : space + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string status_text(store::CellStatus status) {
  switch (status) {
    case store::CellStatus::oom:
      return "memory";
    case store::CellStatus::timeout:
    case store::CellStatus::error:
    case store::CellStatus::skipped:
      return to_string(status);
    default:
      return "-";
  }
}

std::string common_model(const std::vector<std::string>& labels) {
  const size_t comma = labels.empty() ? std::string::npos : labels.front().find(", ");
  if (comma == std::string::npos) return {};
  const std::string model = labels.front().substr(0, comma + 2);
  const bool all =
      std::ranges::all_of(labels, [&](const std::string& label) { return label.starts_with(model); });
  return all ? model : std::string();
}

std::vector<std::string> short_labels(const std::vector<std::string>& labels) {
  const size_t cut = common_model(labels).size();
  std::vector<std::string> result;
  for (const std::string& label : labels) result.push_back(label.substr(cut));
  return result;
}

}  // namespace orthros::cli
