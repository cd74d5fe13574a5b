// attention_atlas: the exact softmax weights of one position in every layer, head and stream, from one
// prefill: what a head atlas and a row inspector show. Shapes: base and output [layers, heads, T] fp32, 0
// outside the support; output is empty for models without an output stream. Units: weights sum to 1 a row.
// Errors: as attention_rows; out_of_memory beyond max_bytes, with the number. Watching never changes the run.
// Source: ORTHROS.md invariant 8. Public: no torch. Threads: one caller.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/regime.h"
#include "engine/inference/session.h"

namespace orthros {

struct AttentionAtlasRequest {
  std::vector<TokenId> ids;
  std::optional<int64_t> position;  // empty: the last
  int64_t chunk = 512;
  int64_t max_bytes = 512'000'000;
};

struct AttentionAtlas {
  int64_t layers = 0, heads = 0, num_keys = 0, position = 0;
  std::vector<float> base, output;
  double max_sum_error = 0;  // |1 - sum of a row|, double sum
  double max_output_error =
      0;  // |row . V - the engine's own o|, relative where the row's largest |o| is above 1
  /// The base row of an Orthros model's last layer is made for the picture: the model does not use it.
  bool last_base_used = true;

  bool has_output() const { return !output.empty(); }
  std::span<const float> row(StreamKind stream, int64_t layer, int64_t head) const {
    const std::vector<float>& all = stream == StreamKind::output ? output : base;
    return std::span(all).subspan(static_cast<size_t>((layer * heads + head) * num_keys),
                                  static_cast<size_t>(num_keys));
  }
};

Result<AttentionAtlas> attention_atlas(std::shared_ptr<const Model> model, const ModelConfig& config,
                                       const AttentionAtlasRequest& request, const StopToken& stop = {},
                                       const ProgressSink& progress = {});

}  // namespace orthros
