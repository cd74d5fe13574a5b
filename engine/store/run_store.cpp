#include "engine/store/run_store.h"

#include <cstdlib>

#include "engine/store/digest.h"
#include "engine/store/failure.h"
#include "engine/store/migrate.h"
#include "engine/store/run_store_impl.h"
#include "engine/store/schema.h"

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
    detail::refuse(ErrorCode::invalid_argument, "{} is a folder: name a file in it", path.string());
  }
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
}

// The file and what SQLite lays beside it; gone at the end, whatever happened.
class UnpublishedFile {
 public:
  explicit UnpublishedFile(const std::filesystem::path& target) : path_(target) {
    path_ += ".new-" + detail::make_uuid();
  }
  ~UnpublishedFile() {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
      std::filesystem::path file = path_;
      file += suffix;
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
    }
  }
  UnpublishedFile(const UnpublishedFile&) = delete;
  UnpublishedFile& operator=(const UnpublishedFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Everything into the one file and onto the disk: closing does the same, but keeps its failures to itself.
void empty_wal(detail::Connection& connection) {
  detail::Query checkpoint = connection.query("PRAGMA wal_checkpoint(TRUNCATE)");
  if (!checkpoint.step() || checkpoint.get<int64_t>(0) != 0) {
    detail::refuse(ErrorCode::io, "the new run store could not be written out");
  }
}

// What others will find under this name, read without the help of a write-ahead log.
void check_whole(const std::filesystem::path& path) {
  detail::Connection connection(path, detail::Connection::Mode::immutable);
  detail::Query check = connection.query("PRAGMA quick_check(1)");
  if (!check.step() || check.get<std::string>(0) != "ok" ||
      connection.scalar("PRAGMA user_version") != detail::schema_version()) {
    detail::refuse(ErrorCode::io, "the new run store could not be read back: is the disk full or failing?");
  }
}

// A new store appears whole: several programs that make one at once would otherwise meet in the middle of its
// switch to WAL, where SQLite answers with errors of the disk. Whoever is first wins, the others open what is
// there. And a disk that fills meanwhile leaves nothing that later looks like a damaged store.
void make_new(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) || std::filesystem::is_symlink(path, error)) return;
  const UnpublishedFile fresh(path);
  {
    detail::Connection connection(fresh.path(), detail::Connection::Mode::create);
    detail::migrate_file(connection, fresh.path());
    empty_wal(connection);
  }  // the last connection takes the write-ahead log with it
  check_whole(fresh.path());
  std::filesystem::create_hard_link(fresh.path(), path, error);
  // Where files cannot have two names; then two at once may still meet.
  if (error && !std::filesystem::exists(path)) std::filesystem::rename(fresh.path(), path);
}

}  // namespace

std::filesystem::path default_path() {
  return data_folder() / "orthros" / "runs.sqlite";
}

RunStore::RunStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunStore::~RunStore() = default;

Result<std::unique_ptr<RunStore>> RunStore::open(const std::filesystem::path& path) {
  return detail::guarded("cannot open the run store " + path.string(), [&] {
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
