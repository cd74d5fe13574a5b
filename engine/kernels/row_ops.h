// Row-wise operations between the matrix products of a decoder layer.
// Shapes: rows of M fp32 or bf16 elements; every pointer + stride pair is one row-major matrix, strides in
// elements. Errors: none; callers validate. noexcept. Threads: OpenMP team of the caller when there is enough
// work.
#pragma once

#include <cstdint>

#include "engine/base/scalar_type.h"

namespace orthros::kernels {

/// A strided row-major matrix of float32 or bfloat16.
struct Rows {
  void* data = nullptr;
  int64_t stride = 0;
  ScalarType type = ScalarType::float32;
};

/// out = x / sqrt(mean(x^2) + eps) * weight. With delta: x += delta first (x is the fp32 residual stream,
/// updated in place). delta.data may be null.
void add_rms_norm(float* x, int64_t x_stride, const Rows& delta, const float* weight, float eps, int64_t rows,
                  int64_t columns, const Rows& out) noexcept;

/// x += delta.
void add_rows(float* x, int64_t x_stride, const Rows& delta, int64_t rows, int64_t columns) noexcept;

/// out[r, f] = silu(gate_up[r, f]) * gate_up[r, F + f].
void silu_mul(const Rows& gate_up, int64_t rows, int64_t intermediate, const Rows& out) noexcept;

/// What happens to the head vectors of a row between projection and attention, in this order; each optional.
/// Source: ORTHROS.md "Order on the query: projection -> scale-offset -> q-norm (Qwen3) -> RoPE".
struct HeadOps {
  const float* scale = nullptr;        // alpha [H * D]
  const float* offset = nullptr;       // beta [H * D]
  const float* norm_weight = nullptr;  // [D]
  float norm_eps = 0;
  const float* cos = nullptr;  // [positions, D/2]: rotate-half pairs (i, i + D/2)
  const float* sin = nullptr;
};

/// rows x H head vectors of D: source row r, head h at source + r*stride + h*D; destination at
/// destination + r*stride + h*head_stride. cos/sin row positions[r]. Source and destination may be the same
/// rows.
struct HeadRowsArgs {
  int64_t rows = 0, heads = 0, head_dim = 0;
  Rows source;
  Rows destination;
  int64_t destination_head_stride = 0;
  const int64_t* positions = nullptr;  // [rows]
};
void transform_heads(const HeadRowsArgs& args, const HeadOps& ops) noexcept;

}  // namespace orthros::kernels
