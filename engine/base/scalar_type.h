// ScalarType: element types of tensors held in memory or on disk, and how weights are held.
// Units: bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace orthros {

enum class ScalarType { float32, bfloat16, float16 };

/// How a weight matrix is held: dense, or quantised in groups along a row.
enum class WeightFormat { float32, bfloat16, int8, int4 };

constexpr int64_t size_bytes(ScalarType type) {
  return type == ScalarType::float32 ? 4 : 2;
}
const char* to_string(ScalarType type);
const char* to_string(WeightFormat format);

/// Names of what can be computed in, and of what weights can be held in.
inline constexpr std::pair<const char*, ScalarType> kComputeTypes[] = {{"float32", ScalarType::float32},
                                                                       {"bfloat16", ScalarType::bfloat16}};
inline constexpr std::pair<const char*, WeightFormat> kWeightFormats[] = {
    {"float32", WeightFormat::float32},
    {"bfloat16", WeightFormat::bfloat16},
    {"int8", WeightFormat::int8},
    {"int4", WeightFormat::int4}};
/// The value of a name in such a table; nullopt when it is not there.
template <class Enum, size_t N>
std::optional<Enum> find_named(const std::pair<const char*, Enum> (&table)[N], std::string_view text) {
  for (const auto& [name, value] : table) {
    if (text == name) return value;
  }
  return std::nullopt;
}

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
