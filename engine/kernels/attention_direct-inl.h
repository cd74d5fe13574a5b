// One step for few rows (decode): K and V are read once, in place. Included once an instruction set.
// Shapes: see attention_tile.h; head_dim is a multiple of the vector length.
// Threads: one. Bound by reading K and V, so V's lines are requested while the scores are computed.
#if defined(ORTHROS_ATTENTION_DIRECT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHROS_ATTENTION_DIRECT_INL_H
#undef ORTHROS_ATTENTION_DIRECT_INL_H
#else
#define ORTHROS_ATTENTION_DIRECT_INL_H
#endif

#include <hwy/cache_control.h>

#include "engine/kernels/attention_softmax-inl.h"
#include "engine/kernels/attention_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::attention_simd {
namespace HWY_NAMESPACE {

constexpr int kDirectRows = 4;
constexpr int kDirectKeys = 4;

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void Sum4(const VF* v, float* out) {
  for (int i = 0; i < 4; ++i) out[i] = hn::GetLane(v[i]);
}
#else
template <class D>
HWY_INLINE void StoreSums(D d, hn::Vec<D> v, float* out) {
  if constexpr (hn::MaxLanes(D()) > 4) {
    const hn::Half<D> half;
    StoreSums(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), out);
  } else {
    hn::StoreU(v, d, out);
  }
}
/// Lane sums of four vectors.
HWY_INLINE void Sum4(const VF* v, float* out) {
  const DF d;
  const hn::RepartitionToWide<DF> dd;
  const VF low = hn::Add(hn::InterleaveLower(d, v[0], v[1]), hn::InterleaveUpper(d, v[0], v[1]));
  const VF high = hn::Add(hn::InterleaveLower(d, v[2], v[3]), hn::InterleaveUpper(d, v[2], v[3]));
  const auto wide_low = hn::BitCast(dd, low);
  const auto wide_high = hn::BitCast(dd, high);
  const VF blocks = hn::Add(hn::BitCast(d, hn::InterleaveLower(dd, wide_low, wide_high)),
                            hn::BitCast(d, hn::InterleaveUpper(dd, wide_low, wide_high)));
  StoreSums(d, blocks, out);
}
#endif

template <class T>
struct DirectKeys {
  const T* k[kDirectKeys];  // past the end: the last key again, its score is not used
  const T* v[kDirectKeys];
};

template <int R, class T>
HWY_INLINE void DirectScores(const AttentionStep& s, int64_t row0, const DirectKeys<T>& keys, float* out) {
  const DF d;
  const int64_t lanes = hn::Lanes(d);
  const float* q = static_cast<const float*>(s.q) + row0 * s.q_stride;
  VF acc[R][kDirectKeys];
  for (int r = 0; r < R; ++r) {
    for (int n = 0; n < kDirectKeys; ++n) acc[r][n] = hn::Zero(d);
  }
  for (int64_t i = 0; i < s.head_dim; i += lanes) {
    VF key[kDirectKeys];
    for (int n = 0; n < kDirectKeys; ++n) {
      key[n] = LoadAs(d, keys.k[n] + i);
      hwy::Prefetch(keys.v[n] + i);
    }
    for (int r = 0; r < R; ++r) {
      const VF value = hn::LoadU(d, q + r * s.q_stride + i);
      for (int n = 0; n < kDirectKeys; ++n) acc[r][n] = hn::MulAdd(value, key[n], acc[r][n]);
    }
  }
  for (int r = 0; r < R; ++r) Sum4(acc[r], out + (row0 + r) * kScoreStride);
}

/// acc [R, C vectors] = factor * acc + weights [R, depth] * v [depth, C vectors].
template <int R, int C, class T>
HWY_INLINE void DirectValues(const AttentionStep& s, int64_t row0, const float* factors, const T* v,
                             int64_t depth, int64_t column) {
  const DF d;
  const int64_t lanes = hn::Lanes(d);
  VF acc[R][C];
  for (int r = 0; r < R; ++r) {
    const VF factor = hn::Set(d, factors[row0 + r]);
    const float* old = s.acc + (row0 + r) * s.acc_stride + column;
    for (int c = 0; c < C; ++c) acc[r][c] = hn::Mul(factor, hn::LoadU(d, old + c * lanes));
  }
  const float* weights = s.scores + row0 * kScoreStride;
  const T* row = v + column;
  for (int64_t k = 0; k < depth; ++k, row += s.kv_stride) {
    VF value[C];
    for (int c = 0; c < C; ++c) value[c] = LoadAs(d, row + c * lanes);
    for (int r = 0; r < R; ++r) {
      const VF weight = hn::Set(d, weights[r * kScoreStride + k]);
      for (int c = 0; c < C; ++c) acc[r][c] = hn::MulAdd(weight, value[c], acc[r][c]);
    }
  }
  for (int r = 0; r < R; ++r) {
    float* out = s.acc + (row0 + r) * s.acc_stride + column;
    for (int c = 0; c < C; ++c) hn::StoreU(acc[r][c], d, out + c * lanes);
  }
}

template <int R, class T>
HWY_NOINLINE void DirectBlock(const AttentionStep& s, int64_t row0, int64_t begin, int64_t depth) {
  const int64_t lanes = hn::Lanes(DF());
  const T* k = static_cast<const T*>(s.k) + begin * s.kv_stride;
  const T* v = static_cast<const T*>(s.v) + begin * s.kv_stride;
  for (int64_t key = 0; key < depth; key += kDirectKeys) {
    DirectKeys<T> keys;
    for (int n = 0; n < kDirectKeys; ++n) {
      const int64_t at = HWY_MIN(key + n, depth - 1) * s.kv_stride;
      keys.k[n] = k + at;
      keys.v[n] = v + at;
    }
    DirectScores<R>(s, row0, keys, s.scores + key);
  }
  const int columns = static_cast<int>((depth + lanes - 1) / lanes * lanes);
  float factors[kMaxDirectRows];
  for (int64_t row = row0; row < row0 + R; ++row) {
    factors[row] =
        SoftmaxRow(s.scores + row * kScoreStride, columns, s.first[row] - static_cast<int>(begin),
                   s.last[row] - static_cast<int>(begin), s.scale_log2, s.max_log2[row], s.sum[row]);
  }
  int64_t column = 0;
  for (; column + kColumns * lanes <= s.head_dim; column += kColumns * lanes) {
    DirectValues<R, kColumns>(s, row0, factors, v, depth, column);
  }
  for (; column < s.head_dim; column += lanes) DirectValues<R, 1>(s, row0, factors, v, depth, column);
}

template <class T>
HWY_INLINE void DirectStepAs(const AttentionStep& s) {
  int begin = static_cast<int>(kTileKeys);
  int end = 0;
  for (int64_t row = 0; row < s.num_rows; ++row) {
    if (s.first[row] >= s.last[row]) continue;
    begin = HWY_MIN(begin, s.first[row]);
    end = HWY_MAX(end, s.last[row]);
  }
  if (begin >= end) return;
  for (int64_t row = 0; row < s.num_rows; row += kDirectRows) {
    switch (s.num_rows - row) {
      case 1:
        DirectBlock<1, T>(s, row, begin, end - begin);
        break;
      case 2:
        DirectBlock<2, T>(s, row, begin, end - begin);
        break;
      case 3:
        DirectBlock<3, T>(s, row, begin, end - begin);
        break;
      default:
        DirectBlock<4, T>(s, row, begin, end - begin);
    }
  }
}

HWY_MAYBE_UNUSED static void DirectStep(const AttentionStep& s) {
  if (s.kv_type == ScalarType::bfloat16) {
    DirectStepAs<uint16_t>(s);
  } else {
    DirectStepAs<float>(s);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orthros::kernels::attention_simd
HWY_AFTER_NAMESPACE();

#endif
