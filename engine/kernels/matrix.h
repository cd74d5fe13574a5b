// Weight matrices as held in memory, and their product with a few rows (decode).
// Shapes: W [N, K] row-major, y[m, n] = sum_k x[m, k] W[n, k].
// Formats: float32 and bfloat16 dense; int8: groups of 32 along a row, value = q * scale; int4: groups of 32,
//   value = q * scale + minimum, q in 0..15; scales and minima are fp16, so that Q8_0 and Q4_1 blocks are
//   held without loss. int8 and int4 interleave kRowTile rows (matrix_layout.h): a row range begins on a
//   multiple of kRowTile.
// Errors: none; callers validate (int8, int4: K a multiple of the group). noexcept.
// Threads: OpenMP team of the caller. Neither the number of threads nor M changes a row's result.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/base/scalar_type.h"

namespace orthros::kernels {

inline constexpr int64_t kInt8Group = 32;
inline constexpr int64_t kInt4Group = 32;
inline constexpr int64_t kMaxGemvRows = 16;
/// Rows of W that int8 and int4 interleave; the last tile is padded.
inline constexpr int64_t kRowTile = 16;

/// Not owning. A row range is a view; for int8 and int4 it begins on a multiple of kRowTile (any end).
struct MatrixView {
  WeightFormat format = WeightFormat::float32;
  int64_t rows = 0;     // N
  int64_t columns = 0;  // K
  const void* data = nullptr;

  MatrixView row_range(int64_t begin, int64_t end) const;
};

/// Bytes of one row in a format (dense: K * element size).
int64_t row_bytes(WeightFormat format, int64_t columns);
/// Bytes of a matrix: for int8 and int4 the rows are rounded up to whole tiles.
int64_t matrix_bytes(WeightFormat format, int64_t rows, int64_t columns);

/// y [M, N] fp32 = x [M, K] fp32 times W; 1 <= M <= kMaxGemvRows. A row's result does not depend on M.
/// int8 and int4 round x to 16 bits within each group of 32: an error below 2^-16 of the group's largest |x|.
void gemv(const MatrixView& w, const float* x, int64_t x_stride, int64_t num_rows, float* y,
          int64_t y_stride) noexcept;
/// Plain loops, fp64 accumulation, x not rounded. Normative.
void gemv_reference(const MatrixView& w, const float* x, int64_t x_stride, int64_t num_rows, float* y,
                    int64_t y_stride) noexcept;
/// Name of the kernel that gemv takes for a format on this machine, e.g. "avx512_vnni", for run records.
const char* gemv_backend(WeightFormat format) noexcept;

/// Quantises or converts fp32 rows [N, K] into `out` (matrix_bytes large). Single thread: callers split the
/// rows, at multiples of kRowTile. int4: values that lie on a 4-bit grid using code 0 (or, upside down, its
/// negative) come back exactly; all else minimises the squared error of each group.
void encode_rows(WeightFormat format, const float* source, int64_t rows, int64_t columns, void* out) noexcept;
/// The inverse, to float32 or bfloat16. Uses the OpenMP team (prefill expands a layer at a time with it).
void decode_rows(const MatrixView& w, ScalarType out_type, void* out) noexcept;

/// GGUF Q4_1 blocks (fp16 d, fp16 m, 16 bytes; 20 bytes per 32 values) of rows [N, K] -> int4, same values.
void pack_q4_1_rows(const std::byte* blocks, int64_t rows, int64_t columns, void* out) noexcept;
/// GGUF Q8_0 blocks (fp16 d, 32 int8; 34 bytes per 32 values) -> int8, same values.
void pack_q8_0_rows(const std::byte* blocks, int64_t rows, int64_t columns, void* out) noexcept;

}  // namespace orthros::kernels
