// int8 and int4 products with AVX512-VNNI, which Highway 1.0.3 cannot express.
// One lane is one row of the tile. Activations have 16 bits: q = 256 * high + low, so a group takes two
// chains of byte products; their sum is exact in int32, and the result equals that of the Highway path bit
// for bit.
#include "engine/kernels/gemv_kernels.h"
#include "engine/kernels/matrix_layout.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

// Everything below runs only after the check in vnni_kernel().
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2,fma,f16c")

namespace orthros::kernels {
namespace {

constexpr int kHalfQuads = kQuads / 2;

__m512 broadcast_scale(const uint8_t* halves) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(halves)));
}

void quantise_group(const float* x, ActivationGroup& out) {
  const __m512 x0 = _mm512_loadu_ps(x);
  const __m512 x1 = _mm512_loadu_ps(x + 16);
  // As integers, so that NaN is the largest.
  const __m512i bits0 = _mm512_castps_si512(_mm512_abs_ps(x0));
  const __m512i bits1 = _mm512_castps_si512(_mm512_abs_ps(x1));
  const GroupScale scale = group_scale(_mm512_reduce_max_epi32(_mm512_max_epi32(bits0, bits1)));
  const __m512 inverse = _mm512_set1_ps(scale.inverse);
  const __m256i q0 = _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(_mm512_mul_ps(x0, inverse)));
  const __m256i q1 = _mm512_cvtepi32_epi16(_mm512_cvtps_epi32(_mm512_mul_ps(x1, inverse)));
  const __m512i q = _mm512_inserti64x4(_mm512_castsi256_si512(q0), q1, 1);
  const __m512i high = _mm512_srai_epi16(_mm512_add_epi16(q, _mm512_set1_epi16(128)), 8);
  auto* bytes = reinterpret_cast<__m256i*>(out.quants);
  _mm256_storeu_si256(bytes, _mm512_cvtepi16_epi8(high));
  _mm256_storeu_si256(bytes + 1, _mm512_cvtepi16_epi8(q));  // truncation: q - 256 * high
  const int32_t sum = _mm512_reduce_add_epi32(_mm512_madd_epi16(q, _mm512_set1_epi16(1)));
  out.scale = scale.scale;
  out.scaled_sum = scale.scale * static_cast<float>(sum);
  // A NaN among the values leaves any sum; the scale is NaN then, and the bias only has to wrap quietly.
  out.bias = static_cast<int32_t>(-128u * static_cast<uint32_t>(sum));
}

int64_t scratch_bytes(int64_t columns, int64_t num_rows) {
  return columns / kQuantGroup * num_rows * static_cast<int64_t>(sizeof(ActivationGroup));
}

void prepare(const Activations& x, std::byte* scratch) {
  auto* out = reinterpret_cast<ActivationGroup*>(scratch);
  for (int64_t m = 0; m < x.rows; ++m) {
    for (int64_t k = 0; k < x.columns; k += kQuantGroup) quantise_group(x.x + m * x.stride + k, *out++);
  }
}

/// Sum over the group of code * q, plus `bias`, for 16 rows.
inline __m512i group_dot(const __m512i (&codes)[kQuads], const ActivationGroup& x, int32_t bias) {
  const auto* quads = reinterpret_cast<const int32_t*>(x.quants);
  // Two chains each for the high and the low bytes: one alone would wait for its own results.
  __m512i high[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
  __m512i low[2] = {_mm512_set1_epi32(bias), _mm512_setzero_si512()};
#pragma GCC unroll 8
  for (int j = 0; j < kQuads; ++j) {
    high[j % 2] = _mm512_dpbusd_epi32(high[j % 2], codes[j], _mm512_set1_epi32(quads[j]));
    low[j % 2] = _mm512_dpbusd_epi32(low[j % 2], codes[j], _mm512_set1_epi32(quads[kQuads + j]));
  }
  const __m512i high_sum = _mm512_add_epi32(high[0], high[1]);
  return _mm512_add_epi32(_mm512_slli_epi32(high_sum, 8), _mm512_add_epi32(low[0], low[1]));
}

inline void load_int8(const uint8_t* group, __m512i (&codes)[kQuads]) {
#pragma GCC unroll 8
  for (int j = 0; j < kQuads; ++j) codes[j] = _mm512_loadu_si512(group + kHalvesBytes + j * kQuadBytes);
}

inline void load_int4(const uint8_t* group, __m512i (&codes)[kQuads]) {
  const __m512i mask = _mm512_set1_epi8(15);
#pragma GCC unroll 4
  for (int j = 0; j < kHalfQuads; ++j) {
    const __m512i packed = _mm512_loadu_si512(group + 2 * kHalvesBytes + j * kQuadBytes);
    codes[j] = _mm512_and_si512(packed, mask);
    codes[j + kHalfQuads] = _mm512_and_si512(_mm512_srli_epi16(packed, 4), mask);
  }
}

template <WeightFormat format, int M>
void tile_product(const uint8_t* tile, const ActivationGroup* x, int64_t groups, __m512 (&sums)[M]) {
  for (int m = 0; m < M; ++m) sums[m] = _mm512_setzero_ps();
  for (int64_t g = 0; g < groups; ++g, tile += group_bytes(format)) {
    __m512i codes[kQuads];
    if constexpr (format == WeightFormat::int8) {
      load_int8(tile, codes);
    } else {
      load_int4(tile, codes);
    }
    const __m512 scale = broadcast_scale(tile);
#pragma GCC unroll 4
    for (int m = 0; m < M; ++m) {
      const ActivationGroup& group = x[m * groups + g];
      const __m512i dot = group_dot(codes, group, format == WeightFormat::int8 ? group.bias : 0);
      sums[m] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dot), _mm512_mul_ps(scale, _mm512_set1_ps(group.scale)),
                                sums[m]);
      if constexpr (format == WeightFormat::int4) {
        sums[m] =
            _mm512_fmadd_ps(broadcast_scale(tile + kHalvesBytes), _mm512_set1_ps(group.scaled_sum), sums[m]);
      }
    }
  }
}

template <WeightFormat format, int M>
void run_rows(const GemvTask& task, int64_t first_row, int64_t tile, int64_t valid_rows) {
  const int64_t groups = task.w.columns / kQuantGroup;
  const auto* x = reinterpret_cast<const ActivationGroup*>(task.prepared) + first_row * groups;
  __m512 sums[M];
  tile_product<format, M>(
      static_cast<const uint8_t*>(task.w.data) + tile * tile_bytes(format, task.w.columns), x, groups, sums);
  const auto mask = static_cast<__mmask16>((1u << valid_rows) - 1);
  for (int m = 0; m < M; ++m) {
    _mm512_mask_storeu_ps(task.y + (first_row + m) * task.y_stride + tile * kRowTile, mask, sums[m]);
  }
}

template <WeightFormat format>
void run(const GemvTask& task, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; row += kRowTile) {
    const int64_t tile = row / kRowTile;
    const int64_t valid = end - row < kRowTile ? end - row : kRowTile;
    int64_t m = 0;
    for (; m + 4 <= task.num_rows; m += 4) run_rows<format, 4>(task, m, tile, valid);
    if (task.num_rows - m == 1) run_rows<format, 1>(task, m, tile, valid);
    if (task.num_rows - m == 2) run_rows<format, 2>(task, m, tile, valid);
    if (task.num_rows - m == 3) run_rows<format, 3>(task, m, tile, valid);
  }
}

}  // namespace
}  // namespace orthros::kernels

#pragma GCC pop_options

namespace orthros::kernels {

const GemvKernel* vnni_kernel(WeightFormat format) {
  static const bool supported = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                                __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                                __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("fma");
  static constexpr GemvKernel kInt8{"avx512_vnni", kRowTile, scratch_bytes, prepare, run<WeightFormat::int8>};
  static constexpr GemvKernel kInt4{"avx512_vnni", kRowTile, scratch_bytes, prepare, run<WeightFormat::int4>};
  if (!supported || !is_quantised(format)) return nullptr;
  return format == WeightFormat::int8 ? &kInt8 : &kInt4;
}

}  // namespace orthros::kernels

#else

namespace orthros::kernels {

const GemvKernel* vnni_kernel(WeightFormat) {
  return nullptr;
}

}  // namespace orthros::kernels

#endif
