#include "engine/store/run_reader.h"

#include <sqlite3.h>

#include "engine/store/migrate.h"
#include "engine/store/run_reader_impl.h"
#include "engine/store/schema.h"

namespace orthros::store {

using detail::Connection;
using detail::Query;

namespace detail {
namespace {

/// A WAL database in a folder where nothing can be made beside it.
bool needs_immutable(const SQLite::Exception& exception, const std::filesystem::path& path) {
  const int code = exception.getErrorCode();
  std::filesystem::path wal = path;
  wal += "-wal";
  std::error_code error;
  const bool nothing_in_wal =
      !std::filesystem::exists(wal, error) || std::filesystem::file_size(wal, error) == 0;
  return (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && nothing_in_wal;
}

/// An older file may be on a read-only medium: its content is read from an updated copy, which does not
/// follow it.
std::unique_ptr<Connection> updated_copy(Connection& old, const std::string& name) {
  check_migrations(old, name);
  auto copy = std::make_unique<Connection>("", Connection::Mode::temporary);
  copy_database(old, *copy);
  apply_migrations(*copy);
  return copy;
}

}  // namespace

std::unique_ptr<Connection> open_for_reading(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  if (!std::filesystem::exists(path)) refuse(ErrorCode::not_found, "there is no run store {}", path.string());
  if (std::filesystem::is_directory(path)) {
    refuse(ErrorCode::invalid_argument, "{} is a folder, no run store", path.string());
  }
  auto connection = std::make_unique<Connection>(path, Connection::Mode::read);
  FileIdentity identity;
  try {
    identity = identify(*connection, name);
  } catch (const SQLite::Exception& exception) {
    if (!needs_immutable(exception, path)) throw;
    connection = std::make_unique<Connection>(path, Connection::Mode::immutable);
    identity = identify(*connection, name);
  }
  if (identity.empty) refuse(ErrorCode::corrupt_file, "{} is empty: nothing was ever stored in it", name);
  if (identity.version < schema_version()) return updated_copy(*connection, name);
  if (identity.version == schema_version()) check_migrations(*connection, name);
  return connection;
}

}  // namespace detail

RunReader::RunReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunReader::~RunReader() = default;

Result<std::unique_ptr<RunReader>> RunReader::open(const std::filesystem::path& path) {
  return detail::guarded("cannot read the run store " + path.string(), [&] {
    auto impl = std::make_unique<Impl>();
    impl->connection = detail::open_for_reading(path);
    impl->newer = impl->connection->scalar("PRAGMA user_version") > detail::schema_version();
    return std::unique_ptr<RunReader>(new RunReader(std::move(impl)));
  });
}

bool RunReader::newer_schema() const {
  return impl_->newer;
}

Result<int64_t> RunReader::data_version() const {
  return impl_->read("cannot read the run store",
                     [](Connection& c) { return c.scalar("PRAGMA data_version"); });
}

void RunReader::interrupt() {
  sqlite3_interrupt(impl_->connection->handle());
}

}  // namespace orthros::store
