// What a back end of gemv provides. Private to kernels.
// A call is: every thread prepares the activation rows for itself (no barrier, and the weights' first lines
// arrive meanwhile), then computes its own rows of W. The order of a row's sums depends on neither M nor the
// split. Shapes: x [M, K], W [N, K], y [M, N]. Errors: none. Threads: `prepare` and `run` are called by every
// thread of the team on its own scratch and rows.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/kernels/matrix.h"

namespace orthros::kernels {

struct Activations {
  const float* x = nullptr;
  int64_t stride = 0;
  int64_t rows = 0;     // M
  int64_t columns = 0;  // K
};

struct GemvTask {
  MatrixView w;
  const std::byte* prepared = nullptr;
  int64_t num_rows = 0;  // M
  float* y = nullptr;
  int64_t y_stride = 0;
};

struct GemvKernel {
  const char* name;
  int64_t unit_rows;  // a thread's rows begin on a multiple of this
  int64_t (*scratch_bytes)(int64_t columns, int64_t num_rows);
  void (*prepare)(const Activations& x, std::byte* scratch);  // scratch is aligned to 64 bytes
  void (*run)(const GemvTask& task, int64_t begin, int64_t end);
};

/// A row of activations in whole numbers: x = scale * q in groups of 32, |q| <= kMaxActivation.
/// 15 bits and a sign: two products of bytes (VNNI), or one of 16-bit numbers, give the dot product exactly.
inline constexpr int32_t kMaxActivation = 127 * 256 + 127;  // high and low bytes both fit
/// Below this a group counts as zero: its reciprocal would overflow.
inline constexpr float kMinActivation = 1e-30f;

struct GroupScale {
  float scale;
  float inverse;
};
/// From the bits of the largest |x|; infinity or NaN in the group makes the scale, and so every result, NaN.
inline GroupScale group_scale(int32_t largest_bits) {
  const float largest = std::bit_cast<float>(largest_bits);
  if (largest_bits >= 0x7f800000) return {std::numeric_limits<float>::quiet_NaN(), 0.0f};
  if (largest < kMinActivation) return {0.0f, 0.0f};
  return {largest * (1.0f / kMaxActivation), static_cast<float>(kMaxActivation) / largest};
}

struct ActivationGroup {
  // VNNI: the 32 high bytes, then the 32 low ones (q = 256 * high + low, both signed).
  // Otherwise: int16[32] with the middle two of every four exchanged.
  std::byte quants[64];
  float scale;
  float scaled_sum;  // scale * sum of q: what the minimum of an int4 group multiplies
  int32_t bias;      // -128 * sum of q: int8 codes are stored as q + 128
  int32_t unused;
};
static_assert(sizeof(ActivationGroup) == 80);

const GemvKernel* highway_kernel(WeightFormat format);
/// Null where the processor has no AVX512-VNNI, and for dense formats.
const GemvKernel* vnni_kernel(WeightFormat format);
const GemvKernel* select_gemv_kernel(WeightFormat format);
/// Tests compare both paths on one machine. Not thread safe.
void allow_vnni_for_test(bool allowed);

}  // namespace orthros::kernels
