// attention_rows: exact softmax weights of one head's rows, from the engine's own queries, keys and
// logsumexp. Shapes: weights [rows, T] fp32, 0 outside the support. Units: weights sum to 1 a row. Errors:
// invalid_argument (layer, head, row or stream that is not there), as Session otherwise. Watching never
// changes the run. Source: ORTHROS.md invariant 8. Public: no torch. Threads: one caller.
#pragma once

#include <vector>

#include "engine/base/regime.h"
#include "engine/inference/session.h"

namespace orthros {

struct AttentionRowsRequest {
  std::vector<TokenId> ids;
  int64_t layer = 0, head = 0;
  StreamKind stream = StreamKind::output;
  std::vector<int64_t> rows;  // positions, ascending; empty: the last
  int64_t chunk = 512;
};

struct AttentionRows {
  std::vector<int64_t> positions;
  int64_t num_keys = 0;
  std::vector<float> weights;
  /// False for the base stream of an Orthros model's last layer: made for the picture, not used by the model.
  bool used_by_model = true;
  double max_sum_error = 0;  // |1 - sum of a row|, double sum
  double max_output_error =
      0;  // |row . V - the engine's own o|, relative where the row's largest |o| is above 1
};

Result<AttentionRows> attention_rows(std::shared_ptr<const Model> model, const ModelConfig& config,
                                     const AttentionRowsRequest& request, const StopToken& stop = {},
                                     const ProgressSink& progress = {});

}  // namespace orthros
