// int8 and int4 tiles without byte dot products: one lane is one row, codes widen to 16 bits as (even, odd)
// bytes and meet pairs of 16-bit activations; sums of a group are exact in int32. Included once per target by
// gemv_highway.cpp.
#if defined(ORTHROS_GEMV_QUANTISED_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ORTHROS_GEMV_QUANTISED_INL_H
#undef ORTHROS_GEMV_QUANTISED_INL_H
#else
#define ORTHROS_GEMV_QUANTISED_INL_H
#endif

#include <cstring>

#include <hwy/highway.h>

#include "engine/kernels/gemv_kernels.h"
#include "engine/kernels/matrix_layout.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using LaneTag = hn::CappedTag<float, kRowTile>;
using IntTag = hn::RebindToSigned<LaneTag>;
using IntVec = hn::Vec<IntTag>;

inline int64_t quantised_scratch_bytes(int64_t columns, int64_t num_rows) {
  return columns / kQuantGroup * num_rows * static_cast<int64_t>(sizeof(ActivationGroup));
}

/// Largest |x| as bits, so that NaN is the largest.
inline int32_t largest_bits(const float* x) {
  const LaneTag d;
  const IntTag di;
  auto largest = hn::Zero(di);
  for (int64_t i = 0; i < kQuantGroup; i += static_cast<int64_t>(hn::Lanes(d))) {
    largest = hn::Max(largest, hn::BitCast(di, hn::Abs(hn::LoadU(d, x + i))));
  }
  return hn::GetLane(hn::MaxOfLanes(di, largest));
}

inline void quantise_group(const float* x, ActivationGroup& out) {
  const LaneTag d;
  const IntTag di;
  const hn::Rebind<int16_t, LaneTag> d16;
  const GroupScale scale = group_scale(largest_bits(x));
  const auto inverse = hn::Set(d, scale.inverse);
  alignas(64) int16_t q[kQuantGroup];
  auto sums = hn::Zero(di);
  for (int64_t i = 0; i < kQuantGroup; i += static_cast<int64_t>(hn::Lanes(d))) {
    const auto rounded = hn::NearestInt(hn::Mul(hn::LoadU(d, x + i), inverse));
    sums = hn::Add(sums, rounded);
    hn::StoreU(hn::DemoteTo(d16, rounded), d16, q + i);
  }
  const int32_t sum = hn::GetLane(hn::SumOfLanes(di, sums));
  out.scale = scale.scale;
  out.scaled_sum = scale.scale * static_cast<float>(sum);
  // A NaN among the values leaves any sum; the scale is NaN then, and the bias only has to wrap quietly.
  out.bias = static_cast<int32_t>(-128u * static_cast<uint32_t>(sum));
  for (int64_t j = 0; j < kQuads; ++j) {  // (0, 1, 2, 3) -> (0, 2, 1, 3)
    const int16_t quad[4] = {q[4 * j], q[4 * j + 2], q[4 * j + 1], q[4 * j + 3]};
    std::memcpy(out.quants + 8 * j, quad, sizeof quad);
  }
}

inline void quantised_prepare(const Activations& x, std::byte* scratch) {
  auto* out = reinterpret_cast<ActivationGroup*>(scratch);
  for (int64_t m = 0; m < x.rows; ++m) {
    for (int64_t k = 0; k < x.columns; k += kQuantGroup) quantise_group(x.x + m * x.stride + k, *out++);
  }
}

/// sum[lane] += low(a) * low(b) + high(a) * high(b), the 16-bit halves of a lane.
HWY_INLINE IntVec add_pair_products(IntVec a, IntVec b, IntVec sum) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  const IntTag di;
  const hn::Repartition<int16_t, IntTag> pairs;
  IntVec unused = hn::Zero(di);
  // On x86 this is exactly the sum of neighbours; elsewhere the order is another one.
  return hn::ReorderWidenMulAccumulate(di, hn::BitCast(pairs, a), hn::BitCast(pairs, b), sum, unused);
#else
  const auto low_a = hn::ShiftRight<16>(hn::ShiftLeft<16>(a)),
             low_b = hn::ShiftRight<16>(hn::ShiftLeft<16>(b));
  const auto high = hn::Mul(hn::ShiftRight<16>(a), hn::ShiftRight<16>(b));
  return hn::Add(sum, hn::Add(high, hn::Mul(low_a, low_b)));
#endif
}

/// Activation pair number `index` of a group, in every lane.
HWY_INLINE IntVec broadcast_pair(const ActivationGroup& x, int64_t index) {
  int32_t pair;
  std::memcpy(&pair, x.quants + 4 * index, sizeof pair);
  return hn::Set(IntTag(), pair);
}

/// Codes of one quad for the lanes' rows, each a pair of 16-bit numbers.
struct QuadCodes {
  IntVec even, odd;  // codes (0, 2) and (1, 3)
};

template <int kShift>
HWY_INLINE IntVec field(IntVec bytes, int32_t mask) {
  const hn::RebindToUnsigned<IntTag> du;
  return hn::And(hn::BitCast(IntTag(), hn::ShiftRight<kShift>(hn::BitCast(du, bytes))),
                 hn::Set(IntTag(), mask));
}

template <WeightFormat format>
HWY_INLINE void load_codes(const uint8_t* quads, QuadCodes (&codes)[kQuads]) {
  constexpr int64_t kLoads = format == WeightFormat::int8 ? kQuads : kQuads / 2;
#pragma GCC unroll 8
  for (int64_t j = 0; j < kLoads; ++j) {
    const auto bytes = hn::LoadU(IntTag(), reinterpret_cast<const int32_t*>(quads + j * kQuadBytes));
    if constexpr (format == WeightFormat::int8) {
      codes[j] = {hn::And(bytes, hn::Set(IntTag(), 0x00ff00ff)), field<8>(bytes, 0x00ff00ff)};
    } else {
      codes[j] = {hn::And(bytes, hn::Set(IntTag(), 0x000f000f)), field<8>(bytes, 0x000f000f)};
      codes[j + kQuads / 2] = {field<4>(bytes, 0x000f000f), field<12>(bytes, 0x000f000f)};
    }
  }
}

HWY_INLINE hn::Vec<LaneTag> load_halves(const uint8_t* halves) {
  const hn::Rebind<hwy::float16_t, LaneTag> dh;
  return hn::PromoteTo(LaneTag(), hn::LoadU(dh, reinterpret_cast<const hwy::float16_t*>(halves)));
}

/// Rows [lane, lane + Lanes) of a tile times M activation rows.
template <WeightFormat format, int M>
HWY_INLINE void tile_lanes(const uint8_t* tile, int64_t lane, const ActivationGroup* x, int64_t groups,
                           hn::Vec<LaneTag> (&sums)[M]) {
  constexpr int64_t kHeader = format == WeightFormat::int8 ? kHalvesBytes : 2 * kHalvesBytes;
  const LaneTag d;
  const IntTag di;
  for (int m = 0; m < M; ++m) sums[m] = hn::Zero(d);
  for (int64_t g = 0; g < groups; ++g, tile += group_bytes(format)) {
    QuadCodes codes[kQuads];
    load_codes<format>(tile + kHeader + 4 * lane, codes);
    const auto scale = load_halves(tile + 2 * lane);
#pragma GCC unroll 4
    for (int m = 0; m < M; ++m) {
      const ActivationGroup& group = x[m * groups + g];
      auto dot = hn::Set(di, format == WeightFormat::int8 ? group.bias : 0);
#pragma GCC unroll 8
      for (int64_t j = 0; j < kQuads; ++j) {
        dot = add_pair_products(codes[j].even, broadcast_pair(group, 2 * j), dot);
        dot = add_pair_products(codes[j].odd, broadcast_pair(group, 2 * j + 1), dot);
      }
      sums[m] = hn::MulAdd(hn::ConvertTo(d, dot), hn::Mul(scale, hn::Set(d, group.scale)), sums[m]);
      if constexpr (format == WeightFormat::int4) {
        sums[m] =
            hn::MulAdd(load_halves(tile + kHalvesBytes + 2 * lane), hn::Set(d, group.scaled_sum), sums[m]);
      }
    }
  }
}

/// A chunk of M activation rows with one tile; stores the `valid` first rows.
template <WeightFormat format, int M>
void tile_rows(const GemvTask& task, int64_t first_row, int64_t tile, int64_t valid) {
  const LaneTag d;
  const int64_t groups = task.w.columns / kQuantGroup;
  const auto* x = reinterpret_cast<const ActivationGroup*>(task.prepared) + first_row * groups;
  const uint8_t* bytes = static_cast<const uint8_t*>(task.w.data) + tile * tile_bytes(format, task.w.columns);
  alignas(64) float out[M][kRowTile];
  for (int64_t lane = 0; lane < kRowTile; lane += static_cast<int64_t>(hn::Lanes(d))) {
    hn::Vec<LaneTag> sums[M];
    tile_lanes<format, M>(bytes, lane, x, groups, sums);
    for (int m = 0; m < M; ++m) hn::StoreU(sums[m], d, out[m] + lane);
  }
  for (int m = 0; m < M; ++m) {
    std::memcpy(task.y + (first_row + m) * task.y_stride + tile * kRowTile, out[m],
                static_cast<size_t>(valid) * 4);
  }
}

template <WeightFormat format>
void quantised_run(const GemvTask& task, int64_t begin, int64_t end) {
  for (int64_t row = begin; row < end; row += kRowTile) {
    const int64_t tile = row / kRowTile;
    const int64_t valid = HWY_MIN(kRowTile, end - row);
    int64_t m = 0;
    for (; m + 4 <= task.num_rows; m += 4) tile_rows<format, 4>(task, m, tile, valid);
    if (task.num_rows - m == 1) tile_rows<format, 1>(task, m, tile, valid);
    if (task.num_rows - m == 2) tile_rows<format, 2>(task, m, tile, valid);
    if (task.num_rows - m == 3) tile_rows<format, 3>(task, m, tile, valid);
  }
}

}  // namespace orthros::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
