// How each table hangs together: what an experiment owns, what it shares with others and by which identity.
// Copying (export, import) and hashing are written once over these rules. Private to engine/store.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace orthros::store::detail {

struct Reference {
  std::string_view column, table;
};

struct TableRule {
  std::string_view name;
  std::string_view order;          // key of a row among those of one parent; relative order survives copying
  std::string_view parent_column;  // "": found by id
  std::vector<Reference> references = {};
  std::vector<std::string_view> identity = {};  // of shared rows; empty: owned by its parent
  std::vector<std::string_view> children = {};
  bool has_id = true;
  /// Columns that must agree when the same experiment is imported again; the others are annotations or states
  /// that change afterwards. "*": all, "": the table is not compared.
  std::string_view compared = "*";
};

std::span<const TableRule> table_rules();
const TableRule& rule_of(std::string_view table);

}  // namespace orthros::store::detail
