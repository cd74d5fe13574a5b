#include "engine/store/experiment_copy.h"

#include <algorithm>

#include <sqlite3.h>

#include "engine/store/failure.h"

namespace orthros::store::detail {
namespace {

std::string list(const std::vector<std::string>& columns) {
  std::string text;
  for (const std::string& column : columns) text += (text.empty() ? "" : ", ") + column;
  return text;
}

}  // namespace

Value read_value(Query& query, int column) {
  const SQLite::Column value = query.statement().getColumn(column);
  switch (value.getType()) {
    case SQLITE_INTEGER:
      return value.getInt64();
    case SQLITE_FLOAT:
      return value.getDouble();
    case SQLITE_TEXT:
      return value.getString();
    case SQLITE_BLOB:
      return BlobValue{value.getString()};
    default:
      return std::monostate{};
  }
}

void bind_value(Query& query, int index, const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    query.bind_one(index, *integer);
  } else if (const auto* real = std::get_if<double>(&value)) {
    query.bind_one(index, *real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    query.bind_one(index, *text);
  } else if (const auto* blob = std::get_if<BlobValue>(&value)) {
    query.bind_one(index, Blob{blob->bytes});
  } else {
    query.bind_null(index);
  }
}

Value& ExperimentCopy::Row::at(std::string_view column) {
  const auto found = std::find(columns.begin(), columns.end(), column);
  if (found == columns.end()) refuse(ErrorCode::internal, "a row has no column {}", column);
  return values[static_cast<size_t>(found - columns.begin())];
}

ExperimentCopy::Row ExperimentCopy::read_row(Query& query) const {
  Row row;
  for (int i = 0; i < query.statement().getColumnCount(); ++i) {
    row.columns.emplace_back(query.statement().getColumnName(i));
    row.values.push_back(read_value(query, i));
  }
  return row;
}

RowId ExperimentCopy::insert(const TableRule& rule, const Row& row) {
  std::vector<std::string> columns = row.columns;
  std::string marks;
  size_t first = 0;
  if (rule.has_id) {  // the target gives its own
    columns.erase(columns.begin());
    first = 1;
  }
  for (size_t i = 0; i < columns.size(); ++i) marks += i == 0 ? "?" : ",?";
  Query query = target_.query(fmt::format("INSERT INTO {}({}) VALUES({})", rule.name, list(columns), marks));
  for (size_t i = 0; i < columns.size(); ++i) {
    bind_value(query, static_cast<int>(i) + 1, row.values[i + first]);
  }
  query.run();
  ++added_[rule.name];
  return target_.last_id();
}

RowId ExperimentCopy::add_shared(const TableRule& rule, Row row) {
  std::string condition;
  for (const std::string_view column : rule.identity) {
    condition += fmt::format("{}{} IS ?", condition.empty() ? "" : " AND ", column);
  }
  {
    Query found = target_.query(fmt::format("SELECT id FROM {} WHERE {}", rule.name, condition));
    int index = 0;
    for (const std::string_view column : rule.identity) bind_value(found, ++index, row.at(column));
    if (found.step()) return found.get<RowId>(0);
  }
  const auto old_id = std::get<int64_t>(row.at("id"));
  const RowId id = insert(rule, row);
  copy_children(rule, old_id, id);
  return id;
}

Value ExperimentCopy::map_reference(std::string_view table, const Value& old_id) {
  const auto* id = std::get_if<int64_t>(&old_id);
  if (id == nullptr) return std::monostate{};
  auto& known = ids_[table];
  if (const auto found = known.find(*id); found != known.end()) return found->second;
  const TableRule& rule = rule_of(table);
  Row row;
  {
    Query query = source_.query(fmt::format("SELECT * FROM {} WHERE id = ?", table));
    if (!query.bind(*id).step()) refuse(ErrorCode::corrupt_file, "the file lacks row {} of {}", *id, table);
    row = read_row(query);
  }
  for (const Reference& reference : rule.references) {
    row.at(reference.column) = map_reference(reference.table, row.at(reference.column));
  }
  const RowId new_id = add_shared(rule, std::move(row));
  known.emplace(*id, new_id);
  return new_id;
}

RowId ExperimentCopy::add_owned(const TableRule& rule, Row row) {
  for (const Reference& reference : rule.references) {
    row.at(reference.column) = map_reference(reference.table, row.at(reference.column));
  }
  if (rule.name == "run") {
    row.at("owner_token") = std::monostate{};
    if (row.at("status") == Value("running")) row.at("status") = std::string("interrupted");
  } else if (rule.name == "cell" && row.at("status") == Value("running")) {
    row.at("status") = std::string("pending");
  }
  const RowId old_id = rule.has_id ? std::get<int64_t>(row.at("id")) : 0;
  const RowId new_id = insert(rule, row);
  copy_children(rule, old_id, new_id);
  return new_id;
}

void ExperimentCopy::copy_children(const TableRule& rule, RowId old_parent, RowId new_parent) {
  for (const std::string_view name : rule.children) {
    const TableRule& child = rule_of(name);
    Query query = source_.query(
        fmt::format("SELECT * FROM {} WHERE {} = ? ORDER BY {}", name, child.parent_column, child.order));
    query.bind(old_parent);
    while (query.step()) {
      Row row = read_row(query);
      row.at(child.parent_column) = new_parent;
      add_owned(child, std::move(row));
    }
  }
}

RowId ExperimentCopy::copy(RowId experiment) {
  Row row;
  {
    Query query = source_.query("SELECT * FROM experiment WHERE id = ?");
    if (!query.bind(experiment).step()) refuse(ErrorCode::not_found, "there is no experiment {}", experiment);
    row = read_row(query);
  }
  return add_owned(rule_of("experiment"), std::move(row));
}

int64_t ExperimentCopy::added(std::string_view table) const {
  const auto found = added_.find(table);
  return found == added_.end() ? 0 : found->second;
}

}  // namespace orthros::store::detail
