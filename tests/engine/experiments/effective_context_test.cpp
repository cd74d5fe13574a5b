// Effective context: what fails below a length is never outweighed by what passes above it.
#include "engine/experiments/effective_context.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace orthros {
namespace {

/// The usual mistake: the longest length that passes, whatever happened below it.
std::optional<int64_t> longest_passing(const std::vector<LengthScore>& lengths, double threshold) {
  std::optional<int64_t> best;
  for (const LengthScore& entry : lengths) {
    if (entry.n > 0 && entry.mean_score >= threshold) best = std::max(best.value_or(0), entry.ctx_len);
  }
  return best;
}

TEST(EffectiveContext, AHoleEndsItThoughLongerLengthsPass) {
  const std::vector<LengthScore> lengths{{1024, 1, 10}, {2048, 0.9, 10}, {4096, 0.4, 10}, {8192, 1, 10}};
  const EffectiveContext found = effective_context(lengths, 0.9);
  EXPECT_EQ(found.length, 2048);
  EXPECT_EQ(found.stopped_at, 4096);
  EXPECT_FALSE(found.is_lower_bound());
  EXPECT_EQ(longest_passing(lengths, 0.9), 8192) << "the mistake must be told apart by this case";
}

TEST(EffectiveContext, OrderOfTheCellsDoesNotMatter) {
  std::vector<LengthScore> lengths{{1024, 1, 5}, {2048, 1, 5}, {4096, 0.95, 5}, {8192, 0.2, 5}};
  std::sort(lengths.begin(), lengths.end(),
            [](const auto& a, const auto& b) { return a.ctx_len < b.ctx_len; });
  do {
    EXPECT_EQ(effective_context(lengths, 0.9).length, 4096);
  } while (std::next_permutation(lengths.begin(), lengths.end(),
                                 [](const auto& a, const auto& b) { return a.ctx_len < b.ctx_len; }));
}

TEST(EffectiveContext, ALengthThatWasNotMeasuredEndsItAsALowerBound) {
  const EffectiveContext found = effective_context({{{1024, 1, 5}, {2048, 0, 0}, {4096, 1, 5}}}, 0.9);
  EXPECT_EQ(found.length, 1024);
  EXPECT_EQ(found.stopped_at, 2048);
  EXPECT_TRUE(found.stopped_unmeasured);
  EXPECT_TRUE(found.is_lower_bound());
}

TEST(EffectiveContext, AllPassingIsALowerBoundAndNonePassingIsNone) {
  const EffectiveContext all = effective_context({{{1024, 1, 5}, {2048, 1, 5}}}, 0.9);
  EXPECT_EQ(all.length, 2048);
  EXPECT_FALSE(all.stopped_at);
  EXPECT_TRUE(all.is_lower_bound());
  const EffectiveContext none = effective_context({{{1024, 0.1, 5}, {2048, 1, 5}}}, 0.9);
  EXPECT_FALSE(none.length);
  EXPECT_EQ(none.stopped_at, 1024);
  EXPECT_FALSE(effective_context({}, 0.9).length);
  EXPECT_FALSE(effective_context({}, 0.9).is_lower_bound());
}

TEST(EffectiveContext, EntriesOfALengthArePooledByTheirTrials) {
  // 0.5 over 1 trial and 1.0 over 9 are 0.95; the plain mean of the two means, 0.75, would fail.
  EXPECT_EQ(effective_context({{{1024, 0.5, 1}, {1024, 1, 9}, {1024, 0, 0}}}, 0.9).length, 1024);
  EXPECT_FALSE(effective_context({{{1024, 0.5, 9}, {1024, 1, 1}}}, 0.9).length);
}

TEST(EffectiveContext, AMeanEqualToTheThresholdPasses) {
  const double summed = (0.1 + 0.7 + 0.1) / 1;  // 0.8999999999999999
  EXPECT_LT(summed, 0.9);
  EXPECT_EQ(effective_context({{{1024, summed, 1}}}, 0.9).length, 1024);
  EXPECT_FALSE(effective_context({{{1024, 0.899, 10}}}, 0.9).length);
}

}  // namespace
}  // namespace orthros
