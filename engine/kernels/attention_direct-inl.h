// One step for few rows (decode): K and V are read once, in place. Included once an instruction set.
// Shapes: see attention_tile.h; head_dim is a multiple of the vector length.
// Threads: one. Bound by reading K and V, which therefore happens in address order: prefetchers follow that.
#if defined(ORTHROS_ATTENTION_DIRECT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHROS_ATTENTION_DIRECT_INL_H
#undef ORTHROS_ATTENTION_DIRECT_INL_H
#else
#define ORTHROS_ATTENTION_DIRECT_INL_H
#endif

#include <algorithm>

#include "engine/kernels/attention_softmax-inl.h"
#include "engine/kernels/attention_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::attention_simd {
namespace HWY_NAMESPACE {

constexpr int kDirectRows = 4;
constexpr int64_t kValueKeys = 32;  // V rows that stay in L1 while all columns are summed

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

/// Products of R query rows with one key, lane by lane.
template <int R>
struct RowProducts {
  VF v[R];
};
template <int R, class T>
HWY_INLINE RowProducts<R> KeyProducts(const AttentionStep& s, const float* q, const T* k) {
  const DF d;
  const int64_t lanes = hn::Lanes(d);
  RowProducts<R> acc;
  for (int r = 0; r < R; ++r) acc.v[r] = hn::Zero(d);
  for (int64_t i = 0; i < s.head_dim; i += lanes) {
    const VF key = LoadAs(d, k + i);
    for (int r = 0; r < R; ++r) acc.v[r] = hn::MulAdd(hn::LoadU(d, q + r * s.q_stride + i), key, acc.v[r]);
  }
  return acc;
}

/// Scores of R rows and the keys 0..depth-1 of k, in address order; past the end the last key is taken again.
template <int R, class T>
HWY_INLINE void DirectScores(const AttentionStep& s, int64_t row0, const T* k, int64_t depth) {
  const float* q = static_cast<const float*>(s.q) + row0 * s.q_stride;
  for (int64_t key = 0; key < depth; key += 4) {
    const int64_t last = depth - 1 - key;
    const T* first = k + key * s.kv_stride;
    const RowProducts<R> a = KeyProducts<R>(s, q, first);
    const RowProducts<R> b = KeyProducts<R>(s, q, first + HWY_MIN(1, last) * s.kv_stride);
    const RowProducts<R> c = KeyProducts<R>(s, q, first + HWY_MIN(2, last) * s.kv_stride);
    const RowProducts<R> e = KeyProducts<R>(s, q, first + HWY_MIN(3, last) * s.kv_stride);
    for (int r = 0; r < R; ++r) {
      const VF products[4] = {a.v[r], b.v[r], c.v[r], e.v[r]};
      Sum4(products, s.scores + (row0 + r) * kScoreStride + key);
    }
  }
}

/// A block of V rows and the weights and sums of some query rows.
template <class T>
struct ValueBlock {
  const T* v;
  int64_t v_stride;
  int64_t depth;  // V rows
  const float* weights;
  float* acc;
  int64_t acc_stride;
  int64_t num_columns;
};

/// acc [R, C vectors] += weights [R, depth] * v [depth, C vectors], from `column` on while C vectors are
/// left.
template <int R, int C, class T>
HWY_INLINE void AddColumns(const ValueBlock<T>& block, int64_t& column) {
  const DF d;
  const int64_t lanes = hn::Lanes(d);
  for (; column + C * lanes <= block.num_columns; column += C * lanes) {
    VF acc[R][C];
    float* out = block.acc + column;
    for (int r = 0; r < R; ++r) {
      for (int c = 0; c < C; ++c) acc[r][c] = hn::LoadU(d, out + r * block.acc_stride + c * lanes);
    }
    const T* row = block.v + column;
    for (int64_t k = 0; k < block.depth; ++k, row += block.v_stride) {
      VF weight[R];
      for (int r = 0; r < R; ++r) weight[r] = hn::Set(d, block.weights[r * kScoreStride + k]);
      for (int c = 0; c < C; ++c) {
        const VF value = LoadAs(d, row + c * lanes);
        for (int r = 0; r < R; ++r) acc[r][c] = hn::MulAdd(weight[r], value, acc[r][c]);
      }
    }
    for (int r = 0; r < R; ++r) {
      for (int c = 0; c < C; ++c) hn::StoreU(acc[r][c], d, out + r * block.acc_stride + c * lanes);
    }
  }
}

/// Whole V rows at a time where the register file allows: memory is then read in address order.
template <int R, class T>
HWY_NOINLINE void AddValues(const ValueBlock<T>& block) {
  constexpr bool kManyRegisters = HWY_TARGET <= HWY_AVX3;
  int64_t column = 0;
  if constexpr (kManyRegisters || R == 1) AddColumns<R, 8>(block, column);
  if constexpr (kManyRegisters || R <= 2) AddColumns<R, 4>(block, column);
  AddColumns<R, 2>(block, column);
  AddColumns<R, 1>(block, column);
}

template <int R, class T>
HWY_NOINLINE void DirectBlock(const AttentionStep& s, int64_t row0, int64_t begin, int64_t depth) {
  const int64_t lanes = hn::Lanes(DF());
  const T* k = static_cast<const T*>(s.k) + begin * s.kv_stride;
  const T* v = static_cast<const T*>(s.v) + begin * s.kv_stride;
  DirectScores<R>(s, row0, k, depth);
  for (int64_t row = row0; s.raw != nullptr && row < row0 + R; ++row)
    std::copy_n(s.scores + row * kScoreStride, depth, s.raw + row * s.raw_stride + begin);
  const int columns = static_cast<int>((depth + lanes - 1) / lanes * lanes);
  const DF d;
  float* acc = s.acc + row0 * s.acc_stride;
  for (int r = 0; r < R; ++r) {
    const int64_t row = row0 + r;
    const float factor =
        SoftmaxRow(s.scores + row * kScoreStride, columns, s.first[row] - static_cast<int>(begin),
                   s.last[row] - static_cast<int>(begin), s.scale_log2, s.max_log2[row], s.sum[row]);
    for (int64_t i = 0; i < s.head_dim; i += lanes) {
      float* out = acc + r * s.acc_stride + i;
      hn::StoreU(hn::Mul(hn::Set(d, factor), hn::LoadU(d, out)), d, out);
    }
  }
  for (int64_t key = 0; key < depth; key += kValueKeys) {
    const int64_t keys = HWY_MIN(kValueKeys, depth - key);
    ValueBlock<T> block = {
        v + key * s.kv_stride, s.kv_stride, keys, s.scores + row0 * kScoreStride + key, acc,
        s.acc_stride,          s.head_dim};
    if constexpr (R == 4) {
      AddValues<2>(block);
      block.weights += 2 * kScoreStride;
      block.acc += 2 * s.acc_stride;
      AddValues<2>(block);
    } else {
      AddValues<R>(block);
    }
  }
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
