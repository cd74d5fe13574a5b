// GGUF metadata: typed key/value pairs and the cursor that reads them. Private to formats/.
// Errors: corrupt_file with the byte offset; counts are checked against the bytes left before anything is
// allocated. Source: ggml docs/gguf.md.
#pragma once

#include <cstring>
#include <map>
#include <span>
#include <string>

#include "engine/formats/gguf.h"

namespace orthros::gguf {

using Metadata = std::map<std::string, GgufValue, std::less<>>;

/// Reads little-endian values one after another; never beyond the end.
class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  size_t position() const { return position_; }
  size_t remaining() const { return bytes_.size() - position_; }

  template <class T>
  Result<T> read() {
    if (remaining() < sizeof(T)) return cut_short(sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data() + position_, sizeof value);
    position_ += sizeof value;
    return value;
  }

  /// u64 length | bytes; refuses more than max_bytes.
  Result<std::string> read_text(size_t max_bytes, const char* what);

  /// Error for data that would need `needed` more bytes.
  tl::unexpected<Error> cut_short(uint64_t needed) const;

 private:
  std::span<const std::byte> bytes_;
  size_t position_ = 0;
};

/// `count` pairs; keys are unique.
Result<Metadata> read_metadata(Cursor& cursor, uint64_t count);

}  // namespace orthros::gguf
