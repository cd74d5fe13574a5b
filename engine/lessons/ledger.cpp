#include "engine/lessons/ledger.h"

#include "engine/formats/model_config.h"
#include "engine/model/cost_model.h"

namespace orthros {
namespace {

int64_t keys_read(const StreamTrace& stream, const WindowSpec& window) {
  int64_t keys = 0;
  for (const int64_t position : stream.positions) keys += window.support(position);
  return keys;
}

}  // namespace

Ledger ledger_at(const ModelConfig& config, const PassTrace& trace, const Moment& moment) {
  Ledger ledger;
  const int64_t layers = std::ssize(trace.layers);
  const auto hidden = static_cast<double>(config.hidden_size), q = static_cast<double>(config.q_size());
  const auto kv = static_cast<double>(config.kv_size()),
             inner = static_cast<double>(config.intermediate_size);
  const int64_t now = index_of(moment, layers);
  for (int64_t layer = 0; layer < layers; ++layer) {
    const LayerTrace& traced = trace.layers[static_cast<size_t>(layer)];
    const bool last = layer + 1 == layers;
    const auto base = static_cast<double>(traced.base.positions.size());
    const auto output = static_cast<double>(traced.output.positions.size());
    const double used = last ? 0 : base;  // base rows behind the shelf
    const int64_t window_keys = last ? 0 : keys_read(traced.base, traced.window);
    const int64_t shelf_keys = keys_read(traced.output, WindowSpec::full());
    const auto done = [&](LessonStep step) { return now >= index_of({layer, step}, layers); };
    if (done(LessonStep::keys_values)) ledger.flop += 2 * base * hidden * 2 * kv;
    if (done(LessonStep::query)) ledger.flop += 2 * used * hidden * q;
    if (done(LessonStep::window)) {
      ledger.flop += 4 * q * static_cast<double>(window_keys);
      ledger.base_keys += window_keys;
    }
    if (done(LessonStep::query_out)) ledger.flop += 2 * output * hidden * q;
    if (done(LessonStep::read)) {
      ledger.flop += 4 * q * static_cast<double>(shelf_keys);
      ledger.output_keys += shelf_keys;
      ledger.full_keys += trace.num_tokens() * (trace.num_tokens() + 1) / 2;
    }
    if (done(LessonStep::project)) ledger.flop += 2 * (used + output) * q * hidden;
    if (done(LessonStep::ffn)) ledger.flop += 2 * (used + output) * 3 * hidden * inner;
    ledger.base_rows = std::ssize(traced.base.positions);
    ledger.output_rows = std::ssize(traced.output.positions);
  }
  const double head = 2.0 * hidden * static_cast<double>(config.vocab_size);
  if (now >= index_of({layers - 1, LessonStep::head}, layers))
    ledger.flop += head * static_cast<double>(trace.logits.rows());
  if (const auto full = with_architecture(config, Architecture::transformer, {}))
    ledger.full_flop = prefill_flop(*full, trace.num_tokens()).engine + head;
  return ledger;
}

}  // namespace orthros
