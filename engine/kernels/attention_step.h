// The loops of one step over packed K and V, around an instruction set's register blocks: S = Q K^T, online
// softmax,
//   acc += P V. A panel of K or V is used by all row blocks while it is in L1.
// Shapes: see attention_tile.h. Threads: one.
// Isa supplies: Word (float, or a pair of bf16 in 32 bits), kPack values a word, kRows x kColumns vectors of
// kLanes
//   accumulators, multiply(vectors, operands, factors) and softmax_row(...).
#pragma once

#include <cstdint>

#include "engine/kernels/attention_tile.h"

namespace orthros::kernels {

/// out [rows, vectors] = factor * out + a [rows, depth] * b [depth, vectors]; without factors out is
/// overwritten.
/// a and b hold Isa::Word; strides count words.
struct BlockOperands {
  const void* a;
  int64_t a_stride;
  const void* b;
  int64_t b_stride;
  int64_t depth;
  float* out;
  int64_t out_stride;
};

/// Key columns that any row of a block sees, rounded to whole vectors.
struct ColumnRange {
  int begin = 0;
  int end = 0;
};

inline ColumnRange visible_columns(const AttentionStep& s, int64_t row, int rows, int lanes) {
  int begin = static_cast<int>(kTileKeys);
  int end = 0;
  for (int64_t r = row; r < row + rows; ++r) {
    if (s.first[r] >= s.last[r]) continue;
    if (s.first[r] < begin) begin = s.first[r];
    if (s.last[r] > end) end = s.last[r];
  }
  if (begin >= end) return {};
  return {begin / lanes * lanes, (end + lanes - 1) / lanes * lanes};
}

template <class Isa>
struct StepLoops {
  using Word = typename Isa::Word;
  static constexpr int64_t kBlocks = kScoreRows / Isa::kRows;
  static constexpr int kPanel = Isa::kColumns * Isa::kLanes;

  static void scores(const AttentionStep& s, int64_t row0, int64_t blocks, const ColumnRange* ranges) {
    const int64_t depth = (s.head_dim + Isa::kPack - 1) / Isa::kPack;
    const int64_t q_stride = s.q_stride / Isa::kPack;
    for (int base = 0; base < s.num_keys; base += kPanel) {
      for (int64_t i = 0; i < blocks; ++i) {
        const int begin = ranges[i].begin > base ? ranges[i].begin : base;
        const int end = ranges[i].end < base + kPanel ? ranges[i].end : base + kPanel;
        if (begin >= end) continue;
        const BlockOperands o = {static_cast<const Word*>(s.q) + (row0 + i * Isa::kRows) * q_stride,
                                 q_stride,
                                 static_cast<const Word*>(s.k) + base * depth + (begin - base),
                                 kPanel,
                                 depth,
                                 s.scores + i * Isa::kRows * kScoreStride + begin,
                                 kScoreStride};
        Isa::multiply((end - begin) / Isa::kLanes, o, nullptr);
      }
    }
  }

  static void values(const AttentionStep& s, int64_t row0, int64_t blocks, const ColumnRange* ranges,
                     const float* factors) {
    const int vectors = static_cast<int>(s.acc_stride) / Isa::kLanes;
    for (int column = 0; column < vectors; column += Isa::kColumns) {
      const int width = vectors - column < Isa::kColumns ? vectors - column : Isa::kColumns;
      for (int64_t i = 0; i < blocks; ++i) {
        const ColumnRange& range = ranges[i];
        if (range.begin >= range.end) continue;
        const float* weights = s.scores + i * Isa::kRows * kScoreStride + range.begin;
        const BlockOperands o = {
            weights,
            kScoreStride,
            static_cast<const Word*>(s.v) + range.begin / Isa::kPack * s.acc_stride + column * Isa::kLanes,
            s.acc_stride,
            (range.end - range.begin) / Isa::kPack,
            s.acc + (row0 + i * Isa::kRows) * s.acc_stride + column * Isa::kLanes,
            s.acc_stride};
        Isa::multiply(width, o, factors + i * Isa::kRows);
      }
    }
  }

  static void run(const AttentionStep& s) {
    const int64_t all_blocks = (s.num_rows + Isa::kRows - 1) / Isa::kRows;
    ColumnRange ranges[kBlocks];
    float factors[kScoreRows];
    for (int64_t block = 0; block < all_blocks; block += kBlocks) {
      const int64_t blocks = all_blocks - block < kBlocks ? all_blocks - block : kBlocks;
      const int64_t row0 = block * Isa::kRows;
      for (int64_t i = 0; i < blocks; ++i) {
        ranges[i] = visible_columns(s, row0 + i * Isa::kRows, Isa::kRows, Isa::kLanes);
      }
      scores(s, row0, blocks, ranges);
      for (int64_t r = 0; r < blocks * Isa::kRows; ++r) {
        const ColumnRange& range = ranges[r / Isa::kRows];
        if (range.begin >= range.end) continue;
        const int64_t row = row0 + r;
        factors[r] = Isa::softmax_row(s.scores + r * kScoreStride + range.begin, range.end - range.begin,
                                      s.first[row] - range.begin, s.last[row] - range.begin, s.scale_log2,
                                      s.max_log2[row], s.sum[row]);
      }
      values(s, row0, blocks, ranges, factors);
    }
  }
};

}  // namespace orthros::kernels
