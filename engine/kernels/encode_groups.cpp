#include "engine/kernels/encode_groups.h"

#include <algorithm>
#include <cmath>

#include "engine/kernels/half.h"

namespace orthros::kernels {
namespace {

constexpr int kMaxCode = 15;

/// NaN becomes `low`.
float clamp_finite(float value, float low, float high) {
  return value > low ? std::min(value, high) : low;
}

struct Range {
  float low = 0;
  float high = 0;
};

Range range_of(const float* values) {
  Range range{values[0], values[0]};
  for (int64_t i = 1; i < kQuantGroup; ++i) {
    range.low = std::min(range.low, values[i]);
    range.high = std::max(range.high, values[i]);
  }
  return range;
}

/// Nearest codes for a grid, as stored in fp16.
void assign_codes(const float* values, GroupCodes& group) {
  const float scale = half_to_float(group.scale);
  const float minimum = half_to_float(group.minimum);
  const float inverse = scale != 0 ? 1.0f / scale : 0.0f;
  for (int64_t i = 0; i < kQuantGroup; ++i) {
    group.codes[i] = static_cast<uint8_t>(clamp_finite((values[i] - minimum) * inverse, 0, kMaxCode) + 0.5f);
  }
}

float value_of(const GroupCodes& group, int64_t i) {
  return half_to_float(group.scale) * group.codes[i] + half_to_float(group.minimum);
}

bool is_exact(const float* values, const GroupCodes& group) {
  for (int64_t i = 0; i < kQuantGroup; ++i) {
    if (value_of(group, i) != values[i]) return false;
  }
  return true;
}

float squared_error(const float* values, const GroupCodes& group) {
  float sum = 0;
  for (int64_t i = 0; i < kQuantGroup; ++i) {
    const float error = value_of(group, i) - values[i];
    sum += error * error;
  }
  return sum;
}

/// Grids that hold `origin` as code 0 and `far` as code 15, 14, ...; the exact scale is a neighbour of the
/// quotient.
bool find_exact_grid(const float* values, float origin, float far, GroupCodes& group) {
  group.minimum = float_to_half(origin);
  if (half_to_float(group.minimum) != origin) return false;
  for (int top = kMaxCode; top >= 1; --top) {
    const uint16_t nearest = float_to_half((far - origin) / static_cast<float>(top));
    for (const int step : {0, -1, 1}) {
      group.scale = static_cast<uint16_t>(nearest + step);
      if (half_to_float(group.scale) * static_cast<float>(top) + origin != far) continue;
      assign_codes(values, group);
      if (is_exact(values, group)) return true;
    }
  }
  return false;
}

/// Least-squares scale and minimum for the codes at hand.
void refine(const float* values, GroupCodes& group) {
  float q = 0, qq = 0, v = 0, qv = 0;
  for (int64_t i = 0; i < kQuantGroup; ++i) {
    const float code = group.codes[i];
    q += code;
    qq += code * code;
    v += values[i];
    qv += code * values[i];
  }
  constexpr float n = kQuantGroup;
  const float determinant = n * qq - q * q;
  if (!(determinant > 0)) return;
  const float scale = (n * qv - q * v) / determinant;
  group.scale = float_to_half(scale);
  group.minimum = float_to_half((v - half_to_float(group.scale) * q) / n);
  assign_codes(values, group);
}

}  // namespace

GroupCodes encode_int8_group(const float* values) noexcept {
  const Range range = range_of(values);
  const float wanted = clamp_finite(std::max(-range.low, range.high) / 127.0f, 0.0f, 65504.0f);
  GroupCodes group;
  group.scale = float_to_half(wanted);
  // Subnormal scales are coarse: rounding down would clip the largest value.
  if (wanted < 0x1p-14f && half_to_float(group.scale) < wanted) ++group.scale;
  const float scale = half_to_float(group.scale);
  const float inverse = scale > 0 ? 1.0f / scale : 0.0f;
  for (int64_t i = 0; i < kQuantGroup; ++i) {
    const float q = std::nearbyint(clamp_finite(values[i] * inverse, -127.0f, 127.0f));
    group.codes[i] = static_cast<uint8_t>(static_cast<int>(q) + 128);
  }
  return group;
}

GroupCodes encode_int4_group(const float* values) noexcept {
  const Range range = range_of(values);
  GroupCodes best;
  if (range.low == range.high) {
    best.minimum = float_to_half(range.low);
    return best;
  }
  if (find_exact_grid(values, range.low, range.high, best)) return best;
  if (find_exact_grid(values, range.high, range.low, best)) return best;
  float best_error = INFINITY;
  for (int step = 0; step < 8; ++step) {
    const float cut = 0.025f * static_cast<float>(step) * (range.high - range.low);
    GroupCodes candidate;
    candidate.minimum = float_to_half(range.low + cut);
    candidate.scale = float_to_half((range.high - range.low - 2 * cut) / kMaxCode);
    assign_codes(values, candidate);
    for (int pass = 0; pass < 2; ++pass) {
      if (const float error = squared_error(values, candidate); error < best_error) {
        best_error = error;
        best = candidate;
      }
      refine(values, candidate);
    }
    if (const float error = squared_error(values, candidate); error < best_error) {
      best_error = error;
      best = candidate;
    }
  }
  return best;
}

}  // namespace orthros::kernels
