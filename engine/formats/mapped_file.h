// MappedFile: a file's bytes, read-only, by mmap; write_atomically: temporary file beside the target, then rename.
// Errors: not_found, io. A file that shrinks while mapped would raise SIGBUS; nothing here shrinks files.
// Threads: immutable once open.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>

#include "engine/base/result.h"

namespace orthros {

class MappedFile {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);
  std::span<const std::byte> bytes() const { return bytes_; }
  /// Tells the kernel that a range was read and need not stay in memory (streaming conversion).
  void release(std::span<const std::byte> range) const;

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
};

/// Receives bytes in order; returns an error of the disk (full, gone).
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Result<void> write(std::span<const std::byte> bytes) = 0;
};

/// Whether write_atomically can make `path`, to be asked before long work: the folder is there and may be written to,
/// and nothing but a file stands in its place.
Result<void> check_writable(const std::filesystem::path& path);

/// Calls `body` with a sink into "<path>.part-<pid>-<n>", flushes it to the disk and renames it to `path`.
/// On any error the temporary file is removed and `path` is as it was; what a killed writer of `path` left is removed.
Result<void> write_atomically(const std::filesystem::path& path, const std::function<Result<void>(ByteSink&)>& body);
Result<void> write_text_atomically(const std::filesystem::path& path, std::string_view text);

/// Whole small file as text; refuses more than max_bytes.
Result<std::string> read_text(const std::filesystem::path& path, int64_t max_bytes);

}  // namespace orthros
