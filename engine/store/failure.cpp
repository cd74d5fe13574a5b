#include "engine/store/failure.h"

#include <filesystem>
#include <new>

#include <sqlite3.h>

namespace orthros::store::detail {
namespace {

Error constraint(int extended, std::string_view what, const char* message) {
  switch (extended) {
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_PRIMARYKEY:
      return {ErrorCode::invalid_argument, fmt::format("{}: it is stored already ({})", what, message), {}};
    case SQLITE_CONSTRAINT_FOREIGNKEY:
      return {ErrorCode::invalid_argument,
              fmt::format("{}: it refers to a row that is not in the store", what),
              {}};
    default:
      return {ErrorCode::invalid_argument, fmt::format("{}: value refused ({})", what, message), {}};
  }
}

Error no_space(std::string_view what) {
  return {ErrorCode::io, fmt::format("{}: no space left on the disk", what), "free some space, then retry"};
}

}  // namespace

Error error_of(const SQLite::Exception& exception, std::string_view what) {
  const int extended = exception.getExtendedErrorCode();
  const char* message = exception.what();
  switch (exception.getErrorCode()) {
    case SQLITE_CONSTRAINT:
      return constraint(extended, what, message);
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
      return {ErrorCode::invalid_argument, fmt::format("{}: {}", what, message), {}};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {ErrorCode::corrupt_file, fmt::format("{}: the database is damaged ({})", what, message),
              "restore a backup or an export"};
    case SQLITE_FULL:
      return no_space(what);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::io, fmt::format("{}: another program holds the database", what),
              "close it or wait, then retry"};
    case SQLITE_READONLY:
      return {ErrorCode::unsupported, fmt::format("{}: the database or its folder is read-only", what),
              "copy it to a folder you may write to, or open it for reading only"};
    case SQLITE_NOMEM:
      return {ErrorCode::out_of_memory, fmt::format("{}: out of memory", what), {}};
    case SQLITE_INTERRUPT:
      return {ErrorCode::cancelled, fmt::format("{}: stopped", what), {}};
    case SQLITE_IOERR:
      // The index of the write-ahead log could not grow.
      if (extended == SQLITE_IOERR_SHMSIZE) return no_space(what);
      [[fallthrough]];
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_NOLFS:
      return {ErrorCode::io, fmt::format("{}: {}", what, message), {}};
    default:
      return {ErrorCode::internal, fmt::format("{}: {}", what, message), {}};
  }
}

Error error_of_current_exception(std::string_view what) {
  try {
    throw;
  } catch (const Refusal& refusal) {
    return refusal.error;
  } catch (const SQLite::Exception& exception) {
    return error_of(exception, what);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::out_of_memory, fmt::format("{}: out of memory", what), {}};
  } catch (const std::filesystem::filesystem_error& error) {
    return {ErrorCode::io, fmt::format("{}: {}", what, error.code().message()), {}};
  } catch (const std::exception& error) {
    return {ErrorCode::internal, fmt::format("{}: {}", what, error.what()), {}};
  }
}

}  // namespace orthros::store::detail
