#include "engine/mixers/orthros_attention.h"

namespace orthros {

at::Tensor OrthrosAttention::output_forward(const at::Tensor& x, const ChunkContext& context,
                                            const RowOffsets& rows, const LayerState& state) const {
  const AttentionWeights& w = *weights_;
  const at::Tensor projected = w.qkv.forward(x, context.policy, 0, w.q_size());
  const at::Tensor q = rotate_queries({projected}, StreamKind::output, context, rows);
  const at::Tensor mixed = attend_rows(q, WindowSpec::full(), StreamKind::output, context, rows, state,
                                       empty_heads(x.size(0), x, context));
  return w.o.forward(mixed, context.policy);
}

at::Tensor OrthrosAttention::pair_forward(const at::Tensor& x, const ChunkContext& context, bool base_result,
                                          LayerState& state) const {
  const AttentionWeights& w = *weights_;
  const RowOffsets self{0};
  const int64_t batch = context.batch;
  // K and V of the output rows are computed with the rest and dropped: cheaper than two products.
  const at::Tensor projected = w.qkv.forward(x, context.policy);
  write_keys_values({projected, 0, w.q_size()}, context, state);
  const at::Tensor q_out = rotate_queries({projected, batch}, StreamKind::output, context, self);
  const bool watched =
      context.observer != nullptr && context.observer->wants(context.layer, StreamKind::base);
  const at::Tensor mixed = empty_heads(base_result ? 2 * batch : batch, x, context);
  const at::Tensor output = base_result ? mixed.narrow(0, batch, batch) : mixed;
  attend_rows(q_out, WindowSpec::full(), StreamKind::output, context, self, state, output);
  if (base_result || watched) {
    const at::Tensor q_base = rotate_queries({projected}, StreamKind::base, context, self);
    const at::Tensor base = base_result ? mixed.narrow(0, 0, batch) : empty_heads(batch, x, context);
    attend_rows(q_base, window_, StreamKind::base, context, self, state, base);
  }
  return w.o.forward(mixed, context.policy);
}

}  // namespace orthros
