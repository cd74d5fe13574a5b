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

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  // The counter keeps two threads that write the same target apart.
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = path;
  name += fmt::format(".part-{}-{}", ::getpid(), counter.fetch_add(1));
  return name;
}

void flush_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder =
      path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  // Best effort: some file systems refuse fsync of a folder; the file's own bytes are on the disk already.
  const FileHandle handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.is_open()) ::fsync(handle.get());
}

}  // namespace

Result<void> write_atomically(const std::filesystem::path& path,
                              const std::function<Result<void>(ByteSink&)>& body) {
  const std::filesystem::path name = temporary_name(path);
  FileHandle handle(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!handle.is_open()) return write_error(path, errno);
  TemporaryFile temporary(name);
  FileSink sink(path, handle.get());
  ORTHROS_TRY_VOID(body(sink));
  ORTHROS_TRY_VOID(sink.flush());
  if (::fsync(handle.get()) != 0) return write_error(path, errno);
  if (handle.close() != 0) return write_error(path, errno);
  if (::rename(temporary.path().c_str(), path.c_str()) != 0) return write_error(path, errno);
  temporary.renamed();
  flush_folder(path);
  return {};
}

Result<void> write_text_atomically(const std::filesystem::path& path, std::string_view text) {
  return write_atomically(path,
                          [text](ByteSink& sink) { return sink.write(std::as_bytes(std::span(text))); });
}

}  // namespace orthros
