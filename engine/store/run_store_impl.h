// Inside of RunStore, shared by its sources; StoreAccess lets import and tests write on the same thread.
// Private to engine/store and its tests.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "engine/store/connection.h"
#include "engine/store/run_store.h"
#include "engine/store/writer.h"

namespace orthros::store {

struct RunStore::Impl {
  std::filesystem::path path;
  detail::Writer writer;

  Impl(std::filesystem::path file, std::unique_ptr<detail::Connection> connection)
      : path(std::move(file)), writer(std::move(connection)) {}

  template <class F>
  auto write(std::string_view what, F&& job) {
    return writer.write(what, std::forward<F>(job));
  }
};

struct StoreAccess {
  static RunStore::Impl& impl(RunStore& store) { return *store.impl_; }
};

namespace detail {

/// The heartbeat of a run that this process owns or nobody does; throws not_found, or invalid_argument when
/// another process owns it.
void touch_run(Connection& connection, RowId run);
/// Same for the run of a cell.
void touch_cell(Connection& connection, RowId cell);
void require_json(std::string_view text, std::string_view field);
void insert_cell(Connection& connection, RowId run, const CellRecord& cell);
void add_event(Connection& connection, RowId run, std::string_view kind, std::string_view detail);
/// Running cells become pending, and the run this status without an owner.
void release_run(Connection& connection, RowId run, RunStatus status, std::string_view error);

}  // namespace detail
}  // namespace orthros::store
