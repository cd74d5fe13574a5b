// Quantiles, bootstrap of the median and of a paired ratio: definitions, seeds, coverage, and drift that
// cancels.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "engine/experiments/resample.h"
#include "engine/experiments/statistics.h"

namespace orthros {
namespace {

double uniform(Resampler& random) {
  return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53;
}
double normal(Resampler& random) {
  return std::sqrt(-2 * std::log(uniform(random))) * std::cos(2 * std::numbers::pi * uniform(random));
}

TEST(Quantile, InterpolatesBetweenOrderStatistics) {
  const std::vector<double> values{40, 10, 30, 20};
  EXPECT_EQ(quantile(values, 0), 10);
  EXPECT_EQ(quantile(values, 1), 40);
  EXPECT_DOUBLE_EQ(*quantile(values, 0.25), 17.5);  // type 7; type 6 would give 12.5, nearest rank 10
  EXPECT_DOUBLE_EQ(*quantile(values, 0.5), 25);
  EXPECT_EQ(median(values), 25);
  EXPECT_EQ(mad(values), 10);
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(mad(std::vector<double>{1, 1, 1, 100}), 0) << "one outlier must not move it";
}

TEST(Quantile, WhatIsUndefinedIsNullopt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(quantile({}, 0.5), std::nullopt);
  EXPECT_EQ(median({}), std::nullopt);
  EXPECT_EQ(mad({}), std::nullopt);
  EXPECT_EQ(quantile(std::vector<double>{1, 2}, 1.5), std::nullopt);
  EXPECT_EQ(quantile(std::vector<double>{1, 2}, nan), std::nullopt);
  EXPECT_EQ(median(std::vector<double>{1, nan, 2}), std::nullopt);
  EXPECT_FALSE(bootstrap_median(std::vector<double>{1}));
  EXPECT_FALSE(bootstrap_median(std::vector<double>{1, nan}));
  EXPECT_FALSE(bootstrap_paired_ratio(std::vector<double>{1}, std::vector<double>{1}));
  EXPECT_FALSE(bootstrap_paired_ratio(std::vector<double>{1, 2, 3}, std::vector<double>{1, 2}));
  EXPECT_FALSE(bootstrap_paired_ratio(std::vector<double>{1, 2}, std::vector<double>{1, 0}));
}

TEST(Bootstrap, TheSequenceOfRandomNumbersIsOurs) {
  // First outputs of SplitMix64 for seed 1234567, as its authors publish them.
  Resampler random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  std::vector<int> hits(7);
  for (int i = 0; i < 7000; ++i) ++hits.at(random.index(7));
  for (const int count : hits) EXPECT_NEAR(count, 1000, 130);
}

TEST(Bootstrap, SameSamplesGiveTheSameInterval) {
  const std::vector<double> values{10.1, 10.4, 9.8, 10.0, 11.7, 10.2, 10.3};
  const auto first = bootstrap_median(values), again = bootstrap_median(values);
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->low, again->low);
  EXPECT_EQ(first->high, again->high);
  EXPECT_LE(first->low, *median(values));
  EXPECT_GE(first->high, *median(values));
  // With few resamples the ends hang on the seed; were it ignored, all would agree.
  int different = 0;
  for (uint64_t seed = 2; seed < 12; ++seed) {
    const auto other = bootstrap_median(values, 20, seed), base = bootstrap_median(values, 20, 1);
    if (other->low != base->low || other->high != base->high) ++different;
  }
  EXPECT_GT(different, 0);
}

TEST(Bootstrap, MedianIsCoveredAboutAsOftenAsItSays) {
  Resampler random(7);
  int covered = 0, mean_interval_covers = 0;
  constexpr int kRuns = 400, kSamples = 25;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> values(kSamples);
    for (double& value : values)
      value = std::exp(1.2 * normal(random));  // skewed, as latencies are; median 1
    const auto interval = bootstrap_median(values, 500, static_cast<uint64_t>(run));
    if (interval->low <= 1 && 1 <= interval->high) ++covered;
    double mean = 0, square = 0;
    for (const double value : values) mean += value / kSamples;
    for (const double value : values) square += (value - mean) * (value - mean);
    const double half = 2.06 * std::sqrt(square / (kSamples - 1) / kSamples);
    if (mean - half <= 1 && 1 <= mean + half) ++mean_interval_covers;
  }
  EXPECT_GT(covered, 0.91 * kRuns);
  EXPECT_LT(covered, 0.985 * kRuns);
  EXPECT_LT(mean_interval_covers, 0.85 * kRuns)
      << "an interval of the mean must not pass for one of the median";
}

struct DriftingRun {
  std::vector<double> transformer, orthros;
};
/// A machine whose speed changes from pair to pair, for both models alike; the true ratio is 2.
DriftingRun drifting(Resampler& random, int pairs) {
  DriftingRun run;
  for (int i = 0; i < pairs; ++i) {
    const double machine = std::exp(0.4 * normal(random));
    run.transformer.push_back(2 * machine * std::exp(0.01 * normal(random)));
    run.orthros.push_back(machine * std::exp(0.01 * normal(random)));
  }
  return run;
}

TEST(PairedRatio, DriftOfTheMachineCancels) {
  Resampler random(11);
  int covered = 0;
  double paired_width = 0, unpaired_width = 0;
  constexpr int kRuns = 300;
  for (int i = 0; i < kRuns; ++i) {
    DriftingRun run = drifting(random, 12);
    const auto ratio = bootstrap_paired_ratio(run.transformer, run.orthros, 300, static_cast<uint64_t>(i));
    ASSERT_TRUE(ratio);
    EXPECT_DOUBLE_EQ(ratio->value, *median(run.transformer) / *median(run.orthros));
    if (ratio->interval.low <= 2 && 2 <= ratio->interval.high) ++covered;
    paired_width += ratio->interval.high - ratio->interval.low;
    std::rotate(run.orthros.begin(), run.orthros.begin() + 5, run.orthros.end());  // pairs broken
    const auto broken = bootstrap_paired_ratio(run.transformer, run.orthros, 300, static_cast<uint64_t>(i));
    unpaired_width += broken->interval.high - broken->interval.low;
  }
  EXPECT_GT(covered, 0.88 * kRuns);
  EXPECT_LT(paired_width * 5, unpaired_width);
}

TEST(PairedRatio, OfEqualArmsIsExactlyOne) {
  const std::vector<double> values{1.0, 1.5, 1.2, 0.9, 3.0};
  const auto ratio = bootstrap_paired_ratio(values, values);
  ASSERT_TRUE(ratio);
  EXPECT_EQ(ratio->value, 1);
  EXPECT_EQ(ratio->interval.low, 1);
  EXPECT_EQ(ratio->interval.high, 1);
}

}  // namespace
}  // namespace orthros
