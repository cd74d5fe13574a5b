// One step for few rows (decode) in bf16: K and V are read once, in place. Part of attention_bf16.cpp, which
//   includes it below its target pragma.
// Shapes: see attention_tile.h.
// Threads: one. Bound by reading K and V, which happens in address order: prefetchers follow that.
#pragma once

namespace orthros::kernels::attention_bf16 {
namespace {

constexpr int kDirectRows = 4;
constexpr int64_t kValueKeys = 32;  // V rows that stay in L1 while all columns are summed

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

/// Products of R query rows with one key, lane by lane.
template <int R>
struct RowProducts {
  __m512 v[R];
};
template <int R>
inline RowProducts<R> key_products(const AttentionStep& s, const uint16_t* q, const uint16_t* k) {
  RowProducts<R> acc;
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) acc.v[r] = _mm512_setzero_ps();
  for (int64_t i = 0; i < s.head_dim; i += 32) {
    const __m512bh key = (__m512bh)_mm512_maskz_loadu_epi16(tail_mask32(i, s.head_dim), k + i);
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r)
      acc.v[r] = _mm512_dpbf16_ps(acc.v[r], load_pairs(q + r * s.q_stride + i), key);
  }
  return acc;
}

/// Scores of R rows and all keys of the range, in address order; past the end the last key is taken again.
template <int R>
inline void direct_scores(const AttentionStep& s, const DirectRange& range) {
  const uint16_t* q = static_cast<const uint16_t*>(s.q) + range.row0 * s.q_stride;
  for (int64_t key = 0; key < range.depth; key += 4) {
    const int64_t last = range.depth - 1 - key;
    const uint16_t* k = range.k + key * s.kv_stride;
    const RowProducts<R> a = key_products<R>(s, q, k);
    const RowProducts<R> b = key_products<R>(s, q, k + (last < 1 ? last : 1) * s.kv_stride);
    const RowProducts<R> c = key_products<R>(s, q, k + (last < 2 ? last : 2) * s.kv_stride);
    const RowProducts<R> d = key_products<R>(s, q, k + (last < 3 ? last : 3) * s.kv_stride);
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
      const __m512 products[4] = {a.v[r], b.v[r], c.v[r], d.v[r]};
      store_sums4(products, s.scores + (range.row0 + r) * kScoreStride + key);
    }
  }
}

/// A block of V rows and the weights and sums of some query rows.
struct ValueBlock {
  const uint16_t* v;
  int64_t v_stride;
  int64_t depth;  // V rows
  const PairWord* weights;
  float* acc;
  int64_t acc_stride;
  int64_t num_columns;
};

/// Interleaving two V rows within 128-bit blocks permutes the columns; sums are permuted when loaded and
/// stored.
struct PermutedSums {
  __m512 low, high;

  void load(const float* acc, __mmask32 mask) {
    const __m512 a = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), acc);
    const __m512 b = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask >> 16), acc + 16);
    const __m512i low_order = _mm512_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    const __m512i high_order = _mm512_setr_epi32(4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    low = _mm512_permutex2var_ps(a, low_order, b);
    high = _mm512_permutex2var_ps(a, high_order, b);
  }
  void store(float* acc, __mmask32 mask) const {
    const __m512i a_order = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
    const __m512i b_order = _mm512_setr_epi32(8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
    _mm512_mask_storeu_ps(acc, static_cast<__mmask16>(mask), _mm512_permutex2var_ps(low, a_order, high));
    _mm512_mask_storeu_ps(acc + 16, static_cast<__mmask16>(mask >> 16),
                          _mm512_permutex2var_ps(low, b_order, high));
  }
};

/// acc [R, C * 32 columns] += weights [R, depth] * v [depth, columns] from `column` on; C = 1 also ends a
/// row.
template <int R, int C>
inline void add_columns(const ValueBlock& block, int64_t column) {
  const __mmask32 mask = tail_mask32(column + 32 * (C - 1), block.num_columns);
  PermutedSums sums[R][C];
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) sums[r][c].load(block.acc + r * block.acc_stride + column + 32 * c, mask);
  }
  for (int64_t key = 0; key < block.depth; key += 2) {
    const uint16_t* v = block.v + key * block.v_stride + column;
    // The weight beyond an odd end is zero; the row beyond it must still not be read.
    const uint16_t* next = key + 1 < block.depth ? v + block.v_stride : v;
    __m512bh weight[R];
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) weight[r] = broadcast_pair(block.weights[r * kScoreStride + key / 2]);
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) {
      const __m512i a = _mm512_maskz_loadu_epi16(mask, v + 32 * c);
      const __m512i b = _mm512_maskz_loadu_epi16(mask, next + 32 * c);
      const __m512bh low = (__m512bh)_mm512_unpacklo_epi16(a, b);
      const __m512bh high = (__m512bh)_mm512_unpackhi_epi16(a, b);
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r) {
        sums[r][c].low = _mm512_dpbf16_ps(sums[r][c].low, weight[r], low);
        sums[r][c].high = _mm512_dpbf16_ps(sums[r][c].high, weight[r], high);
      }
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) sums[r][c].store(block.acc + r * block.acc_stride + column + 32 * c, mask);
  }
}

/// Rows of 128 values whole: memory is then read in address order.
template <int R>
__attribute__((noinline)) void add_values(const ValueBlock& block) {
  int64_t column = 0;
  for (; column + 128 <= block.num_columns; column += 128) add_columns<R, 4>(block, column);
  for (; column + 64 <= block.num_columns; column += 64) add_columns<R, 2>(block, column);
  for (; column < block.num_columns; column += 32) add_columns<R, 1>(block, column);
}

template <int R>
void add_all_values(ValueBlock block) {
  if constexpr (R == 4) {
    add_values<2>(block);
    block.weights += 2 * kScoreStride;
    block.acc += 2 * block.acc_stride;
    add_values<2>(block);
  } else {
    add_values<R>(block);
  }
}

template <int R>
__attribute__((noinline)) void direct_block(const AttentionStep& s, const DirectRange& range, int begin) {
  direct_scores<R>(s, range);
  for (int64_t row = range.row0; s.raw != nullptr && row < range.row0 + R; ++row)
    std::copy_n(s.scores + row * kScoreStride, range.depth, s.raw + row * s.raw_stride + begin);
  const int columns = static_cast<int>((range.depth + kLanes - 1) / kLanes * kLanes);
  float* acc = s.acc + range.row0 * s.acc_stride;
  for (int r = 0; r < R; ++r) {
    const int64_t row = range.row0 + r;
    const float factor = softmax_row(s.scores + row * kScoreStride, columns, s.first[row] - begin,
                                     s.last[row] - begin, s.scale_log2, s.max_log2[row], s.sum[row]);
    for (int64_t i = 0; i < s.acc_stride; ++i) acc[r * s.acc_stride + i] *= factor;
  }
  for (int64_t key = 0; key < range.depth; key += kValueKeys) {
    const int64_t keys = range.depth - key < kValueKeys ? range.depth - key : kValueKeys;
    const PairWord* weights =
        reinterpret_cast<const PairWord*>(s.scores + range.row0 * kScoreStride) + key / 2;
    add_all_values<R>(
        {range.v + key * s.kv_stride, s.kv_stride, keys, weights, acc, s.acc_stride, s.head_dim});
  }
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
