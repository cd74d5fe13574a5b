#include "engine/formats/gguf_metadata.h"

#include <limits>
#include <utility>

#include "engine/formats/quote.h"

namespace orthros::gguf {
namespace {

enum ValueType : uint32_t {
  kUint8 = 0,
  kInt8 = 1,
  kUint16 = 2,
  kInt16 = 3,
  kUint32 = 4,
  kInt32 = 5,
  kFloat32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kUint64 = 10,
  kInt64 = 11,
  kFloat64 = 12,
};

constexpr size_t kMaxKeyBytes = 65535;
constexpr size_t kMaxTextBytes = size_t{16} << 20;         // the longest real texts are chat templates
constexpr uint64_t kMaxArrayElements = uint64_t{1} << 23;  // the largest real vocabularies have 2^18 tokens
constexpr uint64_t kMaxPairs = 100'000;
constexpr uint64_t kMinPairBytes = 8 + 1 + 4 + 1;  // key length, key, type, value

/// Bytes of one value in the file; of a text at least its length field; 0 for what cannot be an array
/// element.
size_t min_bytes(uint32_t type) {
  switch (type) {
    case kUint8:
    case kInt8:
    case kBool:
      return 1;
    case kUint16:
    case kInt16:
      return 2;
    case kUint32:
    case kInt32:
    case kFloat32:
      return 4;
    case kString:
    case kUint64:
    case kInt64:
    case kFloat64:
      return 8;
    default:
      return 0;
  }
}

template <class T, class Out>
Result<Out> widened(Cursor& cursor) {
  ORTHROS_TRY(const T value, cursor.read<T>());
  return static_cast<Out>(value);
}

Result<bool> read_bool(Cursor& cursor) {
  ORTHROS_TRY(const uint8_t value, cursor.read<uint8_t>());
  if (value > 1) {
    return fail(ErrorCode::corrupt_file, "GGUF byte {}: a boolean holds {}", cursor.position() - 1, value);
  }
  return value == 1;
}

Result<int64_t> read_integer(Cursor& cursor, uint32_t type) {
  switch (type) {
    case kUint8:
      return widened<uint8_t, int64_t>(cursor);
    case kInt8:
      return widened<int8_t, int64_t>(cursor);
    case kUint16:
      return widened<uint16_t, int64_t>(cursor);
    case kInt16:
      return widened<int16_t, int64_t>(cursor);
    case kUint32:
      return widened<uint32_t, int64_t>(cursor);
    case kInt32:
      return widened<int32_t, int64_t>(cursor);
    case kInt64:
      return cursor.read<int64_t>();
    case kUint64: {
      ORTHROS_TRY(const uint64_t value, cursor.read<uint64_t>());
      if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
        return fail(ErrorCode::corrupt_file, "GGUF byte {}: array element {} is too large",
                    cursor.position() - 8, value);
      }
      return static_cast<int64_t>(value);
    }
    default: {
      ORTHROS_TRY(const bool value, read_bool(cursor));
      return static_cast<int64_t>(value);
    }
  }
}

template <class T, class Read>
Result<GgufValue> read_elements(uint64_t count, const Read& read) {
  std::vector<T> values;
  values.reserve(static_cast<size_t>(count));  // the caller has checked that the file holds as many
  for (uint64_t i = 0; i < count; ++i) {
    ORTHROS_TRY(T value, read());
    values.push_back(std::move(value));
  }
  return GgufValue(std::move(values));
}

Result<GgufValue> read_array(Cursor& cursor, const std::string& key) {
  ORTHROS_TRY(const uint32_t type, cursor.read<uint32_t>());
  ORTHROS_TRY(const uint64_t count, cursor.read<uint64_t>());
  if (type == kArray) return fail(ErrorCode::unsupported, "GGUF key {} is an array of arrays", quote(key));
  const size_t element_bytes = min_bytes(type);
  if (element_bytes == 0) {
    return fail(ErrorCode::corrupt_file, "GGUF key {}: array of unknown type {}", quote(key), type);
  }
  if (count > kMaxArrayElements || count > cursor.remaining() / element_bytes) {
    return fail(ErrorCode::corrupt_file, "GGUF key {} announces {} elements; {} bytes are left in the file",
                quote(key), count, cursor.remaining());
  }
  switch (type) {
    case kString:
      return read_elements<std::string>(count, [&] { return cursor.read_text(kMaxTextBytes, "a text"); });
    case kFloat32:
      return read_elements<double>(count, [&] { return widened<float, double>(cursor); });
    case kFloat64:
      return read_elements<double>(count, [&] { return cursor.read<double>(); });
    default:
      return read_elements<int64_t>(count, [&] { return read_integer(cursor, type); });
  }
}

template <class T>
Result<GgufValue> as_value(Result<T> result) {
  if (!result) return tl::unexpected(std::move(result).error());
  return GgufValue(std::move(*result));
}

Result<GgufValue> read_value(Cursor& cursor, const std::string& key) {
  ORTHROS_TRY(const uint32_t type, cursor.read<uint32_t>());
  switch (type) {
    case kUint8:
      return as_value(widened<uint8_t, uint64_t>(cursor));
    case kUint16:
      return as_value(widened<uint16_t, uint64_t>(cursor));
    case kUint32:
      return as_value(widened<uint32_t, uint64_t>(cursor));
    case kUint64:
      return as_value(cursor.read<uint64_t>());
    case kInt8:
    case kInt16:
    case kInt32:
    case kInt64:
      return as_value(read_integer(cursor, type));
    case kFloat32:
      return as_value(widened<float, double>(cursor));
    case kFloat64:
      return as_value(cursor.read<double>());
    case kBool:
      return as_value(read_bool(cursor));
    case kString:
      return as_value(cursor.read_text(kMaxTextBytes, "a text"));
    case kArray:
      return read_array(cursor, key);
    default:
      return fail(ErrorCode::corrupt_file, "GGUF key {} has the unknown type {}", quote(key), type);
  }
}

}  // namespace

tl::unexpected<Error> Cursor::cut_short(uint64_t needed) const {
  Error error{ErrorCode::corrupt_file,
              fmt::format("GGUF ends at byte {}, in the middle of {} bytes at byte {}", bytes_.size(), needed,
                          position_),
              "the file is cut short; fetch it again"};
  return fail(std::move(error));
}

Result<std::string> Cursor::read_text(size_t max_bytes, const char* what) {
  ORTHROS_TRY(const uint64_t length, read<uint64_t>());
  if (length > remaining()) return cut_short(length);
  if (length > max_bytes) {
    return fail(ErrorCode::corrupt_file, "GGUF byte {}: {} of {} bytes, more than the {} read here",
                position_ - 8, what, length, max_bytes);
  }
  std::string text(reinterpret_cast<const char*>(bytes_.data() + position_), static_cast<size_t>(length));
  position_ += static_cast<size_t>(length);
  return text;
}

Result<Metadata> read_metadata(Cursor& cursor, uint64_t count) {
  if (count > kMaxPairs || count > cursor.remaining() / kMinPairBytes) {
    return fail(ErrorCode::corrupt_file, "GGUF announces {} keys; {} bytes are left in the file", count,
                cursor.remaining());
  }
  Metadata metadata;
  for (uint64_t i = 0; i < count; ++i) {
    ORTHROS_TRY(const std::string key, cursor.read_text(kMaxKeyBytes, "a key"));
    if (key.empty() || has_control_characters(key)) {
      return fail(ErrorCode::corrupt_file, "GGUF key number {} has an impossible name {}", i, quote(key));
    }
    ORTHROS_TRY(GgufValue value, read_value(cursor, key));
    if (!metadata.emplace(key, std::move(value)).second) {
      return fail(ErrorCode::corrupt_file, "GGUF key {} occurs twice", quote(key));
    }
  }
  return metadata;
}

}  // namespace orthros::gguf
