// ScalarType: element types of tensors held in memory or on disk, and how weights are held.
// Units: bytes.
#pragma once

#include <cstdint>
#include <cstring>

namespace orthros {

enum class ScalarType { float32, bfloat16, float16 };

/// How a weight matrix is held: dense, or quantised in groups along a row.
enum class WeightFormat { float32, bfloat16, int8, int4 };

constexpr int64_t size_bytes(ScalarType type) { return type == ScalarType::float32 ? 4 : 2; }
const char* to_string(ScalarType type);
const char* to_string(WeightFormat format);

inline float bf16_to_float(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

/// Round to nearest even; NaN stays NaN.
inline uint16_t float_to_bf16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace orthros
