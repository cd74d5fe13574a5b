// sha256 of tables' content: of a bundle's rows as they lie (its manifest), and of the part of an experiment
// that decides whether two copies are the same. Values enter with type and length. Private to engine/store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/store/connection.h"

namespace orthros::store::detail {

struct TableDigest {
  std::string name;
  int64_t rows = 0;
  std::string sha256;
  bool operator==(const TableDigest&) const = default;
};

/// Of each table that an experiment fills and this schema version has, whole.
std::vector<TableDigest> whole_digests(Connection& connection);

/// Of one experiment, without annotations and states (TableRule::compared), whatever its ids are.
std::vector<TableDigest> experiment_digests(Connection& connection, RowId experiment);

}  // namespace orthros::store::detail
