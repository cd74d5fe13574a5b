// Cost fit: exact where the data are exact, optimal under its constraint, fair to short prompts, and
// intervals that tell a quadratic curve from a linear one without taking a bend of the machine for one.
#include "engine/experiments/cost_fit.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/experiments/resample.h"

namespace orthros {
namespace {

const std::vector<int64_t> kLengths{512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};

double uniform(Resampler& random) {
  return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53;
}
double normal(Resampler& random) {
  return std::sqrt(-2 * std::log(uniform(random))) * std::cos(2 * std::numbers::pi * uniform(random));
}

std::vector<LengthSamples> measured(const CostCurve& truth, Resampler& random, double noise,
                                    int repetitions) {
  std::vector<LengthSamples> samples;
  for (const int64_t tokens : kLengths) {
    LengthSamples entry{tokens, {}};
    for (int i = 0; i < repetitions; ++i) {
      entry.seconds.push_back(truth.seconds(static_cast<double>(tokens)) * std::exp(noise * normal(random)));
    }
    samples.push_back(entry);
  }
  return samples;
}

TEST(CostFit, RecoversACurveThatIsOne) {
  const CostCurve truth{0.02, 3e-6, 7e-11};
  Resampler random(1);
  auto samples = measured(truth, random, 0, 3);
  std::swap(samples[0], samples[5]);
  samples.push_back(samples[2]);  // the same length in two entries
  const auto fit = fit_cost(samples);
  ASSERT_TRUE(fit) << fit.error().line();
  EXPECT_NEAR(fit->curve.constant_s / truth.constant_s, 1, 1e-9);
  EXPECT_NEAR(fit->curve.linear_s / truth.linear_s, 1, 1e-9);
  EXPECT_NEAR(fit->curve.quadratic_s / truth.quadratic_s, 1, 1e-9);
  EXPECT_LT(fit->worst_relative_residual, 1e-9);
  EXPECT_EQ(fit->min_tokens, 512);
  EXPECT_EQ(fit->max_tokens, 65536);
  const double t = 65536;
  EXPECT_NEAR(fit->curve.quadratic_share(t), truth.quadratic_s * t * t / truth.seconds(t), 1e-9);
}

/// Half the gradient of the summed squared relative errors, scaled by each term's size at the longest length.
std::array<double, 3> gradient(const std::vector<MedianTime>& medians, const CostCurve& curve,
                               double longest) {
  std::array<double, 3> result{};
  for (const MedianTime& median : medians) {
    const double error = curve.seconds(median.tokens) / median.seconds - 1, u = median.tokens / longest;
    const std::array<double, 3> terms{1, u, u * u};
    for (size_t i = 0; i < 3; ++i) result.at(i) += error * terms.at(i) / median.seconds;
  }
  return result;
}

TEST(NonNegativeFit, NoAllowedStepImprovesIt) {
  Resampler random(3);
  int at_bound = 0;
  for (int run = 0; run < 300; ++run) {
    std::vector<MedianTime> medians;
    const double power = 0.3 + 2.2 * uniform(random);  // from flatter than linear to steeper than quadratic
    for (const int64_t tokens : kLengths) {
      const auto t = static_cast<double>(tokens);
      medians.push_back({t, std::pow(t / 4096, power) * std::exp(0.2 * normal(random))});
    }
    const CostCurve curve = fit_non_negative(medians);
    const std::array<double, 3> slope = gradient(medians, curve, 65536);
    const std::array<double, 3> x{curve.constant_s, curve.linear_s, curve.quadratic_s};
    for (size_t i = 0; i < 3; ++i) {
      ASSERT_GE(x.at(i), 0);
      if (x.at(i) > 0) {
        EXPECT_NEAR(slope.at(i), 0, 1e-6) << "run " << run << ", term " << i;
      } else {
        EXPECT_GT(slope.at(i), -1e-9) << "run " << run << ", term " << i;
        ++at_bound;
      }
    }
  }
  EXPECT_GT(at_bound, 100) << "the constraint must be at work in this test";
}

TEST(CostFit, ShortPromptsCountAsMuchAsLongOnes) {
  // 1 % errors of alternating sign; at the longest length they are larger than the whole constant.
  std::vector<LengthSamples> samples;
  double sum = 0, sum_t = 0, sum_tt = 0, sum_y = 0, sum_ty = 0, sign = 0.01;
  for (const double t : {16.0, 64.0, 256.0, 1024.0, 4096.0, 16384.0, 65536.0, 262144.0}) {
    const double y = (0.01 + 1e-4 * t) * (1 + sign);
    sign = -sign;
    samples.push_back({static_cast<int64_t>(t), {y, y}});
    sum += 1;
    sum_t += t;
    sum_tt += t * t;
    sum_y += y;
    sum_ty += t * y;
  }
  const auto fit = fit_cost(samples);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->curve.constant_s, 0.01, 0.0005);
  const double absolute = (sum_tt * sum_y - sum_t * sum_ty) / (sum * sum_tt - sum_t * sum_t);
  EXPECT_GT(std::abs(absolute - 0.01), 0.002) << "least squares of absolute errors must be told apart";
}

TEST(CostFit, LinearIsConsistentWithZeroAndQuadraticIsNot) {
  Resampler random(5);
  int linear_called_linear = 0, quadratic_called_linear = 0, covered = 0;
  constexpr int kRuns = 150;
  const CostCurve linear{0.01, 1e-5, 0}, quadratic{0.01, 1e-5, 1e-5 / 32768};
  for (int run = 0; run < kRuns; ++run) {
    const auto seed = static_cast<uint64_t>(run);
    const auto first = fit_cost(measured(linear, random, 0.03, 5), 200, seed);
    const auto second = fit_cost(measured(quadratic, random, 0.03, 5), 200, seed);
    ASSERT_TRUE(first && second);
    linear_called_linear += *first->quadratic_consistent_with_zero() ? 1 : 0;
    quadratic_called_linear += *second->quadratic_consistent_with_zero() ? 1 : 0;
    const Interval c = second->intervals->quadratic_s;
    covered += c.low <= quadratic.quadratic_s && quadratic.quadratic_s <= c.high ? 1 : 0;
  }
  EXPECT_GT(linear_called_linear, 0.93 * kRuns);
  EXPECT_EQ(quadratic_called_linear, 0);
  EXPECT_GT(covered, 0.9 * kRuns);
}

TEST(CostFit, IntervalsAreNoWiderThanTheNoiseAsksFor) {
  Resampler random(6);
  const auto fit = fit_cost(measured({0.01, 1e-5, 3e-10}, random, 0.01, 9));
  ASSERT_TRUE(fit);
  const Interval c = fit->intervals->quadratic_s;
  EXPECT_GT(c.low, 0.9 * 3e-10);
  EXPECT_LT(c.high, 1.1 * 3e-10);
}

TEST(CostFit, ABendOfTheMachineIsNotTakenForAQuadraticTerm) {
  // A linear model whose cache runs out half way: repeats agree to 0.01 %, so noise alone would call c
  // significant.
  std::vector<LengthSamples> samples;
  const std::array<double, 8> bend{1.03, 0.97, 1.04, 0.96, 0.98, 0.97, 1.02, 1.04};
  Resampler random(8);
  for (size_t i = 0; i < kLengths.size(); ++i) {
    LengthSamples entry{kLengths[i], {}};
    for (int j = 0; j < 5; ++j) {
      const double seconds = (0.01 + 1e-5 * static_cast<double>(kLengths[i])) * bend.at(i);
      entry.seconds.push_back(seconds * std::exp(1e-4 * normal(random)));
    }
    samples.push_back(entry);
  }
  const auto fit = fit_cost(samples);
  ASSERT_TRUE(fit);
  EXPECT_GT(fit->curve.quadratic_s, 0);
  EXPECT_TRUE(*fit->quadratic_consistent_with_zero());
}

TEST(CostFit, PredictionsSayThatTheyAreAModelAndWhereTheyLeaveTheData) {
  Resampler random(9);
  const CostCurve truth{0.01, 1e-5, 3e-10};
  const auto fit = fit_cost(measured(truth, random, 0.02, 7));
  ASSERT_TRUE(fit);
  EXPECT_EQ(std::string(ModelledTime::label), "model");
  const ModelledTime inside = fit->predict(20000), outside = fit->predict(1 << 20);
  EXPECT_FALSE(inside.extrapolated);
  EXPECT_TRUE(outside.extrapolated);
  EXPECT_TRUE(fit->predict(511).extrapolated);
  EXPECT_FALSE(fit->predict(512).extrapolated);
  EXPECT_FALSE(fit->predict(65536).extrapolated);
  for (const ModelledTime& time : {inside, outside}) {
    ASSERT_TRUE(time.interval);
    EXPECT_LE(time.interval->low, time.seconds);
    EXPECT_GE(time.interval->high, time.seconds);
  }
  EXPECT_NEAR(outside.seconds / truth.seconds(1 << 20), 1, 0.1);
  const auto width = [](const ModelledTime& time) {
    return (time.interval->high - time.interval->low) / time.seconds;
  };
  EXPECT_GT(width(outside), width(inside));
}

TEST(CostFit, SameSamplesGiveTheSameIntervalsAndOneSampleGivesNone) {
  Resampler random(10);
  auto samples = measured({0.01, 1e-5, 3e-10}, random, 0.05, 3);
  const auto first = fit_cost(samples, 300, 4), again = fit_cost(samples, 300, 4),
             other = fit_cost(samples, 300, 5);
  ASSERT_TRUE(first && again && other);
  EXPECT_EQ(first->intervals->quadratic_s.low, again->intervals->quadratic_s.low);
  EXPECT_EQ(first->intervals->linear_s.high, again->intervals->linear_s.high);
  EXPECT_NE(first->intervals->linear_s.high, other->intervals->linear_s.high);
  samples[3].seconds.resize(1);
  const auto single = fit_cost(samples);
  ASSERT_TRUE(single);
  EXPECT_FALSE(single->intervals);
  EXPECT_FALSE(single->quadratic_consistent_with_zero());
  EXPECT_FALSE(single->predict(1000).interval);
}

TEST(CostFit, WhatCannotBeFittedIsRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<LengthSamples>> bad{
      {},
      {{512, {1, 1}}, {1024, {2, 2}}},
      {{512, {1}}, {512, {1}}, {1024, {2}}},
      {{512, {1}}, {1024, {0}}, {2048, {4}}},
      {{512, {1}}, {1024, {nan}}, {2048, {4}}},
      {{0, {1}}, {1024, {2}}, {2048, {4}}},
      {{512, {1}}, {1024, {2}}, {2048, {}}},
  };
  for (const auto& samples : bad) {
    const auto fit = fit_cost(samples);
    ASSERT_FALSE(fit);
    EXPECT_EQ(fit.error().code, ErrorCode::invalid_argument);
  }
}

}  // namespace
}  // namespace orthros
