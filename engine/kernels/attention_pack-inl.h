// Packing of q, K and V for the fp32 step, and output rows. Included once an instruction set.
// Shapes: see attention_tile.h. Tails and padding keys become zeros: nothing beyond num_keys is read.
// Threads: one.
#if defined(ORTHROS_ATTENTION_PACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHROS_ATTENTION_PACK_INL_H
#undef ORTHROS_ATTENTION_PACK_INL_H
#else
#define ORTHROS_ATTENTION_PACK_INL_H
#endif

#include "engine/kernels/attention_vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::attention_simd {
namespace HWY_NAMESPACE {

HWY_INLINE float LoadScalar(const float* p) {
  return *p;
}
HWY_INLINE float LoadScalar(const uint16_t* p) {
  return bf16_to_float(*p);
}

template <class T>
HWY_INLINE void CopyRow(const T* row, int64_t size, float sign, float* out, int64_t stride) {
  const DF d;
  const int64_t lanes = hn::Lanes(d);
  int64_t i = 0;
  for (; i + lanes <= size; i += lanes) hn::StoreU(hn::Mul(hn::Set(d, sign), LoadAs(d, row + i)), d, out + i);
  for (; i < size; ++i) out[i] = sign * LoadScalar(row + i);
  for (; i < stride; ++i) out[i] = 0.0f;
}

HWY_MAYBE_UNUSED static void PackQ(ScalarType type, const void* row, int64_t head_dim, bool negate, void* out,
                                   int64_t stride) {
  const float sign = negate ? -1.0f : 1.0f;
  if (type == ScalarType::bfloat16) {
    CopyRow(static_cast<const uint16_t*>(row), head_dim, sign, static_cast<float*>(out), stride);
  } else {
    CopyRow(static_cast<const float*>(row), head_dim, sign, static_cast<float*>(out), stride);
  }
}

#if HWY_TARGET == HWY_SCALAR
template <class T>
HWY_INLINE void Transpose4(const T* k, int64_t stride, float* out, int64_t panel) {
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t n = 0; n < 4; ++n) out[i * panel + n] = LoadScalar(k + n * stride + i);
  }
}
#else
/// Four keys by four dimensions at a time, in 128-bit vectors: every instruction set has those.
template <class T>
HWY_INLINE void Transpose4(const T* k, int64_t stride, float* out, int64_t panel) {
  const hn::FixedTag<float, 4> d;
  const hn::RepartitionToWide<decltype(d)> dd;
  const auto a = LoadAs(d, k);
  const auto b = LoadAs(d, k + stride);
  const auto c = LoadAs(d, k + 2 * stride);
  const auto e = LoadAs(d, k + 3 * stride);
  const auto ab_low = hn::BitCast(dd, hn::InterleaveLower(d, a, b));
  const auto ab_high = hn::BitCast(dd, hn::InterleaveUpper(d, a, b));
  const auto ce_low = hn::BitCast(dd, hn::InterleaveLower(d, c, e));
  const auto ce_high = hn::BitCast(dd, hn::InterleaveUpper(d, c, e));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(dd, ab_low, ce_low)), d, out);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(dd, ab_low, ce_low)), d, out + panel);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(dd, ab_high, ce_high)), d, out + 2 * panel);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(dd, ab_high, ce_high)), d, out + 3 * panel);
}
#endif

/// One panel [head_dim, panel] from `keys` <= panel keys.
template <class T>
HWY_INLINE void PackPanel(const T* k, int64_t stride, int64_t keys, int64_t head_dim, int64_t panel,
                          float* out) {
  const int64_t whole_keys = keys / 4 * 4;
  const int64_t whole_dims = head_dim / 4 * 4;
  for (int64_t key = 0; key < whole_keys; key += 4) {
    for (int64_t i = 0; i < whole_dims; i += 4)
      Transpose4(k + key * stride + i, stride, out + i * panel + key, panel);
    for (int64_t i = whole_dims; i < head_dim; ++i) {
      for (int64_t n = key; n < key + 4; ++n) out[i * panel + n] = LoadScalar(k + n * stride + i);
    }
  }
  for (int64_t key = whole_keys; key < panel; ++key) {
    for (int64_t i = 0; i < head_dim; ++i)
      out[i * panel + key] = key < keys ? LoadScalar(k + key * stride + i) : 0.0f;
  }
}

template <class T>
HWY_INLINE void PackKAs(const PackSource& s, float* out) {
  const int64_t panel = kColumns * static_cast<int64_t>(hn::Lanes(DF()));
  for (int64_t base = 0; base < s.num_keys; base += panel) {
    PackPanel(static_cast<const T*>(s.data) + base * s.stride, s.stride, HWY_MIN(panel, s.num_keys - base),
              s.head_dim, panel, out + base * s.head_dim);
  }
}

HWY_MAYBE_UNUSED static void PackK(const PackSource& source, void* out) {
  if (source.type == ScalarType::bfloat16) {
    PackKAs<uint16_t>(source, static_cast<float*>(out));
  } else {
    PackKAs<float>(source, static_cast<float*>(out));
  }
}

template <class T>
HWY_INLINE void PackVAs(const PackSource& s, int64_t acc_stride, float* out) {
  for (int64_t i = 0; i < s.num_unseen * acc_stride; ++i) out[i] = 0.0f;
  for (int64_t key = s.num_unseen; key < s.num_keys; ++key) {
    CopyRow(static_cast<const T*>(s.data) + key * s.stride, s.head_dim, 1.0f, out + key * acc_stride,
            acc_stride);
  }
  const int64_t lanes = hn::Lanes(DF());
  const int64_t padded = (s.num_keys + lanes - 1) / lanes * lanes;
  for (int64_t i = s.num_keys * acc_stride; i < padded * acc_stride; ++i) out[i] = 0.0f;
}

HWY_MAYBE_UNUSED static void PackV(const PackSource& source, int64_t acc_stride, void* out) {
  if (source.type == ScalarType::bfloat16) {
    PackVAs<uint16_t>(source, acc_stride, static_cast<float*>(out));
  } else {
    PackVAs<float>(source, acc_stride, static_cast<float*>(out));
  }
}

HWY_MAYBE_UNUSED static void WriteRow(const float* acc, float factor, int64_t head_dim, ScalarType type,
                                      void* out) {
  const DF d;
  const int64_t lanes = hn::Lanes(d);
  if (type == ScalarType::float32) {
    CopyRow(acc, head_dim, factor, static_cast<float*>(out), 0);
    return;
  }
  const hn::Rebind<uint16_t, DF> d16;
  const hn::RebindToUnsigned<DF> du;
  const hn::RebindToSigned<DF> di;
  uint16_t* to = static_cast<uint16_t*>(out);
  int64_t i = 0;
  for (; i + lanes <= head_dim; i += lanes) {
    // Round to nearest even, as float_to_bf16 does (acc is finite, or the query or the cache was not).
    const auto bits = hn::BitCast(du, hn::Mul(hn::Set(d, factor), hn::LoadU(d, acc + i)));
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1u));
    const auto rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7fffu))));
    hn::StoreU(hn::DemoteTo(d16, hn::BitCast(di, rounded)), d16, to + i);
  }
  for (; i < head_dim; ++i) to[i] = float_to_bf16(factor * acc[i]);
}

}  // namespace HWY_NAMESPACE
}  // namespace orthros::kernels::attention_simd
HWY_AFTER_NAMESPACE();

#endif
