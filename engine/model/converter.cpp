#include "engine/model/converter.h"

#include <algorithm>
#include <array>

#include "engine/formats/json.h"
#include "engine/formats/mapped_file.h"
#include "engine/formats/safetensors.h"
#include "engine/model/model_identity.h"
#include "engine/model/staging_folder.h"
#include "engine/model/weight_plan.h"

namespace orthros {
namespace {

namespace fs = std::filesystem;

// Values converted at a time: bounds memory whatever the tensor's size.
constexpr int64_t kBlockElements = int64_t{1} << 20;

BlockType layer_type(const ModelFiles& source) {
  const auto rows = source.weights->rows(layer_prefix(0) + "mlp.down_proj.weight", source.config.hidden_size,
                                         source.config.intermediate_size);
  return rows ? rows->type : BlockType::F32;
}

Result<void> write_rows(const WeightRows& rows, ScalarType dtype, ByteSink& sink, const StopToken& stop) {
  const int64_t block = std::max<int64_t>(1, kBlockElements / std::max<int64_t>(1, rows.columns));
  std::vector<float> values;
  std::vector<uint16_t> narrow;
  for (int64_t begin = 0; begin < rows.rows; begin += block) {
    ORTHROS_TRY_VOID(stop.check("the conversion"));
    const int64_t count = std::min(block, rows.rows - begin);
    values.resize(static_cast<size_t>(count * rows.columns));
    rows.read(begin, count, values.data());
    if (dtype == ScalarType::float32) {
      ORTHROS_TRY_VOID(sink.write(std::as_bytes(std::span<const float>(values))));
      continue;
    }
    narrow.resize(values.size());
    std::ranges::transform(values, narrow.begin(), float_to_bf16);
    ORTHROS_TRY_VOID(sink.write(std::as_bytes(std::span<const uint16_t>(narrow))));
  }
  return {};
}

class Conversion {
 public:
  Conversion(const ModelFiles& source, const ModelConfig& config, const ConvertOptions& options,
             const StopToken& stop, const ProgressSink& progress)
      : source_(source), config_(config), stop_(stop), progress_(progress) {
    const bool narrow = layer_type(source) == BlockType::BF16;
    report_.dtype = options.dtype.value_or(narrow ? ScalarType::bfloat16 : ScalarType::float32);
  }

  /// Said before the work rather than after it. Where the free space is not told, the work finds out.
  Result<void> check_space(const fs::path& folder) const {
    int64_t needed = 0;
    for (const TensorSpec& spec : checkpoint_tensors(config_)) needed += tensor_bytes(spec);
    std::error_code error;
    const fs::space_info space = fs::space(folder, error);
    if (error || space.capacity == 0 || space.available >= static_cast<uintmax_t>(needed)) return {};
    return fail(Error{ErrorCode::io,
                      fmt::format("the new model takes {} and {} has {} free", format_bytes(needed),
                                  folder.string(), format_bytes(static_cast<int64_t>(space.available))),
                      "free some space, choose another disk, or write bfloat16"});
  }

  Result<ConvertReport> run(const fs::path& folder) {
    ORTHROS_TRY(report_.source_sha256, weights_sha256(*source_.weights, stop_, progress_));
    ORTHROS_TRY_VOID(write_weights(folder / "model.safetensors"));
    ORTHROS_TRY_VOID(write_text_atomically(folder / "config.json", config_json().dump(2) + "\n"));
    ORTHROS_TRY_VOID(source_.is_gguf ? export_companions(folder) : copy_companions(folder));
    return report_;
  }

 private:
  int64_t tensor_bytes(const TensorSpec& spec) const {
    return spec.rows * spec.columns * size_bytes(report_.dtype);
  }

  Result<void> write_weights(const fs::path& path) {
    const std::vector<TensorSpec> specs = checkpoint_tensors(config_);
    std::vector<TensorToWrite> tensors;
    int64_t total = 0, done = 0;
    for (const TensorSpec& spec : specs) {
      ORTHROS_TRY(const WeightRows rows, source_.weights->rows(spec.name, spec.rows, spec.columns));
      const int64_t bytes = tensor_bytes(spec);
      total += bytes;
      TensorToWrite tensor;
      tensor.name = spec.name;
      tensor.dtype = report_.dtype == ScalarType::float32 ? "F32" : "BF16";
      tensor.shape =
          spec.is_vector ? std::vector<int64_t>{spec.columns} : std::vector<int64_t>{spec.rows, spec.columns};
      tensor.produce = [this, rows, bytes, name = spec.name, &total, &done](ByteSink& sink) -> Result<void> {
        ORTHROS_TRY_VOID(write_rows(rows, report_.dtype, sink, stop_));
        source_.weights->release(name);
        done += bytes;
        report(progress_, "convert", done, total);
        return {};
      };
      tensors.push_back(std::move(tensor));
    }
    report_.tensors = static_cast<int64_t>(tensors.size());
    report_.bytes = total;
    return write_safetensors(path, tensors, {{"format", "pt"}});
  }

  Json config_json() const {
    Json conversion = {{"source", source_.path.filename().string()},
                       {"source_sha256", report_.source_sha256},
                       {"source_dtype", to_string(layer_type(source_))},
                       {"training", "none"}};
    const auto embedding =
        source_.weights->rows("model.embed_tokens.weight", config_.vocab_size, config_.hidden_size);
    if (embedding) conversion["source_embedding_dtype"] = to_string(embedding->type);
    // A conversion of a conversion keeps what the weights really come from.
    if (source_.config.source.is_object() && source_.config.source.contains("conversion")) {
      conversion = source_.config.source["conversion"];
    }
    ModelConfig config = config_;
    config.torch_dtype = to_string(report_.dtype);
    return model_config_to_json(config, conversion);
  }

  Result<void> copy_companions(const fs::path& folder) {
    for (const char* name : kCompanions) {
      std::error_code error;
      if (!fs::exists(source_.path / name, error)) continue;
      ORTHROS_TRY(const std::string text, read_text(source_.path / name, int64_t{100} << 20));
      ORTHROS_TRY_VOID(write_text_atomically(folder / name, text));
    }
    return {};
  }

  Result<void> export_companions(const fs::path& folder) {
    Json generation = {{"eos_token_id", source_.eos}};
    if (config_.bos_token_id) generation["bos_token_id"] = *config_.bos_token_id;
    ORTHROS_TRY_VOID(write_text_atomically(folder / "generation_config.json", generation.dump(2) + "\n"));
    if (!source_.chat_template.empty()) {
      ORTHROS_TRY_VOID(write_text_atomically(folder / "chat_template.jinja", source_.chat_template));
    }
    if (!source_.tokenizer) {
      report_.notes.push_back("no tokenizer written: " + source_.tokenizer.error().line());
      return {};
    }
    const Tokenizer& tokenizer = *source_.tokenizer;
    ORTHROS_TRY_VOID(
        write_text_atomically(folder / "tokenizer.json", tokenizer.to_tokenizer_json().dump() + "\n"));
    ORTHROS_TRY_VOID(write_text_atomically(folder / "tokenizer_config.json",
                                           tokenizer.to_tokenizer_config_json().dump(2) + "\n"));
    return write_text_atomically(folder / "special_tokens_map.json",
                                 tokenizer.to_special_tokens_map_json().dump(2) + "\n");
  }

  const ModelFiles& source_;
  const ModelConfig& config_;
  const StopToken& stop_;
  const ProgressSink& progress_;
  ConvertReport report_;
};

bool had_scale_offset(const ModelConfig& config) {
  return std::ranges::any_of(config.layers, [](const LayerSpec& layer) { return layer.scale_offset; });
}

// "models/x/" and "models/./x" are models/x.
Result<fs::path> normal_destination(const fs::path& destination) {
  std::error_code error;
  fs::path path = fs::absolute(destination, error).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  if (destination.empty() || error || !path.has_filename()) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("'{}' cannot name a new folder", destination.string()),
                      "name a folder that does not exist yet"});
  }
  if (fs::exists(fs::symlink_status(path, error))) {
    return fail(Error{ErrorCode::invalid_argument, fmt::format("{} exists already", destination.string()),
                      "name a folder that does not exist yet"});
  }
  if (!fs::is_directory(path.parent_path(), error)) {
    return fail(
        Error{ErrorCode::not_found,
              fmt::format("the folder {} for the new model does not exist", path.parent_path().string()),
              "make it first"});
  }
  return path;
}

}  // namespace

Result<ConvertReport> convert_model(const ModelFiles& source, const std::filesystem::path& destination,
                                    const ConvertOptions& options, const StopToken& stop,
                                    const ProgressSink& progress) {
  ORTHROS_TRY(const fs::path target, normal_destination(destination));
  ORTHROS_TRY(const ModelConfig config, with_architecture(source.config, options.to, options.window));
  Conversion conversion(source, config, options, stop, progress);
  ORTHROS_TRY_VOID(conversion.check_space(target.parent_path()));
  StagingFolder staging(target);
  ORTHROS_TRY_VOID(staging.create());
  ORTHROS_TRY(ConvertReport report, conversion.run(staging.path()));
  if (had_scale_offset(source.config) && !had_scale_offset(config)) {
    report.notes.push_back(
        "the source's scale-offset vectors are not part of this architecture and were left out");
  }
  ORTHROS_TRY_VOID(staging.rename_to_target());
  return report;
}

}  // namespace orthros
