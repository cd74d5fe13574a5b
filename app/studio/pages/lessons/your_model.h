// The same on the user's own model: a short text with a needle far outside the window, read once; who reads
// the needle. Made by a job. Units: weights 0..1 of one row.
#pragma once

#include "engine/base/job_control.h"
#include "engine/model/model.h"

namespace orthros::studio {

struct NeedleReading {
  ModelConfig config;  // how the weights were read
  std::vector<TokenId> ids;
  int64_t tokens = 0, window = 0, sinks = 0;
  int64_t needle_begin = 0, needle_end = 0;   // 0-based, end exclusive
  int64_t base_support = 0;                   // keys that x of the last token reads
  double base_weight = 0, output_weight = 0;  // on the needle, of the best head
  int64_t layer = 0, head = 0;                // of the best head of x′, 0-based
  std::vector<float> base, output;            // its rows of the last token, over all keys
};

/// As Orthros with the model's own window, or w = 128 for any other model.
Result<NeedleReading> readNeedle(const std::shared_ptr<const Model>& model, const StopToken& stop,
                                 const ProgressSink& progress);

}  // namespace orthros::studio
