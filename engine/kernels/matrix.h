// Weight matrices as held in memory, and their product with a few rows (decode).
// Shapes: W [N, K] row-major, y[m, n] = sum_k x[m, k] W[n, k].
// Formats: float32 and bfloat16 dense; int8: one fp32 scale per group of kInt8Group along a row, value = q * scale;
//   int4: groups of kInt4Group along a row, value = q * scale + minimum, q in 0..15 (a Q4_1 block is held without
//   loss); exact layouts are documented in matrix.cpp.
// Errors: none; callers validate (K a multiple of the group). Threads: OpenMP team of the caller. noexcept.
#pragma once

#include <cstdint>

#include "engine/base/scalar_type.h"

namespace orthros::kernels {

inline constexpr int64_t kInt8Group = 32;
inline constexpr int64_t kInt4Group = 32;
inline constexpr int64_t kMaxGemvRows = 16;

/// Not owning. Rows are independent of each other, so a row range is a view.
struct MatrixView {
  WeightFormat format = WeightFormat::float32;
  int64_t rows = 0;     // N
  int64_t columns = 0;  // K
  const void* data = nullptr;

  MatrixView row_range(int64_t begin, int64_t end) const;
};

/// Bytes of one row in a format (dense: K * element size).
int64_t row_bytes(WeightFormat format, int64_t columns);
inline int64_t matrix_bytes(WeightFormat format, int64_t rows, int64_t columns) {
  return rows * row_bytes(format, columns);
}

/// y [M, N] fp32 = x [M, K] fp32 times W; 1 <= M <= kMaxGemvRows. A row's result does not depend on M.
void gemv(const MatrixView& w, const float* x, int64_t x_stride, int64_t num_rows, float* y, int64_t y_stride) noexcept;
void gemv_reference(const MatrixView& w, const float* x, int64_t x_stride, int64_t num_rows, float* y,
                    int64_t y_stride) noexcept;

/// Quantises or converts fp32 rows [N, K] into `out` (matrix_bytes large). Single thread: callers split the rows.
void encode_rows(WeightFormat format, const float* source, int64_t rows, int64_t columns, void* out) noexcept;
/// The inverse, to float32 or bfloat16. Uses the OpenMP team (prefill expands a layer at a time with it).
void decode_rows(const MatrixView& w, ScalarType out_type, void* out) noexcept;

}  // namespace orthros::kernels
