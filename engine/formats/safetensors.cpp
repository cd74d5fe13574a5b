#include "engine/formats/safetensors.h"

#include <algorithm>
#include <cstring>

#include "engine/formats/json.h"
#include "engine/formats/quote.h"
#include "engine/formats/safetensors_dtype.h"

namespace orthros {
namespace {

constexpr uint64_t kMaxHeaderBytes = 100'000'000;
constexpr size_t kMaxTensors = 100'000;
constexpr size_t kMaxDimensions = 16;
constexpr size_t kMaxNameBytes = 1024;

struct Placed {
  TensorEntry entry;
  uint64_t begin = 0;
  uint64_t end = 0;
};

Result<std::string_view> read_header(std::span<const std::byte> bytes) {
  if (bytes.size() < 8) {
    return fail(ErrorCode::corrupt_file, "not a safetensors file: it has {} bytes, fewer than 8",
                bytes.size());
  }
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kMaxHeaderBytes) {
    return fail(ErrorCode::corrupt_file,
                "not a safetensors file: the header would have {} bytes, more than {}", length,
                kMaxHeaderBytes);
  }
  if (length > bytes.size() - 8) {
    Error error{
        ErrorCode::corrupt_file,
        fmt::format("safetensors header of {} bytes does not fit into a file of {}", length, bytes.size()),
        "the file is cut short; fetch it again"};
    return fail(std::move(error));
  }
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + 8, static_cast<size_t>(length));
  if (!header.starts_with('{')) {
    return fail(ErrorCode::corrupt_file, "not a safetensors file: the header does not start with {{");
  }
  return header;
}

Result<std::map<std::string, std::string>> read_metadata(const Json& json) {
  if (!json.is_object()) return fail(ErrorCode::corrupt_file, "safetensors __metadata__ is not an object");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : json.get_ref<const Json::object_t&>()) {
    if (!value.is_string()) {
      return fail(ErrorCode::corrupt_file, "safetensors __metadata__ {} is not a text", quote(key));
    }
    metadata.emplace(key, value.get_ref<const std::string&>());
  }
  return metadata;
}

/// A list of integers from 0 to 2^63 - 1.
Result<std::vector<int64_t>> read_sizes(const Json& tensor, const std::string& name, const char* key) {
  const auto found = tensor.find(key);
  if (found == tensor.end() || !found->is_array()) {
    return fail(ErrorCode::corrupt_file, "safetensors tensor {} has no list {}", quote(name), key);
  }
  std::vector<int64_t> sizes;
  for (const Json& value : *found) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX)) {
      return fail(ErrorCode::corrupt_file, "safetensors tensor {}: {} holds something that is no size",
                  quote(name), key);
    }
    sizes.push_back(value.get<int64_t>());
  }
  return sizes;
}

Result<void> check_keys(const Json& json, const std::string& name) {
  if (name.empty() || name.size() > kMaxNameBytes || has_control_characters(name)) {
    return fail(ErrorCode::corrupt_file, "safetensors tensor has an impossible name {}", quote(name));
  }
  if (!json.is_object()) {
    return fail(ErrorCode::corrupt_file, "safetensors tensor {} is not described by an object", quote(name));
  }
  for (const auto& [key, value] : json.get_ref<const Json::object_t&>()) {
    if (key != "dtype" && key != "shape" && key != "data_offsets") {
      return fail(ErrorCode::corrupt_file, "safetensors tensor {} has the unknown key {}", quote(name),
                  quote(key));
    }
  }
  return {};
}

Result<Placed> read_tensor(const Json& json, const std::string& name) {
  ORTHROS_TRY_VOID(check_keys(json, name));
  Placed placed;
  placed.entry.name = name;
  const auto dtype = json.find("dtype");
  if (dtype == json.end() || !dtype->is_string()) {
    return fail(ErrorCode::corrupt_file, "safetensors tensor {} has no dtype", quote(name));
  }
  placed.entry.dtype = dtype->get_ref<const std::string&>();
  const std::optional<int64_t> bits = safetensors::bits_of(placed.entry.dtype);
  if (!bits) {
    return fail(ErrorCode::unsupported, "safetensors tensor {} has the unknown dtype {}", quote(name),
                quote(placed.entry.dtype));
  }
  ORTHROS_TRY(placed.entry.shape, read_sizes(json, name, "shape"));
  if (placed.entry.shape.size() > kMaxDimensions) {
    return fail(ErrorCode::corrupt_file, "safetensors tensor {} has {} dimensions", quote(name),
                placed.entry.shape.size());
  }
  ORTHROS_TRY(const std::vector<int64_t> offsets, read_sizes(json, name, "data_offsets"));
  if (offsets.size() != 2 || offsets[1] < offsets[0]) {
    return fail(ErrorCode::corrupt_file, "safetensors tensor {}: data_offsets is no range", quote(name));
  }
  placed.begin = static_cast<uint64_t>(offsets[0]);
  placed.end = static_cast<uint64_t>(offsets[1]);
  const std::optional<int64_t> size = safetensors::bytes_of(*bits, placed.entry.shape);
  if (!size || static_cast<uint64_t>(*size) != placed.end - placed.begin) {
    return fail(ErrorCode::corrupt_file,
                "safetensors tensor {}: {} bytes of data do not match its shape and dtype", quote(name),
                placed.end - placed.begin);
  }
  return placed;
}

/// Tensors fill the data section from its first byte to its last, one after another.
Result<void> check_placement(const std::vector<Placed>& all, uint64_t data_bytes) {
  uint64_t end = 0;
  for (const Placed& placed : all) {
    if (placed.begin != end) {
      return fail(ErrorCode::corrupt_file,
                  "safetensors tensor {} begins at {}, {} the end {} of the one before",
                  quote(placed.entry.name), placed.begin, placed.begin < end ? "before" : "after", end);
    }
    end = placed.end;
  }
  if (end == data_bytes) return {};
  Error error{ErrorCode::corrupt_file,
              fmt::format("safetensors tensors take {} bytes and the file holds {}", end, data_bytes),
              {}};
  if (end > data_bytes) error.hint = "the file is cut short; fetch it again";
  return fail(std::move(error));
}

}  // namespace

int64_t TensorEntry::num_elements() const {
  // A zero anywhere first: the other sizes alone might overflow.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  int64_t product = 1;
  for (const int64_t size : shape) product *= size;
  return product;
}

Result<ScalarType> scalar_type_of(const TensorEntry& entry) {
  if (entry.dtype == "F32") return ScalarType::float32;
  if (entry.dtype == "BF16") return ScalarType::bfloat16;
  if (entry.dtype == "F16") return ScalarType::float16;
  return fail(ErrorCode::unsupported, "tensor {} has dtype {}; weights must be F32, BF16 or F16",
              quote(entry.name), quote(entry.dtype));
}

Result<SafetensorsFile> SafetensorsFile::open(const std::filesystem::path& path) {
  ORTHROS_TRY(MappedFile mapped, MappedFile::open(path));
  Result<SafetensorsFile> parsed = parse(mapped.bytes());
  if (!parsed) {
    Error error = std::move(parsed).error();
    error.message = path.string() + ": " + error.message;
    return fail(std::move(error));
  }
  parsed->file_ = std::move(mapped);
  return parsed;
}

Result<SafetensorsFile> SafetensorsFile::parse(std::span<const std::byte> bytes) {
  ORTHROS_TRY(const std::string_view header, read_header(bytes));
  ORTHROS_TRY(const Json json, parse_json(header, "safetensors header", {.max_depth = 4}));
  const std::span<const std::byte> data = bytes.subspan(8 + header.size());
  SafetensorsFile file;
  std::vector<Placed> all;
  if (json.size() > kMaxTensors) {
    return fail(ErrorCode::corrupt_file, "safetensors header names {} tensors, more than {}", json.size(),
                kMaxTensors);
  }
  for (const auto& [name, value] : json.get_ref<const Json::object_t&>()) {
    if (name == "__metadata__") {
      ORTHROS_TRY(file.metadata_, read_metadata(value));
      continue;
    }
    ORTHROS_TRY(Placed placed, read_tensor(value, name));
    all.push_back(std::move(placed));
  }
  std::stable_sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  ORTHROS_TRY_VOID(check_placement(all, data.size()));
  file.tensors_.reserve(all.size());
  for (Placed& placed : all) {
    placed.entry.bytes =
        data.subspan(static_cast<size_t>(placed.begin), static_cast<size_t>(placed.end - placed.begin));
    file.index_.emplace(placed.entry.name, file.tensors_.size());
    file.tensors_.push_back(std::move(placed.entry));
  }
  return file;
}

const TensorEntry* SafetensorsFile::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

}  // namespace orthros
