// Inside of RunReader, shared by its sources. Private to engine/store.
#pragma once

#include <memory>
#include <string>

#include "engine/store/connection.h"
#include "engine/store/failure.h"
#include "engine/store/run_reader.h"

namespace orthros::store {

struct RunReader::Impl {
  std::unique_ptr<detail::Connection> connection;
  bool newer = false;

  template <class F>
  auto read(std::string_view what, F&& body) {
    return detail::guarded(what, [&] { return body(*connection); });
  }
};

namespace detail {

/// Opens an existing run store for reading; a read-only folder is no obstacle. Throws.
std::unique_ptr<Connection> open_for_reading(const std::filesystem::path& path);

/// One statement that only reads, whatever it says. Throws invalid_argument.
Table run_query(Connection& connection, std::string_view sql, int64_t max_rows, const StopToken& stop);

}  // namespace detail
}  // namespace orthros::store
