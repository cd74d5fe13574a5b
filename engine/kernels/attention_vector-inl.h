// Vector types, loads of either element type and exp2 for the attention kernels. Included once an instruction
// set. Units: exp2 has a relative error below 2e-7 for arguments <= 0 and is exactly 0 below -126.
#if defined(ORTHROS_ATTENTION_VECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHROS_ATTENTION_VECTOR_INL_H
#undef ORTHROS_ATTENTION_VECTOR_INL_H
#else
#define ORTHROS_ATTENTION_VECTOR_INL_H
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "engine/kernels/attention_tile.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::attention_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;

// Register block: kRows x kColumns accumulators, one row of B and one broadcast must fit the register file.
constexpr int kRows = 6;
constexpr int kColumns = HWY_TARGET <= HWY_AVX3 ? 4 : 2;

template <class D>
HWY_INLINE hn::Vec<D> LoadAs(D d, const float* p) {
  return hn::LoadU(d, p);
}
template <class D>
HWY_INLINE hn::Vec<D> LoadAs(D d, const uint16_t* p) {
  const hn::Rebind<uint16_t, D> d16;
  const hn::Rebind<uint32_t, D> d32;
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(d32, hn::LoadU(d16, p))));
}

HWY_INLINE VF Exp2(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low mantissa bits.
  const VF magic = hn::Set(d, 12582912.0f);
  const VF rounded = hn::Add(x, magic);
  const VF f = hn::Sub(x, hn::Sub(rounded, magic));
  VF p = hn::Set(d, 1.3264727e-3f);
  p = hn::MulAdd(p, f, hn::Set(d, 9.671513e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 5.5507336e-2f));
  p = hn::MulAdd(p, f, hn::Set(d, 2.4022243e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 6.9314700e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
  const auto bits = hn::Add(hn::BitCast(di, p), hn::ShiftLeft<23>(hn::BitCast(di, rounded)));
  return hn::IfThenElseZero(hn::Ge(x, hn::Set(d, -126.0f)), hn::BitCast(d, bits));
}

}  // namespace HWY_NAMESPACE
}  // namespace orthros::kernels::attention_simd
HWY_AFTER_NAMESPACE();

#endif
