// SpanMassObserver: sums one row's attention weights over spans of keys, in every layer and head, while the
// row is computed. O(T) a head: no T x T matrix. Source: niah-and-latency.md 5.3. Private: includes torch.
#pragma once

#include "engine/inference/runner.h"
#include "engine/inference/session.h"

namespace orthros {

class SpanMassObserver final : public AttentionObserver {
 public:
  /// The row at `position`; the result's mass is sized and zeroed here.
  SpanMassObserver(SpanMass& result, const ModelConfig& config, int64_t position);

  bool wants(int64_t layer, StreamKind stream) const override;
  void on_attention(const AttentionEvent& event) override;

 private:
  SpanMass& result_;
  std::vector<bool> output_stream_;  // by layer
  int64_t position_;
};

/// invalid_argument: spans outside [0, tokens), or a session that may have forgotten keys.
Result<void> check_span_mass(const SpanMass& request, const Runner& runner, int64_t tokens);

}  // namespace orthros
