// FileHandle: owns a POSIX file descriptor. For code of the engine alone.
#pragma once

#include <utility>

#include <unistd.h>

namespace orthros {

class FileHandle {
 public:
  explicit FileHandle(int descriptor = -1) : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    if (this != &other) {
      close();
      descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
  }
  ~FileHandle() { close(); }

  bool is_open() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  /// The result of ::close, which can report a write that failed late.
  int close() {
    const int descriptor = std::exchange(descriptor_, -1);
    return descriptor >= 0 ? ::close(descriptor) : 0;
  }

 private:
  int descriptor_;
};

}  // namespace orthros
