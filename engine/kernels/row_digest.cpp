#include "engine/kernels/row_digest.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/row_digest.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <algorithm>
#include <bit>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::row_digest_simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;
constexpr int64_t kRun = 256;  // fp32 sums run no longer

/// Largest and sum of one stretch.
static void Bin(const float* w, int64_t count, float& most, float& total) {
  const DF d;
  const int64_t lanes = hn::Lanes(d);
  float m = 0;
  double sum = 0;
  int64_t i = 0;
  while (count - i >= lanes) {
    VF largest = hn::Set(d, m);
    VF part = hn::Zero(d);
    const int64_t end = HWY_MIN(i + kRun, count);
    for (; i + lanes <= end; i += lanes) {
      const VF v = hn::LoadU(d, w + i);
      largest = hn::Max(largest, v);
      part = hn::Add(part, v);
    }
    m = hn::GetLane(hn::MaxOfLanes(d, largest));
    sum += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, part)));
  }
  float rest = 0;
  for (; i < count; ++i) {
    m = w[i] > m ? w[i] : m;
    rest += w[i];
  }
  most = m;
  total = static_cast<float>(sum + static_cast<double>(rest));
}

/// Values not below `bound`. Weights are not negative, so their bits are ordered as they are.
HWY_INLINE int64_t CountFrom(const float* w, int64_t count, int32_t bound) {
  const hn::ScalableTag<int32_t> d;
  const int64_t lanes = hn::Lanes(d);
  const auto* bits = reinterpret_cast<const int32_t*>(w);
  const auto below = hn::Set(d, bound - 1);
  int64_t found = 0;
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    found += static_cast<int64_t>(hn::CountTrue(d, hn::Gt(hn::LoadU(d, bits + i), below)));
  for (; i < count; ++i) found += bits[i] >= bound ? 1 : 0;
  return found;
}

/// Bits of the `rank`-th largest value, by bisection: no data-dependent branch.
HWY_INLINE int32_t BitsOfRank(const float* w, int64_t count, int64_t rank, int32_t low, int32_t high) {
  while (low < high) {  // CountFrom(low) >= rank > CountFrom(high + 1)
    const int32_t middle = low + (high - low) / 2 + 1;
    if (CountFrom(w, count, middle) >= rank) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

static void Digest(const float* w, int64_t count, RowDigest& digest, std::vector<int32_t>& candidates) {
  for (int64_t bin = 0; bin < kDigestBins; ++bin) {
    const int64_t begin = RowDigest::bin_begin(bin, count);
    const int64_t end = RowDigest::bin_begin(bin + 1, count);
    if (end - begin == 4) {  // rows of about 1,000 keys: what a loop costs counts
      const float* p = w + begin;
      digest.max[bin] = HWY_MAX(HWY_MAX(p[0], p[1]), HWY_MAX(p[2], p[3]));
      digest.sum[bin] = (p[0] + p[1]) + (p[2] + p[3]);
    } else {
      Bin(w + begin, end - begin, digest.max[bin], digest.sum[bin]);
    }
  }
  // 64 bins hold at least 64 values that are no smaller than the 64th of the bins' largest.
  const int32_t most = std::bit_cast<int32_t>(*std::max_element(digest.max.begin(), digest.max.end()));
  const int32_t bound = BitsOfRank(digest.max.data(), kDigestBins, kDigestTop, 0, most);
  const auto* bits = reinterpret_cast<const int32_t*>(w);
  candidates.resize(static_cast<size_t>(2 * count));
  int32_t* at = candidates.data();
  int32_t* value = candidates.data() + count;
  int64_t found = 0;
  for (int64_t bin = 0; bin < kDigestBins; ++bin) {
    if (std::bit_cast<int32_t>(digest.max[bin]) < bound) continue;
    const int64_t end = RowDigest::bin_begin(bin + 1, count);
    for (int64_t i = RowDigest::bin_begin(bin, count); i < end; ++i) {
      at[found] = static_cast<int32_t>(i);
      value[found] = bits[i];
      found += bits[i] >= bound ? 1 : 0;
    }
  }
  const auto* values = reinterpret_cast<const float*>(value);
  const int32_t least = found > kDigestTop ? BitsOfRank(values, found, kDigestTop, bound, most) : bound;
  int64_t ties = kDigestTop - CountFrom(values, found, least + 1);
  int64_t kept = 0;
  for (int64_t i = 0; i < found && kept < kDigestTop; ++i) {
    if (value[i] < least || (value[i] == least && ties-- <= 0)) continue;
    digest.index[kept] = at[i];
    digest.weight[kept++] = std::bit_cast<float>(value[i]);
  }
}

static RowMoments Moments(const float* w, int64_t count) {
  const DF d;
  const int64_t lanes = hn::Lanes(d);
  RowMoments all;
  int64_t i = 0;
  while (count - i >= lanes) {
    const int64_t begin = i;
    const int64_t end = HWY_MIN(begin + kRun, count);
    VF sum = hn::Zero(d);
    VF moment = hn::Zero(d);
    VF index = hn::Iota(d, 0.0f);
    const VF step = hn::Set(d, static_cast<float>(lanes));
    for (; i + lanes <= end; i += lanes) {
      const VF v = hn::LoadU(d, w + i);
      sum = hn::Add(sum, v);
      moment = hn::MulAdd(v, index, moment);
      index = hn::Add(index, step);
    }
    const auto part = static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
    all.sum += part;
    all.index +=
        static_cast<double>(hn::GetLane(hn::SumOfLanes(d, moment))) + part * static_cast<double>(begin);
  }
  for (; i < count; ++i) {
    all.sum += static_cast<double>(w[i]);
    all.index += static_cast<double>(w[i]) * static_cast<double>(i);
  }
  return all;
}

}  // namespace HWY_NAMESPACE
}  // namespace orthros::kernels::row_digest_simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::kernels {
namespace row_digest_simd {
HWY_EXPORT(Digest);
HWY_EXPORT(Moments);
}  // namespace row_digest_simd

void digest_row(const float* weights, int64_t count, RowDigest& digest, std::vector<int32_t>& candidates) {
  using namespace row_digest_simd;
  HWY_DYNAMIC_DISPATCH(Digest)(weights, count, digest, candidates);
}

RowMoments row_moments(const float* weights, int64_t count) {
  using namespace row_digest_simd;
  return HWY_DYNAMIC_DISPATCH(Moments)(weights, count);
}

}  // namespace orthros::kernels
#endif
