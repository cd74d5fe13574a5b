#include "engine/mixers/softmax_attention.h"

#include <numeric>

namespace orthros {
namespace {

bool is_whole_chunk(const RowOffsets& rows, const ChunkContext& context) {
  return static_cast<int64_t>(rows.size()) == context.count;
}

// Rows `offsets` of each sequence of a batch-major [B*count, M] matrix.
at::Tensor select_rows(const at::Tensor& x, const ChunkContext& context, const RowOffsets& offsets) {
  std::vector<int64_t> index;
  index.reserve(offsets.size() * static_cast<size_t>(context.batch));
  for (int64_t b = 0; b < context.batch; ++b) {
    for (int64_t offset : offsets) index.push_back(b * context.count + offset);
  }
  return x.index_select(0, at::tensor(index, at::TensorOptions().dtype(at::kLong)).to(x.device()));
}

// Row of the chunk's rotary table for each row of a batch-major matrix.
std::vector<int64_t> table_rows(const RowOffsets& offsets, int64_t batch) {
  std::vector<int64_t> rows;
  rows.reserve(offsets.size() * static_cast<size_t>(batch));
  for (int64_t b = 0; b < batch; ++b) rows.insert(rows.end(), offsets.begin(), offsets.end());
  return rows;
}

}  // namespace

at::Tensor SoftmaxAttention::base_forward(const at::Tensor& x, const ChunkContext& context, const RowOffsets& wanted,
                                          LayerState& state) const {
  const AttentionWeights& w = *weights_;
  const int64_t end = w.q_size() + 2 * w.kv_size();
  if (is_whole_chunk(wanted, context) && !context.last_layer) {
    const at::Tensor projected = w.qkv.forward(x, context.policy);
    write_keys_values(projected.narrow(1, w.q_size(), 2 * w.kv_size()), context, state);
    const at::Tensor q = rotate_queries(projected, w.base, context, wanted);
    return w.o.forward(attend_rows(q, window_, StreamKind::base, context, wanted, state, x.size(0)), context.policy);
  }
  write_keys_values(w.qkv.forward(x, context.policy, w.q_size(), end), context, state);
  if (wanted.empty()) return {};
  at::Tensor rows = select_rows(x, context, wanted);
  rows = rows.to(context.policy.row_type(rows.size(0), rows.device()));
  const at::Tensor q = rotate_queries(w.qkv.forward(rows, context.policy, 0, w.q_size()), w.base, context, wanted);
  return w.o.forward(attend_rows(q, window_, StreamKind::base, context, wanted, state, rows.size(0)), context.policy);
}

at::Tensor SoftmaxAttention::rotate_queries(const at::Tensor& projected, const ScaleOffset& scale_offset,
                                            const ChunkContext& context, const RowOffsets& rows) const {
  const AttentionWeights& w = *weights_;
  ops::HeadTransform transform{scale_offset.scale, scale_offset.offset, w.q_norm,
                               w.rms_norm_eps,     context.rotary.cos,  context.rotary.sin};
  const at::Tensor source = projected.narrow(1, 0, w.q_size());
  const at::Tensor heads = source.view({source.size(0), w.num_attention_heads, w.head_dim});
  ops::transform_heads(source, transform, table_rows(rows, context.batch), w.head_dim, heads);
  return heads.view({context.batch, -1, w.num_attention_heads, w.head_dim});
}

void SoftmaxAttention::write_keys_values(const at::Tensor& projected_kv, const ChunkContext& context,
                                         LayerState& state) const {
  const AttentionWeights& w = *weights_;
  const int64_t slot = state.kv.append(context.count);
  RowOffsets offsets(static_cast<size_t>(context.count));
  std::iota(offsets.begin(), offsets.end(), 0);
  const ops::HeadTransform key_transform{{}, {}, w.k_norm, w.rms_norm_eps, context.rotary.cos, context.rotary.sin};
  for (int64_t b = 0; b < context.batch; ++b) {
    const at::Tensor rows = projected_kv.narrow(0, b * context.count, context.count);
    // Cache [Hkv, capacity, D] seen as [count, Hkv, D].
    const auto slots = [&](at::Tensor& t) { return t[b].narrow(1, slot, context.count).transpose(0, 1); };
    ops::transform_heads(rows.narrow(1, 0, w.kv_size()), key_transform, offsets, w.head_dim, slots(state.kv.k()));
    ops::transform_heads(rows.narrow(1, w.kv_size(), w.kv_size()), {}, offsets, w.head_dim, slots(state.kv.v()));
  }
}

at::Tensor SoftmaxAttention::attend_rows(const at::Tensor& q_BTHD, const WindowSpec& window, StreamKind stream,
                                         const ChunkContext& context, const RowOffsets& rows,
                                         const LayerState& state, int64_t consumer_rows) const {
  AttentionQuery query;
  query.q_BTHD = q_BTHD;
  query.positions.reserve(rows.size());
  for (int64_t offset : rows) query.positions.push_back(context.first + offset);
  query.window = window;
  query.out_type = context.policy.row_type(consumer_rows, q_BTHD.device());
  query.want_lse = context.observer != nullptr && context.observer->wants(context.layer, stream);
  AttentionResult result = attend(query, state.kv);
  if (query.want_lse) {
    context.observer->on_attention(
        {context.layer, stream, window, q_BTHD, &query.positions, result.out, result.lse, &state.kv});
  }
  return result.out;
}

}  // namespace orthros
