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

at::Tensor SoftmaxAttention::base_forward(const at::Tensor& x, const ChunkContext& context,
                                          const RowOffsets& wanted, LayerState& state) const {
  const AttentionWeights& w = *weights_;
  const int64_t end = w.q_size() + 2 * w.kv_size();
  if (is_whole_chunk(wanted, context) && !context.last_layer) {
    const at::Tensor projected = w.qkv.forward(x, context.policy);
    write_keys_values({projected, 0, w.q_size()}, context, state);
    const at::Tensor q = rotate_queries({projected}, StreamKind::base, context, wanted);
    const at::Tensor mixed =
        attend_rows(q, window_, StreamKind::base, context, wanted, state, empty_heads(x.size(0), x, context));
    return w.o.forward(mixed, context.policy);
  }
  write_keys_values({w.qkv.forward(x, context.policy, w.q_size(), end)}, context, state);
  if (wanted.empty()) return {};
  at::Tensor rows = select_rows(x, context, wanted);
  rows = rows.to(context.policy.row_type(rows.size(0), rows.device()));
  const at::Tensor projected = w.qkv.forward(rows, context.policy, 0, w.q_size());
  const at::Tensor q = rotate_queries({projected}, StreamKind::base, context, wanted);
  const at::Tensor mixed = attend_rows(q, window_, StreamKind::base, context, wanted, state,
                                       empty_heads(rows.size(0), x, context));
  return w.o.forward(mixed, context.policy);
}

at::Tensor SoftmaxAttention::rotate_queries(const Projected& projected, StreamKind stream,
                                            const ChunkContext& context, const RowOffsets& rows) const {
  const AttentionWeights& w = *weights_;
  const ScaleOffset& scale_offset = stream == StreamKind::base ? base_scale_offset_ : output_scale_offset_;
  const auto per_sequence = static_cast<int64_t>(rows.size());
  const ops::HeadTransform transform{scale_offset.scale, scale_offset.offset, w.q_norm,
                                     w.rms_norm_eps,     context.rotary.cos,  context.rotary.sin};
  const int64_t stride = projected.rows.stride(0);
  const ops::HeadRows queries{projected.rows, projected.first_row * stride, stride, w.head_dim};
  const int64_t count = context.batch * per_sequence;
  if (context.is_traced()) {  // no views are made for nobody: decode comes here once a layer
    context.tell(stream, PassTensor::projected_query,
                 projected.rows.narrow(0, projected.first_row, count).narrow(1, 0, w.q_size()));
    if (scale_offset.scale.defined()) {
      // What the transformation below holds between its first step and its second, in its own arithmetic.
      const at::Tensor scaled = at::empty({count, w.q_size()}, projected.rows.options().dtype(at::kFloat));
      ops::transform_heads(
          {count, w.num_attention_heads, w.head_dim}, queries, {scaled, 0, w.q_size(), w.head_dim},
          {scale_offset.scale, scale_offset.offset, {}, 0, {}, {}}, table_rows(rows, context.batch));
      context.tell(stream, PassTensor::scaled_query, scaled);
    }
  }
  ops::transform_heads({count, w.num_attention_heads, w.head_dim}, queries, queries, transform,
                       table_rows(rows, context.batch));
  return projected.rows.as_strided({context.batch, per_sequence, w.num_attention_heads, w.head_dim},
                                   {per_sequence * stride, stride, w.head_dim, 1},
                                   projected.rows.storage_offset() + queries.offset);
}

void SoftmaxAttention::write_keys_values(const Projected& projected, const ChunkContext& context,
                                         LayerState& state) const {
  const AttentionWeights& w = *weights_;
  const int64_t slot = state.kv.append(context.count);
  RowOffsets offsets(static_cast<size_t>(context.count));
  std::iota(offsets.begin(), offsets.end(), 0);
  const ops::HeadTransform key_transform{
      {}, {}, w.k_norm, w.rms_norm_eps, context.rotary.cos, context.rotary.sin};
  const ops::HeadShape shape{context.count, w.num_key_value_heads, w.head_dim};
  const int64_t stride = projected.rows.stride(0);
  if (context.is_traced()) {
    const at::Tensor rows = projected.rows.narrow(0, projected.first_row, context.batch * context.count);
    context.tell(StreamKind::base, PassTensor::projected_key,
                 rows.narrow(1, projected.kv_column, w.kv_size()));
    context.tell(StreamKind::base, PassTensor::value,
                 rows.narrow(1, projected.kv_column + w.kv_size(), w.kv_size()));
  }
  for (int64_t b = 0; b < context.batch; ++b) {
    const int64_t keys = (projected.first_row + b * context.count) * stride + projected.kv_column;
    const auto slots = [&](const at::Tensor& cache) {
      return ops::HeadRows{cache, b * cache.stride(0) + slot * cache.stride(2), cache.stride(2),
                           cache.stride(1)};
    };
    ops::transform_heads(shape, {projected.rows, keys, stride, w.head_dim}, slots(state.kv.k()),
                         key_transform, offsets);
    ops::transform_heads(shape, {projected.rows, keys + w.kv_size(), stride, w.head_dim}, slots(state.kv.v()),
                         {}, offsets);
  }
}

at::Tensor SoftmaxAttention::empty_heads(int64_t rows, const at::Tensor& like,
                                         const ChunkContext& context) const {
  return at::empty({rows, weights_->q_size()},
                   like.options().dtype(context.policy.row_type(rows, like.device())));
}

at::Tensor SoftmaxAttention::attend_rows(const at::Tensor& q_BTHD, const WindowSpec& window,
                                         StreamKind stream, const ChunkContext& context,
                                         const RowOffsets& rows, const LayerState& state,
                                         at::Tensor out) const {
  AttentionQuery query;
  query.q_BTHD = q_BTHD;
  query.positions.reserve(rows.size());
  for (int64_t offset : rows) query.positions.push_back(context.first + offset);
  query.window = window;
  query.out_type = out.scalar_type();
  query.out = std::move(out);
  query.want_lse = context.observer != nullptr && context.observer->wants(context.layer, stream);
  AttentionResult result = attend(query, state.kv);
  if (query.want_lse) {
    context.observer->on_attention({context.layer, stream, window, q_BTHD, &query.positions, result.out,
                                    result.lse, &state.kv, result.scores});
  }
  return result.out;
}

}  // namespace orthros
