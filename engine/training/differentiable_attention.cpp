#include <cmath>

#include <torch/csrc/autograd/custom_function.h>

#include "engine/training/attention_gradient.h"
#include "engine/training/differentiable.h"

namespace orthros::training {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

/// batch, heads, KV heads, head_dim, window, sinks
using Sizes = std::vector<int64_t>;

// Keys of a row lie before its values, heads side by side.
AttentionShape make_shape(const at::Tensor& q, const at::Tensor& kv, const at::Tensor& positions,
                          const Sizes& sizes) {
  AttentionShape s;
  s.batch = sizes[0];
  s.num_heads = sizes[1];
  s.num_kv_heads = sizes[2];
  s.head_dim = sizes[3];
  s.window = {sizes[4], sizes[5]};
  s.num_queries = q.size(0) / s.batch;
  s.num_keys = kv.size(0) / s.batch;
  s.positions = positions.const_data_ptr<int64_t>();
  s.positions_stride_b = positions.size(0) == 1 ? 0 : positions.stride(0);
  s.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(s.head_dim)));
  s.q_stride_h = s.out_stride_h = s.kv_stride_h = s.head_dim;
  s.q_stride_t = s.out_stride_t = s.num_heads * s.head_dim;
  s.q_stride_b = s.out_stride_b = s.num_queries * s.q_stride_t;
  s.kv_stride_s = 2 * s.num_kv_heads * s.head_dim;
  s.kv_stride_b = s.num_keys * s.kv_stride_s;
  return s;
}

struct AttentionFunction : Function<AttentionFunction> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& q_in, const at::Tensor& kv_in,
                            const at::Tensor& positions, const Sizes& sizes) {
    const at::Tensor q = q_in.contiguous(), kv = kv_in.contiguous();
    const AttentionShape shape = make_shape(q, kv, positions, sizes);
    at::Tensor out = at::empty_like(q);
    at::Tensor lse = at::empty({shape.batch, shape.num_heads, shape.num_queries}, q.options());
    const float* keys = kv.const_data_ptr<float>();
    attention_forward(shape, q.const_data_ptr<float>(), keys, keys + shape.kv_stride_s / 2,
                      out.data_ptr<float>(), lse.data_ptr<float>());
    ctx->save_for_backward({q, kv, positions, out, lse});
    ctx->saved_data["sizes"] = sizes;
    return out;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor &q = saved[0], &kv = saved[1];
    const AttentionShape shape = make_shape(q, kv, saved[2], ctx->saved_data["sizes"].toIntVector());
    const at::Tensor d_out = grads[0].contiguous();
    at::Tensor d_q = at::empty_like(q), d_kv = at::empty_like(kv);
    const int64_t values = shape.kv_stride_s / 2;
    AttentionGradient gradient;
    gradient.q = q.const_data_ptr<float>();
    gradient.k = kv.const_data_ptr<float>();
    gradient.v = gradient.k + values;
    gradient.out = saved[3].const_data_ptr<float>();
    gradient.lse = saved[4].const_data_ptr<float>();
    gradient.d_out = d_out.const_data_ptr<float>();
    gradient.d_q = d_q.data_ptr<float>();
    gradient.d_k = d_kv.data_ptr<float>();
    gradient.d_v = gradient.d_k + values;
    attention_backward(shape, gradient);
    return {d_q, d_kv, {}, {}};
  }
};

}  // namespace

at::Tensor attention(const at::Tensor& q, const at::Tensor& kv, const AttentionRows& rows) {
  const bool has_kernels = q.device().is_cpu() && q.scalar_type() == at::kFloat;
  if (!has_kernels) return reference::attention(q, kv, rows);
  return AttentionFunction::apply(q, kv, rows.positions.contiguous(),
                                  Sizes{rows.batch, rows.num_heads, rows.num_kv_heads, rows.head_dim,
                                        rows.window.window, rows.window.sinks});
}

}  // namespace orthros::training
