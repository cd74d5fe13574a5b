#include "engine/kernels/log_sum_exp.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/log_sum_exp.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// fp32 partial sums stay short, so that their rounding does not grow with the vocabulary.
constexpr int64_t kBlock = 4096;

double SumExp(const float* HWY_RESTRICT values, int64_t size, float highest) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto top = hn::Set(d, highest);
  double total = 0;
  int64_t i = 0;
  while (i + lanes <= size) {
    auto sum = hn::Zero(d);
    for (const int64_t end = std::min(size, i + kBlock); i + lanes <= end; i += lanes) {
      sum = hn::Add(sum, hn::Exp(d, hn::Sub(hn::LoadU(d, values + i), top)));
    }
    total += hn::GetLane(hn::SumOfLanes(d, sum));
  }
  for (; i < size; ++i) total += std::exp(values[i] - highest);
  return total;
}

}  // namespace orthros::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::kernels {

HWY_EXPORT(SumExp);

double log_sum_exp(const float* values, int64_t size) noexcept {
  const float highest = *std::max_element(values, values + size);
  return highest + std::log(HWY_DYNAMIC_DISPATCH(SumExp)(values, size, highest));
}

}  // namespace orthros::kernels
#endif
