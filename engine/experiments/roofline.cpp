#include "engine/experiments/roofline.h"

#include <algorithm>

namespace orthros {
namespace {

double head_flop(const ModelConfig& config) {
  return 2 * static_cast<double>(config.vocab_size) * static_cast<double>(config.hidden_size);
}

/// FLOP of one step's rows through one layer. Output rows make no K/V; the last layer's base row makes
/// nothing else.
double layer_step_flop(const ModelConfig& config, const LayerSpec& layer, bool last, int64_t tokens) {
  const auto matrices = static_cast<double>(layer_matrix_weights(config));
  const double kv = 2 * static_cast<double>(config.hidden_size) * static_cast<double>(config.kv_size());
  const double a_key = 4 * static_cast<double>(config.q_size());
  const auto base_keys = static_cast<double>(layer.window.support(tokens - 1));
  if (layer.mixer != MixerKind::orthros_attention) return 2 * matrices + a_key * base_keys;
  const double base = last ? 2 * kv : 2 * matrices + a_key * base_keys;
  return base + 2 * (matrices - kv) + a_key * static_cast<double>(tokens);
}

int64_t keys_read(const LayerSpec& layer, int64_t tokens) {
  return layer.mixer == MixerKind::orthros_attention ? tokens : layer.window.support(tokens - 1);
}

}  // namespace

Work prefill_work(const ModelConfig& config, ScalarType kv_type, double weight_bytes, int64_t batch,
                  int64_t tokens) {
  const auto sequences = static_cast<double>(batch);
  const double kv_bytes = static_cast<double>(tokens * kv_bytes_per_token(config, kv_type));
  return {sequences * (prefill_flop(config, tokens).engine + head_flop(config)),
          weight_bytes + 2 * sequences * kv_bytes};
}

Work decode_step_work(const ModelConfig& config, ScalarType kv_type, double weight_bytes, int64_t batch,
                      int64_t tokens) {
  const auto sequences = static_cast<double>(batch);
  const double a_key_bytes = static_cast<double>(2 * config.kv_size() * size_bytes(kv_type));
  Work work{sequences * head_flop(config), weight_bytes};
  for (size_t i = 0; i < config.layers.size(); ++i) {
    const LayerSpec& layer = config.layers[i];
    work.flop += sequences * layer_step_flop(config, layer, i + 1 == config.layers.size(), tokens);
    work.bytes += sequences * a_key_bytes * static_cast<double>(keys_read(layer, tokens));
  }
  return work;
}

double read_weight_bytes(const ModelConfig& config, double bytes_per_weight) {
  const ParameterCount count = count_parameters(config);
  const int64_t head = config.vocab_size * config.hidden_size;  // read also when tied to the embedding
  return bytes_per_weight * static_cast<double>(count.layers + head);
}

std::optional<double> roofline_seconds(const Work& work, const MachineCeilings& machine, double efficiency) {
  if (!(machine.flop_per_second > 0) || !(machine.bytes_per_second > 0) || !(efficiency > 0))
    return std::nullopt;
  return std::max(work.flop / machine.flop_per_second, work.bytes / machine.bytes_per_second) / efficiency;
}

std::optional<RooflineShare> roofline_share(const Work& work, double seconds,
                                            const MachineCeilings& machine) {
  const std::optional<double> fastest = roofline_seconds(work, machine);
  if (!fastest || !(seconds > 0)) return std::nullopt;
  RooflineShare share;
  share.flop_share = work.flop / seconds / machine.flop_per_second;
  share.byte_share = work.bytes / seconds / machine.bytes_per_second;
  share.compute_bound = share.flop_share > share.byte_share;
  share.efficiency = *fastest / seconds;
  return share;
}

FlopRatio prefill_flop_ratio(const ModelConfig& baseline, const ModelConfig& model, int64_t tokens) {
  const PrefillFlop above = prefill_flop(baseline, tokens), below = prefill_flop(model, tokens);
  return {above.paper / below.paper, above.engine / below.engine};
}

AgainstFlops against_flop_ratio(const Ratio& speed_up, double flop_ratio) {
  if (speed_up.interval.low > flop_ratio) return AgainstFlops::above;
  return speed_up.interval.high < flop_ratio ? AgainstFlops::below : AgainstFlops::agrees;
}

const char* explanation(AgainstFlops verdict) {
  switch (verdict) {
    case AgainstFlops::above:
      return "Faster than the FLOP ratio: the baseline's attention ran at a lower efficiency than its matrix "
             "products.";
    case AgainstFlops::below:
      return "Slower than the FLOP ratio: time goes into something that both models pay, or the model's own "
             "rows run "
             "at a lower efficiency.";
    case AgainstFlops::agrees:
      break;
  }
  return "As the FLOP ratio predicts.";
}

}  // namespace orthros
