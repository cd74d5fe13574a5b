#include <algorithm>

#include "engine/kernels/half.h"
#include "engine/kernels/matrix.h"
#include "engine/kernels/matrix_layout.h"

namespace orthros::kernels {
namespace {

void store(float value, float* out) {
  *out = value;
}
void store(float value, uint16_t* out) {
  *out = float_to_bf16(value);
}

template <class Out>
void decode_dense_row(const MatrixView& w, int64_t n, Out* out) {
  for (int64_t k = 0; k < w.columns; ++k) {
    const float value = w.format == WeightFormat::float32
                            ? static_cast<const float*>(w.data)[n * w.columns + k]
                            : bf16_to_float(static_cast<const uint16_t*>(w.data)[n * w.columns + k]);
    store(value, out + k);
  }
}

template <class Out>
void decode_quantised_row(const MatrixView& w, int64_t n, Out* out) {
  const uint8_t* tile = static_cast<const uint8_t*>(w.data) + n / kRowTile * tile_bytes(w.format, w.columns);
  const int offset = w.format == WeightFormat::int8 ? 128 : 0;
  for (int64_t g = 0; g < w.columns / kQuantGroup; ++g) {
    const GroupCodes group = read_group(w.format, tile + g * group_bytes(w.format), n % kRowTile);
    const float scale = half_to_float(group.scale);
    const float minimum = half_to_float(group.minimum);
    for (int64_t i = 0; i < kQuantGroup; ++i) {
      store(scale * static_cast<float>(group.codes[i] - offset) + minimum, out + g * kQuantGroup + i);
    }
  }
}

template <class Out>
void decode(const MatrixView& w, Out* out) {
#pragma omp parallel for schedule(static) if (w.rows * w.columns > 65536)
  for (int64_t n = 0; n < w.rows; ++n) {
    if (is_quantised(w.format)) {
      decode_quantised_row(w, n, out + n * w.columns);
    } else {
      decode_dense_row(w, n, out + n * w.columns);
    }
  }
}

}  // namespace

void decode_rows(const MatrixView& w, ScalarType out_type, void* out) noexcept {
  if (out_type == ScalarType::float32) {
    decode(w, static_cast<float*>(out));
  } else {
    decode(w, static_cast<uint16_t*>(out));
  }
}

}  // namespace orthros::kernels
