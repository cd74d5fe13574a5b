#include "engine/kernels/machine_simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/machine_simd.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

uint64_t read_all_simd(const std::byte* data, int64_t bytes) {
  const hn::ScalableTag<uint64_t> d;
  const auto step = static_cast<int64_t>(hn::Lanes(d) * sizeof(uint64_t));
  const auto load = [&](int64_t offset)
                        HWY_ATTR { return hn::LoadU(d, reinterpret_cast<const uint64_t*>(data + offset)); };
  auto a = hn::Zero(d), b = hn::Zero(d), c = hn::Zero(d), e = hn::Zero(d);
  for (int64_t i = 0; i + 4 * step <= bytes; i += 4 * step) {
    a = hn::Xor(a, load(i));
    b = hn::Xor(b, load(i + step));
    c = hn::Xor(c, load(i + 2 * step));
    e = hn::Xor(e, load(i + 3 * step));
  }
  a = hn::Xor(hn::Xor(a, b), hn::Xor(c, e));
  uint64_t lanes[HWY_MAX_BYTES / 8] = {};
  hn::StoreU(a, d, lanes);
  uint64_t result = 0;
  for (const uint64_t lane : lanes) result ^= lane;
  return result;
}

int64_t multiply_add_simd(int64_t iterations) {
  const hn::ScalableTag<float> d;
  constexpr int kChains = 12;  // latency times throughput of FMA on every current core, within 16 registers
  const auto factor = hn::Set(d, 0.999f);
  const auto term = hn::Set(d, 0.001f);
  hn::Vec<hn::ScalableTag<float>> chains[kChains];
  for (int i = 0; i < kChains; ++i) chains[i] = hn::Set(d, static_cast<float>(i));
  for (int64_t n = 0; n < iterations; ++n) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) chains[i] = hn::MulAdd(chains[i], factor, term);
  }
  auto sum = chains[0];
  for (int i = 1; i < kChains; ++i) sum = hn::Add(sum, chains[i]);
  const bool used = hn::GetLane(hn::SumOfLanes(d, sum)) >= 0;  // always; keeps the loop alive
  return used ? iterations * kChains * 2 * static_cast<int64_t>(hn::Lanes(d)) : 0;
}

}  // namespace orthros::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::kernels {

HWY_EXPORT(read_all_simd);
HWY_EXPORT(multiply_add_simd);

uint64_t read_all(const std::byte* data, int64_t bytes) {
  return HWY_DYNAMIC_DISPATCH(read_all_simd)(data, bytes);
}
int64_t multiply_add(int64_t iterations) {
  return HWY_DYNAMIC_DISPATCH(multiply_add_simd)(iterations);
}

}  // namespace orthros::kernels
#endif
