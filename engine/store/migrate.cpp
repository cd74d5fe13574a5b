#include "engine/store/migrate.h"

#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>

#include "engine/store/app_version.h"
#include "engine/store/digest.h"
#include "engine/store/failure.h"
#include "engine/store/schema.h"

namespace orthros::store::detail {
namespace {

constexpr int kOldestSqlite = 3037000;  // STRICT tables

void check_sqlite() {
  if (sqlite3_libversion_number() < kOldestSqlite) {
    refuse(ErrorCode::unsupported, "SQLite {} is too old for the run store: 3.37 or newer is needed",
           sqlite3_libversion());
  }
}

void apply(Connection& connection, const Migration& migration) {
  SQLite::Transaction transaction(connection.database(), SQLite::TransactionBehavior::IMMEDIATE);
  // Another process may have been faster while this one waited for the lock.
  if (connection.scalar("PRAGMA user_version") >= migration.version) return;
  connection.exec(std::string(migration.sql));
  connection
      .query(
          "INSERT INTO schema_migration(version, name, sha256, app_version, applied_utc) VALUES(?,?,?,?,?)")
      .bind(migration.version, migration.name, migration.sha256(), app_version(), utc_now())
      .run();
  connection.exec(
      fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {}", migration.version, kApplicationId));
  transaction.commit();
}

void back_up(Connection& connection, const std::filesystem::path& path, int64_t version) {
  const std::filesystem::path target = backup_path(path, version);
  std::filesystem::path unfinished = target;
  unfinished += ".tmp";
  std::filesystem::remove(unfinished);
  {
    Connection copy(unfinished, Connection::Mode::create);
    copy_database(connection, copy);
    copy.exec("PRAGMA journal_mode = DELETE");  // one file, nothing beside it
  }
  std::filesystem::rename(unfinished, target);
}

}  // namespace

FileIdentity identify(Connection& connection, const std::string& name) {
  FileIdentity identity;
  try {
    // One look: another process may be making the same file.
    SQLite::Transaction transaction(connection.database());
    identity.version = connection.scalar("PRAGMA user_version");
    identity.empty = connection.scalar("SELECT count(*) FROM sqlite_schema") == 0;
    const int64_t application = connection.scalar("PRAGMA application_id");
    const bool untouched = identity.empty && application == 0 && identity.version == 0;
    if (!untouched && application != kApplicationId) {
      refuse(ErrorCode::corrupt_file, "{} is an SQLite database of another program, no run store", name);
    }
  } catch (const SQLite::Exception& exception) {
    if (exception.getErrorCode() != SQLITE_NOTADB) throw;
    refuse(ErrorCode::corrupt_file, "{} is no run store (not an SQLite database)", name);
  }
  if (identity.version < 0) refuse(ErrorCode::corrupt_file, "{} has a negative schema version", name);
  return identity;
}

void refuse_newer(const std::string& name, int64_t version) {
  throw Refusal{Error{ErrorCode::unsupported,
                      fmt::format("{} was written by a newer version of the program (schema {}; this one "
                                  "writes {})",
                                  name, version, schema_version()),
                      "update the program, or open the file for reading only"}};
}

void check_migrations(Connection& connection, const std::string& name) {
  Query rows = connection.query("SELECT version, sha256 FROM schema_migration ORDER BY version");
  int64_t expected = 0;
  while (rows.step()) {
    const auto version = rows.get<int64_t>(0);
    if (version != ++expected) break;
    if (version > schema_version()) return;
    const Migration& known = migrations()[static_cast<size_t>(version - 1)];
    if (rows.get<std::string>(1) != known.sha256()) {
      refuse(ErrorCode::corrupt_file,
             "{}: migration {} ({}) is not the one this program knows: the file is from a build that was "
             "never released",
             name, version, known.name);
    }
  }
  const int64_t version = connection.scalar("PRAGMA user_version");
  if (expected < std::min(version, schema_version())) {
    refuse(ErrorCode::corrupt_file, "{} says schema {}, but its list of migrations ends at {}", name, version,
           expected);
  }
}

void apply_migrations(Connection& connection) {
  check_sqlite();
  const int64_t version = connection.scalar("PRAGMA user_version");
  for (const Migration& migration : migrations()) {
    if (migration.version > version) apply(connection, migration);
  }
}

void migrate_file(Connection& connection, const std::filesystem::path& path) {
  check_sqlite();
  const std::string name = path.filename().string();
  const FileIdentity identity = identify(connection, name);
  if (identity.version > schema_version()) refuse_newer(name, identity.version);
  connection.use_wal();
  if (!identity.empty) {
    check_migrations(connection, name);
    if (identity.version < schema_version()) back_up(connection, path, identity.version);
  }
  apply_migrations(connection);
}

std::filesystem::path backup_path(const std::filesystem::path& path, int64_t version) {
  for (int number = 1;; ++number) {
    std::filesystem::path candidate = path;
    candidate += fmt::format(".v{}.backup{}", version, number == 1 ? "" : fmt::format("-{}", number));
    if (!std::filesystem::exists(candidate)) return candidate;
  }
}

std::string schema_text(Connection& connection) {
  std::string text;
  Query rows = connection.query(
      "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' "
      "ORDER BY type, name");
  while (rows.step()) {
    for (int column = 0; column < 4; ++column) text += rows.get<std::string>(column) + '\n';
  }
  return text;
}

}  // namespace orthros::store::detail
