// ExperimentCopy: one experiment and all it refers to, from one database to another of the same schema. Ids
// are given anew in an order that depends on the content only, so that two copies of the same experiment into
// empty databases are equal row by row. A run that was going on arrives as interrupted, without an owner.
// Throws (failure.h). Private to engine/store.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "engine/store/connection.h"
#include "engine/store/table_rules.h"

namespace orthros::store::detail {

struct BlobValue {
  std::string bytes;
  bool operator==(const BlobValue&) const = default;
};
using Value = std::variant<std::monostate, int64_t, double, std::string, BlobValue>;

Value read_value(Query& query, int column);
void bind_value(Query& query, int index, const Value& value);

class ExperimentCopy {
 public:
  ExperimentCopy(Connection& source, Connection& target) : source_(source), target_(target) {}
  /// Id in the target.
  RowId copy(RowId experiment);
  /// Rows added to a table.
  int64_t added(std::string_view table) const;

 private:
  struct Row {
    std::vector<std::string> columns;
    std::vector<Value> values;
    Value& at(std::string_view column);
  };
  Row read_row(Query& query) const;
  /// Shared rows are found or added; nullopt ids stay so.
  Value map_reference(std::string_view table, const Value& old_id);
  RowId add_shared(const TableRule& rule, Row row);
  void copy_children(const TableRule& rule, RowId old_parent, RowId new_parent);
  RowId add_owned(const TableRule& rule, Row row);
  RowId insert(const TableRule& rule, const Row& row);

  Connection& source_;
  Connection& target_;
  std::map<std::string_view, std::unordered_map<RowId, RowId>> ids_;  // of shared rows, by table
  std::map<std::string_view, int64_t> added_;
};

}  // namespace orthros::store::detail
