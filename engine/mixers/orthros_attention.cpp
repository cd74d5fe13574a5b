#include "engine/mixers/orthros_attention.h"

namespace orthros {

at::Tensor OrthrosAttention::output_forward(const at::Tensor& x, const ChunkContext& context, const RowOffsets& rows,
                                            const LayerState& state) const {
  const AttentionWeights& w = *weights_;
  const at::Tensor projected = w.qkv.forward(x, context.policy, 0, w.q_size());
  const at::Tensor q = rotate_queries({projected}, w.output, context, rows);
  return w.o.forward(attend_rows(q, WindowSpec::full(), StreamKind::output, context, rows, state, x.size(0)),
                     context.policy);
}

at::Tensor OrthrosAttention::pair_forward(const at::Tensor& x, const ChunkContext& context, bool base_result,
                                          LayerState& state) const {
  const AttentionWeights& w = *weights_;
  const RowOffsets self{0};
  const int64_t batch = context.batch;
  // K and V of the output rows are computed with the rest and dropped: cheaper than two products.
  const at::Tensor projected = w.qkv.forward(x, context.policy);
  write_keys_values({projected, 0, w.q_size()}, context, state);
  const at::Tensor q_out = rotate_queries({projected, batch}, w.output, context, self);
  const int64_t consumer_rows = base_result ? 2 * batch : batch;
  const at::Tensor output =
      attend_rows(q_out, WindowSpec::full(), StreamKind::output, context, self, state, consumer_rows);
  const bool watched = context.observer != nullptr && context.observer->wants(context.layer, StreamKind::base);
  if (!base_result && !watched) return w.o.forward(output, context.policy);
  const at::Tensor q_base = rotate_queries({projected}, w.base, context, self);
  const at::Tensor base = attend_rows(q_base, window_, StreamKind::base, context, self, state, consumer_rows);
  if (!base_result) return w.o.forward(output, context.policy);
  return w.o.forward(at::cat({base, output}, 0), context.policy);
}

}  // namespace orthros
