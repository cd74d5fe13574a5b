// Row-wise tensor operations of a decoder layer: our CPU kernels where they apply, plain ATen elsewhere.
// The ATen form is the definition; tests compare the kernels with it.
// Shapes: R rows; x, delta [R, M]; gate_up [R, 2F]; head rows [R, heads * D]. Private: includes torch.
// Threads: torch's team. Source: ORTHROS.md "Two streams".
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

namespace orthros::ops {

/// x += delta (delta may be undefined; x is the fp32 residual, updated in place), then
/// x / sqrt(mean(x^2) + eps) * weight in out_type.
at::Tensor add_rms_norm(at::Tensor& x, const at::Tensor& delta, const at::Tensor& weight, double eps,
                        at::ScalarType out_type);

/// silu(gate) * up of gate_up [R, 2F] in out_type.
at::Tensor silu_mul(const at::Tensor& gate_up, at::ScalarType out_type);

/// Scale-offset, head norm and rotation of query or key heads; undefined tensors are left out.
struct HeadTransform {
  at::Tensor scale, offset;  // fp32 [heads * D]
  at::Tensor norm_weight;    // fp32 [D]
  double norm_eps = 0;
  at::Tensor cos, sin;  // fp32 [P, D/2]
};

/// Destination heads: [R, heads, D] view of any strides with a contiguous last dimension, fp32 or bf16.
/// table_rows [R] picks the row of cos and sin for each row. source [R, heads*D] may be the destination's own memory.
void transform_heads(const at::Tensor& source, const HeadTransform& transform, const std::vector<int64_t>& table_rows,
                     int64_t head_dim, at::Tensor destination);

namespace reference {
at::Tensor add_rms_norm(at::Tensor& x, const at::Tensor& delta, const at::Tensor& weight, double eps,
                        at::ScalarType out_type);
at::Tensor silu_mul(const at::Tensor& gate_up, at::ScalarType out_type);
void transform_heads(const at::Tensor& source, const HeadTransform& transform, const std::vector<int64_t>& table_rows,
                     int64_t head_dim, at::Tensor destination);
}  // namespace reference

}  // namespace orthros::ops
