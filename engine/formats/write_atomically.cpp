#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/formats/file_handle.h"
#include "engine/formats/mapped_file.h"
#include "engine/formats/unfinished.h"

namespace orthros {
namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;

tl::unexpected<Error> write_error(const std::filesystem::path& path, int number) {
  Error error{ErrorCode::io, fmt::format("cannot write {}: {}", path.string(), std::strerror(number)), {}};
  if (number == ENOSPC || number == EDQUOT || number == EFBIG) {
    error.hint = "free some space or choose another disk; nothing was left behind";
  } else if (number == EACCES || number == EPERM || number == EROFS) {
    error.hint = "choose a folder you may write to";
  }
  return fail(std::move(error));
}

class FileSink : public ByteSink {
 public:
  FileSink(const std::filesystem::path& path, int descriptor) : path_(path), descriptor_(descriptor) {
    buffer_.reserve(kBufferBytes);
  }

  Result<void> write(std::span<const std::byte> bytes) override {
    if (buffer_.size() + bytes.size() > kBufferBytes) ORTHROS_TRY_VOID(flush());
    if (bytes.size() >= kBufferBytes) return put(bytes);
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    return {};
  }

  Result<void> flush() {
    ORTHROS_TRY_VOID(put(buffer_));
    buffer_.clear();
    return {};
  }

 private:
  Result<void> put(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return write_error(path_, errno);
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return {};
  }

  const std::filesystem::path& path_;
  int descriptor_;
  std::vector<std::byte> buffer_;
};

/// Removes the temporary file unless it was renamed, also when the body throws.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  const std::filesystem::path& path() const { return path_; }
  void renamed() { path_.clear(); }

 private:
  std::filesystem::path path_;
};

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  // The counter keeps two threads that write the same target apart.
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = path;
  name += fmt::format(".part-{}-{}", ::getpid(), counter.fetch_add(1));
  return name;
}

// What a killed writer of the same target left.
void remove_abandoned_parts_of(const std::filesystem::path& path) {
  const std::string prefix = path.filename().string() + ".part-";
  remove_abandoned_parts(folder_of(path), [&](const std::filesystem::path& entry) {
    const std::string name = entry.filename().string();
    std::error_code ignored;
    return name.starts_with(prefix) && is_part_number(std::string_view(name).substr(prefix.size())) &&
           std::filesystem::is_regular_file(std::filesystem::symlink_status(entry, ignored));
  });
}

struct OpenPart {
  std::filesystem::path path;
  FileHandle handle;
};

Result<OpenPart> create_part(const std::filesystem::path& target) {
  for (;;) {
    OpenPart part{temporary_name(target), FileHandle()};
    part.handle = FileHandle(::open(part.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!part.handle.is_open()) return write_error(target, errno);
    if (claim_part(part.handle.get(), part.path)) return part;
  }
}

// A link stays a link: the file that it names is replaced.
Result<std::filesystem::path> real_target(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, error))) return path;
  std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  if (error) return write_error(path, error.value());
  return target;
}

void flush_folder(const std::filesystem::path& path) {
  // Best effort: some file systems refuse fsync of a folder; the file's own bytes are on the disk already.
  const FileHandle handle(::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.is_open()) ::fsync(handle.get());
}

}  // namespace

Result<void> check_writable(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  if (path.empty()) return fail(ErrorCode::invalid_argument, "the file to write has no name");
  std::error_code ignored;
  const fs::file_status target = fs::status(path, ignored);
  if (!path.has_filename() || fs::is_directory(target)) {
    return fail(Error{ErrorCode::io, fmt::format("{} is a folder", path.string()), "name a file to write"});
  }
  // Renaming a file over a device or a pipe would destroy it.
  if (fs::exists(target) && !fs::is_regular_file(target)) {
    return fail(
        Error{ErrorCode::io, fmt::format("{} is no regular file", path.string()), "name a file to write"});
  }
  const fs::path folder = folder_of(path);
  if (!fs::is_directory(folder, ignored)) {
    return fail(Error{ErrorCode::io,
                      fmt::format("cannot write {}: there is no folder {}", path.string(), folder.string()),
                      "make it first"});
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) return write_error(path, errno);
  return {};
}

Result<void> write_atomically(const std::filesystem::path& path,
                              const std::function<Result<void>(ByteSink&)>& body) {
  ORTHROS_TRY_VOID(check_writable(path));
  ORTHROS_TRY(const std::filesystem::path target, real_target(path));
  remove_abandoned_parts_of(target);
  ORTHROS_TRY(OpenPart part, create_part(target));
  TemporaryFile temporary(part.path);
  FileSink sink(path, part.handle.get());
  ORTHROS_TRY_VOID(body(sink));
  ORTHROS_TRY_VOID(sink.flush());
  if (::fsync(part.handle.get()) != 0) return write_error(path, errno);
  // The bytes are on the disk. Named while the lock is still held, lest another process take the whole file
  // for an abandoned part.
  if (::rename(temporary.path().c_str(), target.c_str()) != 0) return write_error(path, errno);
  temporary.renamed();
  flush_folder(target);
  return {};
}

Result<void> write_text_atomically(const std::filesystem::path& path, std::string_view text) {
  return write_atomically(path,
                          [text](ByteSink& sink) { return sink.write(std::as_bytes(std::span(text))); });
}

}  // namespace orthros
