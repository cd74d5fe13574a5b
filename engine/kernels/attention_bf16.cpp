// bf16 attention kernels for AVX512-BF16: vdpbf16ps sums products of bf16 pairs in fp32. Only this file and
// its
//   headers use those intrinsics; Highway 1.0.3 has none.
// Shapes, units: see attention_tile.h. Threads: none of its own.
// The pragma gives the functions below their instruction set; nothing here runs before the CPU was asked.
#include "engine/kernels/attention_tile.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <immintrin.h>

#include "engine/kernels/attention_step.h"

#ifdef __clang__
#pragma clang attribute push( \
    __attribute__((target("avx2,fma,avx512f,avx512bw,avx512vl,avx512dq,avx512bf16"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512bw,avx512vl,avx512dq,avx512bf16")
// gcc 12 takes the undefined operands inside its own AVX-512 headers for an error of ours.
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

// In this order: each uses the one before.
// clang-format off
#include "engine/kernels/attention_bf16_math.h"
#include "engine/kernels/attention_bf16_pack.h"
#include "engine/kernels/attention_bf16_direct.h"
// clang-format on

namespace orthros::kernels::attention_bf16 {
namespace {

template <int C>
__attribute__((noinline)) void multiply_block(const BlockOperands& o, const float* factors) {
  constexpr int kRows = Isa::kRows;
  __m512 acc[kRows][C];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) {
      acc[r][c] = factors == nullptr ? _mm512_setzero_ps()
                                     : _mm512_mul_ps(_mm512_set1_ps(factors[r]),
                                                     _mm512_loadu_ps(o.out + r * o.out_stride + c * kLanes));
    }
  }
  const PairWord* __restrict a = static_cast<const PairWord*>(o.a);
  const PairWord* __restrict b = static_cast<const PairWord*>(o.b);
  for (int64_t k = 0; k < o.depth; ++k, b += o.b_stride) {
    __m512bh row[C];
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) row[c] = load_pairs(b + c * kLanes);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const __m512bh value = broadcast_pair(a[r * o.a_stride + k]);
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c) acc[r][c] = _mm512_dpbf16_ps(acc[r][c], value, row[c]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) _mm512_storeu_ps(o.out + r * o.out_stride + c * kLanes, acc[r][c]);
  }
}

void Isa::multiply(int vectors, const BlockOperands& o, const float* factors) {
  switch (vectors) {
    case 1:
      return multiply_block<1>(o, factors);
    case 2:
      return multiply_block<2>(o, factors);
    case 3:
      return multiply_block<3>(o, factors);
    default:
      return multiply_block<4>(o, factors);
  }
}

float Isa::softmax_row(float* scores, int columns, int first, int last, float scale, float& max, float& sum) {
  return attention_bf16::softmax_row(scores, columns, first, last, scale, max, sum);
}

void step(const AttentionStep& s) {
  StepLoops<Isa>::run(s);
}

bool direct_fits(int64_t) {
  return true;
}

}  // namespace
}  // namespace orthros::kernels::attention_bf16

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace orthros::kernels {

const AttentionKernels* attention_kernels_bf16() {
  static const AttentionKernels kernels = {
      .name = "avx512_bf16",
      .lanes = attention_bf16::kLanes,
      .row_block = attention_bf16::Isa::kRows,
      .bf16_products = true,
      .pack_q = attention_bf16::pack_q,
      .pack_k = attention_bf16::pack_k,
      .pack_v = attention_bf16::pack_v,
      .step = attention_bf16::step,
      .direct_step = attention_bf16::direct_step,
      .direct_fits = attention_bf16::direct_fits,
      .write_row = attention_bf16::write_row,
  };
  // libgcc asks CPUID and, for the register state that the system saves, XGETBV.
  static const bool supported = __builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512bw") &&
                                __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                                __builtin_cpu_supports("avx512f");
  return supported ? &kernels : nullptr;
}

}  // namespace orthros::kernels

#else

namespace orthros::kernels {

const AttentionKernels* attention_kernels_bf16() {
  return nullptr;
}

}  // namespace orthros::kernels

#endif
