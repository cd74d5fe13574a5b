// Online softmax of one score row over one key tile. Included once an instruction set.
// Shapes: scores [columns], a multiple of the vector length; only [first, last) is visible.
// Source: running maximum and sum as in FlashAttention, in log2.
#if defined(ORTHROS_ATTENTION_SOFTMAX_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHROS_ATTENTION_SOFTMAX_INL_H
#undef ORTHROS_ATTENTION_SOFTMAX_INL_H
#else
#define ORTHROS_ATTENTION_SOFTMAX_INL_H
#endif

#include <cmath>
#include <limits>

#include "engine/kernels/attention_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::attention_simd {
namespace HWY_NAMESPACE {

/// Raw scores become weights exp2(scale * score - max); returns the factor for what the row has summed so
/// far.
HWY_INLINE float SoftmaxRow(float* HWY_RESTRICT scores, int columns, int first, int last, float scale,
                            float& max, float& sum) {
  const DF d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  if (first >= last) {
    for (int i = 0; i < columns; i += lanes) hn::StoreU(hn::Zero(d), d, scores + i);
    return 1.0f;
  }
  const float hidden = -std::numeric_limits<float>::infinity();
  for (int i = 0; i < first; ++i) scores[i] = hidden;
  for (int i = last; i < columns; ++i) scores[i] = hidden;

  VF row_max = hn::LoadU(d, scores);
  for (int i = lanes; i < columns; i += lanes) row_max = hn::Max(row_max, hn::LoadU(d, scores + i));
  const float new_max = HWY_MAX(max, hn::GetLane(hn::MaxOfLanes(d, row_max)) * scale);

  const VF vscale = hn::Set(d, scale);
  const VF vmax = hn::Set(d, new_max);
  VF row_sum = hn::Zero(d);
  for (int i = 0; i < columns; i += lanes) {
    const VF weight = Exp2(hn::MulSub(hn::LoadU(d, scores + i), vscale, vmax));
    row_sum = hn::Add(row_sum, weight);
    hn::StoreU(weight, d, scores + i);
  }
  const float factor = max == new_max ? 1.0f : std::exp2(max - new_max);
  sum = sum * factor + hn::GetLane(hn::SumOfLanes(d, row_sum));
  max = new_max;
  return factor;
}

}  // namespace HWY_NAMESPACE
}  // namespace orthros::kernels::attention_simd
HWY_AFTER_NAMESPACE();

#endif
