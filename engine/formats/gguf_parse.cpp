#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "engine/formats/gguf.h"
#include "engine/formats/gguf_metadata.h"
#include "engine/formats/quote.h"

namespace orthros {
namespace {

constexpr uint32_t kMagic = 0x46554747;  // "GGUF", little endian
constexpr size_t kMaxNameBytes = 64;
constexpr uint32_t kMaxDimensions = 4;
constexpr uint64_t kMaxTensors = 100'000;
constexpr uint64_t kMinTensorBytes = 8 + 1 + 4 + 4 + 8;  // name length, name, dimensions, type, offset
constexpr uint64_t kDefaultAlignment = 32;
constexpr uint64_t kMaxAlignment = uint64_t{1} << 20;

/// A tensor info and where its data lies, relative to the data section.
struct Placed {
  GgufTensor tensor;
  uint64_t offset = 0;
  uint64_t size = 0;
};

Result<uint32_t> read_version(gguf::Cursor& cursor) {
  ORTHROS_TRY(const uint32_t magic, cursor.read<uint32_t>());
  if (magic != kMagic) return fail(ErrorCode::corrupt_file, "not a GGUF file: it does not start with GGUF");
  ORTHROS_TRY(const uint32_t version, cursor.read<uint32_t>());
  if (version != 0 && (version & 0xffffu) == 0) {
    return fail(ErrorCode::unsupported, "GGUF file is big endian, which is not read here");
  }
  if (version == 2 || version == 3) return version;
  Error error{ErrorCode::unsupported, fmt::format("GGUF version {} is not read here", version),
              "versions 2 and 3 are"};
  return fail(std::move(error));
}

Result<uint64_t> read_alignment(const gguf::Metadata& metadata) {
  const auto found = metadata.find("general.alignment");
  if (found == metadata.end()) return kDefaultAlignment;
  const auto* value = std::get_if<uint64_t>(&found->second);
  if (value == nullptr || !std::has_single_bit(*value) || *value > kMaxAlignment) {
    return fail(ErrorCode::corrupt_file, "GGUF general.alignment is not a power of two up to {}",
                kMaxAlignment);
  }
  return *value;
}

/// Sizes as ne[0..n), fastest first, to a shape in torch order; the product of all cannot overflow.
Result<std::vector<int64_t>> read_shape(gguf::Cursor& cursor, const std::string& name) {
  ORTHROS_TRY(const uint32_t dimensions, cursor.read<uint32_t>());
  if (dimensions > kMaxDimensions) {
    return fail(ErrorCode::corrupt_file, "GGUF tensor {} has {} dimensions, more than {}", quote(name),
                dimensions, kMaxDimensions);
  }
  std::vector<int64_t> shape;
  // No file holds 2^56 bytes, so that products with a block's size in bytes still fit.
  constexpr uint64_t kMaxElements = uint64_t{1} << 48;
  uint64_t product = 1;
  for (uint32_t i = 0; i < dimensions; ++i) {
    ORTHROS_TRY(const uint64_t size, cursor.read<uint64_t>());
    if (size > kMaxElements || (size != 0 && product > kMaxElements / size)) {
      return fail(ErrorCode::corrupt_file, "GGUF tensor {} has an impossible size {} in dimension {}",
                  quote(name), size, i);
    }
    product *= size;
    shape.push_back(static_cast<int64_t>(size));
  }
  std::reverse(shape.begin(), shape.end());
  return shape;
}

Result<Placed> read_tensor_info(gguf::Cursor& cursor, uint64_t alignment) {
  Placed placed;
  ORTHROS_TRY(placed.tensor.name, cursor.read_text(kMaxNameBytes, "a tensor name"));
  const std::string& name = placed.tensor.name;
  if (name.empty() || has_control_characters(name)) {
    return fail(ErrorCode::corrupt_file, "GGUF byte {}: impossible tensor name {}", cursor.position(),
                quote(name));
  }
  ORTHROS_TRY(placed.tensor.shape, read_shape(cursor, name));
  ORTHROS_TRY(const uint32_t code, cursor.read<uint32_t>());
  Result<BlockType> type = block_type_of(code);
  if (!type) {
    Error error = std::move(type).error();
    error.message = fmt::format("GGUF tensor {}: {}", quote(name), error.message);
    return fail(std::move(error));
  }
  placed.tensor.type = *type;
  const int64_t row = placed.tensor.shape.empty() ? 1 : placed.tensor.shape.back();
  if (row % block_elements(*type) != 0) {
    return fail(ErrorCode::corrupt_file, "GGUF tensor {}: rows of {} do not divide into {} blocks of {}",
                quote(name), row, to_string(*type), block_elements(*type));
  }
  placed.size =
      static_cast<uint64_t>(placed.tensor.num_elements() / block_elements(*type) * block_bytes(*type));
  ORTHROS_TRY(placed.offset, cursor.read<uint64_t>());
  if (placed.offset % alignment != 0) {
    return fail(ErrorCode::corrupt_file, "GGUF tensor {}: offset {} is no multiple of the alignment {}",
                quote(name), placed.offset, alignment);
  }
  return placed;
}

/// Padding between tensors is fine; data that two tensors share, or that lies outside the file, is not.
Result<void> check_placement(const std::vector<Placed>& all, uint64_t data_bytes) {
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return all[a].offset < all[b].offset; });
  uint64_t end = 0;
  const Placed* previous = nullptr;
  for (const size_t i : order) {
    const Placed& placed = all[i];
    if (placed.offset > data_bytes || placed.size > data_bytes - placed.offset) {
      Error error{ErrorCode::corrupt_file,
                  fmt::format("GGUF tensor {} needs {} bytes at offset {} of the data, which has {}",
                              quote(placed.tensor.name), placed.size, placed.offset, data_bytes),
                  "the file is cut short; fetch it again"};
      return fail(std::move(error));
    }
    if (placed.size == 0) continue;
    if (previous != nullptr && placed.offset < end) {
      return fail(ErrorCode::corrupt_file, "GGUF tensors {} and {} overlap", quote(previous->tensor.name),
                  quote(placed.tensor.name));
    }
    end = placed.offset + placed.size;
    previous = &placed;
  }
  return {};
}

}  // namespace

Result<GgufFile> GgufFile::parse(std::span<const std::byte> bytes) {
  GgufFile file;
  gguf::Cursor cursor(bytes);
  ORTHROS_TRY(file.version_, read_version(cursor));
  ORTHROS_TRY(const uint64_t num_tensors, cursor.read<uint64_t>());
  ORTHROS_TRY(const uint64_t num_pairs, cursor.read<uint64_t>());
  ORTHROS_TRY(file.metadata_, gguf::read_metadata(cursor, num_pairs));
  ORTHROS_TRY(const uint64_t alignment, read_alignment(file.metadata_));
  if (num_tensors > kMaxTensors || num_tensors > cursor.remaining() / kMinTensorBytes) {
    return fail(ErrorCode::corrupt_file, "GGUF announces {} tensors; {} bytes are left in the file",
                num_tensors, cursor.remaining());
  }
  std::vector<Placed> all;
  all.reserve(static_cast<size_t>(num_tensors));
  for (uint64_t i = 0; i < num_tensors; ++i) {
    ORTHROS_TRY(Placed placed, read_tensor_info(cursor, alignment));
    if (!file.index_.emplace(placed.tensor.name, all.size()).second) {
      return fail(ErrorCode::corrupt_file, "GGUF tensor {} occurs twice", quote(placed.tensor.name));
    }
    all.push_back(std::move(placed));
  }
  // A file without tensors may end before its data section would start.
  const uint64_t padded = (cursor.position() + alignment - 1) / alignment * alignment;
  const auto data_start = static_cast<size_t>(std::min<uint64_t>(padded, bytes.size()));
  const std::span<const std::byte> data = bytes.subspan(data_start);
  ORTHROS_TRY_VOID(check_placement(all, data.size()));
  file.tensors_.reserve(all.size());
  for (Placed& placed : all) {
    placed.tensor.bytes = data.subspan(static_cast<size_t>(placed.offset), static_cast<size_t>(placed.size));
    file.tensors_.push_back(std::move(placed.tensor));
  }
  return file;
}

}  // namespace orthros
