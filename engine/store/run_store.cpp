#include "engine/store/run_store.h"

#include <cstdlib>

#include "engine/store/digest.h"
#include "engine/store/failure.h"
#include "engine/store/migrate.h"
#include "engine/store/run_store_impl.h"

namespace orthros::store {
namespace {

std::filesystem::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
}

std::filesystem::path data_folder() {
#if defined(_WIN32)
  return from_environment("LOCALAPPDATA");
#elif defined(__APPLE__)
  return from_environment("HOME") / "Library" / "Application Support";
#else
  // The XDG rule: a relative path is to be ignored.
  const std::filesystem::path data = from_environment("XDG_DATA_HOME");
  return data.is_absolute() ? data : from_environment("HOME") / ".local" / "share";
#endif
}

void check_place(const std::filesystem::path& path) {
  if (path.empty()) detail::refuse(ErrorCode::invalid_argument, "no file is named for the run store");
  if (std::filesystem::is_directory(path)) {
    detail::refuse(ErrorCode::invalid_argument, "{} is a folder: name a file in it",
                   path.filename().string());
  }
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
}

// A new store appears whole: several programs that make one at once would otherwise meet in the middle of its
// switch to WAL, where SQLite answers with errors of the disk. Whoever is first wins, the others open what is
// there.
void make_new(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) || std::filesystem::is_symlink(path, error)) return;
  std::filesystem::path fresh = path;
  fresh += ".new-" + detail::make_uuid();
  {
    detail::Connection connection(fresh, detail::Connection::Mode::create);
    detail::migrate_file(connection, fresh);
  }  // the last connection takes the write-ahead log with it
  std::filesystem::create_hard_link(fresh, path, error);
  // Where files cannot have two names; then two at once may still meet.
  if (error && !std::filesystem::exists(path)) {
    std::filesystem::rename(fresh, path);
  } else {
    std::filesystem::remove(fresh, error);
  }
}

}  // namespace

std::filesystem::path default_path() {
  return data_folder() / "orthros" / "runs.sqlite";
}

RunStore::RunStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunStore::~RunStore() = default;

Result<std::unique_ptr<RunStore>> RunStore::open(const std::filesystem::path& path) {
  return detail::guarded("cannot open the run store " + path.filename().string(), [&] {
    check_place(path);
    make_new(path);
    auto connection = std::make_unique<detail::Connection>(path, detail::Connection::Mode::create);
    detail::migrate_file(*connection, path);
    return std::unique_ptr<RunStore>(new RunStore(std::make_unique<Impl>(path, std::move(connection))));
  });
}

const std::filesystem::path& RunStore::path() const {
  return impl_->path;
}

}  // namespace orthros::store
