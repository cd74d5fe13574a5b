#include <cstdint>
#include <string_view>

#include "engine/formats/model_config.h"
#include "tests/fuzz/check.h"

using orthros::Architecture;
using orthros::ModelConfig;
using orthros::fuzz::check;

namespace {

void check_bounds(const ModelConfig& config) {
  check(config.hidden_size > 0 && config.num_key_value_heads > 0 && config.head_dim % 2 == 0);
  check(config.num_attention_heads % config.num_key_value_heads == 0);
  check(static_cast<int64_t>(config.layers.size()) == config.num_hidden_layers);
  for (const orthros::LayerSpec& layer : config.layers)
    check(layer.window.window >= 0 && layer.window.sinks >= 0);
}

void check_round_trip(const ModelConfig& config) {
  const auto again = orthros::parse_model_config(orthros::model_config_to_json(config, nullptr));
  check(again.has_value());
  check(again->layers == config.layers && again->rope_scaling == config.rope_scaling);
  check(again->rope_theta == config.rope_theta && again->eos_token_ids == config.eos_token_ids);
  check(again->model_type == config.model_type && again->head_dim == config.head_dim);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto json = orthros::parse_json(text, "config.json");
  orthros::fuzz::check_error(json);
  if (!json) return 0;
  const auto config = orthros::parse_model_config(*json);
  orthros::fuzz::check_error(config);
  if (!config) return 0;
  check_bounds(*config);
  check_round_trip(*config);
  for (const Architecture to : {Architecture::swa, Architecture::orthros, Architecture::transformer}) {
    const auto other = orthros::with_architecture(*config, to, {128, 4});
    orthros::fuzz::check_error(other);
    if (other) check_round_trip(*other);
  }
  return 0;
}
