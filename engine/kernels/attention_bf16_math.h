// Vector helpers and the softmax row of the AVX512-BF16 kernels: a part of attention_bf16.cpp, below its
//   target pragma.
// Shapes: weights of a row are bf16, written over the front of the row's fp32 scores.
#pragma once

namespace orthros::kernels::attention_bf16 {
namespace {

constexpr int kLanes = 16;

/// Two bf16 neighbours along the summed axis. Score rows are written as fp32 and read as pairs.
typedef uint32_t __attribute__((may_alias)) PairWord;

struct Isa {
  using Word = PairWord;
  static constexpr int kPack = 2;
  static constexpr int kRows = 6;
  static constexpr int kColumns = 4;
  static constexpr int kLanes = attention_bf16::kLanes;
  static void multiply(int vectors, const BlockOperands& o, const float* factors);
  static float softmax_row(float* scores, int columns, int first, int last, float scale, float& max,
                           float& sum);
};

inline __m512bh load_pairs(const void* p) {
  return (__m512bh)_mm512_loadu_si512(p);
}
inline __m512bh broadcast_pair(uint32_t pair) {
  return (__m512bh)_mm512_set1_epi32(static_cast<int>(pair));
}

inline float lane_max(__m512 v) {
  const __m256 half = _mm256_max_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
  const __m128 quarter = _mm_max_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
  const __m128 pair = _mm_max_ps(quarter, _mm_movehl_ps(quarter, quarter));
  return _mm_cvtss_f32(_mm_max_ss(pair, _mm_movehdup_ps(pair)));
}

inline float lane_sum(__m512 v) {
  const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
  const __m128 quarter = _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
  const __m128 pair = _mm_add_ps(quarter, _mm_movehl_ps(quarter, quarter));
  return _mm_cvtss_f32(_mm_add_ss(pair, _mm_movehdup_ps(pair)));
}

/// 2^x for x <= 0 with a relative error below 2e-7; 0 for -inf.
inline __m512 exp2_vector(__m512 x) {
  constexpr int kFloor = 9;  // round down, no exceptions
  const __m512 f = _mm512_reduce_ps(x, kFloor);
  __m512 p = _mm512_set1_ps(1.86713052e-3f);
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(9.01702978e-3f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(5.57999127e-2f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(2.40164444e-1f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(6.93151295e-1f));
  p = _mm512_fmadd_ps(p, f, _mm512_set1_ps(1.0f));
  return _mm512_scalef_ps(p, x);
}

/// Raw scores become bf16 weights; the sum takes them before rounding, so that lse is the exact one.
inline float softmax_row(float* scores, int columns, int first, int last, float scale, float& max,
                         float& sum) {
  uint16_t* weights = reinterpret_cast<uint16_t*>(scores);
  if (first >= last) {
    for (int i = 0; i < columns; ++i) weights[i] = 0;
    return 1.0f;
  }
  const float hidden = -std::numeric_limits<float>::infinity();
  for (int i = 0; i < first; ++i) scores[i] = hidden;
  for (int i = last; i < columns; ++i) scores[i] = hidden;

  __m512 row_max = _mm512_loadu_ps(scores);
  for (int i = kLanes; i < columns; i += kLanes)
    row_max = _mm512_max_ps(row_max, _mm512_loadu_ps(scores + i));
  const float tile_max = lane_max(row_max) * scale;
  const float new_max = tile_max > max ? tile_max : max;

  const __m512 vscale = _mm512_set1_ps(scale);
  const __m512 vmax = _mm512_set1_ps(new_max);
  __m512 row_sum = _mm512_setzero_ps();
  for (int i = 0; i < columns; i += kLanes) {
    const __m512 weight = exp2_vector(_mm512_fmsub_ps(_mm512_loadu_ps(scores + i), vscale, vmax));
    row_sum = _mm512_add_ps(row_sum, weight);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(weights + i), (__m256i)_mm512_cvtneps_pbh(weight));
  }
  const float factor = max == new_max ? 1.0f : std::exp2(max - new_max);
  sum = sum * factor + lane_sum(row_sum);
  max = new_max;
  return factor;
}

}  // namespace
}  // namespace orthros::kernels::attention_bf16
