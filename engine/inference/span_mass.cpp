#include "engine/inference/span_mass.h"

#include <algorithm>
#include <numeric>

#include "engine/inference/row_check.h"

namespace orthros {

double SpanMass::mean() const {
  if (mass.empty()) return 0;
  return std::accumulate(mass.begin(), mass.end(), 0.0) / static_cast<double>(mass.size());
}

SpanMassObserver::SpanMassObserver(SpanMass& result, const ModelConfig& config, int64_t position)
    : result_(result), position_(position) {
  result_.layers = config.num_hidden_layers;
  result_.heads = config.num_attention_heads;
  result_.mass.assign(static_cast<size_t>(result_.layers * result_.heads), 0.0f);
  for (const LayerSpec& layer : config.layers)
    output_stream_.push_back(layer.mixer == MixerKind::orthros_attention);
}

bool SpanMassObserver::wants(int64_t layer, StreamKind stream) const {
  return (stream == StreamKind::output) == output_stream_[static_cast<size_t>(layer)];
}

void SpanMassObserver::on_attention(const AttentionEvent& event) {
  const auto row = std::ranges::find(*event.positions, position_) - event.positions->begin();
  if (row == std::ssize(*event.positions)) return;
  const AttentionQuery query = query_of(event);
  for (int64_t head = 0; head < result_.heads; ++head) {
    const at::Tensor weights = attention_row(query, *event.cache, event.lse_BHT, 0, head, row);
    const float* weight = weights.const_data_ptr<float>();
    double sum = 0;
    for (const KeyRange& span : result_.spans)
      sum = std::accumulate(weight + span.begin, weight + span.end, sum);
    result_.mass[static_cast<size_t>(event.layer * result_.heads + head)] = static_cast<float>(sum);
  }
}

Result<void> check_span_mass(const SpanMass& request, const Runner& runner, int64_t tokens) {
  for (const KeyRange& span : request.spans) {
    if (span.begin < 0 || span.end < span.begin || span.end > tokens) {
      return fail(ErrorCode::invalid_argument, "span [{}, {}) is outside the {} keys", span.begin, span.end,
                  tokens);
    }
  }
  if (!runner.options().keep_all_keys) {
    return fail(Error{ErrorCode::invalid_argument, "span mass needs every key in the cache",
                      "open the session with keep_all_keys"});
  }
  return {};
}

}  // namespace orthros
