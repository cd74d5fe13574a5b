// Bringing a file to the newest schema: checks whose file it is, backs it up beside itself, runs the missing
// migrations in one transaction each. Throws (failure.h): corrupt_file for a foreign or altered file,
// unsupported for a newer one. Private to engine/store.
#pragma once

#include <filesystem>
#include <string>

#include "engine/store/connection.h"

namespace orthros::store::detail {

/// What a file says it is.
struct FileIdentity {
  bool empty = false;   // no tables yet
  int64_t version = 0;  // user_version
};
/// Throws corrupt_file when it is no run store; `name` stands in the message.
FileIdentity identify(Connection& connection, const std::string& name);

/// Each applied migration must be the one this program knows, as far as it knows it.
void check_migrations(Connection& connection, const std::string& name);

/// Runs the missing migrations without a backup: for new files, temporary ones and after the backup.
void apply_migrations(Connection& connection);

/// The whole: identify, refuse newer, back up beside `path` when there is something to lose, apply.
void migrate_file(Connection& connection, const std::filesystem::path& path);

/// "runs.sqlite.v1.backup", or with "-2", "-3"... when there is one already.
std::filesystem::path backup_path(const std::filesystem::path& path, int64_t version);

[[noreturn]] void refuse_newer(const std::string& name, int64_t version);

/// SQL text of everything in a file of this schema version, to compare files from elsewhere with.
std::string schema_text(Connection& connection);

}  // namespace orthros::store::detail
