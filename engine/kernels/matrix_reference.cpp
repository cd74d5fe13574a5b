#include "engine/kernels/half.h"
#include "engine/kernels/matrix.h"
#include "engine/kernels/matrix_layout.h"

namespace orthros::kernels {
namespace {

double dense_dot(const MatrixView& w, int64_t n, const float* x) {
  double sum = 0;
  if (w.format == WeightFormat::float32) {
    const float* row = static_cast<const float*>(w.data) + n * w.columns;
    for (int64_t k = 0; k < w.columns; ++k) sum += static_cast<double>(row[k]) * x[k];
  } else {
    const uint16_t* row = static_cast<const uint16_t*>(w.data) + n * w.columns;
    for (int64_t k = 0; k < w.columns; ++k) sum += static_cast<double>(bf16_to_float(row[k])) * x[k];
  }
  return sum;
}

double quantised_dot(const MatrixView& w, int64_t n, const float* x) {
  const uint8_t* tile = static_cast<const uint8_t*>(w.data) + n / kRowTile * tile_bytes(w.format, w.columns);
  const int offset = w.format == WeightFormat::int8 ? 128 : 0;
  double sum = 0;
  for (int64_t g = 0; g < w.columns / kQuantGroup; ++g) {
    const GroupCodes group = read_group(w.format, tile + g * group_bytes(w.format), n % kRowTile);
    const double scale = half_to_float(group.scale);
    const double minimum = half_to_float(group.minimum);
    for (int64_t i = 0; i < kQuantGroup; ++i) {
      sum += (scale * (group.codes[i] - offset) + minimum) * x[g * kQuantGroup + i];
    }
  }
  return sum;
}

}  // namespace

void gemv_reference(const MatrixView& w, const float* x, int64_t x_stride, int64_t num_rows, float* y,
                    int64_t y_stride) noexcept {
  for (int64_t m = 0; m < num_rows; ++m) {
#pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < w.rows; ++n) {
      const float* row = x + m * x_stride;
      y[m * y_stride + n] =
          static_cast<float>(is_quantised(w.format) ? quantised_dot(w, n, row) : dense_dot(w, n, row));
    }
  }
}

}  // namespace orthros::kernels
