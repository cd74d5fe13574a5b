// One step for few rows (decode) in bf16: K and V are read once, in place. Included only by
// attention_bf16.cpp,
//   below its target pragma.
// Shapes: see attention_tile.h. Two V rows are interleaved on the fly, which leaves the columns of a
// 32-column block
//   in another order; sums are kept in that order within a step.
// Threads: one. Bound by reading K and V, so V's lines are requested while the scores are computed.
#pragma once

namespace orthros::kernels::attention_bf16 {
namespace {

constexpr int kDirectRows = 4;
constexpr int kDirectKeys = 4;

/// Lane sums of four vectors.
inline void store_sums4(const __m512* v, float* out) {
  const __m512 low = _mm512_add_ps(_mm512_unpacklo_ps(v[0], v[1]), _mm512_unpackhi_ps(v[0], v[1]));
  const __m512 high = _mm512_add_ps(_mm512_unpacklo_ps(v[2], v[3]), _mm512_unpackhi_ps(v[2], v[3]));
  const __m512d wide_low = _mm512_castps_pd(low);
  const __m512d wide_high = _mm512_castps_pd(high);
  const __m512 blocks = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(wide_low, wide_high)),
                                      _mm512_castpd_ps(_mm512_unpackhi_pd(wide_low, wide_high)));
  const __m256 half = _mm256_add_ps(_mm512_castps512_ps256(blocks), _mm512_extractf32x8_ps(blocks, 1));
  _mm_storeu_ps(out, _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1)));
}

struct DirectRange {
  const uint16_t* k;  // first key of the range
  const uint16_t* v;
  int64_t depth;  // keys
  int64_t row0;
};

/// Scores of R rows and four keys; past the end the last key is taken again, its score is not used.
template <int R>
inline void direct_scores(const AttentionStep& s, const DirectRange& range, int64_t key) {
  int64_t at[kDirectKeys];
  for (int n = 0; n < kDirectKeys; ++n) {
    at[n] = (key + n < range.depth ? key + n : range.depth - 1) * s.kv_stride;
  }
  const uint16_t* q = static_cast<const uint16_t*>(s.q) + range.row0 * s.q_stride;
  __m512 acc[R][kDirectKeys];
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
    for (int n = 0; n < kDirectKeys; ++n) acc[r][n] = _mm512_setzero_ps();
  }
  for (int64_t i = 0; i < s.head_dim; i += 32) {
    const __mmask32 mask = tail_mask32(i, s.head_dim);
    __m512bh k[kDirectKeys];
#pragma GCC unroll 4
    for (int n = 0; n < kDirectKeys; ++n) {
      k[n] = (__m512bh)_mm512_maskz_loadu_epi16(mask, range.k + at[n] + i);
      _mm_prefetch(range.v + at[n] + i, _MM_HINT_T0);
    }
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
      const __m512bh value = load_pairs(q + r * s.q_stride + i);
#pragma GCC unroll 4
      for (int n = 0; n < kDirectKeys; ++n) acc[r][n] = _mm512_dpbf16_ps(acc[r][n], value, k[n]);
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) store_sums4(acc[r], s.scores + (range.row0 + r) * kScoreStride + key);
}

/// acc [R, C * 32 columns] = factor * acc + weights [R, depth] * v [depth, columns].
template <int R, int C>
inline void direct_values(const AttentionStep& s, const DirectRange& range, const float* factors,
                          int64_t column) {
  // Natural column order to the order that interleaving within 128-bit blocks leaves, and back.
  const __m512i to_low = _mm512_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
  const __m512i to_high = _mm512_setr_epi32(4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  const __m512i from_low = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
  const __m512i from_high = _mm512_setr_epi32(8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
  __m512 low[R][C], high[R][C];
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) {
    const __m512 factor = _mm512_set1_ps(factors[r]);
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) {
      const int64_t at = column + 32 * c;
      const float* acc = s.acc + (range.row0 + r) * s.acc_stride + at;
      const __m512 a = _mm512_maskz_loadu_ps(tail_mask16(at, s.acc_stride), acc);
      const __m512 b = _mm512_maskz_loadu_ps(tail_mask16(at + 16, s.acc_stride), acc + 16);
      low[r][c] = _mm512_mul_ps(factor, _mm512_permutex2var_ps(a, to_low, b));
      high[r][c] = _mm512_mul_ps(factor, _mm512_permutex2var_ps(a, to_high, b));
    }
  }
  const PairWord* weights = reinterpret_cast<const PairWord*>(s.scores + range.row0 * kScoreStride);
  for (int64_t key = 0; key < range.depth; key += 2) {
    const uint16_t* v = range.v + key * s.kv_stride + column;
    // The weight beyond an odd end is zero; the row beyond it must still not be read.
    const int64_t next = key + 1 < range.depth ? s.kv_stride : 0;
    __m512bh pair_low[C], pair_high[C];
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) {
      const __mmask32 mask = tail_mask32(column + 32 * c, s.head_dim);
      const __m512i a = _mm512_maskz_loadu_epi16(mask, v + 32 * c);
      const __m512i b = _mm512_maskz_loadu_epi16(mask, v + next + 32 * c);
      pair_low[c] = (__m512bh)_mm512_unpacklo_epi16(a, b);
      pair_high[c] = (__m512bh)_mm512_unpackhi_epi16(a, b);
    }
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
      const __m512bh weight = broadcast_pair(weights[r * kScoreStride + key / 2]);
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c) {
        low[r][c] = _mm512_dpbf16_ps(low[r][c], weight, pair_low[c]);
        high[r][c] = _mm512_dpbf16_ps(high[r][c], weight, pair_high[c]);
      }
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) {
      const int64_t at = column + 32 * c;
      float* acc = s.acc + (range.row0 + r) * s.acc_stride + at;
      const __m512 a = _mm512_permutex2var_ps(low[r][c], from_low, high[r][c]);
      const __m512 b = _mm512_permutex2var_ps(low[r][c], from_high, high[r][c]);
      _mm512_mask_storeu_ps(acc, tail_mask16(at, s.acc_stride), a);
      _mm512_mask_storeu_ps(acc + 16, tail_mask16(at + 16, s.acc_stride), b);
    }
  }
}

template <int R>
__attribute__((noinline)) void direct_block(const AttentionStep& s, const DirectRange& range, int begin) {
  for (int64_t key = 0; key < range.depth; key += kDirectKeys) direct_scores<R>(s, range, key);
  const int columns = static_cast<int>((range.depth + kLanes - 1) / kLanes * kLanes);
  float factors[R];
  for (int r = 0; r < R; ++r) {
    const int64_t row = range.row0 + r;
    factors[r] = softmax_row(s.scores + row * kScoreStride, columns, s.first[row] - begin,
                             s.last[row] - begin, s.scale_log2, s.max_log2[row], s.sum[row]);
  }
  int64_t column = 0;
  for (; column + 64 <= s.head_dim; column += 64) direct_values<R, 2>(s, range, factors, column);
  for (; column < s.head_dim; column += 32) direct_values<R, 1>(s, range, factors, column);
}

void direct_step(const AttentionStep& s) {
  int begin = static_cast<int>(kTileKeys);
  int end = 0;
  for (int64_t row = 0; row < s.num_rows; ++row) {
    if (s.first[row] >= s.last[row]) continue;
    if (s.first[row] < begin) begin = s.first[row];
    if (s.last[row] > end) end = s.last[row];
  }
  if (begin >= end) return;
  const uint16_t* k = static_cast<const uint16_t*>(s.k) + begin * s.kv_stride;
  const uint16_t* v = static_cast<const uint16_t*>(s.v) + begin * s.kv_stride;
  for (int64_t row = 0; row < s.num_rows; row += kDirectRows) {
    const DirectRange range = {k, v, end - begin, row};
    switch (s.num_rows - row) {
      case 1:
        direct_block<1>(s, range, begin);
        break;
      case 2:
        direct_block<2>(s, range, begin);
        break;
      case 3:
        direct_block<3>(s, range, begin);
        break;
      default:
        direct_block<4>(s, range, begin);
    }
  }
}

}  // namespace
}  // namespace orthros::kernels::attention_bf16
