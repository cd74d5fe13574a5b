// Row-wise tensor operations of a decoder layer: our CPU kernels where they apply, plain ATen elsewhere.
// The ATen form is the definition; tests compare the kernels with it.
// Shapes: R rows; x, delta [R, M]; gate_up [R, 2F]; head rows [R, heads * D]. Private: includes torch.
// Threads: torch's team. Source: ORTHROS.md "Two streams".
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

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

/// Head vectors of [rows, heads, D] somewhere in a tensor's memory, without the cost of making a view: decode
/// transforms a single row 90 times a step.
struct HeadRows {
  const at::Tensor& memory;  // fp32 or bf16
  int64_t offset = 0;        // of row 0, head 0, in elements from the tensor's own first
  int64_t row_stride = 0, head_stride = 0;

  /// A [rows, heads, D] view, for the ATen form.
  at::Tensor view(int64_t rows, int64_t heads, int64_t head_dim) const;
};

/// rows x heads vectors of head_dim from source (heads side by side: head_stride = head_dim) to destination,
/// which may be the same memory. table_rows [rows] picks the row of cos and sin for each row.
struct HeadShape {
  int64_t rows = 0, heads = 0, head_dim = 0;
};
void transform_heads(const HeadShape& shape, const HeadRows& source, const HeadRows& destination,
                     const HeadTransform& transform, const std::vector<int64_t>& table_rows);

namespace reference {
at::Tensor add_rms_norm(at::Tensor& x, const at::Tensor& delta, const at::Tensor& weight, double eps,
                        at::ScalarType out_type);
at::Tensor silu_mul(const at::Tensor& gate_up, at::ScalarType out_type);
void transform_heads(const HeadShape& shape, const HeadRows& source, const HeadRows& destination,
                     const HeadTransform& transform, const std::vector<int64_t>& table_rows);
}  // namespace reference

}  // namespace orthros::ops
