// Connection: one SQLite connection with the store's pragmas and its prepared statements. Query: one use of a
// statement, reset at its end so that no read snapshot stays open. Both throw (failure.h). Threads: one
// connection, one thread. Private to engine/store.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include "engine/store/records.h"

namespace orthros::store::detail {

/// Binds as a blob; the bytes must outlive the call.
struct Blob {
  std::string_view bytes;
};
/// Binds NULL when empty: for texts that mostly are not there.
struct TextOrNull {
  std::string_view text;
};

class Connection;

class Query {
 public:
  Query(SQLite::Statement& statement) : statement_(statement) {}
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query();

  /// Values of parameters 1, 2, ...
  template <class... T>
  Query& bind(const T&... values) {
    int index = 0;
    (bind_one(++index, values), ...);
    return *this;
  }
  void bind_one(int index, int64_t value);
  void bind_one(int index, int value) { bind_one(index, static_cast<int64_t>(value)); }
  void bind_one(int index, bool value) { bind_one(index, static_cast<int64_t>(value)); }
  void bind_one(int index, double value);  // NaN is NULL
  void bind_one(int index, std::string_view value);
  void bind_one(int index, const std::string& value) { bind_one(index, std::string_view(value)); }
  void bind_one(int index, const char* value) { bind_one(index, std::string_view(value)); }
  void bind_one(int index, Blob value);
  void bind_one(int index, TextOrNull value);
  void bind_null(int index);
  template <class T>
  void bind_one(int index, const std::optional<T>& value) {
    value ? bind_one(index, *value) : bind_null(index);
  }

  bool step() { return statement_.executeStep(); }
  /// Rows changed by the statement.
  int64_t run();

  /// The row's columns 0, 1, ... into these; NULL is "", 0, or nullopt.
  template <class... T>
  void into(T&... values) {
    int index = 0;
    (read_one(index++, values), ...);
  }
  void read_one(int index, int64_t& value);
  void read_one(int index, bool& value);
  void read_one(int index, double& value);  // NULL is NaN
  void read_one(int index, std::string& value);
  void read_one(int index, std::optional<int64_t>& value);
  void read_one(int index, std::optional<double>& value);
  void read_one(int index, ExperimentKind& value);
  void read_one(int index, RunStatus& value);
  void read_one(int index, CellStatus& value);
  template <class T>
  T get(int index) {
    T value{};
    read_one(index, value);
    return value;
  }
  SQLite::Statement& statement() { return statement_; }

 private:
  SQLite::Statement& statement_;
};

class Connection {
 public:
  enum class Mode {
    create,     // reads and writes, makes the file
    write,      // reads and writes an existing file
    read,       // reads; follows a writer's WAL
    immutable,  // reads a file that nobody writes; makes no file beside it
    temporary,  // private, on disk when large, gone at the end
  };
  Connection(const std::filesystem::path& path, Mode mode);

  /// Durable settings of a store file. Not for bundles, which are a single file.
  void use_wal();

  /// The prepared statement of this text, fresh. Not two at once of the same text.
  Query query(const std::string& sql);
  void exec(const std::string& sql) { database_.exec(sql); }
  int64_t scalar(const std::string& sql);
  int64_t last_id() const { return database_.getLastInsertRowid(); }
  SQLite::Database& database() { return database_; }
  sqlite3* handle() { return database_.getHandle(); }

 private:
  SQLite::Database database_;
  std::unordered_map<std::string, SQLite::Statement> statements_;  // closed before the database
};

/// Copies all of one database into another by SQLite's online backup.
void copy_database(Connection& source, Connection& target);

}  // namespace orthros::store::detail
