#include <algorithm>

#include "engine/formats/model_config_detail.h"

namespace orthros {
namespace {

constexpr const char* kOrthrosKeys[] = {"base_model_type", "base_layer_types", "window_size",
                                        "num_sink_tokens", "scale_offset",     "conversion"};

void write_sizes(Json& json, const ModelConfig& config) {
  json["hidden_size"] = config.hidden_size;
  json["intermediate_size"] = config.intermediate_size;
  json["num_hidden_layers"] = config.num_hidden_layers;
  json["num_attention_heads"] = config.num_attention_heads;
  json["num_key_value_heads"] = config.num_key_value_heads;
  json["head_dim"] = config.head_dim;
  json["vocab_size"] = config.vocab_size;
  json["max_position_embeddings"] = config.max_position_embeddings;
  json["rms_norm_eps"] = config.rms_norm_eps;
  json["tie_word_embeddings"] = config.tie_word_embeddings;
  if (!json.contains("hidden_act")) json["hidden_act"] = "silu";
}

void write_dtype(Json& json, const ModelConfig& config) {
  const std::string& type = config.torch_dtype;
  if (type.empty()) return;
  const bool dense = type == "float32" || type == "bfloat16" || type == "float16";
  // Block types exist in GGUF only; a config.json stands beside dense weights.
  const std::string written = dense ? type : "float32";
  json[json.contains("dtype") ? "dtype" : "torch_dtype"] = written;
}

void write_tokens(Json& json, const ModelConfig& config) {
  json["bos_token_id"] = nullptr;
  if (config.bos_token_id) json["bos_token_id"] = *config.bos_token_id;
  if (config.eos_token_ids.empty()) {
    json["eos_token_id"] = nullptr;
  } else if (config.eos_token_ids.size() == 1) {
    json["eos_token_id"] = config.eos_token_ids.front();
  } else {
    json["eos_token_id"] = config.eos_token_ids;
  }
}

const LayerSpec* first_windowed(const ModelConfig& config) {
  const auto found = std::find_if(config.layers.begin(), config.layers.end(),
                                  [](const LayerSpec& layer) { return !layer.window.is_full(); });
  return found == config.layers.end() ? nullptr : &*found;
}

Json layer_types(const ModelConfig& config) {
  Json types = Json::array();
  for (const LayerSpec& layer : config.layers) types.push_back(to_string(layer.mixer));
  return types;
}

/// One boolean where all layers with a window agree, else one a layer.
Json scale_offset(const ModelConfig& config) {
  Json flags = Json::array();
  bool any = false;
  bool all = true;
  for (const LayerSpec& layer : config.layers) {
    flags.push_back(layer.scale_offset);
    any = any || layer.scale_offset;
    all = all && (layer.scale_offset || layer.mixer == MixerKind::full_attention);
  }
  if (!any) return false;
  return all ? Json(true) : flags;
}

void write_orthros(Json& json, const ModelConfig& config, const Json& conversion) {
  const bool from_source = !json.contains("model_type") || json["model_type"] != "orthros";
  if (from_source && json.contains("layer_types")) json["base_layer_types"] = json["layer_types"];
  // Where nothing is known of the source's window it had none; an absent key would mean another default.
  if (!config.source.is_object() && config.base_model_type == "mistral") json["sliding_window"] = nullptr;
  json["model_type"] = "orthros";
  json["base_model_type"] = config.base_model_type;
  json["layer_types"] = layer_types(config);
  json["scale_offset"] = scale_offset(config);
  json.erase("window_size");
  json.erase("num_sink_tokens");
  if (const LayerSpec* layer = first_windowed(config)) {
    json["window_size"] = layer->window.window;
    json["num_sink_tokens"] = layer->window.sinks;
  }
  if (!conversion.is_null()) json["conversion"] = conversion;
}

/// The source's keys say which layers have a window; they are written only where they do not say it already.
void write_native(Json& json, const ModelConfig& config) {
  const bool was_orthros = json.contains("model_type") && json["model_type"] == "orthros";
  if (was_orthros) {
    json.erase("layer_types");
    if (json.contains("base_layer_types")) json["layer_types"] = json["base_layer_types"];
  }
  for (const char* key : kOrthrosKeys) json.erase(key);
  json["model_type"] = config.base_model_type;
  const Result<std::vector<LayerSpec>> present = config_detail::native_layers(
      ConfigFields(json, "config.json"), config.base_model_type, config.num_hidden_layers);
  if (present && *present == config.layers) return;
  const LayerSpec* windowed = first_windowed(config);
  json["sliding_window"] = nullptr;
  if (windowed != nullptr) json["sliding_window"] = windowed->window.window;
  json.erase("layer_types");
  if (config.base_model_type != "qwen3") return;
  json["use_sliding_window"] = windowed != nullptr;
  json["layer_types"] = layer_types(config);
}

}  // namespace

Json model_config_to_json(const ModelConfig& config, const Json& conversion) {
  Json json = config.source.is_object() ? config.source : Json::object();
  write_sizes(json, config);
  config_detail::write_rope(json, config);
  write_dtype(json, config);
  write_tokens(json, config);
  if (config.model_type == "orthros") {
    write_orthros(json, config, conversion);
  } else {
    write_native(json, config);
  }
  return json;
}

}  // namespace orthros
