// Dense rows, one after another: a thread reads its part of W as one stream, which is what the hardware
// prefetches. Lanes run along K with four accumulators per activation row, summed across lanes at the end of
// the row. bf16 weights widen by a shift (even elements) and a mask (odd ones); activations are stored in
// that order once, so nothing is rounded. Included once per target by gemv_highway.cpp.
#if defined(ORTHROS_GEMV_DENSE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHROS_GEMV_DENSE_INL_H
#undef ORTHROS_GEMV_DENSE_INL_H
#else
#define ORTHROS_GEMV_DENSE_INL_H
#endif

#include <cstring>

#include <hwy/highway.h>

#include "engine/kernels/gemv_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using DenseTag = hn::CappedTag<float, 16>;
using DenseVec = hn::Vec<DenseTag>;
inline constexpr int64_t kDenseLanes = hn::MaxLanes(DenseTag());
inline constexpr int kChains = 2;
// With AVX-512's 32 registers two activation rows leave room for four streams.
inline constexpr int kStreams = HWY_TARGET <= HWY_AVX3 ? 4 : 2;
inline constexpr int64_t kDenseBlock = kChains * kDenseLanes;

/// How kDenseBlock elements of a format become fp32 vectors.
struct Float32Elements {
  using Type = float;
  static constexpr bool kInterleaved = false;
  static HWY_INLINE void load(const float* w, DenseVec (&out)[kChains]) {
    for (int i = 0; i < kChains; ++i) out[i] = hn::LoadU(DenseTag(), w + i * kDenseLanes);
  }
};
struct Bfloat16Elements {
  using Type = uint16_t;
  static constexpr bool kInterleaved = true;
  static HWY_INLINE void load(const uint16_t* w, DenseVec (&out)[kChains]) {
    const DenseTag d;
    const hn::RebindToUnsigned<DenseTag> du;
    for (int i = 0; i < kChains; i += 2) {
      const auto pairs = hn::LoadU(du, reinterpret_cast<const uint32_t*>(w + i * kDenseLanes));
      out[i] = hn::BitCast(d, hn::ShiftLeft<16>(pairs));
      out[i + 1] = hn::BitCast(d, hn::And(pairs, hn::Set(du, 0xffff0000u)));
    }
  }
};

inline int64_t padded_columns(int64_t columns) {
  return (columns + kDenseBlock - 1) / kDenseBlock * kDenseBlock;
}

inline int64_t dense_scratch_bytes(int64_t columns, int64_t num_rows) {
  return padded_columns(columns) * num_rows * 4;
}

/// One block of activations in the order of Elements::load.
template <class Elements>
HWY_INLINE void arrange_block(const float* x, float* out) {
  const DenseTag d;
  const auto first = hn::LoadU(d, x), second = hn::LoadU(d, x + kDenseLanes);
#if HWY_TARGET != HWY_SCALAR  // one lane: already even, odd
  if constexpr (Elements::kInterleaved) {
    hn::Store(hn::ConcatEven(d, second, first), d, out);
    hn::Store(hn::ConcatOdd(d, second, first), d, out + kDenseLanes);
    return;
  }
#endif
  hn::Store(first, d, out);
  hn::Store(second, d, out + kDenseLanes);
}

/// Copies the rows, zero behind the last column.
template <class Elements>
void dense_prepare(const Activations& x, std::byte* scratch) {
  auto* out = reinterpret_cast<float*>(scratch);
  for (int64_t m = 0; m < x.rows; ++m) {
    const float* row = x.x + m * x.stride;
    int64_t k = 0;
    for (; k + kDenseBlock <= x.columns; k += kDenseBlock, out += kDenseBlock)
      arrange_block<Elements>(row + k, out);
    if (k == x.columns) continue;
    float tail[kDenseBlock] = {};
    std::memcpy(tail, row + k, static_cast<size_t>(x.columns - k) * 4);
    arrange_block<Elements>(tail, out);
    out += kDenseBlock;
  }
}

template <class Elements, int R, int M>
HWY_INLINE void dense_step(const typename Elements::Type* const (&w)[R], int64_t k, const float* x,
                           int64_t x_stride, DenseVec (&sums)[R][M][kChains]) {
  const DenseTag d;
  DenseVec values[R][kChains];
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) Elements::load(w[r] + k, values[r]);
#pragma GCC unroll 2
  for (int m = 0; m < M; ++m) {
#pragma GCC unroll 2
    for (int i = 0; i < kChains; ++i) {
      const auto activations = hn::Load(d, x + m * x_stride + i * kDenseLanes);
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r) sums[r][m][i] = hn::MulAdd(values[r][i], activations, sums[r][m][i]);
    }
  }
}

/// Rows n, n + distance, ... (R of them) of W with M activation rows from first_row on.
template <class Elements, int R, int M>
HWY_INLINE void dense_rows(const GemvTask& task, int64_t n, int64_t distance, int64_t first_row) {
  using Type = typename Elements::Type;
  const DenseTag d;
  const int64_t columns = task.w.columns;
  const int64_t x_stride = padded_columns(columns);
  const float* x = reinterpret_cast<const float*>(task.prepared) + first_row * x_stride;
  const Type* w[R];
  DenseVec sums[R][M][kChains];
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) {
    w[r] = static_cast<const Type*>(task.w.data) + (n + r * distance) * columns;
#pragma GCC unroll 2
    for (int m = 0; m < M; ++m) sums[r][m][0] = sums[r][m][1] = hn::Zero(d);
  }
  int64_t k = 0;
  for (; k + kDenseBlock <= columns; k += kDenseBlock)
    dense_step<Elements, R, M>(w, k, x + k, x_stride, sums);
  if (k < columns) {  // a copy, since a load may not read beyond the matrix
    Type tail[R][kDenseBlock] = {};
    const Type* tails[R];
    for (int r = 0; r < R; ++r) {
      std::memcpy(tail[r], w[r] + k, static_cast<size_t>(columns - k) * sizeof(Type));
      tails[r] = tail[r];
    }
    dense_step<Elements, R, M>(tails, 0, x + k, x_stride, sums);
  }
#pragma GCC unroll 2
  for (int m = 0; m < M; ++m) {
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
      task.y[(first_row + m) * task.y_stride + n + r * distance] =
          hn::GetLane(hn::SumOfLanes(d, hn::Add(sums[r][m][0], sums[r][m][1])));
    }
  }
}

/// Rows [begin, begin + count) of each of R streams. More than two activation rows read W again, from the L1
/// cache.
template <class Elements, int R>
void dense_streams(const GemvTask& task, int64_t begin, int64_t count, int64_t distance) {
  for (int64_t n = begin; n < begin + count; ++n) {
    int64_t m = 0;
    for (; m + 2 <= task.num_rows; m += 2) dense_rows<Elements, R, 2>(task, n, distance, m);
    if (m < task.num_rows) dense_rows<Elements, R, 1>(task, n, distance, m);
  }
}

template <class Elements>
void dense_run(const GemvTask& task, int64_t begin, int64_t end) {
  const int64_t distance = (end - begin) / kStreams;
  dense_streams<Elements, kStreams>(task, begin, distance, distance);
  const int64_t done = begin + distance * kStreams;
  dense_streams<Elements, 1>(task, done, end - done, 0);
}

}  // namespace orthros::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
