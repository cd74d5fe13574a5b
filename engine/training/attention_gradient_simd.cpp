#include "engine/training/attention_gradient_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/training/attention_gradient_simd.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>
//
#include "engine/kernels/attention_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::training::attention_simd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using kernels::attention_simd::HWY_NAMESPACE::DF;
using kernels::attention_simd::HWY_NAMESPACE::Exp2;
using kernels::attention_simd::HWY_NAMESPACE::VF;

// Register block: kRows x 2 accumulators, two vectors of B and a broadcast.
constexpr int kRows = HWY_TARGET <= HWY_AVX3 ? 8 : 4;

/// A strided operand of a small product: element (m, k) at data[m * row + k * column].
struct Operand {
  const float* data;
  int64_t row, column;
};

/// C[0..kRows, 0..2 vectors] (+)= A B over `depth`; a single vector when kWide is false.
template <bool kWide, bool kAdd>
HWY_INLINE void Block(const Operand& a, const float* HWY_RESTRICT b, int64_t b_row, float* HWY_RESTRICT c,
                      int64_t c_row, int64_t depth) {
  const DF d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  VF sum[kRows][2];
  for (int m = 0; m < kRows; ++m) {
    sum[m][0] = kAdd ? hn::LoadU(d, c + m * c_row) : hn::Zero(d);
    if (kWide) sum[m][1] = kAdd ? hn::LoadU(d, c + m * c_row + lanes) : hn::Zero(d);
  }
  for (int64_t k = 0; k < depth; ++k) {
    const VF b0 = hn::LoadU(d, b + k * b_row);
    const VF b1 = kWide ? hn::LoadU(d, b + k * b_row + lanes) : b0;
    const float* column = a.data + k * a.column;
    for (int m = 0; m < kRows; ++m) {
      const VF value = hn::Set(d, column[m * a.row]);
      sum[m][0] = hn::MulAdd(value, b0, sum[m][0]);
      if (kWide) sum[m][1] = hn::MulAdd(value, b1, sum[m][1]);
    }
  }
  for (int m = 0; m < kRows; ++m) {
    hn::StoreU(sum[m][0], d, c + m * c_row);
    if (kWide) hn::StoreU(sum[m][1], d, c + m * c_row + lanes);
  }
}

/// C [rows, columns] (+)= A B; rows a multiple of kRows, columns of the vector length.
template <bool kAdd>
void Multiply(const Operand& a, const float* b, int64_t b_row, float* c, int64_t c_row, int64_t rows,
              int64_t columns, int64_t depth) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(DF()));
  for (int64_t n = 0; n < columns; n += 2 * lanes) {
    const bool wide = n + 2 * lanes <= columns;
    for (int64_t m = 0; m < rows; m += kRows) {
      const Operand part{a.data + m * a.row, a.row, a.column};
      if (wide) {
        Block<true, kAdd>(part, b + n, b_row, c + m * c_row + n, c_row, depth);
      } else {
        Block<false, kAdd>(part, b + n, b_row, c + m * c_row + n, c_row, depth);
      }
    }
  }
}

/// Row r of scores and of d_p becomes probabilities and d_s.
void SoftmaxGradientRow(const GradientTile& t, int64_t r) {
  const DF d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  constexpr float kLog2e = 1.44269504f;
  float* p = t.p + r * t.keys;
  float* d_s = t.d_s + r * t.keys;
  const int64_t band_begin = t.band_begin[r], band_end = t.band_end[r], sink_end = t.sink_end[r];
  const VF log_scale = hn::Set(d, t.scale * kLog2e), lse = hn::Set(d, t.lse[r] * kLog2e);
  const VF scale = hn::Set(d, t.scale), delta = hn::Set(d, t.delta[r]);
  for (int64_t i = 0; i < t.keys; i += lanes) {
    const VF weight = Exp2(hn::MulSub(hn::LoadU(d, p + i), log_scale, lse));
    hn::StoreU(weight, d, p + i);
    hn::StoreU(hn::Mul(hn::Mul(weight, hn::Sub(hn::LoadU(d, d_s + i), delta)), scale), d, d_s + i);
  }
  for (int64_t i = sink_end; i < band_begin; ++i) p[i] = d_s[i] = 0;
  for (int64_t i = HWY_MAX(band_end, sink_end); i < t.keys; ++i) p[i] = d_s[i] = 0;
}

void Step(const GradientTile& t) {
  const int64_t dim = t.padded_dim;
  const int64_t rows = (t.queries + kRows - 1) / kRows * kRows;
  Multiply<false>({t.q, dim, 1}, t.k_transposed, t.keys, t.p, t.keys, rows, t.keys, dim);
  Multiply<false>({t.d_out, dim, 1}, t.v_transposed, t.keys, t.d_s, t.keys, rows, t.keys, dim);
  for (int64_t r = 0; r < t.queries; ++r) SoftmaxGradientRow(t, r);
  Multiply<true>({t.p, 1, t.keys}, t.d_out, dim, t.d_v, dim, t.keys, dim, t.queries);
  Multiply<true>({t.d_s, 1, t.keys}, t.q, dim, t.d_k, dim, t.keys, dim, t.queries);
  Multiply<false>({t.d_s, t.keys, 1}, t.k, dim, t.d_q, dim, rows, dim, t.keys);
}

float Dot(const float* a, const float* b, int64_t n) {
  const DF d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  VF sum = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) sum = hn::MulAdd(hn::LoadU(d, a + i), hn::LoadU(d, b + i), sum);
  float total = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < n; ++i) total += a[i] * b[i];
  return total;
}

const GradientKernels* KernelsOfTarget() {
  static const GradientKernels kernels{static_cast<int64_t>(hn::Lanes(DF())), Step, Dot};
  return &kernels;
}

}  // namespace orthros::training::attention_simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::training {
namespace attention_simd {
HWY_EXPORT(KernelsOfTarget);
}  // namespace attention_simd

const GradientKernels& gradient_kernels() {
  static const GradientKernels& kernels = *HWY_DYNAMIC_DISPATCH(attention_simd::KernelsOfTarget)();
  return kernels;
}

}  // namespace orthros::training
#endif
