#include "engine/model/weight_delta.h"

#include <algorithm>
#include <charconv>

#include "engine/formats/json.h"
#include "engine/formats/safetensors.h"
#include "engine/model/model_identity.h"
#include "engine/model/weight_plan.h"

namespace orthros {
namespace {

namespace fs = std::filesystem;

class OverlaidWeights final : public WeightFile {
 public:
  OverlaidWeights(std::unique_ptr<WeightFile> base, SafetensorsFile delta)
      : base_(std::move(base)), delta_(std::move(delta)) {}

  bool has(std::string_view name) const override { return delta_.find(name) != nullptr || base_->has(name); }

  std::vector<std::string> names() const override {
    std::vector<std::string> names = base_->names();
    for (const TensorEntry& entry : delta_.tensors()) {
      if (!base_->has(entry.name)) names.push_back(entry.name);
    }
    return names;
  }

  void release(std::string_view name) const override {
    if (const TensorEntry* entry = delta_.find(name)) {
      delta_.file().release(entry->bytes);
    } else {
      base_->release(name);
    }
  }

  std::vector<std::span<const std::byte>> file_spans() const override {
    std::vector<std::span<const std::byte>> spans = base_->file_spans();
    spans.push_back(delta_.file().bytes());
    return spans;
  }

 private:
  Result<Found> find(std::string_view name) const override {
    if (const TensorEntry* entry = delta_.find(name)) {
      Found found;
      found.shape = entry->shape;
      found.rows.type = BlockType::F32;
      found.rows.bytes = entry->bytes;
      return found;
    }
    return find_in(*base_, name);
  }

  std::unique_ptr<WeightFile> base_;
  SafetensorsFile delta_;
};

Result<int64_t> number_of(const SafetensorsFile& file, const char* key, const std::string& name) {
  const auto at = file.metadata().find(key);
  int64_t value = -1;
  if (at != file.metadata().end()) {
    const char* end = at->second.data() + at->second.size();
    const auto [next, error] = std::from_chars(at->second.data(), end, value);
    if (error != std::errc() || next != end) value = -1;
  }
  if (value < 0) return fail(ErrorCode::corrupt_file, "{}: the delta does not say its {}", name, key);
  return value;
}

Result<void> check_tensors(const SafetensorsFile& delta, const ModelConfig& config, const std::string& name) {
  const std::vector<TensorSpec> specs = checkpoint_tensors(config);
  for (const TensorEntry& entry : delta.tensors()) {
    const auto spec = std::ranges::find(specs, entry.name, &TensorSpec::name);
    if (spec == specs.end()) {
      return fail(ErrorCode::corrupt_file, "{}: the model has no tensor {}", name, entry.name);
    }
    const std::vector<int64_t> shape = spec->is_vector ? std::vector<int64_t>{spec->columns}
                                                       : std::vector<int64_t>{spec->rows, spec->columns};
    if (entry.dtype != "F32" || entry.shape != shape) {
      return fail(ErrorCode::corrupt_file, "{}: tensor {} has another type or shape than the model's", name,
                  entry.name);
    }
  }
  return {};
}

}  // namespace

std::map<std::string, std::string> delta_metadata(const WindowSpec& window, std::string base_sha256) {
  return {{"format", kDeltaFormat},
          {"window", std::to_string(window.window)},
          {"sinks", std::to_string(window.sinks)},
          {"base_sha256", std::move(base_sha256)}};
}

Result<std::string> base_sha256(const ModelFiles& files, const StopToken& stop,
                                const ProgressSink& progress) {
  const Json& source = files.config.source;
  if (source.is_object() && source.contains("conversion")) {
    const Json& conversion = source["conversion"];
    if (conversion.is_object() && conversion.contains("source_sha256") &&
        conversion["source_sha256"].is_string()) {
      return conversion["source_sha256"].get<std::string>();
    }
  }
  return weights_sha256(*files.weights, stop, progress);
}

Result<ModelFiles> with_delta(ModelFiles base, const fs::path& path, const StopToken& stop,
                              const ProgressSink& progress) {
  const std::string name = path.filename().string();
  ORTHROS_TRY(SafetensorsFile delta, SafetensorsFile::open(path));
  const auto format = delta.metadata().find("format");
  if (format == delta.metadata().end() || format->second != kDeltaFormat) {
    return fail(Error{ErrorCode::corrupt_file, fmt::format("{} is no delta of conversion training", name),
                      "orthros train writes delta.safetensors where only part of a model moves"});
  }
  ORTHROS_TRY(const int64_t window, number_of(delta, "window", name));
  ORTHROS_TRY(const int64_t sinks, number_of(delta, "sinks", name));
  ORTHROS_TRY(const std::string sha256, base_sha256(base, stop, progress));
  const auto expected = delta.metadata().find("base_sha256");
  if (expected == delta.metadata().end() || expected->second != sha256) {
    return fail(Error{ErrorCode::invalid_argument, fmt::format("{} was made for other weights", name),
                      "lay it over the model that it was trained from"});
  }
  ORTHROS_TRY(base.config, with_architecture(base.config, Architecture::orthros, {window, sinks}));
  const bool scaled = std::ranges::any_of(
      delta.tensors(), [](const TensorEntry& entry) { return entry.name.ends_with("self_attn.alpha"); });
  for (LayerSpec& layer : base.config.layers) layer.scale_offset = layer.scale_offset || scaled;
  ORTHROS_TRY_VOID(check_tensors(delta, base.config, name));
  base.weights = std::make_unique<OverlaidWeights>(std::move(base.weights), std::move(delta));
  return base;
}

}  // namespace orthros
