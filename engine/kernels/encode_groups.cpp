#include "engine/kernels/encode_groups.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/kernels/half.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/encode_groups.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "engine/kernels/vector_io-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::HWY_NAMESPACE {

constexpr int kMaxCode = 15;
constexpr float kLargestHalf = 65504.0f;
// Ranges tried beside the full one: each end cut by this part of the range, times 0, 1, ...
constexpr int kCuts = 7;
constexpr float kCut = 0.025f;
static_assert(kQuantGroup % kFloatLanes == 0);

struct Range {
  float low = 0;
  float high = 0;
};

Range range_of(const float* values) {
  const FloatTag d;
  auto low = load_whole(values), high = low;
  for (int64_t i = kFloatLanes; i < kQuantGroup; i += kFloatLanes) {
    const auto v = load_whole(values + i);
    low = hn::Min(low, v);
    high = hn::Max(high, v);
  }
  return {hn::GetLane(hn::MinOfLanes(d, low)), hn::GetLane(hn::MaxOfLanes(d, high))};
}

/// A grid as fp16 holds it.
struct Grid {
  uint16_t scale = 0;
  uint16_t minimum = 0;
};

/// Nearest codes, as floats. NaN becomes a code as well: Min and Max drop it on one side at least.
HWY_INLINE FloatVec codes_of(FloatVec v, FloatVec minimum, FloatVec inverse) {
  const FloatTag d;
  const auto q = hn::Mul(hn::Sub(v, minimum), inverse);
  const auto bounded = hn::Min(hn::Max(q, hn::Zero(d)), hn::Set(d, static_cast<float>(kMaxCode)));
  return hn::Round(hn::IfThenElse(hn::IsNaN(bounded), hn::Zero(d), bounded));
}

HWY_INLINE float inverse_of(float scale) {
  return scale != 0 ? 1.0f / scale : 0.0f;
}

/// Error of the nearest codes, and the sums that the least-squares grid for these codes needs.
struct Fit {
  float error = 0;
  float q = 0, qq = 0, qv = 0;
};

Fit fit_of(const float* values, const Grid& grid) {
  const FloatTag d;
  const float scale = half_to_float(grid.scale);
  const auto scales = hn::Set(d, scale), minima = hn::Set(d, half_to_float(grid.minimum));
  const auto inverse = hn::Set(d, inverse_of(scale));
  auto error = hn::Zero(d), q = error, qq = error, qv = error;
  for (int64_t i = 0; i < kQuantGroup; i += kFloatLanes) {
    const auto v = load_whole(values + i);
    const auto codes = codes_of(v, minima, inverse);
    const auto miss = hn::Sub(hn::MulAdd(codes, scales, minima), v);
    error = hn::MulAdd(miss, miss, error);
    q = hn::Add(q, codes);
    qq = hn::MulAdd(codes, codes, qq);
    qv = hn::MulAdd(codes, v, qv);
  }
  const auto total = [&](FloatVec v) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(d, v)); };
  return {total(error), total(q), total(qq), total(qv)};
}

/// False when the codes are all the same.
bool least_squares(const Fit& fit, float value_sum, Grid& grid) {
  constexpr float n = kQuantGroup;
  const float determinant = n * fit.qq - fit.q * fit.q;
  if (!(determinant > 0)) return false;
  grid.scale = float_to_half((n * fit.qv - fit.q * value_sum) / determinant);
  grid.minimum = float_to_half((value_sum - half_to_float(grid.scale) * fit.q) / n);
  return true;
}

Grid best_grid(const float* values, const Range& range) {
  const FloatTag d;
  auto sums = hn::Zero(d);
  for (int64_t i = 0; i < kQuantGroup; i += kFloatLanes) sums = hn::Add(sums, load_whole(values + i));
  const float value_sum = hn::GetLane(hn::SumOfLanes(d, sums));
  Grid best;
  float best_error = std::numeric_limits<float>::infinity();
  for (int step = 0; step < kCuts; ++step) {
    const float cut = kCut * static_cast<float>(step) * (range.high - range.low);
    Grid grid{float_to_half((range.high - range.low - 2 * cut) / kMaxCode), float_to_half(range.low + cut)};
    for (int pass = 0; pass < 3; ++pass) {
      const Fit fit = fit_of(values, grid);
      if (fit.error < best_error) {
        best_error = fit.error;
        best = grid;
      }
      if (pass == 2 || !least_squares(fit, value_sum, grid)) break;
    }
  }
  return best;
}

/// Every value is a point of the grid, bit for bit (0 and -0 are one).
bool is_exact(const float* values, const Grid& grid) {
  const FloatTag d;
  const float scale = half_to_float(grid.scale);
  const auto scales = hn::Set(d, scale), minima = hn::Set(d, half_to_float(grid.minimum));
  const auto inverse = hn::Set(d, inverse_of(scale));
  for (int64_t i = 0; i < kQuantGroup; i += kFloatLanes) {
    const auto v = load_whole(values + i);
    // The product of an fp16 number and a code is exact, so that one rounding is left whether fused or not.
    const auto point = hn::MulAdd(codes_of(v, minima, inverse), scales, minima);
    if (!hn::AllTrue(d, hn::Eq(point, v))) return false;
  }
  return true;
}

/// Grids that hold `origin` as code 0 and `far` as code 15, 14, ...; the exact scale is a neighbour of the
/// quotient.
bool find_exact_grid(const float* values, float origin, float far, Grid& grid) {
  grid.minimum = float_to_half(origin);
  if (half_to_float(grid.minimum) != origin) return false;
  for (int top = kMaxCode; top >= 1; --top) {
    const uint16_t nearest = float_to_half((far - origin) / static_cast<float>(top));
    for (const int step : {0, -1, 1}) {
      grid.scale = static_cast<uint16_t>(nearest + step);
      const float point = half_to_float(grid.scale) * static_cast<float>(top) + origin;
      if (point == far && is_exact(values, grid)) return true;
    }
  }
  return false;
}

void store_codes(FloatVec codes, uint8_t* out) {
  const FloatTag d;
  alignas(64) int32_t wide[kFloatLanes];
  hn::Store(hn::ConvertTo(hn::RebindToSigned<FloatTag>(), codes), hn::RebindToSigned<FloatTag>(), wide);
  for (int64_t i = 0; i < static_cast<int64_t>(hn::Lanes(d)); ++i) out[i] = static_cast<uint8_t>(wide[i]);
}

void int4_group(const float* values, GroupCodes& out) {
  const Range range = range_of(values);
  Grid grid{0, float_to_half(range.low)};
  if (range.low != range.high && !find_exact_grid(values, range.low, range.high, grid) &&
      !find_exact_grid(values, range.high, range.low, grid)) {
    grid = best_grid(values, range);
  }
  const FloatTag d;
  const float scale = half_to_float(grid.scale);
  const auto minima = hn::Set(d, half_to_float(grid.minimum)), inverse = hn::Set(d, inverse_of(scale));
  for (int64_t i = 0; i < kQuantGroup; i += kFloatLanes) {
    store_codes(codes_of(load_whole(values + i), minima, inverse), out.codes + i);
  }
  out.scale = grid.scale;
  out.minimum = grid.minimum;
}

void int8_group(const float* values, GroupCodes& out) {
  const FloatTag d;
  const Range range = range_of(values);
  const float largest = std::max(-range.low, range.high);
  const float wanted = largest > 0 ? std::min(largest / 127.0f, kLargestHalf) : 0.0f;
  out.scale = float_to_half(wanted);
  // Subnormal scales are coarse: rounding down would clip the largest value.
  if (wanted < 0x1p-14f && half_to_float(out.scale) < wanted) ++out.scale;
  const auto inverse = hn::Set(d, inverse_of(half_to_float(out.scale)));
  const auto limit = hn::Set(d, 127.0f);
  for (int64_t i = 0; i < kQuantGroup; i += kFloatLanes) {
    const auto q = hn::Max(hn::Min(hn::Mul(load_whole(values + i), inverse), limit), hn::Neg(limit));
    const auto finite = hn::IfThenElse(hn::IsNaN(q), hn::Zero(d), q);
    store_codes(hn::Add(hn::Round(finite), hn::Set(d, 128.0f)), out.codes + i);
  }
}

}  // namespace orthros::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::kernels {

HWY_EXPORT(int4_group);
HWY_EXPORT(int8_group);

GroupCodes encode_int8_group(const float* values) noexcept {
  GroupCodes out;
  HWY_DYNAMIC_DISPATCH(int8_group)(values, out);
  return out;
}

GroupCodes encode_int4_group(const float* values) noexcept {
  GroupCodes out;
  HWY_DYNAMIC_DISPATCH(int4_group)(values, out);
  return out;
}

}  // namespace orthros::kernels
#endif
