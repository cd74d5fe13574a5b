#include "engine/store/connection.h"

#include <cctype>
#include <chrono>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <thread>

#include <SQLiteCpp/Backup.h>
#include <sqlite3.h>

#include "engine/store/failure.h"

namespace orthros::store::detail {
namespace {

constexpr int kBusyTimeoutMs = 5000;
constexpr size_t kMaxValueBytes = 1'000'000'000;  // SQLite's own default limit

std::string as_uri(const std::filesystem::path& path, std::string_view options) {
  std::string uri = "file:";
  for (const char c : path.string()) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '-' || c == '_';
    if (plain) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri + std::string(options);
}

std::string file_name(const std::filesystem::path& path, Connection::Mode mode) {
  if (mode == Connection::Mode::temporary) return "";
  // Absolute, so that no name is read as ":memory:" or as a URI.
  const std::filesystem::path absolute = std::filesystem::absolute(path);
  return mode == Connection::Mode::immutable ? as_uri(absolute, "?mode=ro&immutable=1") : absolute.string();
}

int open_flags(Connection::Mode mode) {
  switch (mode) {
    case Connection::Mode::create:
    case Connection::Mode::temporary:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Connection::Mode::write:
      return SQLITE_OPEN_READWRITE;
    case Connection::Mode::read:
      return SQLITE_OPEN_READONLY;
    case Connection::Mode::immutable:
      return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  }
  return SQLITE_OPEN_READONLY;
}

template <class E>
E parse_enum(const std::string& text, std::initializer_list<E> values) {
  for (const E value : values) {
    if (text == to_string(value)) return value;
  }
  refuse(ErrorCode::corrupt_file, "the store holds an unknown state \"{}\"", text);
}

void check_size(size_t bytes) {
  if (bytes > kMaxValueBytes) {
    refuse(ErrorCode::invalid_argument, "a value of {} bytes is too big for the store", bytes);
  }
}

}  // namespace

Query::~Query() {
  statement_.tryReset();
  try {
    statement_.clearBindings();
  } catch (const SQLite::Exception&) {  // only frees memory; the next use binds anew
  }
}

void Query::bind_one(int index, int64_t value) {
  statement_.bind(index, value);
}
void Query::bind_one(int index, double value) {
  std::isnan(value) ? statement_.bind(index) : statement_.bind(index, value);
}
void Query::bind_one(int index, std::string_view value) {
  check_size(value.size());
  statement_.bind(index, std::string(value));
}
void Query::bind_one(int index, Blob value) {
  check_size(value.bytes.size());
  // A null pointer would bind NULL.
  const char* data = value.bytes.data() != nullptr ? value.bytes.data() : "";
  statement_.bindNoCopy(index, static_cast<const void*>(data), static_cast<int>(value.bytes.size()));
}
void Query::bind_one(int index, TextOrNull value) {
  value.text.empty() ? statement_.bind(index) : bind_one(index, value.text);
}
void Query::bind_null(int index) {
  statement_.bind(index);
}

int64_t Query::run() {
  return statement_.exec();
}

void Query::read_one(int index, int64_t& value) {
  value = statement_.getColumn(index).getInt64();
}
void Query::read_one(int index, bool& value) {
  value = statement_.getColumn(index).getInt64() != 0;
}
void Query::read_one(int index, double& value) {
  value = statement_.isColumnNull(index) ? std::numeric_limits<double>::quiet_NaN()
                                         : statement_.getColumn(index).getDouble();
}
void Query::read_one(int index, std::string& value) {
  value = statement_.getColumn(index).getString();
}
void Query::read_one(int index, std::optional<int64_t>& value) {
  value.reset();
  if (!statement_.isColumnNull(index)) value = statement_.getColumn(index).getInt64();
}
void Query::read_one(int index, std::optional<double>& value) {
  value.reset();
  if (!statement_.isColumnNull(index)) value = statement_.getColumn(index).getDouble();
}
void Query::read_one(int index, ExperimentKind& value) {
  using enum ExperimentKind;
  value = parse_enum(get<std::string>(index), {niah, latency, prompt, attention, training, convert});
}
void Query::read_one(int index, RunStatus& value) {
  using enum RunStatus;
  value =
      parse_enum(get<std::string>(index), {queued, running, paused, interrupted, cancelled, failed, done});
}
void Query::read_one(int index, CellStatus& value) {
  using enum CellStatus;
  value =
      parse_enum(get<std::string>(index), {pending, running, done, oom, timeout, error, skipped, cancelled});
}

Connection::Connection(const std::filesystem::path& path, Mode mode)
    : database_(file_name(path, mode), open_flags(mode), kBusyTimeoutMs) {
  // A file from elsewhere may carry views and triggers: they get no functions with side effects.
  database_.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON");
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  if (mode == Mode::read || mode == Mode::immutable) database_.exec("PRAGMA query_only = ON");
}

void Connection::use_wal() {
  // FULL: WAL with NORMAL may lose the last commits at power loss, for 0.1 ms a commit.
  // The switch to WAL wants the file alone and does not wait for it: programs that start at once take turns
  // here.
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyTimeoutMs);
  while (true) {
    try {
      database_.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      return;
    } catch (const SQLite::Exception& exception) {
      if (exception.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() >= end) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Query Connection::query(const std::string& sql) {
  auto found = statements_.find(sql);
  if (found == statements_.end()) {
    found = statements_.emplace(sql, SQLite::Statement(database_, sql)).first;
  }
  return Query(found->second);
}

int64_t Connection::scalar(const std::string& sql) {
  Query row = query(sql);
  return row.step() ? row.get<int64_t>(0) : 0;
}

void copy_database(Connection& source, Connection& target) {
  SQLite::Backup backup(target.database(), source.database());
  if (backup.executeStep(-1) != SQLITE_DONE) {
    refuse(ErrorCode::io, "cannot copy the database: another program holds it");
  }
}

}  // namespace orthros::store::detail
