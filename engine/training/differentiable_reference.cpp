#include <cmath>

#include "engine/training/differentiable.h"

namespace orthros::training::reference {
namespace {

at::Tensor head_norm(const at::Tensor& x, const at::Tensor& weight, double eps) {
  return x * at::rsqrt(x.square().mean({-1}, true) + eps) * weight;
}

at::Tensor rotate(const at::Tensor& x_RHD, const Rotation& rotation) {
  const at::Tensor cos = rotation.cos.index_select(0, rotation.table_rows).unsqueeze(1);
  const at::Tensor sin = rotation.sin.index_select(0, rotation.table_rows).unsqueeze(1);
  const auto halves = x_RHD.chunk(2, 2);
  return at::cat({halves[0] * cos - halves[1] * sin, halves[1] * cos + halves[0] * sin}, 2);
}

// [B, rows, keys]: whether a row reads a key.
at::Tensor visible(const AttentionRows& rows, int64_t keys) {
  const at::Tensor t = rows.positions.unsqueeze(2);
  const at::Tensor key = at::arange(keys, t.options());
  at::Tensor mask = key <= t;
  if (!rows.window.is_full()) {
    mask = mask.logical_and((key > t - rows.window.window).logical_or(key < rows.window.sinks));
  }
  return mask;
}

}  // namespace

std::pair<at::Tensor, at::Tensor> add_rms_norm(const at::Tensor& x, const at::Tensor& delta,
                                               const at::Tensor& weight, double eps) {
  const at::Tensor sum = delta.defined() ? x + delta : x;
  return {sum, head_norm(sum, weight, eps)};
}

at::Tensor silu_mul(const at::Tensor& gate_up) {
  const auto halves = gate_up.chunk(2, 1);
  return at::silu(halves[0]) * halves[1];
}

PreparedHeads prepare_heads(const at::Tensor& projected, const HeadCounts& counts, const HeadWeights& weights,
                            const Rotation& rotation) {
  const int64_t dim = counts.head_dim, q_size = counts.query_heads * dim, k_size = counts.key_heads * dim;
  const int64_t rows = projected.size(0);
  PreparedHeads result;
  if (q_size > 0) {
    at::Tensor q = projected.narrow(1, 0, q_size);
    if (weights.scale.defined()) q = q * weights.scale;
    if (weights.offset.defined()) q = q + weights.offset;
    q = q.reshape({rows, counts.query_heads, dim});
    if (weights.q_norm.defined()) q = head_norm(q, weights.q_norm, weights.norm_eps);
    result.q = rotate(q, rotation).reshape({rows, q_size});
  }
  if (k_size > 0) {
    at::Tensor k = projected.narrow(1, q_size, k_size).reshape({rows, counts.key_heads, dim});
    if (weights.k_norm.defined()) k = head_norm(k, weights.k_norm, weights.norm_eps);
    k = rotate(k, rotation).reshape({rows, k_size});
    result.kv = at::cat({k, projected.narrow(1, q_size + k_size, k_size)}, 1);
  }
  return result;
}

at::Tensor attention(const at::Tensor& q, const at::Tensor& kv, const AttentionRows& rows) {
  const int64_t b = rows.batch, dim = rows.head_dim, group = rows.num_heads / rows.num_kv_heads;
  const int64_t n = q.size(0) / b, keys = kv.size(0) / b;
  const at::Tensor q_BHTD = q.view({b, n, rows.num_heads, dim}).transpose(1, 2);
  const at::Tensor both = kv.view({b, keys, 2, rows.num_kv_heads, dim});
  const at::Tensor k = both.select(2, 0).transpose(1, 2).repeat_interleave(group, 1);
  const at::Tensor v = both.select(2, 1).transpose(1, 2).repeat_interleave(group, 1);
  const at::Tensor hidden = visible(rows, keys).logical_not().unsqueeze(1);
  const at::Tensor scores = at::matmul(q_BHTD, k.transpose(2, 3)) / std::sqrt(static_cast<double>(dim));
  const at::Tensor p = at::softmax(scores.masked_fill(hidden, -INFINITY), -1);
  return at::matmul(p, v).transpose(1, 2).reshape({b * n, rows.num_heads * dim});
}

}  // namespace orthros::training::reference
