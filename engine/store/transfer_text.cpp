// Views as CSV and JSONL, with units and formulas in the file.
#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

#include "engine/store/experiment_copy.h"
#include "engine/store/failure.h"
#include "engine/store/run_reader_impl.h"
#include "engine/store/target_file.h"
#include "engine/store/transfer.h"

namespace orthros::store {

using detail::Connection;
using detail::Query;
using detail::refuse;

namespace {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string header(const ViewColumn& column) {
  return column.unit.empty() ? column.name : column.name + " [" + column.unit + "]";
}

nlohmann::ordered_json json_value(const detail::Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return *integer;
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;  // no view has blobs
}

std::string text_value(const detail::Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return {};
}

void write_csv(std::ostream& out, const View& view, Query& rows) {
  out << "# " << view.name << ": " << view.description << '\n';
  for (const ViewColumn& column : view.columns) {
    if (!column.formula.empty()) out << "# " << header(column) << " = " << column.formula << '\n';
  }
  for (size_t i = 0; i < view.columns.size(); ++i)
    out << (i == 0 ? "" : ",") << csv_field(header(view.columns[i]));
  out << '\n';
  while (rows.step()) {
    for (size_t i = 0; i < view.columns.size(); ++i) {
      out << (i == 0 ? "" : ",") << csv_field(text_value(detail::read_value(rows, static_cast<int>(i))));
    }
    out << '\n';
  }
}

void write_jsonl(std::ostream& out, const View& view, Query& rows) {
  // Model output is bytes: what is not UTF-8 becomes the replacement character.
  const auto dump = [&](const nlohmann::ordered_json& object) {
    out << object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
  };
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (const ViewColumn& column : view.columns) {
    columns.push_back({{"name", column.name}, {"unit", column.unit}, {"formula", column.formula}});
  }
  dump({{"view", view.name}, {"description", view.description}, {"columns", columns}});
  while (rows.step()) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (size_t i = 0; i < view.columns.size(); ++i) {
      object[view.columns[i].name] = json_value(detail::read_value(rows, static_cast<int>(i)));
    }
    dump(object);
  }
}

const View& view_named(std::string_view name) {
  const auto found =
      std::find_if(views().begin(), views().end(), [&](const View& v) { return v.name == name; });
  if (found == views().end()) refuse(ErrorCode::not_found, "there is no view {} to export", name);
  return *found;
}

void require_experiment(Connection& connection, std::string_view uuid) {
  if (uuid.empty()) return;
  if (!connection.query("SELECT 1 FROM experiment WHERE uuid = ?").bind(uuid).step()) {
    refuse(ErrorCode::not_found, "the store has no experiment {}", uuid);
  }
}

std::string select_statement(const View& view) {
  std::string columns;
  for (const ViewColumn& column : view.columns) columns += (columns.empty() ? "" : ", ") + column.name;
  return fmt::format("SELECT {} FROM {} WHERE ?1 = '' OR experiment_uuid = ?1", columns, view.name);
}

}  // namespace

Result<void> export_view(const std::filesystem::path& database, std::string_view view_name,
                         std::string_view experiment_uuid, TextFormat format,
                         const std::filesystem::path& target, bool overwrite) {
  return detail::guarded("cannot export to " + target.filename().string(), [&] {
    const View& view = view_named(view_name);
    const auto connection = detail::open_for_reading(database);
    require_experiment(*connection, experiment_uuid);
    detail::TargetFile file(target, overwrite);
    {
      std::ofstream out(file.unfinished(), std::ios::binary);
      Query rows = connection->query(select_statement(view));
      rows.bind(experiment_uuid);
      format == TextFormat::csv ? write_csv(out, view, rows) : write_jsonl(out, view, rows);
      out.close();
      if (!out) refuse(ErrorCode::io, "cannot write {}: is the disk full?", target.filename().string());
    }
    file.finish();
  });
}

}  // namespace orthros::store
