#include <algorithm>
#include <set>

#include "engine/formats/json.h"
#include "engine/formats/quote.h"
#include "engine/formats/safetensors.h"
#include "engine/formats/safetensors_dtype.h"

namespace orthros {
namespace {

struct Planned {
  const TensorToWrite* tensor = nullptr;
  int64_t bits = 0;
  uint64_t size = 0;
};

/// Passes bytes on and refuses more than the tensor takes.
class CountingSink : public ByteSink {
 public:
  CountingSink(ByteSink& next, const TensorToWrite& tensor, uint64_t size)
      : next_(next), tensor_(tensor), size_(size) {}

  Result<void> write(std::span<const std::byte> bytes) override {
    if (bytes.size() > size_ - written_) {
      return fail(ErrorCode::internal, "tensor {} produced more than its {} bytes", quote(tensor_.name),
                  size_);
    }
    written_ += bytes.size();
    return next_.write(bytes);
  }

  Result<void> check_complete() const {
    if (written_ == size_) return {};
    return fail(ErrorCode::internal, "tensor {} produced {} of its {} bytes", quote(tensor_.name), written_,
                size_);
  }

 private:
  ByteSink& next_;
  const TensorToWrite& tensor_;
  uint64_t size_;
  uint64_t written_ = 0;
};

Result<std::vector<Planned>> plan(const std::vector<TensorToWrite>& tensors) {
  std::vector<Planned> planned;
  std::set<std::string_view> names;
  uint64_t total = 0;
  for (const TensorToWrite& tensor : tensors) {
    if (tensor.name.empty() || tensor.name == "__metadata__" || has_control_characters(tensor.name)) {
      return fail(ErrorCode::invalid_argument, "{} cannot name a tensor", quote(tensor.name));
    }
    if (!names.insert(tensor.name).second) {
      return fail(ErrorCode::invalid_argument, "tensor {} is to be written twice", quote(tensor.name));
    }
    const std::optional<int64_t> bits = safetensors::bits_of(tensor.dtype);
    if (!bits) {
      return fail(ErrorCode::invalid_argument, "tensor {} has the unknown dtype {}", quote(tensor.name),
                  quote(tensor.dtype));
    }
    const std::optional<int64_t> size = safetensors::bytes_of(*bits, tensor.shape);
    if (!size || __builtin_add_overflow(total, static_cast<uint64_t>(*size), &total) ||
        total > static_cast<uint64_t>(INT64_MAX)) {
      return fail(ErrorCode::invalid_argument, "tensor {} has an impossible shape", quote(tensor.name));
    }
    planned.push_back({&tensor, *bits, static_cast<uint64_t>(*size)});
  }
  // Wide types first: each tensor then starts at a multiple of its element's size, so that readers can map
  // it.
  std::stable_sort(planned.begin(), planned.end(),
                   [](const Planned& a, const Planned& b) { return a.bits > b.bits; });
  return planned;
}

Result<std::string> make_header(const std::vector<Planned>& planned,
                                const std::map<std::string, std::string>& metadata) {
  Json header = Json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  uint64_t offset = 0;
  for (const Planned& entry : planned) {
    header[entry.tensor->name] = {{"dtype", entry.tensor->dtype},
                                  {"shape", entry.tensor->shape},
                                  {"data_offsets", {offset, offset + entry.size}}};
    offset += entry.size;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const Json::exception&) {
    return fail(ErrorCode::invalid_argument, "a tensor's name or the metadata is not valid UTF-8");
  }
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

}  // namespace

Result<void> write_safetensors(const std::filesystem::path& path, const std::vector<TensorToWrite>& tensors,
                               const std::map<std::string, std::string>& metadata) {
  ORTHROS_TRY(const std::vector<Planned> planned, plan(tensors));
  ORTHROS_TRY(const std::string header, make_header(planned, metadata));
  return write_atomically(path, [&](ByteSink& sink) -> Result<void> {
    const uint64_t length = header.size();
    ORTHROS_TRY_VOID(sink.write(std::as_bytes(std::span(&length, 1))));
    ORTHROS_TRY_VOID(sink.write(std::as_bytes(std::span(header))));
    for (const Planned& entry : planned) {
      CountingSink counting(sink, *entry.tensor, entry.size);
      ORTHROS_TRY_VOID(entry.tensor->produce(counting));
      ORTHROS_TRY_VOID(counting.check_complete());
    }
    return {};
  });
}

}  // namespace orthros
