// Packing of q, K and V for the AVX512-BF16 step, and output rows: a part of attention_bf16.cpp, below its
//   target pragma.
// Shapes: K panels [head_dim pairs, panel keys]; V [key pairs, acc_stride]; one pair = one 32-bit word.
//   Tails and padding keys are zeros: nothing beyond num_keys or head_dim is read.
#pragma once

namespace orthros::kernels::attention_bf16 {
namespace {

inline uint32_t make_pair(uint16_t low, uint16_t high) {
  return low | static_cast<uint32_t>(high) << 16;
}

/// Mask of the elements i .. i+lanes-1 that lie below size.
inline __mmask32 tail_mask32(int64_t i, int64_t size) {
  return size - i >= 32 ? ~__mmask32{0}
                        : static_cast<__mmask32>((uint64_t{1} << (size > i ? size - i : 0)) - 1);
}
inline __mmask16 tail_mask16(int64_t i, int64_t size) {
  return static_cast<__mmask16>(tail_mask32(i, size));
}

void pack_q(ScalarType, const void* row, int64_t head_dim, bool negate, void* out, int64_t stride) {
  const uint16_t* from = static_cast<const uint16_t*>(row);
  uint16_t* to = static_cast<uint16_t*>(out);
  const __m512i sign = _mm512_set1_epi16(negate ? static_cast<int16_t>(0x8000) : 0);
  for (int64_t i = 0; i < stride; i += 32) {
    const __m512i value = _mm512_maskz_loadu_epi16(tail_mask32(i, head_dim), from + i);
    _mm512_storeu_si512(to + i, _mm512_xor_si512(value, sign));
  }
}

/// Four keys by four pairs.
inline void transpose4(const uint16_t* k, int64_t stride, uint32_t* out, int64_t panel) {
  const auto load = [](const uint16_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); };
  const auto store = [](uint32_t* p, __m128i v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); };
  const __m128i a = load(k);
  const __m128i b = load(k + stride);
  const __m128i c = load(k + 2 * stride);
  const __m128i d = load(k + 3 * stride);
  const __m128i ab_low = _mm_unpacklo_epi32(a, b);
  const __m128i ab_high = _mm_unpackhi_epi32(a, b);
  const __m128i cd_low = _mm_unpacklo_epi32(c, d);
  const __m128i cd_high = _mm_unpackhi_epi32(c, d);
  store(out, _mm_unpacklo_epi64(ab_low, cd_low));
  store(out + panel, _mm_unpackhi_epi64(ab_low, cd_low));
  store(out + 2 * panel, _mm_unpacklo_epi64(ab_high, cd_high));
  store(out + 3 * panel, _mm_unpackhi_epi64(ab_high, cd_high));
}

/// Pair i of a key; the second half of an odd dimension is zero.
inline uint32_t key_pair(const uint16_t* key, int64_t i, int64_t head_dim) {
  return make_pair(key[2 * i], 2 * i + 1 < head_dim ? key[2 * i + 1] : uint16_t{0});
}

void pack_panel(const PackSource& s, int64_t base, int64_t panel, uint32_t* out) {
  const uint16_t* k = static_cast<const uint16_t*>(s.data) + base * s.stride;
  const int64_t keys = s.num_keys - base < panel ? s.num_keys - base : panel;
  const int64_t pairs = (s.head_dim + 1) / 2;
  const int64_t whole_keys = keys / 4 * 4;
  const int64_t whole_pairs = s.head_dim / 8 * 4;
  for (int64_t key = 0; key < whole_keys; key += 4) {
    for (int64_t i = 0; i < whole_pairs; i += 4) {
      transpose4(k + key * s.stride + 2 * i, s.stride, out + i * panel + key, panel);
    }
  }
  for (int64_t i = 0; i < pairs; ++i) {
    const int64_t begin = i < whole_pairs ? whole_keys : 0;
    for (int64_t key = begin; key < keys; ++key)
      out[i * panel + key] = key_pair(k + key * s.stride, i, s.head_dim);
    for (int64_t key = keys; key < panel; ++key) out[i * panel + key] = 0;
  }
}

void pack_k(const PackSource& s, void* out) {
  constexpr int64_t kPanel = Isa::kColumns * kLanes;
  for (int64_t base = 0; base < s.num_keys; base += kPanel) {
    pack_panel(s, base, kPanel, static_cast<uint32_t*>(out) + base * ((s.head_dim + 1) / 2));
  }
}

void pack_v(const PackSource& s, int64_t acc_stride, void* out) {
  const uint16_t* v = static_cast<const uint16_t*>(s.data);
  uint32_t* to = static_cast<uint32_t*>(out);
  const int64_t padded = (s.num_keys + kLanes - 1) / kLanes * kLanes;
  for (int64_t key = 0; key < padded; key += 2, to += acc_stride) {
    for (int64_t i = 0; i < acc_stride; i += kLanes) {
      const __mmask16 mask = tail_mask16(i, s.head_dim);
      const __mmask16 low_mask = key >= s.num_unseen && key < s.num_keys ? mask : __mmask16{0};
      const __mmask16 high_mask = key + 1 >= s.num_unseen && key + 1 < s.num_keys ? mask : __mmask16{0};
      const __m256i low = _mm256_maskz_loadu_epi16(low_mask, v + key * s.stride + i);
      const __m256i high = _mm256_maskz_loadu_epi16(high_mask, v + (key + 1) * s.stride + i);
      const __m512i pair =
          _mm512_or_si512(_mm512_cvtepu16_epi32(low), _mm512_slli_epi32(_mm512_cvtepu16_epi32(high), 16));
      _mm512_storeu_si512(to + i, pair);
    }
  }
}

void write_row(const float* acc, float factor, int64_t head_dim, ScalarType type, void* out) {
  const __m512 scale = _mm512_set1_ps(factor);
  for (int64_t i = 0; i < head_dim; i += kLanes) {
    const __mmask16 mask = tail_mask16(i, head_dim);
    const __m512 value = _mm512_mul_ps(scale, _mm512_maskz_loadu_ps(mask, acc + i));
    if (type == ScalarType::bfloat16) {
      _mm256_mask_storeu_epi16(static_cast<uint16_t*>(out) + i, mask, (__m256i)_mm512_cvtneps_pbh(value));
    } else {
      _mm512_mask_storeu_ps(static_cast<float*>(out) + i, mask, value);
    }
  }
}

}  // namespace
}  // namespace orthros::kernels::attention_bf16
