// Statistics of the experiments: intervals for shares, medians and their ratios, paired tests. All in double.
// Errors: none; what is undefined (no values, NaN, infinity) is nullopt. Threads: pure functions. Public: no
// torch. Source: niah-and-latency.md 6.1, 6.2; Wilson 1927, Newcombe 1998 (method 10 for paired shares),
// exact McNemar.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace orthros {

struct Interval {
  double low = 0, high = 0;
};

/// 95 % Wilson score interval of k successes in n; [0, 1] for n = 0.
Interval wilson(int64_t successes, int64_t n);

/// The same trials under two arms.
struct PairedCounts {
  int64_t both = 0, only_a = 0, only_b = 0, neither = 0;
  int64_t n() const { return both + only_a + only_b + neither; }
};
/// Two-sided exact McNemar p-value; 1 when no trial differs.
double mcnemar_exact(const PairedCounts& counts);
/// 95 % interval of share(a) - share(b) for paired trials; [-1, 1] for n = 0.
Interval newcombe_paired(const PairedCounts& counts);

/// Linear interpolation between order statistics (type 7), q in 0..1; nullopt when empty.
std::optional<double> quantile(std::span<const double> values, double q);
std::optional<double> median(std::span<const double> values);
/// Median absolute deviation from the median, unscaled.
std::optional<double> mad(std::span<const double> values);

/// 95 % percentile bootstrap of the median, seeded: the same samples give the same interval. nullopt below 2.
std::optional<Interval> bootstrap_median(std::span<const double> values, int resamples = 10'000,
                                         uint64_t seed = 1);

struct Ratio {
  double value = 0;  // median(a) / median(b)
  Interval interval;
};
/// Pairs are resampled together, so what drifts for both cancels. nullopt below 2 pairs, for unequal sizes or
/// where a value of b is not positive.
std::optional<Ratio> bootstrap_paired_ratio(std::span<const double> a, std::span<const double> b,
                                            int resamples = 10'000, uint64_t seed = 1);

}  // namespace orthros
