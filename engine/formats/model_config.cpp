#include "engine/formats/model_config.h"

#include <algorithm>
#include <array>

#include "engine/formats/model_config_detail.h"
#include "engine/formats/quote.h"

namespace orthros {
namespace {

using config_detail::kMaxPositions;

// Far above real models, and so low that the bytes of all weights and of a full cache fit into 63 bits.
constexpr IntegerRange kHidden{1, int64_t{1} << 18};
constexpr IntegerRange kIntermediate{1, int64_t{1} << 20};
constexpr IntegerRange kHeads{1, 1024};
constexpr IntegerRange kHeadDim{2, 1024};
constexpr IntegerRange kLayers{1, 1024};
constexpr IntegerRange kVocabulary{1, int64_t{1} << 22};
constexpr IntegerRange kTokenId{-1, int64_t{1} << 31};  // -1 stands for none in old files

constexpr std::array<std::string_view, 3> kBaseTypes{"llama", "qwen3", "mistral"};

bool is_base_type(std::string_view type) {
  return std::find(kBaseTypes.begin(), kBaseTypes.end(), type) != kBaseTypes.end();
}

Result<void> read_types(const ConfigFields& fields, ModelConfig& config) {
  ORTHROS_TRY(config.model_type, fields.required_text("model_type"));
  config.base_model_type = config.model_type;
  if (config.model_type == "orthros") {
    ORTHROS_TRY(config.base_model_type, fields.required_text("base_model_type"));
  }
  if (is_base_type(config.base_model_type)) return {};
  Error error{
      ErrorCode::unsupported,
      fmt::format("{}: model type {} is not read here", fields.where(), quote(config.base_model_type)),
      "llama, qwen3, mistral and Orthros models converted from these are"};
  return fail(std::move(error));
}

Result<void> read_sizes(const ConfigFields& fields, ModelConfig& config) {
  ORTHROS_TRY(config.hidden_size, fields.required_integer("hidden_size", kHidden));
  ORTHROS_TRY(config.intermediate_size, fields.required_integer("intermediate_size", kIntermediate));
  ORTHROS_TRY(config.num_hidden_layers, fields.required_integer("num_hidden_layers", kLayers));
  ORTHROS_TRY(config.num_attention_heads, fields.required_integer("num_attention_heads", kHeads));
  ORTHROS_TRY(config.num_key_value_heads,
              fields.integer_or("num_key_value_heads", kHeads, config.num_attention_heads));
  ORTHROS_TRY(config.vocab_size, fields.required_integer("vocab_size", kVocabulary));
  ORTHROS_TRY(config.max_position_embeddings,
              fields.required_integer("max_position_embeddings", {1, kMaxPositions}));
  ORTHROS_TRY(config.rms_norm_eps, fields.number_or("rms_norm_eps", {1e-30, 1.0}, 1e-6));
  ORTHROS_TRY(const std::optional<int64_t> head_dim, fields.integer("head_dim", kHeadDim));
  if (!head_dim && config.hidden_size % config.num_attention_heads != 0) {
    return fail(ErrorCode::corrupt_file, "{}: hidden_size {} is no multiple of num_attention_heads {}",
                fields.where(), config.hidden_size, config.num_attention_heads);
  }
  config.head_dim = head_dim.value_or(config.hidden_size / config.num_attention_heads);
  if (config.head_dim % 2 != 0 || config.head_dim > kHeadDim.high || config.head_dim < kHeadDim.low) {
    return fail(ErrorCode::corrupt_file, "{}: head_dim {} should be even and at most {}", fields.where(),
                config.head_dim, kHeadDim.high);
  }
  if (config.num_attention_heads % config.num_key_value_heads != 0) {
    return fail(ErrorCode::corrupt_file,
                "{}: num_attention_heads {} is no multiple of num_key_value_heads {}", fields.where(),
                config.num_attention_heads, config.num_key_value_heads);
  }
  return {};
}

/// What would change the result and is not computed here must not pass in silence.
Result<void> refuse_unsupported(const ConfigFields& fields) {
  for (const char* key : {"attention_bias", "mlp_bias"}) {
    ORTHROS_TRY(const bool bias, fields.boolean_or(key, false));
    if (bias)
      return fail(ErrorCode::unsupported, "{}: {} is true; models with biases are not read here",
                  fields.where(), key);
  }
  ORTHROS_TRY(const std::optional<std::string> activation, fields.text("hidden_act"));
  if (activation && *activation != "silu") {
    return fail(ErrorCode::unsupported, "{}: hidden_act {} is not read here, only silu is", fields.where(),
                quote(*activation));
  }
  ORTHROS_TRY(const double rotary, fields.number_or("partial_rotary_factor", {0.0, 1.0}, 1.0));
  if (rotary != 1.0) {
    return fail(ErrorCode::unsupported, "{}: partial_rotary_factor {} is not read here, only 1 is",
                fields.where(), rotary);
  }
  if (fields.has("quantization_config")) {
    Error error{ErrorCode::unsupported,
                fmt::format("{}: quantised weights (quantization_config) are not read here", fields.where()),
                "use the unquantised model or a GGUF file"};
    return fail(std::move(error));
  }
  return {};
}

Result<void> read_tokens(const ConfigFields& fields, ModelConfig& config) {
  ORTHROS_TRY(config.bos_token_id, fields.integer("bos_token_id", kTokenId));
  if (config.bos_token_id == -1) config.bos_token_id.reset();
  const Json* eos = fields.find("eos_token_id");
  if (eos == nullptr) return {};
  if (!eos->is_array()) {
    ORTHROS_TRY(const int64_t id, fields.required_integer("eos_token_id", kTokenId));
    if (id >= 0) config.eos_token_ids.push_back(id);
    return {};
  }
  for (const Json& value : *eos) {
    const Json one{{"eos_token_id", value}};
    ORTHROS_TRY(const int64_t id,
                ConfigFields(one, fields.where()).required_integer("eos_token_id", {0, 1ll << 31}));
    config.eos_token_ids.push_back(id);
  }
  return {};
}

Result<std::string> read_dtype(const ConfigFields& fields) {
  ORTHROS_TRY(std::optional<std::string> dtype, fields.text("dtype"));
  if (!dtype) {
    ORTHROS_TRY(dtype, fields.text("torch_dtype"));
  }
  std::string name = dtype.value_or("");
  if (name.starts_with("torch.")) name.erase(0, 6);
  return name;
}

}  // namespace

const char* to_string(MixerKind kind) {
  switch (kind) {
    case MixerKind::full_attention:
      return "full_attention";
    case MixerKind::sliding_attention:
      return "sliding_attention";
    case MixerKind::orthros_attention:
      return "orthros_attention";
  }
  return "unknown";
}

bool ModelConfig::has_output_stream() const {
  return std::any_of(layers.begin(), layers.end(),
                     [](const LayerSpec& layer) { return layer.mixer == MixerKind::orthros_attention; });
}

Result<ModelConfig> config_detail::parse(const Json& json, const std::string& where) {
  if (!json.is_object()) return fail(ErrorCode::corrupt_file, "{} is not a JSON object", where);
  const ConfigFields fields(json, where);
  ModelConfig config;
  ORTHROS_TRY_VOID(read_types(fields, config));
  ORTHROS_TRY_VOID(refuse_unsupported(fields));
  ORTHROS_TRY_VOID(read_sizes(fields, config));
  ORTHROS_TRY(const Rope rope, read_rope(fields, config.max_position_embeddings));
  config.rope_theta = rope.theta;
  config.rope_scaling = rope.scaling;
  ORTHROS_TRY(config.tie_word_embeddings, fields.boolean_or("tie_word_embeddings", false));
  ORTHROS_TRY(config.torch_dtype, read_dtype(fields));
  ORTHROS_TRY_VOID(read_tokens(fields, config));
  if (config.model_type == "orthros") {
    ORTHROS_TRY(config.layers, orthros_layers(fields, config.num_hidden_layers));
  } else {
    ORTHROS_TRY(config.layers, native_layers(fields, config.base_model_type, config.num_hidden_layers));
  }
  config.source = json;
  return config;
}

Result<ModelConfig> parse_model_config(const Json& json) {
  return config_detail::parse(json, "config.json");
}

}  // namespace orthros
