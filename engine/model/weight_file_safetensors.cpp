// HF folders: model.safetensors, or an index with shards.
#include <map>

#include "engine/formats/json.h"
#include "engine/model/weight_file.h"

namespace orthros {
namespace {

constexpr const char* kSingle = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";

BlockType block_type(ScalarType type) {
  switch (type) {
    case ScalarType::float32: return BlockType::F32;
    case ScalarType::bfloat16: return BlockType::BF16;
    case ScalarType::float16: return BlockType::F16;
  }
  return BlockType::F32;
}

class SafetensorsWeights final : public WeightFile {
 public:
  Result<void> add(const std::filesystem::path& path) {
    ORTHROS_TRY(SafetensorsFile file, SafetensorsFile::open(path));
    files_.push_back(std::move(file));
    for (const TensorEntry& entry : files_.back().tensors()) {
      if (!where_.emplace(entry.name, files_.size() - 1).second) {
        return fail(ErrorCode::corrupt_file, "tensor {} stands in two shards", entry.name);
      }
    }
    return {};
  }

  bool has(std::string_view name) const override { return where_.find(name) != where_.end(); }

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const SafetensorsFile& file : files_) {
      for (const TensorEntry& entry : file.tensors()) names.push_back(entry.name);
    }
    return names;
  }

  void release(std::string_view name) const override {
    if (const auto at = where_.find(name); at != where_.end()) {
      files_[at->second].file().release(files_[at->second].find(name)->bytes);
    }
  }

  std::vector<std::span<const std::byte>> file_spans() const override {
    std::vector<std::span<const std::byte>> spans;
    for (const SafetensorsFile& file : files_) spans.push_back(file.file().bytes());
    return spans;
  }

 private:
  Result<Found> find(std::string_view name) const override {
    const auto at = where_.find(name);
    if (at == where_.end()) return fail(ErrorCode::not_found, "tensor {} is missing from the model", name);
    const TensorEntry& entry = *files_[at->second].find(name);
    ORTHROS_TRY(const ScalarType type, scalar_type_of(entry));
    Found found;
    found.shape = entry.shape;
    found.rows.type = block_type(type);
    found.rows.bytes = entry.bytes;
    return found;
  }

  std::vector<SafetensorsFile> files_;
  std::map<std::string, size_t, std::less<>> where_;
};

// File names of the shards, each a plain name in the folder: an index must not reach outside of it.
Result<std::vector<std::string>> shard_names(const std::filesystem::path& index_path) {
  ORTHROS_TRY(const std::string text, read_text(index_path, int64_t{64} << 20));
  ORTHROS_TRY(const Json json, parse_json(text, kIndex));
  const auto map = json.is_object() ? json.find("weight_map") : json.end();
  if (!json.is_object() || map == json.end() || !map->is_object()) {
    return fail(ErrorCode::corrupt_file, "{} has no weight_map", kIndex);
  }
  std::vector<std::string> names;
  std::map<std::string, bool> seen;
  for (const auto& [tensor, file] : map->items()) {
    if (!file.is_string()) return fail(ErrorCode::corrupt_file, "{}: the shard of {} is no text", kIndex, tensor);
    const auto name = file.get<std::string>();
    if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
        name.find('\0') != std::string::npos) {
      return fail(ErrorCode::corrupt_file, "{}: the shard of {} is not a plain file name", kIndex, tensor);
    }
    if (seen.emplace(name, true).second) names.push_back(name);
  }
  return names;
}

}  // namespace

Result<std::unique_ptr<WeightFile>> open_safetensors_weights(const std::filesystem::path& folder) {
  auto weights = std::make_unique<SafetensorsWeights>();
  std::error_code ignored;
  if (std::filesystem::exists(folder / kIndex, ignored)) {
    ORTHROS_TRY(const auto names, shard_names(folder / kIndex));
    for (const std::string& name : names) {
      if (!std::filesystem::exists(folder / name, ignored)) {
        return fail(Error{ErrorCode::not_found, fmt::format("shard {} is missing from the model folder", name),
                          "copy the whole model folder again"});
      }
      ORTHROS_TRY_VOID(weights->add(folder / name));
    }
  } else if (std::filesystem::exists(folder / kSingle, ignored)) {
    ORTHROS_TRY_VOID(weights->add(folder / kSingle));
  } else {
    return fail(Error{ErrorCode::not_found, fmt::format("no {} and no {} in the model folder", kSingle, kIndex),
                      "name a folder in the layout of Hugging Face, or a .gguf file"});
  }
  return std::unique_ptr<WeightFile>(std::move(weights));
}

}  // namespace orthros
