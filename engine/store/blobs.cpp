#include "engine/store/blobs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <zlib.h>

#include "engine/store/digest.h"
#include "engine/store/failure.h"

namespace orthros::store::detail {
namespace {

static_assert(std::endian::native == std::endian::little, "blobs are written as they lie in memory");

template <class T>
std::string as_bytes(std::span<const T> values) {
  return values.empty() ? std::string()
                        : std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

template <class T>
std::vector<T> from_bytes(std::string_view blob) {
  if (blob.size() % sizeof(T) != 0) {
    refuse(ErrorCode::corrupt_file, "a stored array has {} bytes, no multiple of {}", blob.size(), sizeof(T));
  }
  std::vector<T> values(blob.size() / sizeof(T));
  if (!blob.empty()) std::memcpy(values.data(), blob.data(), blob.size());
  return values;
}

class Inflater {
 public:
  explicit Inflater(std::string_view blob) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(blob.data()));
    stream_.avail_in = static_cast<uInt>(blob.size());
    ready_ = inflateInit(&stream_) == Z_OK;
  }
  ~Inflater() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  /// All of it, at most `limit` bytes.
  std::string read_all(size_t limit) {
    std::string out;
    std::array<char, 1 << 16> chunk;
    int state = ready_ ? Z_OK : Z_MEM_ERROR;
    while (state == Z_OK) {
      stream_.next_out = reinterpret_cast<Bytef*>(chunk.data());
      stream_.avail_out = static_cast<uInt>(chunk.size());
      state = inflate(&stream_, Z_NO_FLUSH);
      out.append(chunk.data(), chunk.size() - stream_.avail_out);
      if (out.size() > limit) state = Z_DATA_ERROR;
    }
    if (state != Z_STREAM_END) refuse(ErrorCode::corrupt_file, "stored token ids do not decompress");
    return out;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

}  // namespace

std::string encode_ids(std::span<const int64_t> ids) {
  std::string out;
  out.reserve(ids.size() * 3);
  for (const int64_t id : ids) {
    uint64_t rest = (static_cast<uint64_t>(id) << 1) ^ static_cast<uint64_t>(id >> 63);
    for (; rest >= 0x80; rest >>= 7) out += static_cast<char>(rest | 0x80);
    out += static_cast<char>(rest);
  }
  return out;
}

std::vector<int64_t> decode_ids(std::string_view blob) {
  std::vector<int64_t> ids;
  ids.reserve(blob.size() / 2);
  uint64_t value = 0;
  int shift = 0;
  for (const char c : blob) {
    const auto byte = static_cast<uint8_t>(c);
    if (shift == 63 && byte > 1) refuse(ErrorCode::corrupt_file, "a stored token id does not fit 64 bits");
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    ids.push_back(static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1));
    value = 0;
    shift = 0;
  }
  if (shift != 0) refuse(ErrorCode::corrupt_file, "stored token ids end within an id");
  return ids;
}

std::string compress_ids(std::span<const int64_t> ids) {
  const std::string plain = encode_ids(ids);
  uLongf size = compressBound(plain.size());
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
                plain.size(), Z_DEFAULT_COMPRESSION) != Z_OK) {
    throw std::bad_alloc();
  }
  out.resize(size);
  return out;
}

std::vector<int64_t> decompress_ids(std::string_view blob, int64_t count) {
  constexpr size_t kLongestVarint = 10;
  const size_t limit = static_cast<size_t>(std::clamp<int64_t>(count, 0, kMaxPromptTokens)) * kLongestVarint;
  std::vector<int64_t> ids = decode_ids(Inflater(blob).read_all(limit));
  if (static_cast<int64_t>(ids.size()) != count) {
    refuse(ErrorCode::corrupt_file, "a stored prompt has {} ids and says {}", ids.size(), count);
  }
  return ids;
}

std::string ids_sha256(std::span<const int64_t> ids) {
  return sha256_hex(encode_int64(ids));
}

std::string encode_int64(std::span<const int64_t> values) {
  return as_bytes(values);
}
std::vector<int64_t> decode_int64(std::string_view blob) {
  return from_bytes<int64_t>(blob);
}
std::string encode_float32(std::span<const float> values) {
  return as_bytes(values);
}
std::vector<float> decode_float32(std::string_view blob) {
  return from_bytes<float>(blob);
}

}  // namespace orthros::store::detail
