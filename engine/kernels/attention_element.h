// Element access for attention tensors of either element type, for code where speed does not matter.
// Shapes: see attention.h.
#pragma once

#include <cstdint>

#include "engine/base/scalar_type.h"
#include "engine/kernels/attention.h"

namespace orthros::kernels {

inline float to_float(float value) {
  return value;
}
inline float to_float(uint16_t bits) {
  return bf16_to_float(bits);
}

inline float load_element(ScalarType type, const void* data, int64_t index) {
  if (type == ScalarType::bfloat16) return bf16_to_float(static_cast<const uint16_t*>(data)[index]);
  return static_cast<const float*>(data)[index];
}

inline void store_element(ScalarType type, void* data, int64_t index, float value) {
  if (type == ScalarType::bfloat16) {
    static_cast<uint16_t*>(data)[index] = float_to_bf16(value);
  } else {
    static_cast<float*>(data)[index] = value;
  }
}

/// Index of element 0 of the query row, and of key slot 0 that head h reads.
inline int64_t query_index(const AttentionArgs& a, int64_t b, int64_t h, int64_t query) {
  return b * a.q_stride_b + query * a.q_stride_t + h * a.q_stride_h;
}
inline int64_t kv_index(const AttentionArgs& a, int64_t b, int64_t h) {
  const int64_t group = a.num_heads / a.num_kv_heads;
  return b * a.kv_stride_b + (h / group) * a.kv_stride_h;
}

}  // namespace orthros::kernels
