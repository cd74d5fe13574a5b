// fp32 register blocks of the step over packed K and V. Included once an instruction set.
// Shapes: see attention_tile.h. Threads: one.
// Source: register-blocked GEMM with broadcast A and vector B.
#if defined(ORTHROS_ATTENTION_STEP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHROS_ATTENTION_STEP_INL_H
#undef ORTHROS_ATTENTION_STEP_INL_H
#else
#define ORTHROS_ATTENTION_STEP_INL_H
#endif

#include "engine/kernels/attention_softmax-inl.h"
#include "engine/kernels/attention_step.h"
#include "engine/kernels/attention_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::attention_simd {
namespace HWY_NAMESPACE {

/// With factors: scales what out holds; without: overwrites it.
template <int C>
HWY_NOINLINE void MultiplyBlock(const BlockOperands& o, const float* factors) {
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
  const float* HWY_RESTRICT a = static_cast<const float*>(o.a);
  const float* HWY_RESTRICT b = static_cast<const float*>(o.b);
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

struct Isa {
  using Word = float;
  static constexpr int kPack = 1;
  static constexpr int kRows = HWY_NAMESPACE::kRows;
  static constexpr int kColumns = HWY_NAMESPACE::kColumns;
  static constexpr int kLanes = static_cast<int>(hn::MaxLanes(DF()));

  static void multiply(int vectors, const BlockOperands& o, const float* factors) {
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
  static float softmax_row(float* scores, int columns, int first, int last, float scale, float& max,
                           float& sum) {
    return SoftmaxRow(scores, columns, first, last, scale, max, sum);
  }
};

HWY_MAYBE_UNUSED static void Step(const AttentionStep& s) {
  StepLoops<Isa>::run(s);
}

}  // namespace HWY_NAMESPACE
}  // namespace orthros::kernels::attention_simd
HWY_AFTER_NAMESPACE();

#endif
