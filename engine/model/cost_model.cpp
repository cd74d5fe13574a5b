#include "engine/model/cost_model.h"

#include <algorithm>

namespace orthros {
namespace {

// Multiply-adds of reading `keys` keys by one row: scores and values, 2 products of d_q each.
double attention_flop(const ModelConfig& config, double keys) {
  return 4.0 * static_cast<double>(config.q_size()) * keys;
}

int64_t kv_matrix_weights(const ModelConfig& config) { return 2 * config.hidden_size * config.kv_size(); }

struct Rows {
  double base = 0, output = 0;  // rows that pass through the matrices
};

double layer_flop(const ModelConfig& config, const LayerSpec& layer, int64_t tokens, const Rows& rows, bool base_attends,
                  double base_keys) {
  const auto matrices = static_cast<double>(layer_matrix_weights(config));
  double flop = 2 * matrices * (rows.base + rows.output);
  if (base_attends) flop += attention_flop(config, base_keys);
  if (layer.mixer == MixerKind::orthros_attention) flop += attention_flop(config, static_cast<double>(tokens));
  return flop;
}

}  // namespace

int64_t layer_matrix_weights(const ModelConfig& config) {
  const int64_t attention = config.hidden_size * (2 * config.q_size() + 2 * config.kv_size());
  return attention + 3 * config.hidden_size * config.intermediate_size;
}

ParameterCount count_parameters(const ModelConfig& config) {
  ParameterCount count;
  count.embedding = config.vocab_size * config.hidden_size;
  count.layers = config.num_hidden_layers * layer_matrix_weights(config);
  count.lm_head = config.tie_word_embeddings ? 0 : count.embedding;
  count.other = config.hidden_size * (2 * config.num_hidden_layers + 1);
  if (config.qk_norm()) count.other += 2 * config.head_dim * config.num_hidden_layers;
  for (const LayerSpec& layer : config.layers) count.other += layer.scale_offset ? 4 * config.q_size() : 0;
  return count;
}

int64_t kv_bytes_per_token(const ModelConfig& config, ScalarType kv_type) {
  return 2 * config.num_hidden_layers * config.kv_size() * size_bytes(kv_type);
}

int64_t kv_cache_bytes(const ModelConfig& config, ScalarType kv_type, int64_t batch, int64_t tokens, int64_t chunk) {
  const int64_t layer_bytes = 2 * config.kv_size() * size_bytes(kv_type);
  int64_t slots = 0;
  for (const LayerSpec& layer : config.layers) {
    const bool forgets = layer.mixer == MixerKind::sliding_attention;
    const int64_t enough = layer.window.window + layer.window.sinks + chunk;
    slots += forgets ? std::min(tokens, enough) : tokens;
  }
  return batch * slots * layer_bytes;
}

PrefillFlop prefill_flop(const ModelConfig& config, int64_t tokens) {
  PrefillFlop flop;
  const auto t = static_cast<double>(tokens);
  const auto kv_share = 2 * static_cast<double>(kv_matrix_weights(config));
  for (size_t i = 0; i < config.layers.size(); ++i) {
    const LayerSpec& layer = config.layers[i];
    const bool orthros = layer.mixer == MixerKind::orthros_attention;
    const bool last = i + 1 == config.layers.size();
    const auto keys = static_cast<double>(total_support(layer.window, 0, tokens));
    flop.paper += layer_flop(config, layer, tokens, {t, orthros ? 1.0 : 0.0}, true, keys);
    if (!last) {
      flop.engine += layer_flop(config, layer, tokens, {t, orthros ? 1.0 : 0.0}, true, keys);
      continue;
    }
    // Last layer: K and V of every row, everything else for the one row whose logits are asked for.
    const auto own_keys = orthros ? 0.0 : static_cast<double>(layer.window.support(tokens - 1));
    flop.engine += kv_share * t + layer_flop(config, layer, tokens, {0, 1}, !orthros, own_keys);
    if (!orthros) flop.engine -= kv_share;  // that row's K and V are counted already
  }
  return flop;
}

double flop_balance_tokens(const ModelConfig& config) {
  return static_cast<double>(layer_matrix_weights(config)) / static_cast<double>(config.q_size());
}

}  // namespace orthros
