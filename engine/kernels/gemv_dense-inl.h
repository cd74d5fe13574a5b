// Dense rows: lanes run along K, one accumulator per (row of W, activation row), summed across lanes at the
// end. bf16 weights widen by a shift (even elements) and a mask (odd ones); activations are stored in that
// order once, so nothing is rounded. Included once per target by gemv_highway.cpp.
#if defined(ORTHROS_GEMV_DENSE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHROS_GEMV_DENSE_INL_H
#undef ORTHROS_GEMV_DENSE_INL_H
#else
#define ORTHROS_GEMV_DENSE_INL_H
#endif

#include <cstring>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "engine/kernels/gemv_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using DenseTag = hn::CappedTag<float, 16>;
using DenseVec = hn::Vec<DenseTag>;
inline constexpr int64_t kDenseUnit = 4;  // rows of W in flight: enough chains to hide the latency of FMA
inline constexpr int64_t kDensePrefetchBytes = 1024;

/// How a format's elements turn into fp32 vectors: kVectors of them from one load of kBlock elements.
struct Float32Elements {
  using Type = float;
  static constexpr int kVectors = 1;
  static HWY_INLINE void load(const float* w, DenseVec (&out)[1]) { out[0] = hn::LoadU(DenseTag(), w); }
};
struct Bfloat16Elements {
  using Type = uint16_t;
  static constexpr int kVectors = 2;
  static HWY_INLINE void load(const uint16_t* w, DenseVec (&out)[2]) {
    const DenseTag d;
    const hn::RebindToUnsigned<DenseTag> du;
    const auto pairs = hn::LoadU(du, reinterpret_cast<const uint32_t*>(w));
    out[0] = hn::BitCast(d, hn::ShiftLeft<16>(pairs));
    out[1] = hn::BitCast(d, hn::And(pairs, hn::Set(du, 0xffff0000u)));
  }
};

template <class Elements>
constexpr int64_t block_elements() {
  return Elements::kVectors * static_cast<int64_t>(hn::MaxLanes(DenseTag()));
}
template <class Elements>
int64_t padded_columns(int64_t columns) {
  return (columns + block_elements<Elements>() - 1) / block_elements<Elements>() * block_elements<Elements>();
}
template <class Elements>
int64_t dense_scratch_bytes(int64_t columns, int64_t num_rows) {
  return padded_columns<Elements>(columns) * num_rows * 4;
}

/// Copies the rows in the order of Elements::load, zero behind the last column.
template <class Elements>
void dense_prepare(const Activations& x, std::byte* scratch) {
  constexpr int64_t kBlock = block_elements<Elements>();
  constexpr int64_t kLanes = kBlock / Elements::kVectors;
  auto* out = reinterpret_cast<float*>(scratch);
  for (int64_t m = 0; m < x.rows; ++m) {
    const float* row = x.x + m * x.stride;
    for (int64_t k = 0; k < x.columns; k += kBlock, out += kBlock) {
      float block[kBlock] = {};
      const int64_t count = HWY_MIN(kBlock, x.columns - k);
      std::memcpy(block, row + k, static_cast<size_t>(count) * 4);
      for (int64_t i = 0; i < kLanes; ++i) {
        for (int v = 0; v < Elements::kVectors; ++v) out[v * kLanes + i] = block[i * Elements::kVectors + v];
      }
    }
  }
}

template <class Elements, int R, int M>
HWY_INLINE void dense_step(const typename Elements::Type* const (&w)[R], const float* x, int64_t x_stride,
                           DenseVec (&sums)[R][M]) {
  const DenseTag d;
  constexpr int64_t kLanes = hn::MaxLanes(DenseTag());
  DenseVec values[R][Elements::kVectors];
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) Elements::load(w[r], values[r]);
#pragma GCC unroll 4
  for (int m = 0; m < M; ++m) {
#pragma GCC unroll 2
    for (int v = 0; v < Elements::kVectors; ++v) {
      const auto activations = hn::LoadU(d, x + m * x_stride + v * kLanes);
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r) sums[r][m] = hn::MulAdd(values[r][v], activations, sums[r][m]);
    }
  }
}

/// R rows of W from row n on, with M activation rows from first_row on.
template <class Elements, int R, int M>
void dense_rows(const GemvTask& task, int64_t n, int64_t first_row) {
  using Type = typename Elements::Type;
  constexpr int64_t kBlock = block_elements<Elements>();
  const DenseTag d;
  const int64_t columns = task.w.columns;
  const int64_t x_stride = padded_columns<Elements>(columns);
  const float* x = reinterpret_cast<const float*>(task.prepared) + first_row * x_stride;
  const Type* base = static_cast<const Type*>(task.w.data) + n * columns;
  DenseVec sums[R][M];
  for (int r = 0; r < R; ++r) {
    for (int m = 0; m < M; ++m) sums[r][m] = hn::Zero(d);
  }
  const Type* w[R];
  int64_t k = 0;
  for (; k + kBlock <= columns; k += kBlock) {
    for (int r = 0; r < R; ++r) {
      w[r] = base + r * columns + k;
      hwy::Prefetch(reinterpret_cast<const std::byte*>(w[r]) + kDensePrefetchBytes);
    }
    dense_step<Elements, R, M>(w, x + k, x_stride, sums);
  }
  if (k < columns) {  // a copy, since a load may not read beyond the matrix
    Type tail[R][kBlock] = {};
    for (int r = 0; r < R; ++r) {
      std::memcpy(tail[r], base + r * columns + k, static_cast<size_t>(columns - k) * sizeof(Type));
      w[r] = tail[r];
    }
    dense_step<Elements, R, M>(w, x + k, x_stride, sums);
  }
  for (int m = 0; m < M; ++m) {
    for (int r = 0; r < R; ++r) {
      task.y[(first_row + m) * task.y_stride + n + r] = hn::GetLane(hn::SumOfLanes(d, sums[r][m]));
    }
  }
}

template <class Elements, int R>
void dense_all_activations(const GemvTask& task, int64_t n) {
  int64_t m = 0;
  for (; m + 4 <= task.num_rows; m += 4) dense_rows<Elements, R, 4>(task, n, m);
  if (task.num_rows - m == 1) dense_rows<Elements, R, 1>(task, n, m);
  if (task.num_rows - m == 2) dense_rows<Elements, R, 2>(task, n, m);
  if (task.num_rows - m == 3) dense_rows<Elements, R, 3>(task, n, m);
}

template <class Elements>
void dense_run(const GemvTask& task, int64_t begin, int64_t end) {
  int64_t n = begin;
  for (; n + kDenseUnit <= end; n += kDenseUnit) dense_all_activations<Elements, kDenseUnit>(task, n);
  for (; n < end; ++n) dense_all_activations<Elements, 1>(task, n);
}

}  // namespace orthros::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
