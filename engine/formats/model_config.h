// ModelConfig: a model's architecture, keys as in HF config.json (transformers 4 and 5 spelling), one
// LayerSpec a layer. Errors: corrupt_file (missing or impossible value, names the key), unsupported
// (architecture, RoPE type, bias). Source: HF config.json; GGUF metadata keys; DESIGN.md "Orthros
// checkpoint".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/window_spec.h"
#include "engine/formats/gguf.h"
#include "engine/formats/json.h"

namespace orthros {

/// config.json's layer_types: full_attention, sliding_attention, orthros_attention.
enum class MixerKind { full_attention, sliding_attention, orthros_attention };
const char* to_string(MixerKind kind);

struct LayerSpec {
  MixerKind mixer = MixerKind::full_attention;
  WindowSpec window;          // of the base stream; full for full_attention
  bool scale_offset = false;  // the four vectors exist; never in full_attention layers
  bool operator==(const LayerSpec&) const = default;
};

enum class RopeType { none, linear, llama3, yarn };

struct RopeScaling {
  RopeType type = RopeType::none;
  double factor = 1;
  int64_t original_max_position_embeddings = 0;
  double low_freq_factor = 1, high_freq_factor = 4;                // llama3
  double beta_fast = 32, beta_slow = 1;                            // yarn
  std::optional<double> attention_factor, mscale, mscale_all_dim;  // yarn
  bool truncate = true;                                            // yarn
  bool operator==(const RopeScaling&) const = default;
};

struct ModelConfig {
  std::string model_type;       // "llama", "qwen3", "mistral", "orthros"
  std::string base_model_type;  // of an orthros model: the source's; else equal to model_type
  int64_t hidden_size = 0, intermediate_size = 0, num_hidden_layers = 0;
  int64_t num_attention_heads = 0, num_key_value_heads = 0, head_dim = 0;
  int64_t vocab_size = 0, max_position_embeddings = 0;
  double rms_norm_eps = 0, rope_theta = 10000;
  RopeScaling rope_scaling;
  bool tie_word_embeddings = false;
  std::string torch_dtype;  // of the source's weights: "float32", "bfloat16", "float16" or a block type
  std::optional<int64_t> bos_token_id;
  std::vector<int64_t> eos_token_ids;
  std::vector<LayerSpec> layers;
  Json source;  // the whole config.json as read (or as made from GGUF), so that writing keeps unknown keys

  bool qk_norm() const { return base_model_type == "qwen3"; }
  bool has_output_stream() const;
  int64_t q_size() const { return num_attention_heads * head_dim; }
  int64_t kv_size() const { return num_key_value_heads * head_dim; }
};

Result<ModelConfig> parse_model_config(const Json& json);
Result<ModelConfig> model_config_from_gguf(const GgufFile& file);

/// Architecture the same weights are read as: --as transformer|swa|orthros --window W --sinks S.
enum class Architecture { transformer, swa, orthros };
Result<Architecture> parse_architecture(std::string_view text);
/// Window and sinks to read a model with: what is given, else the checkpoint's own, else 128 and 0.
WindowSpec window_for(const ModelConfig& config, std::optional<int64_t> window, std::optional<int64_t> sinks);
/// The config of the same weights as another architecture. Layers keep scale-offset only where they had it.
/// transformer: the source's own layers, with the windows it was trained with, and no scale-offset; `window`
/// is unused.
Result<ModelConfig> with_architecture(const ModelConfig& config, Architecture architecture,
                                      WindowSpec window);

/// config.json of an Orthros (or restored) checkpoint; `conversion` is stored as given. A block type in
/// torch_dtype is written as float32: set it first to what the weights are written as.
Json model_config_to_json(const ModelConfig& config, const Json& conversion);

}  // namespace orthros
