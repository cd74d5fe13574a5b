#include <algorithm>

#include <omp.h>

#include "engine/kernels/half.h"
#include "engine/kernels/matrix.h"
#include "engine/kernels/matrix_layout.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/matrix_decode.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "engine/kernels/vector_io-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::HWY_NAMESPACE {

using CodeTag = hn::Rebind<int32_t, FloatTag>;

HWY_INLINE hn::Vec<CodeTag> load_codes(const uint8_t* bytes) {
  return hn::PromoteTo(CodeTag(), hn::LoadU(hn::Rebind<uint8_t, FloatTag>(), bytes));
}

template <class Out>
HWY_INLINE void store_values(hn::Vec<CodeTag> codes, FloatVec scale, FloatVec minimum, Out* out) {
  store_whole(hn::MulAdd(hn::ConvertTo(FloatTag(), codes), scale, minimum), out);
}

/// One group of one row; `group` points at the group of the whole tile.
template <WeightFormat format, class Out>
HWY_INLINE void decode_group(const uint8_t* group, int64_t row, Out* out) {
  constexpr int64_t kHeader = format == WeightFormat::int8 ? kHalvesBytes : 2 * kHalvesBytes;
  constexpr int64_t kBytes = format == WeightFormat::int8 ? kQuantGroup : kQuantGroup / 2;
  const FloatTag d;
  const auto scale = hn::Set(d, half_to_float(load_u16(group + 2 * row)));
  uint8_t bytes[kBytes];
  for (int64_t j = 0; j < kBytes / 4; ++j)
    std::memcpy(bytes + 4 * j, group + kHeader + j * kQuadBytes + 4 * row, 4);
  for (int64_t i = 0; i < kBytes; i += kFloatLanes) {
    const auto codes = load_codes(bytes + i);
    if constexpr (format == WeightFormat::int8) {
      store_values(hn::Sub(codes, hn::Set(CodeTag(), 128)), scale, hn::Zero(d), out + i);
    } else {
      const auto minimum = hn::Set(d, half_to_float(load_u16(group + kHalvesBytes + 2 * row)));
      store_values(hn::And(codes, hn::Set(CodeTag(), 15)), scale, minimum, out + i);
      store_values(hn::ShiftRight<4>(codes), scale, minimum, out + kQuantGroup / 2 + i);
    }
  }
}

template <WeightFormat format, class Out>
void decode_quantised(const MatrixView& w, int64_t begin, int64_t end, Out* out) {
  for (int64_t n = begin; n < end; ++n) {
    const uint8_t* tile = static_cast<const uint8_t*>(w.data) + n / kRowTile * tile_bytes(format, w.columns);
    for (int64_t k = 0; k < w.columns; k += kQuantGroup, tile += group_bytes(format)) {
      decode_group<format>(tile, n % kRowTile, out + n * w.columns + k);
    }
  }
}

template <class In, class Out>
void convert(const MatrixView& w, int64_t begin, int64_t end, Out* out) {
  const In* source = static_cast<const In*>(w.data);
  for (int64_t i = begin * w.columns; i < end * w.columns; i += kFloatLanes) {
    const int64_t n = HWY_MIN(kFloatLanes, end * w.columns - i);
    store_lanes(load_lanes(source + i, n), out + i, n);
  }
}

template <class Out>
void decode_as(const MatrixView& w, int64_t begin, int64_t end, Out* out) {
  switch (w.format) {
    case WeightFormat::float32:
      convert<float>(w, begin, end, out);
      return;
    case WeightFormat::bfloat16:
      convert<uint16_t>(w, begin, end, out);
      return;
    case WeightFormat::int8:
      decode_quantised<WeightFormat::int8>(w, begin, end, out);
      return;
    case WeightFormat::int4:
      decode_quantised<WeightFormat::int4>(w, begin, end, out);
      return;
  }
}

void decode_range(const MatrixView& w, ScalarType out_type, int64_t begin, int64_t end, void* out) {
  if (out_type == ScalarType::float32) {
    decode_as(w, begin, end, static_cast<float*>(out));
  } else {
    decode_as(w, begin, end, static_cast<uint16_t*>(out));
  }
}

}  // namespace orthros::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::kernels {

HWY_EXPORT(decode_range);

void decode_rows(const MatrixView& w, ScalarType out_type, void* out) noexcept {
  constexpr int64_t kMinParallelElements = 64 * 1024;
  const auto decode = HWY_DYNAMIC_DISPATCH(decode_range);
  if (w.rows * w.columns < kMinParallelElements || omp_in_parallel() != 0) {
    decode(w, out_type, 0, w.rows, out);
    return;
  }
#pragma omp parallel
  {
    const int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
    decode(w, out_type, w.rows * thread / threads, w.rows * (thread + 1) / threads, out);
  }
}

}  // namespace orthros::kernels
#endif
