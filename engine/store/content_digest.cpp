#include "engine/store/content_digest.h"

#include <bit>
#include <span>

#include "engine/base/sha256.h"
#include "engine/store/experiment_copy.h"
#include "engine/store/migrate.h"
#include "engine/store/table_rules.h"

namespace orthros::store::detail {
namespace {

void update(Sha256& sha, std::string_view bytes) {
  sha.update(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

void update_number(Sha256& sha, char type, uint64_t bits) {
  char bytes[9] = {type};
  for (int i = 0; i < 8; ++i) bytes[i + 1] = static_cast<char>(bits >> (8 * i));
  update(sha, {bytes, sizeof bytes});
}

void update_value(Sha256& sha, const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    update_number(sha, 'i', static_cast<uint64_t>(*integer));
  } else if (const auto* real = std::get_if<double>(&value)) {
    update_number(sha, 'r', std::bit_cast<uint64_t>(*real));
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    update_number(sha, 't', text->size());
    update(sha, *text);
  } else if (const auto* blob = std::get_if<BlobValue>(&value)) {
    update_number(sha, 'b', blob->bytes.size());
    update(sha, blob->bytes);
  } else {
    update(sha, "n");
  }
}

TableDigest digest(Connection& connection, const TableRule& rule, std::string_view columns) {
  TableDigest result{std::string(rule.name), 0, {}};
  Sha256 sha;
  const std::string key =
      rule.has_id ? "id" : std::string(rule.parent_column) + ", " + std::string(rule.order);
  Query rows = connection.query(fmt::format("SELECT {} FROM {} ORDER BY {}", columns, rule.name, key));
  const int count = rows.statement().getColumnCount();
  for (int i = 0; i < count; ++i) update_value(sha, Value(std::string(rows.statement().getColumnName(i))));
  while (rows.step()) {
    ++result.rows;
    for (int i = 0; i < count; ++i) update_value(sha, read_value(rows, i));
  }
  result.sha256 = sha.finish();
  return result;
}

}  // namespace

std::vector<TableDigest> whole_digests(Connection& connection) {
  std::vector<TableDigest> digests;
  for (const TableRule& rule : table_rules()) {
    Query exists = connection.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    if (exists.bind(rule.name).step()) digests.push_back(digest(connection, rule, "*"));
  }
  return digests;
}

std::vector<TableDigest> experiment_digests(Connection& connection, RowId experiment) {
  Connection alone("", Connection::Mode::temporary);
  apply_migrations(alone);
  alone.exec("BEGIN");
  ExperimentCopy(connection, alone).copy(experiment);
  alone.exec("COMMIT");
  std::vector<TableDigest> digests;
  for (const TableRule& rule : table_rules()) {
    if (!rule.compared.empty()) digests.push_back(digest(alone, rule, rule.compared));
  }
  return digests;
}

}  // namespace orthros::store::detail
