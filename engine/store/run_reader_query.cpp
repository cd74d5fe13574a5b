// Any one statement that only reads: an authorizer allows selects and little else, because "read-only" to
// SQLite also covers ATTACH and transactions.
#include <array>
#include <memory>
#include <new>

#include <sqlite3.h>

#include "engine/store/run_reader_impl.h"

namespace orthros::store {
namespace detail {
namespace {

bool harmless_pragma(std::string_view name) {
  static constexpr std::array kNames{"table_info",      "table_xinfo",      "table_list",
                                     "index_list",      "index_info",       "user_version",
                                     "application_id",  "foreign_key_list", "data_version",
                                     "integrity_check", "quick_check",      "foreign_key_check"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

int authorize(void*, int action, const char* first, const char*, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    // Table-valued functions such as json_each declare their columns so; real writes are refused after
    // preparing.
    case SQLITE_UPDATE:
      return SQLITE_OK;
    case SQLITE_PRAGMA:
      return first != nullptr && harmless_pragma(first) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementPtr = std::unique_ptr<sqlite3_stmt, Finalize>;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n;") == std::string_view::npos;
}

StatementPtr prepare(sqlite3* handle, std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const char* tail = nullptr;
  sqlite3_set_authorizer(handle, authorize, nullptr);
  const int code = sqlite3_prepare_v2(handle, sql.data(), static_cast<int>(sql.size()), &raw, &tail);
  sqlite3_set_authorizer(handle, nullptr, nullptr);
  StatementPtr statement(raw);
  if (code == SQLITE_AUTH) {
    refuse(ErrorCode::invalid_argument, "only reading statements run here: SELECT, WITH, VALUES, EXPLAIN");
  }
  if (code != SQLITE_OK) refuse(ErrorCode::invalid_argument, "SQL: {}", sqlite3_errmsg(handle));
  if (statement == nullptr) refuse(ErrorCode::invalid_argument, "there is no SQL statement to run");
  if (!is_blank(sql.substr(static_cast<size_t>(tail - sql.data())))) {
    refuse(ErrorCode::invalid_argument, "one statement at a time: there is text after the first one");
  }
  if (sqlite3_stmt_readonly(statement.get()) == 0 || sqlite3_column_count(statement.get()) == 0) {
    refuse(ErrorCode::invalid_argument, "only reading statements run here: SELECT, WITH, VALUES, EXPLAIN");
  }
  return statement;
}

// What a table on a screen can hold. SQLite itself would make values of a gigabyte out of a few words.
constexpr size_t kWholeBlob = 64, kBlobStart = 16, kMostText = 64 << 10;
constexpr int kMostValueBytes = 256 << 20;

std::string hex(const void* data, size_t size) {
  std::string text;
  text.reserve(2 * size);
  for (size_t i = 0; i < size; ++i) text += fmt::format("{:02x}", static_cast<const unsigned char*>(data)[i]);
  return text;
}

std::string blob_text(const void* data, size_t size) {
  if (size <= kWholeBlob) return hex(data, size);
  return fmt::format("blob, {} bytes, 0x{}…", size, hex(data, kBlobStart));
}

// Cut between two characters of UTF-8.
std::string display_text(std::string_view text) {
  if (text.size() <= kMostText) return std::string(text);
  size_t end = kMostText;
  while (end > kMostText - 4 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return fmt::format("{}… ({} bytes)", text.substr(0, end), text.size());
}

std::string cell_text(sqlite3_stmt* statement, int column) {
  const int type = sqlite3_column_type(statement, column);
  if (type == SQLITE_NULL) return {};
  if (type == SQLITE_BLOB) {
    const void* data = sqlite3_column_blob(statement, column);
    return blob_text(data, static_cast<size_t>(sqlite3_column_bytes(statement, column)));
  }
  if (type == SQLITE_FLOAT) return fmt::format("{}", sqlite3_column_double(statement, column));
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  if (text == nullptr) throw std::bad_alloc();
  return display_text({text, static_cast<size_t>(sqlite3_column_bytes(statement, column))});
}

/// Values of at most kMostValueBytes while it lives: the store's own readers take bigger ones.
class ValueLimit {
 public:
  explicit ValueLimit(sqlite3* handle)
      : handle_(handle), before_(sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kMostValueBytes)) {}
  ~ValueLimit() { sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, before_); }
  ValueLimit(const ValueLimit&) = delete;
  ValueLimit& operator=(const ValueLimit&) = delete;

 private:
  sqlite3* handle_;
  int before_;
};

/// Asks `stop` every so many steps of SQLite's virtual machine: about every millisecond.
class StopWatch {
 public:
  StopWatch(sqlite3* handle, const StopToken& stop) : handle_(handle) {
    sqlite3_progress_handler(handle, kSteps, asked, const_cast<StopToken*>(&stop));
  }
  ~StopWatch() { sqlite3_progress_handler(handle_, 0, nullptr, nullptr); }
  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;

 private:
  static constexpr int kSteps = 20'000;
  static int asked(void* stop) { return static_cast<const StopToken*>(stop)->stop_requested() ? 1 : 0; }
  sqlite3* handle_;
};

}  // namespace

Table run_query(Connection& connection, std::string_view sql, int64_t max_rows, const StopToken& stop) {
  const StopWatch watch(connection.handle(), stop);
  const ValueLimit limit(connection.handle());
  const StatementPtr statement = prepare(connection.handle(), sql);
  Table table;
  const int columns = sqlite3_column_count(statement.get());
  for (int i = 0; i < columns; ++i) table.columns.emplace_back(sqlite3_column_name(statement.get(), i));
  while (static_cast<int64_t>(table.rows.size()) < max_rows) {
    const int code = sqlite3_step(statement.get());
    if (code == SQLITE_DONE) break;
    if (code == SQLITE_ERROR)
      refuse(ErrorCode::invalid_argument, "SQL: {}", sqlite3_errmsg(connection.handle()));
    if (code != SQLITE_ROW) throw SQLite::Exception(connection.handle(), code);
    std::vector<std::string>& row = table.rows.emplace_back();
    for (int i = 0; i < columns; ++i) {
      // Between two large values SQLite takes no steps of its machine.
      if (stop.stop_requested()) refuse(ErrorCode::cancelled, "cannot run the query: stopped");
      row.push_back(cell_text(statement.get(), i));
    }
  }
  return table;
}

}  // namespace detail

Result<Table> RunReader::query(std::string_view sql, int64_t max_rows, const StopToken& stop) const {
  return impl_->read("cannot run the query",
                     [&](detail::Connection& c) { return detail::run_query(c, sql, max_rows, stop); });
}

}  // namespace orthros::store
