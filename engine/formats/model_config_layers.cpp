#include <algorithm>
#include <optional>

#include "engine/formats/model_config_detail.h"
#include "engine/formats/quote.h"

namespace orthros {
namespace config_detail {
namespace {

constexpr IntegerRange kWindow{1, kMaxWindow};

Result<MixerKind> read_kind(const Json& value, const ConfigFields& fields) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    for (const MixerKind kind :
         {MixerKind::full_attention, MixerKind::sliding_attention, MixerKind::orthros_attention}) {
      if (text == to_string(kind)) return kind;
    }
    return fail(ErrorCode::unsupported, "{}: layer type {} is not read here", fields.where(), quote(text));
  }
  return fail(ErrorCode::corrupt_file, "{}: layer_types should hold texts", fields.where());
}

Result<std::optional<std::vector<MixerKind>>> read_kinds(const ConfigFields& fields, const char* key,
                                                         int64_t num_layers) {
  const Json* list = fields.find(key);
  if (list == nullptr) return std::optional<std::vector<MixerKind>>();
  if (!list->is_array() || list->size() != static_cast<size_t>(num_layers)) {
    return fail(ErrorCode::corrupt_file, "{}: {} should be a list of {} texts, one a layer", fields.where(),
                key, num_layers);
  }
  std::vector<MixerKind> kinds;
  for (const Json& value : *list) {
    ORTHROS_TRY(const MixerKind kind, read_kind(value, fields));
    kinds.push_back(kind);
  }
  return std::optional(std::move(kinds));
}

LayerSpec windowed(std::optional<int64_t> window) {
  if (!window) return {};
  return {MixerKind::sliding_attention, WindowSpec{*window, 0}, false};
}

/// null means no window; transformers takes 4096 where the key is absent.
Result<std::optional<int64_t>> read_sliding_window(const ConfigFields& fields) {
  if (fields.is_absent("sliding_window")) return std::optional<int64_t>(4096);
  return fields.integer("sliding_window", kWindow);
}

/// The window of each layer by the rules of the model family alone.
Result<std::vector<LayerSpec>> family_layers(const ConfigFields& fields, const std::string& type,
                                             int64_t count) {
  std::vector<LayerSpec> layers(static_cast<size_t>(count));
  std::optional<int64_t> window;
  int64_t first = 0;
  if (type == "mistral") {
    ORTHROS_TRY(window, read_sliding_window(fields));
  } else if (type == "qwen3") {
    ORTHROS_TRY(const bool used, fields.boolean_or("use_sliding_window", false));
    if (used) {
      ORTHROS_TRY(window, read_sliding_window(fields));
      ORTHROS_TRY(first, fields.integer_or("max_window_layers", {0, int64_t{1} << 31}, 28));
    }
  }
  for (int64_t i = first; i < count; ++i) layers[static_cast<size_t>(i)] = windowed(window);
  return layers;
}

/// One boolean for all layers with a window, or a list with one a layer.
Result<std::vector<bool>> read_scale_offset(const ConfigFields& fields, const std::vector<MixerKind>& kinds) {
  const Json* value = fields.find("scale_offset");
  std::vector<bool> flags(kinds.size(), false);
  if (value == nullptr || !value->is_array()) {
    ORTHROS_TRY(const bool all, fields.boolean_or("scale_offset", false));
    for (size_t i = 0; i < kinds.size(); ++i) flags[i] = all && kinds[i] != MixerKind::full_attention;
    return flags;
  }
  if (value->size() != kinds.size()) {
    return fail(ErrorCode::corrupt_file, "{}: scale_offset should be a boolean or a list of {}, one a layer",
                fields.where(), kinds.size());
  }
  for (size_t i = 0; i < kinds.size(); ++i) {
    const Json& flag = (*value)[i];
    if (!flag.is_boolean() || (flag == true && kinds[i] == MixerKind::full_attention)) {
      return fail(ErrorCode::corrupt_file, "{}: scale_offset of layer {} is impossible", fields.where(), i);
    }
    flags[i] = flag.get<bool>();
  }
  return flags;
}

}  // namespace

Result<std::vector<LayerSpec>> native_layers(const ConfigFields& fields, const std::string& base_model_type,
                                             int64_t num_layers) {
  ORTHROS_TRY(std::vector<LayerSpec> layers, family_layers(fields, base_model_type, num_layers));
  // An Orthros checkpoint keeps the source's list aside.
  ORTHROS_TRY(const auto own_type, fields.text("model_type"));
  const char* key = own_type == "orthros" ? "base_layer_types" : "layer_types";
  ORTHROS_TRY(const auto kinds, read_kinds(fields, key, num_layers));
  if (!kinds) return layers;
  std::optional<int64_t> window;
  if (base_model_type == "qwen3") {
    ORTHROS_TRY(const bool used, fields.boolean_or("use_sliding_window", false));
    if (used) {
      ORTHROS_TRY(window, read_sliding_window(fields));
    }
  } else if (base_model_type == "mistral") {
    window = layers.front().window.is_full() ? std::nullopt : std::optional(layers.front().window.window);
  }
  for (size_t i = 0; i < layers.size(); ++i) {
    const MixerKind kind = (*kinds)[i];
    if (kind == MixerKind::orthros_attention) {
      return fail(ErrorCode::corrupt_file, "{}: layer {} is orthros_attention in a model of type {}",
                  fields.where(), i, base_model_type);
    }
    layers[i] = LayerSpec{};
    if (kind == MixerKind::full_attention) continue;
    if (!window) {
      return fail(ErrorCode::corrupt_file,
                  "{}: layer {} is sliding_attention, but no sliding_window is in use", fields.where(), i);
    }
    layers[i] = windowed(window);
  }
  return layers;
}

Result<std::vector<LayerSpec>> orthros_layers(const ConfigFields& fields, int64_t num_layers) {
  ORTHROS_TRY(const auto kinds, read_kinds(fields, "layer_types", num_layers));
  if (!kinds) return fields.missing("layer_types");
  ORTHROS_TRY(const std::vector<bool> scale_offset, read_scale_offset(fields, *kinds));
  ORTHROS_TRY(const int64_t sinks, fields.integer_or("num_sink_tokens", {0, kMaxWindow}, 0));
  ORTHROS_TRY(const std::optional<int64_t> window, fields.integer("window_size", kWindow));
  std::vector<LayerSpec> layers;
  for (size_t i = 0; i < kinds->size(); ++i) {
    LayerSpec layer;
    layer.mixer = (*kinds)[i];
    if (layer.mixer != MixerKind::full_attention) {
      if (!window) return fields.missing("window_size");
      layer.window = {*window, sinks};
      layer.scale_offset = scale_offset[i];
    }
    layers.push_back(layer);
  }
  return layers;
}

}  // namespace config_detail

Result<Architecture> parse_architecture(std::string_view text) {
  if (text == "transformer") return Architecture::transformer;
  if (text == "swa") return Architecture::swa;
  if (text == "orthros") return Architecture::orthros;
  return fail(ErrorCode::invalid_argument, "unknown architecture {}: transformer, swa or orthros",
              quote(text));
}

namespace {

/// The source model's own layers; full attention where its config says nothing.
Result<std::vector<LayerSpec>> source_layers(const ModelConfig& config) {
  if (!config.source.is_object()) {
    return std::vector<LayerSpec>(static_cast<size_t>(config.num_hidden_layers));
  }
  return config_detail::native_layers(ConfigFields(config.source, "config.json"), config.base_model_type,
                                      config.num_hidden_layers);
}

Result<void> check_window(const WindowSpec& window) {
  if (window.window < 1 || window.window > config_detail::kMaxWindow) {
    Error error{
        ErrorCode::invalid_argument,
        fmt::format("a window of {} is not possible: it counts the token itself, so it goes from 1 to {}",
                    window.window, config_detail::kMaxWindow),
        "read the model --as transformer for no window at all"};
    return fail(std::move(error));
  }
  if (window.sinks < 0 || window.sinks > config_detail::kMaxWindow) {
    return fail(ErrorCode::invalid_argument, "{} sink tokens are not possible: give 0 to {}", window.sinks,
                config_detail::kMaxWindow);
  }
  return {};
}

}  // namespace

WindowSpec window_for(const ModelConfig& config, std::optional<int64_t> window,
                      std::optional<int64_t> sinks) {
  const WindowSpec own = config.layers.front().window;
  const WindowSpec fallback = own.is_full() ? WindowSpec{128, 0} : own;
  return {window.value_or(fallback.window), sinks.value_or(fallback.sinks)};
}

Result<ModelConfig> with_architecture(const ModelConfig& config, Architecture architecture,
                                      WindowSpec window) {
  ModelConfig result = config;
  if (architecture == Architecture::transformer) {
    result.model_type = config.base_model_type;
    // A model that is no Orthros model is a transformer already, also one made without a config.json.
    if (config.model_type == "orthros") {
      ORTHROS_TRY(result.layers, source_layers(config));
    }
    return result;
  }
  ORTHROS_TRY_VOID(check_window(window));
  result.model_type = "orthros";
  result.layers.resize(static_cast<size_t>(config.num_hidden_layers));
  for (LayerSpec& layer : result.layers) {
    layer.mixer =
        architecture == Architecture::swa ? MixerKind::sliding_attention : MixerKind::orthros_attention;
    layer.window = window;  // scale_offset stays: the vectors are in the file or they are not
  }
  return result;
}

}  // namespace orthros
