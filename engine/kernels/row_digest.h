// RowDigest: a row of weights in bounded space: the 64 heaviest exactly, and the largest and the sum of each
// of 256 equal stretches; its sums, at any length. Shapes: weights [count], none negative; bin b covers
// [b * count / 256, (b + 1) * count / 256). Units: as the weights. Errors: none. Threads: pure functions.
// Source: attention-explorer.md 5.1, capture C1.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace orthros::kernels {

inline constexpr int64_t kDigestBins = 256;
inline constexpr int64_t kDigestTop = 64;

struct RowDigest {
  std::array<float, kDigestBins> max{}, sum{};
  std::array<float, kDigestTop> weight{};
  std::array<int32_t, kDigestTop> index{};  // ascending; equal weights: the first ones

  static int64_t bin_begin(int64_t bin, int64_t count) { return bin * count / kDigestBins; }
};
/// Values that a digest holds: a row that is no longer is kept whole instead.
inline constexpr int64_t kDigestValues = 2 * kDigestBins + 2 * kDigestTop;

/// count >= kDigestTop. `candidates` is working memory to be used again.
void digest_row(const float* weights, int64_t count, RowDigest& digest, std::vector<int32_t>& candidates);

/// Sum of the weights and of weight times index: fp32 in short runs, fp64 across them.
struct RowMoments {
  double sum = 0, index = 0;
};
RowMoments row_moments(const float* weights, int64_t count);

}  // namespace orthros::kernels
