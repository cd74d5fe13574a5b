// Loads and stores of fp32 vectors from fp32 or bf16 memory, whole or the first n lanes. Included once per
// target.
#if defined(ORTHROS_VECTOR_IO_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHROS_VECTOR_IO_INL_H
#undef ORTHROS_VECTOR_IO_INL_H
#else
#define ORTHROS_VECTOR_IO_INL_H
#endif

#include <cstring>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using FloatTag = hn::CappedTag<float, 16>;
using FloatVec = hn::Vec<FloatTag>;
inline constexpr int64_t kFloatLanes = hn::MaxLanes(FloatTag());

HWY_INLINE FloatVec load_whole(const float* p) {
  return hn::LoadU(FloatTag(), p);
}
HWY_INLINE FloatVec load_whole(const uint16_t* p) {
  const hn::Rebind<uint16_t, FloatTag> d16;
  const hn::Rebind<uint32_t, FloatTag> d32;
  return hn::BitCast(FloatTag(), hn::ShiftLeft<16>(hn::PromoteTo(d32, hn::LoadU(d16, p))));
}

HWY_INLINE void store_whole(FloatVec v, float* p) {
  hn::StoreU(v, FloatTag(), p);
}
/// Rounds to nearest even; NaN stays NaN.
HWY_INLINE void store_whole(FloatVec v, uint16_t* p) {
  const hn::Rebind<uint16_t, FloatTag> d16;
  const hn::Rebind<uint32_t, FloatTag> d32;
  const hn::Rebind<int32_t, FloatTag> di;
  const auto bits = hn::BitCast(d32, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d32, 1));
  const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(d32, 0x7fff)));
  const auto quiet = hn::Or(bits, hn::Set(d32, 0x400000));
  const auto is_nan = hn::RebindMask(d32, hn::IsNaN(v));
  const auto high = hn::ShiftRight<16>(hn::IfThenElse(is_nan, quiet, rounded));
  hn::StoreU(hn::DemoteTo(d16, hn::BitCast(di, high)), d16, p);
}

/// The first n lanes, zero behind them; n == kFloatLanes is the fast case.
template <class T>
HWY_INLINE FloatVec load_lanes(const T* p, int64_t n) {
  if (HWY_LIKELY(n == kFloatLanes)) return load_whole(p);
  T part[kFloatLanes] = {};
  // The bound is for the compiler, which does not see that a single lane never comes here.
  for (int64_t i = 0; i < kFloatLanes && i < n; ++i) part[i] = p[i];
  return load_whole(part);
}

template <class T>
HWY_INLINE void store_lanes(FloatVec v, T* p, int64_t n) {
  if (HWY_LIKELY(n == kFloatLanes)) {
    store_whole(v, p);
    return;
  }
  T part[kFloatLanes];
  store_whole(v, part);
  for (int64_t i = 0; i < kFloatLanes && i < n; ++i) p[i] = part[i];
}

}  // namespace orthros::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
