// QueryWatch: the queries of one attention call before and after scale-offset, held from the moment the pass
// makes them until the call that they belong to is seen. Shapes: [rows, H D]. Private: includes torch.
// Threads: the engine's.
#pragma once

#include "engine/inference/decode_step.h"
#include "engine/mixers/mixer.h"

namespace orthros {

class QueryWatch {
 public:
  void take(const TensorEvent& event);
  /// Row `from` of the call that is seen now, as row `to` of `kept`.
  void put(int64_t from, int64_t to, QueryRows& kept) const;

 private:
  at::Tensor projected_, scaled_;
};

}  // namespace orthros
