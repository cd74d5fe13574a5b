// ByteWriter: builds binary files in memory, byte by byte, also broken ones.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace orthros::test {

class ByteWriter {
 public:
  template <class T>
  ByteWriter& put(T value) {
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
    return *this;
  }
  ByteWriter& text(std::string_view value) {
    const auto view = std::as_bytes(std::span(value));
    bytes_.insert(bytes_.end(), view.begin(), view.end());
    return *this;
  }
  ByteWriter& pad_to(size_t alignment) {
    bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
    return *this;
  }
  ByteWriter& zeros(size_t count) {
    bytes_.resize(bytes_.size() + count);
    return *this;
  }
  size_t size() const { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// A copy on the heap of exactly this size, so that a sanitizer sees any read past the end.
inline std::vector<std::byte> exact_copy(std::span<const std::byte> bytes, size_t size) {
  std::vector<std::byte> copy(size);
  if (size > 0) std::memcpy(copy.data(), bytes.data(), size);
  copy.shrink_to_fit();
  return copy;
}

}  // namespace orthros::test
