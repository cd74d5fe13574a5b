// Crossover finder: known curves are found, open ends are said, losses are no crossovers, and the paper's own
// E2E gains thin out where its numbers say.
#include "engine/experiments/crossover.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/experiments/paper.h"
#include "engine/experiments/resample.h"

namespace orthros {
namespace {

using ::testing::HasSubstr;
using Where = ReachedSpeedUp::Where;

double uniform(Resampler& random) {
  return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53;
}
double normal(Resampler& random) {
  return std::sqrt(-2 * std::log(uniform(random))) * std::cos(2 * std::numbers::pi * uniform(random));
}

PairedSamples at_ratio(int64_t tokens, double ratio, Resampler& random, double noise, int pairs = 7) {
  PairedSamples entry{tokens, {}, {}};
  for (int i = 0; i < pairs; ++i) {
    const double machine = std::exp(0.2 * normal(random));  // drift common to both arms
    entry.baseline_s.push_back(ratio * machine * std::exp(noise * normal(random)));
    entry.model_s.push_back(machine * std::exp(noise * normal(random)));
  }
  return entry;
}

/// The FLOP ratio of a small model: 0.9 at T = 0, T* = 4096.
double true_ratio(double tokens) {
  return 0.9 * (1 + tokens / 4096);
}
std::vector<PairedSamples> small_model(Resampler& random, double noise) {
  std::vector<PairedSamples> samples;
  for (const int64_t tokens : {16384, 128, 256, 512, 1024, 2048, 4096, 8192}) {  // any order
    samples.push_back(at_ratio(tokens, true_ratio(static_cast<double>(tokens)), random, noise));
  }
  return samples;
}

TEST(Crossover, LengthsAreInterpolatedInTheLogarithm) {
  Resampler random(1);
  const std::vector<PairedSamples> samples{at_ratio(1000, 1, random, 0), at_ratio(16000, 4, random, 0)};
  const auto reached = length_reaching(samples, 2);
  ASSERT_TRUE(reached);
  EXPECT_EQ(reached->where, Where::within);
  EXPECT_NEAR(*reached->tokens, 4000, 1e-6);  // linear in T: 6000; ratio linear in log T: 2520
  EXPECT_NEAR(reached->interval.low, 4000, 1e-6);
  EXPECT_NEAR(reached->interval.high, 4000, 1e-6);
}

TEST(Crossover, TheIntervalCoversTheTrueLength) {
  Resampler random(2);
  constexpr int kRuns = 200;
  for (const double target : {2.0, 3.5}) {
    const double truth = 4096 * (target / 0.9 - 1);
    int covered = 0;
    double width = 0;
    for (int run = 0; run < kRuns; ++run) {
      const auto reached =
          length_reaching(small_model(random, 0.03), target, 200, static_cast<uint64_t>(run));
      ASSERT_TRUE(reached && reached->tokens);
      covered += reached->interval.low <= truth && truth <= reached->interval.high ? 1 : 0;
      width += (reached->interval.high - reached->interval.low) / truth / kRuns;
    }
    EXPECT_GT(covered, 0.88 * kRuns) << target;
    EXPECT_LT(width, 0.25) << "an interval that holds everything proves nothing";
  }
}

TEST(Crossover, WhatLiesOutsideTheMeasuredLengthsIsSaid) {
  Resampler random(3);
  const auto samples = small_model(random, 0.01);
  const auto beyond = length_reaching(samples, 21.9), before = length_reaching(samples, 0.5);
  ASSERT_TRUE(beyond && before);
  EXPECT_EQ(beyond->where, Where::beyond_last);
  EXPECT_FALSE(beyond->tokens);
  EXPECT_TRUE(std::isinf(beyond->interval.high));
  EXPECT_EQ(beyond->sentence(), "21.9x not reached up to 16384 tokens");
  EXPECT_EQ(before->where, Where::before_first);
  EXPECT_FALSE(before->tokens);
  EXPECT_EQ(before->interval.low, 0);
  EXPECT_EQ(before->sentence(), "0.5x already at 128 tokens, the shortest measured");
}

TEST(Crossover, AnIntervalThatLeavesTheDataIsOpen) {
  Resampler random(4);
  const double last = true_ratio(16384);
  const auto reached = length_reaching(small_model(random, 0.03), last * 0.995);
  ASSERT_TRUE(reached && reached->tokens);
  EXPECT_TRUE(std::isinf(reached->interval.high));
  EXPECT_THAT(reached->sentence(), HasSubstr("beyond 16384"));
  EXPECT_EQ(length_reaching(small_model(random, 0.01), 2)->sentence().find("beyond"), std::string::npos);
}

TEST(Crossover, TheFirstGainIsTheFirstIntervalAboveOne) {
  Resampler random(5);
  const std::vector<PairedSamples> samples{
      at_ratio(4096, 1.5, random, 0.02), at_ratio(512, 0.7, random, 0.02), at_ratio(1024, 1.0, random, 0.02),
      at_ratio(2048, 1.2, random, 0.02)};
  const std::vector<SpeedUpPoint> curve = speed_up_curve(samples);
  ASSERT_EQ(curve.size(), 4);
  EXPECT_EQ(curve.front().tokens, 512);
  EXPECT_LT(curve.front().ratio.interval.high, 1) << "its interval excludes 1, from below: no gain";
  const auto first = first_faster(curve);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->tokens, 2048);
  EXPECT_TRUE(first->holds_beyond);
  EXPECT_EQ(last_slower(curve), 512);
}

TEST(Crossover, AGainThatIsLostAgainIsSaid) {
  Resampler random(6);
  const auto curve = speed_up_curve(std::vector<PairedSamples>{at_ratio(512, 1.3, random, 0.02),
                                                               at_ratio(1024, 0.8, random, 0.02),
                                                               at_ratio(2048, 1.4, random, 0.02)});
  ASSERT_TRUE(first_faster(curve));
  EXPECT_EQ(first_faster(curve)->tokens, 512);
  EXPECT_FALSE(first_faster(curve)->holds_beyond);
  EXPECT_EQ(last_slower(curve), 1024);
}

TEST(Crossover, EqualArmsNeverCross) {
  Resampler random(7);
  std::vector<PairedSamples> samples;
  for (const int64_t tokens : {512, 1024, 2048}) {
    PairedSamples entry = at_ratio(tokens, 1, random, 0.05);
    entry.baseline_s = entry.model_s;
    samples.push_back(entry);
  }
  EXPECT_FALSE(first_faster(speed_up_curve(samples)));
  EXPECT_FALSE(last_slower(speed_up_curve(samples)));
}

TEST(Crossover, AMedianBesideOneInAnIntervalAroundItIsNeitherGainNorLoss) {
  const std::vector<PairedSamples> samples{{512, {0.5, 0.95, 2}, {1, 1, 1}},
                                           {1024, {0.5, 1.05, 2}, {1, 1, 1}}};
  EXPECT_FALSE(first_faster(speed_up_curve(samples)));
  EXPECT_FALSE(last_slower(speed_up_curve(samples)));
}

TEST(Crossover, LengthsWithoutPairsAreLeftOut) {
  const std::vector<PairedSamples> samples{{512, {1}, {1}}, {1024, {1, 2}, {1}}, {2048, {1, 0}, {1, 1}}};
  EXPECT_TRUE(speed_up_curve(samples).empty());
  EXPECT_FALSE(length_reaching(samples, 2));
  EXPECT_FALSE(length_reaching({}, 2));
  Resampler random(8);
  EXPECT_FALSE(length_reaching(small_model(random, 0.01), 0));
  EXPECT_FALSE(length_reaching(small_model(random, 0.01), std::numeric_limits<double>::quiet_NaN()));
}

/// The paper's first row; steps are the rest of E2E over N - 1.
EndToEndTimes first_row_of_table4() {
  EndToEndTimes times;
  for (const PaperPoint& point : paper_data()->points) {
    if (point.exhibit != "table4" || point.out_len != 128) continue;
    const bool baseline = point.series == "Transformer";
    if (!baseline && point.series != "Orthros") continue;
    double& ttft = baseline ? times.baseline_ttft_s : times.model_ttft_s;
    double& step = baseline ? times.baseline_step_s : times.model_step_s;
    if (point.metric == "ttft_s") ttft = point.value;
    if (point.metric == "e2e_s") step = (point.value - ttft) / 127;
  }
  return times;
}

TEST(EndToEndGain, OfThePaperThinsOutAsItsNumbersSay) {
  const EndToEndTimes times = first_row_of_table4();
  EXPECT_NEAR(times.baseline_step_s, 0.06033, 5e-6);
  EXPECT_NEAR(times.model_step_s, 0.06009, 5e-6);
  const std::vector<std::pair<double, double>> expected{{3, 218}, {2, 722}, {1.5, 1735}, {1.25, 3787}};
  for (const auto& [x, steps] : expected) {
    const GainFall fall = steps_until_gain(times, x);
    EXPECT_EQ(fall.kind, GainFall::Kind::falls);
    EXPECT_NEAR(fall.steps, steps, 2) << x;
    EXPECT_NEAR(times.gain(fall.steps), x, 1e-9);
    EXPECT_GT(times.gain(fall.steps - 10), x);
  }
  EXPECT_NEAR(steps_until_gain(times, 1.1).steps, 10'100, 100);
}

TEST(EndToEndGain, WhatNeverFallsOrNeverStartsIsSaid) {
  const EndToEndTimes faster_steps{10, 2, 0.06, 0.03};
  EXPECT_EQ(steps_until_gain(faster_steps, 1.9).kind, GainFall::Kind::stays_above);
  EXPECT_EQ(steps_until_gain(faster_steps, 2.0).kind, GainFall::Kind::stays_above);
  EXPECT_EQ(steps_until_gain(faster_steps, 5.0).kind, GainFall::Kind::starts_below);
  EXPECT_EQ(steps_until_gain(faster_steps, 6.0).kind, GainFall::Kind::starts_below);
  EXPECT_EQ(steps_until_gain(faster_steps, 3.0).kind, GainFall::Kind::falls);
  EXPECT_DOUBLE_EQ(faster_steps.gain(0), 5);
}

}  // namespace
}  // namespace orthros
