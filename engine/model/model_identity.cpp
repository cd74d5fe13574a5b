#include "engine/model/model_identity.h"

#include <algorithm>

#include "engine/base/sha256.h"

namespace orthros {
namespace {

constexpr size_t kHashBytes = size_t{16} << 20;  // between two looks at the stop token

}  // namespace

Result<std::string> weights_sha256(const WeightFile& file, const StopToken& stop,
                                   const ProgressSink& progress) {
  Sha256 sha;
  int64_t done = 0;
  for (std::span<const std::byte> bytes : file.file_spans()) {
    while (!bytes.empty()) {
      ORTHROS_TRY_VOID(stop.check("hashing the weights"));
      const auto block = bytes.first(std::min(bytes.size(), kHashBytes));
      sha.update(block);
      bytes = bytes.subspan(block.size());
      done += static_cast<int64_t>(block.size());
      report(progress, "hash", done, file.file_bytes());
    }
  }
  return sha.finish();
}

Json architecture_json(const ModelConfig& config) {
  // The config as it would be written: it holds every key that the decoder reads, and the source's own
  // besides.
  Json json = model_config_to_json(config, nullptr);
  for (const char* key : {"conversion", "_name_or_path", "transformers_version", "torch_dtype", "dtype"})
    json.erase(key);
  return json;
}

std::string architecture_name(const ModelConfig& config) {
  const auto every = [&](MixerKind kind) {
    return std::ranges::all_of(config.layers, [&](const LayerSpec& layer) { return layer.mixer == kind; });
  };
  if (every(MixerKind::full_attention)) return "transformer";
  if (every(MixerKind::sliding_attention)) return "swa";
  if (every(MixerKind::orthros_attention)) return "orthros";
  return "mixed";
}

std::string architecture_label(const ModelConfig& config) {
  const std::string name = architecture_name(config);
  if (name == "transformer") return "Transformer";
  const std::string title = name == "swa" ? "SWA" : name == "orthros" ? "Orthros" : "Mixed";
  const auto windowed =
      std::ranges::find_if(config.layers, [](const LayerSpec& l) { return !l.window.is_full(); });
  if (windowed == config.layers.end()) return title;
  return fmt::format("{} w={} s={}", title, windowed->window.window, windowed->window.sinks);
}

std::string tokenizer_sha256(const Tokenizer& tokenizer) {
  return sha256_hex(tokenizer.to_tokenizer_json().dump());
}

std::string model_name(const ModelFiles& files) {
  const auto lexical = files.path.lexically_normal();
  return lexical.has_filename() ? lexical.filename().string() : lexical.parent_path().filename().string();
}

}  // namespace orthros
