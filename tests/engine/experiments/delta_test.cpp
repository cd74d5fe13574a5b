// Delta maps: pairs only, antisymmetric, zero against oneself, and colours that never rescale.
#include "engine/experiments/delta.h"

#include <vector>

#include <gtest/gtest.h>

namespace orthros {
namespace {

MapCell cell(int64_t ctx_len, int64_t depth_ppm, std::vector<double> scores) {
  MapCell result{"passkey", ctx_len, depth_ppm, {}};
  for (size_t i = 0; i < scores.size(); ++i) {
    const auto trial = static_cast<int64_t>(i);
    result.trials.push_back({trial, ctx_len * 1000 + trial, scores[i]});
  }
  return result;
}

TEST(DeltaMap, OfARunWithItselfIsZeroAndOfTheMiddleColour) {
  const std::vector<MapCell> run{cell(1024, 0, {1, 0, 1}), cell(1024, 500'000, {0, 0, 0}),
                                 cell(2048, 0, {1, 1, 0.25})};
  const DeltaMap map = delta_map(run, run);
  ASSERT_EQ(map.cells.size(), 3);
  for (const DeltaCell& found : map.cells) {
    ASSERT_TRUE(found.delta);
    EXPECT_EQ(*found.delta, 0);
    EXPECT_EQ(colour_position(*found.delta, kDeltaLimits), 0.5);
    EXPECT_EQ(found.counts.only_a + found.counts.only_b, 0);
    EXPECT_LT(found.interval.low, 0) << "three trials prove no equality";
  }
  EXPECT_EQ(map.p_value, 1);
  EXPECT_EQ(map.unpaired_trials, 0);
}

TEST(DeltaMap, CountsPairsAndKnowsWhichArmWon) {
  const std::vector<MapCell> a{cell(1024, 0, {1, 1, 1, 0, 0})}, b{cell(1024, 0, {1, 0, 0, 1, 0})};
  const DeltaMap map = delta_map(a, b);
  ASSERT_EQ(map.cells.size(), 1);
  const DeltaCell& found = map.cells[0];
  EXPECT_DOUBLE_EQ(*found.delta, 0.2);
  EXPECT_EQ(found.counts.both, 1);
  EXPECT_EQ(found.counts.only_a, 2);
  EXPECT_EQ(found.counts.only_b, 1);
  EXPECT_EQ(found.counts.neither, 1);
  EXPECT_EQ(map.p_value, mcnemar_exact({1, 2, 1, 1}));
  const DeltaMap swapped = delta_map(b, a);
  EXPECT_DOUBLE_EQ(*swapped.cells[0].delta, -0.2);
  EXPECT_EQ(swapped.cells[0].counts.only_a, 1);
  EXPECT_EQ(swapped.p_value, map.p_value);
}

TEST(DeltaMap, AHalfFinishedArmIsComparedOnItsPairsOnly) {
  // Arm b has done only the first trials, which are hard ones: unpaired means would show +0.5.
  const std::vector<MapCell> a{cell(1024, 0, {0, 0, 1, 1})}, b{cell(1024, 0, {0, 0})};
  const DeltaMap map = delta_map(a, b);
  EXPECT_EQ(*map.cells[0].delta, 0);
  EXPECT_EQ(map.cells[0].n_a, 4);
  EXPECT_EQ(map.cells[0].n_b, 2);
  EXPECT_EQ(map.cells[0].counts.n(), 2);
  EXPECT_EQ(map.unpaired_trials, 2);
  EXPECT_EQ(*delta_map(a, std::vector<MapCell>{cell(1024, 0, {1, 1})}).cells[0].delta, -1);
}

TEST(DeltaMap, TrialsOnOtherPromptsAreNoPairs) {
  std::vector<MapCell> a{cell(1024, 0, {1, 1})}, b{cell(1024, 0, {0, 0})};
  b[0].trials[0].prompt_id += 1;
  const DeltaMap map = delta_map(a, b);
  EXPECT_EQ(map.cells[0].counts.n(), 1);
  EXPECT_EQ(map.unpaired_trials, 2);
  b[0].trials[1].prompt_id += 1;
  const DeltaMap none = delta_map(a, b);
  EXPECT_FALSE(none.cells[0].delta);
  EXPECT_EQ(none.cells[0].interval.low, -1);
  EXPECT_EQ(none.cells[0].interval.high, 1);
  EXPECT_EQ(none.p_value, 1);
}

TEST(DeltaMap, CellsOfOneArmAloneStayInTheMapWithoutADelta) {
  const std::vector<MapCell> a{cell(1024, 0, {1}), cell(4096, 0, {1})},
      b{cell(1024, 0, {1}), cell(2048, 0, {1})};
  const DeltaMap map = delta_map(a, b);
  ASSERT_EQ(map.cells.size(), 3);
  EXPECT_EQ(map.cells[0].ctx_len, 1024);
  EXPECT_TRUE(map.cells[0].delta);
  EXPECT_EQ(map.cells[1].ctx_len, 2048);
  EXPECT_FALSE(map.cells[1].delta);
  EXPECT_EQ(map.cells[1].n_a, 0);
  EXPECT_EQ(map.cells[2].ctx_len, 4096);
  EXPECT_EQ(map.cells[2].n_b, 0);
}

TEST(DeltaMap, VariantsAreNotMixed) {
  std::vector<MapCell> a{cell(1024, 0, {1})}, b{cell(1024, 0, {1})};
  b[0].variant = "uuid";
  EXPECT_EQ(delta_map(a, b).cells.size(), 2);
}

TEST(DeltaMap, APartOfSeveralNeedlesMovesTheDeltaAndIsNoSuccess) {
  const std::vector<MapCell> a{cell(1024, 0, {1, 0.75})}, b{cell(1024, 0, {1, 0.25})};
  const DeltaCell found = delta_map(a, b).cells[0];
  EXPECT_DOUBLE_EQ(*found.delta, 0.25);
  EXPECT_EQ(found.counts.both, 1);
  EXPECT_EQ(found.counts.neither, 1);
}

TEST(ColourLimits, AnAllPassMapIsNotRescaled) {
  EXPECT_EQ(colour_position(1, kAccuracyLimits), 1);
  EXPECT_EQ(colour_position(0, kAccuracyLimits), 0);
  EXPECT_DOUBLE_EQ(colour_position(0.9, kAccuracyLimits), 0.9);
  EXPECT_EQ(colour_position(1, kDeltaLimits), 1);
  EXPECT_EQ(colour_position(-1, kDeltaLimits), 0);
  EXPECT_DOUBLE_EQ(colour_position(0.1, kDeltaLimits), 0.55);
  EXPECT_EQ(colour_position(7, kDeltaLimits), 1);
}

}  // namespace
}  // namespace orthros
