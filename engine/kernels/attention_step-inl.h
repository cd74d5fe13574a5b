// One step over packed K and V: S = Q K^T, online softmax, acc += P V. Included once an instruction set.
// Shapes: see attention_tile.h. Threads: one.
// Source: register-blocked GEMM (broadcast A, vector B), panels of B reused by all row blocks while in L1.
#if defined(ORTHROS_ATTENTION_STEP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHROS_ATTENTION_STEP_INL_H
#undef ORTHROS_ATTENTION_STEP_INL_H
#else
#define ORTHROS_ATTENTION_STEP_INL_H
#endif

#include <algorithm>

#include "engine/kernels/attention_softmax-inl.h"
#include "engine/kernels/attention_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels {
namespace HWY_NAMESPACE {

/// A GEMM operand pair: out [kRows, C vectors] = (factor * out) + a [kRows, depth] * b [depth, C vectors].
struct Operands {
  const float* a;
  int64_t a_stride;
  const float* b;
  int64_t b_stride;
  int64_t depth;
  float* out;
  int64_t out_stride;
};

/// With factors: scales what out holds; without: overwrites it.
template <int C>
HWY_NOINLINE void MultiplyBlock(const Operands& o, const float* factors) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  VF acc[kRows][C];
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < C; ++c) {
      acc[r][c] = factors == nullptr
                      ? hn::Zero(d)
                      : hn::Mul(hn::Set(d, factors[r]), hn::LoadU(d, o.out + r * o.out_stride + c * lanes));
    }
  }
  const float* HWY_RESTRICT a = o.a;
  const float* HWY_RESTRICT b = o.b;
  for (int64_t k = 0; k < o.depth; ++k, b += o.b_stride) {
    VF row[C];
    for (int c = 0; c < C; ++c) row[c] = hn::LoadU(d, b + c * lanes);
    for (int r = 0; r < kRows; ++r) {
      const VF value = hn::Set(d, a[r * o.a_stride + k]);
      for (int c = 0; c < C; ++c) acc[r][c] = hn::MulAdd(value, row[c], acc[r][c]);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < C; ++c) hn::StoreU(acc[r][c], d, o.out + r * o.out_stride + c * lanes);
  }
}

HWY_INLINE void Multiply(int vectors, const Operands& o, const float* factors) {
  switch (vectors) {
    case 1:
      return MultiplyBlock<1>(o, factors);
    case 2:
      return MultiplyBlock<2>(o, factors);
    case 3:
      return MultiplyBlock<HWY_MIN(3, kColumns)>(o, factors);
    default:
      return MultiplyBlock<kColumns>(o, factors);
  }
}

/// Key columns that any row of a block sees, rounded to whole vectors.
struct BlockRange {
  int begin = 0;
  int end = 0;
};

HWY_INLINE BlockRange VisibleColumns(const AttentionStep& s, int64_t row, int lanes) {
  int begin = static_cast<int>(kTileKeys);
  int end = 0;
  for (int64_t r = row; r < row + kRows; ++r) {
    if (s.first[r] >= s.last[r]) continue;
    begin = HWY_MIN(begin, s.first[r]);
    end = HWY_MAX(end, s.last[r]);
  }
  if (begin >= end) return {};
  return {begin / lanes * lanes, (end + lanes - 1) / lanes * lanes};
}

constexpr int64_t kBlocks = kScoreRows / kRows;

HWY_INLINE void Scores(const AttentionStep& s, int64_t row0, int64_t blocks, const BlockRange* ranges) {
  const int lanes = static_cast<int>(hn::Lanes(DF()));
  const int panel = kColumns * lanes;
  for (int base = 0; base < s.num_keys; base += panel) {
    const float* packed = static_cast<const float*>(s.k) + base * s.head_dim;
    for (int64_t i = 0; i < blocks; ++i) {
      const int begin = HWY_MAX(ranges[i].begin, base);
      const int end = HWY_MIN(ranges[i].end, base + panel);
      if (begin >= end) continue;
      const Operands o = {static_cast<const float*>(s.q) + (row0 + i * kRows) * s.q_stride,
                          s.q_stride,
                          packed + (begin - base),
                          panel,
                          s.head_dim,
                          s.scores + i * kRows * kScoreStride + begin,
                          kScoreStride};
      Multiply((end - begin) / lanes, o, nullptr);
    }
  }
}

HWY_INLINE void Values(const AttentionStep& s, int64_t row0, int64_t blocks, const BlockRange* ranges,
                       const float* factors) {
  const int lanes = static_cast<int>(hn::Lanes(DF()));
  const int vectors = static_cast<int>(s.acc_stride) / lanes;
  for (int column = 0; column < vectors; column += kColumns) {
    for (int64_t i = 0; i < blocks; ++i) {
      if (ranges[i].begin >= ranges[i].end) continue;
      const Operands o = {s.scores + i * kRows * kScoreStride + ranges[i].begin,
                          kScoreStride,
                          static_cast<const float*>(s.v) + ranges[i].begin * s.acc_stride + column * lanes,
                          s.acc_stride,
                          ranges[i].end - ranges[i].begin,
                          s.acc + (row0 + i * kRows) * s.acc_stride + column * lanes,
                          s.acc_stride};
      Multiply(HWY_MIN(kColumns, vectors - column), o, factors + i * kRows);
    }
  }
}

void Step(const AttentionStep& s) {
  const int lanes = static_cast<int>(hn::Lanes(DF()));
  const int64_t all_blocks = (s.num_rows + kRows - 1) / kRows;
  BlockRange ranges[kBlocks];
  float factors[kScoreRows];
  for (int64_t block = 0; block < all_blocks; block += kBlocks) {
    const int64_t blocks = HWY_MIN(kBlocks, all_blocks - block);
    const int64_t row0 = block * kRows;
    for (int64_t i = 0; i < blocks; ++i) ranges[i] = VisibleColumns(s, row0 + i * kRows, lanes);
    Scores(s, row0, blocks, ranges);
    for (int64_t r = 0; r < blocks * kRows; ++r) {
      const BlockRange& range = ranges[r / kRows];
      const int64_t row = row0 + r;
      factors[r] = SoftmaxRow(s.scores + r * kScoreStride + range.begin, range.end - range.begin,
                              s.first[row] - range.begin, s.last[row] - range.begin, s.scale_log2,
                              s.max_log2[row], s.sum[row]);
    }
    Values(s, row0, blocks, ranges, factors);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace orthros::kernels
HWY_AFTER_NAMESPACE();

#endif
