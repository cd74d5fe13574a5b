// IEEE fp16 in scalar code; Highway converts whole vectors. Private to kernels.
// Errors: none; float_to_half rounds to nearest even and saturates to the largest finite value (weights have
// no inf).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace orthros::kernels {

inline float half_to_float(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t magnitude = half & 0x7fffu;
  if (magnitude < 0x400u) {  // zero or subnormal: a multiple of 2^-24
    const float value = static_cast<float>(magnitude) * 0x1p-24f;
    return sign != 0 ? -value : value;
  }
  const uint32_t exponent = magnitude >= 0x7c00u ? 0x7f800000u : 0;  // inf and NaN
  return std::bit_cast<float>(sign | exponent | ((magnitude << 13) + (112u << 23)));
}

inline uint16_t float_to_half(float value) {
  const auto sign = static_cast<uint16_t>((std::bit_cast<uint32_t>(value) >> 16) & 0x8000u);
  const float magnitude = std::fabs(value);
  if (!(magnitude < 65504.0f)) return static_cast<uint16_t>(sign | 0x7bffu);
  if (magnitude < 0x1p-14f) {  // the ulp of 0.5f is the fp16 subnormal step: the addition rounds
    const uint32_t bits = std::bit_cast<uint32_t>(magnitude + 0.5f) - std::bit_cast<uint32_t>(0.5f);
    return static_cast<uint16_t>(sign | bits);
  }
  const uint32_t bits = std::bit_cast<uint32_t>(magnitude);
  const uint32_t rounded = bits + 0xfffu + ((bits >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded - (112u << 23)) >> 13));
}

}  // namespace orthros::kernels
