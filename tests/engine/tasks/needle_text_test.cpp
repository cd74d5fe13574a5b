// Facts and their sentences, and the generator of random numbers below them.
#include "engine/tasks/needle_text.h"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/tasks/scorers.h"

namespace orthros {
namespace {

/// Published outputs of SplitMix64 for the state 1234567.
TEST(Random, IsSplitMix64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(Random, BoundedDrawsAreUniformAlsoForBoundsNearTheWholeRange) {
  Random random(1);
  std::map<uint64_t, int> counts;
  for (int i = 0; i < 60'000; ++i) ++counts[random.below(6)];
  ASSERT_EQ(counts.size(), 6u);
  for (const auto& [value, count] : counts) EXPECT_NEAR(count, 10'000, 500) << value;
  // With a plain remainder five eighths of the draws would fall into the lower half.
  const uint64_t bound = (uint64_t{1} << 63) + (uint64_t{1} << 62);
  int lower = 0;
  for (int i = 0; i < 60'000; ++i) lower += random.below(bound) < bound / 2;
  EXPECT_NEAR(lower, 30'000, 800);
  EXPECT_EQ(random.below(1), 0u);
}

TEST(Random, StreamsOfOneSeedDiffer) {
  std::set<uint64_t> first;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    for (uint64_t stream = 0; stream < 30; ++stream) first.insert(Random(seed, stream).next());
  }
  EXPECT_EQ(first.size(), 900u);
}

TEST(NeedleText, QuestionBeginsTheNeedleAndAnswerContinuesIt) {
  for (const NeedleVariant variant : {NeedleVariant::word_number, NeedleVariant::uuid,
                                      NeedleVariant::key_value, NeedleVariant::multi_key}) {
    FactSource facts(variant, 5, 1);
    for (int i = 0; i < 20; ++i) {
      const NeedleFact fact = facts.next();
      const std::string question = question_text(variant, {fact.key}, 1), answer = answer_text({fact.value});
      EXPECT_EQ(needle_text(variant, fact), question + answer + ".");
      for (const Scorer scorer : all_scorers())
        EXPECT_EQ(score_output(scorer, answer + ".", {fact.value}), 1);
    }
  }
}

TEST(NeedleText, ReadsAsDocumented) {
  EXPECT_EQ(needle_text(NeedleVariant::passkey, {"pass key", "48213"}),
            " The pass key is 48213. Remember it. 48213 is the pass key.");
  EXPECT_EQ(needle_text(NeedleVariant::word_number, {"Anna", "48213"}),
            " The magic number of Anna is 48213.");
  EXPECT_EQ(needle_text(NeedleVariant::key_value, {"a b", "1"}), "\nThe entry for a b reads 1.");
  EXPECT_EQ(question_text(NeedleVariant::multi_query, {"Anna", "Boris", "Carla"}, 3),
            " The magic numbers of Anna, Boris and Carla are");
  EXPECT_EQ(question_text(NeedleVariant::multi_value, {"Anna"}, 2), " The magic numbers of Anna are");
  EXPECT_EQ(question_text(NeedleVariant::multi_value, {"Anna"}, 1), " The magic number of Anna is");
  EXPECT_EQ(answer_text({"1", "2", "3"}), " 1, 2 and 3");
}

TEST(NeedleText, AnswersToSeveralScoreFullMarks) {
  const std::vector<std::string> values{"48213", "10377", "92846", "55021"};
  for (const Scorer scorer : all_scorers())
    EXPECT_EQ(score_output(scorer, answer_text(values) + ".", values), 1);
  const std::vector<std::string> short_values{"482", "103", "928"};
  for (const Scorer scorer : all_scorers()) {
    EXPECT_EQ(score_output(scorer, answer_text(short_values), short_values), 1) << to_string(scorer);
  }
}

TEST(Facts, DrawEveryKeyBeforeOneComesTwiceAndNoValueTwice) {
  const std::set<std::string> distinct(needle_names().begin(), needle_names().end());
  EXPECT_EQ(distinct.size(), needle_names().size());
  EXPECT_GE(distinct.size(), 250u);
  FactSource facts(NeedleVariant::word_number, 3, 9);
  std::set<std::string> keys, values;
  for (size_t i = 0; i < needle_names().size(); ++i) {
    const NeedleFact fact = facts.next();
    keys.insert(fact.key), values.insert(fact.value);
    EXPECT_EQ(fact.value.size(), 3u);
    EXPECT_NE(fact.value[0], '0');
  }
  EXPECT_EQ(keys, distinct);
  EXPECT_EQ(values.size(), needle_names().size());
  facts.next();  // and goes on
}

TEST(Facts, HeldOutNamesAreNoneOfTheCommonOnes) {
  const auto& common = needle_names();
  const auto& held_out = needle_names(NeedleNames::held_out);
  const std::set<std::string> trained(common.begin(), common.end());
  EXPECT_EQ(&common, &needle_names(NeedleNames::common));
  EXPECT_GE(held_out.size(), 20U);
  EXPECT_EQ(num_needle_keys(NeedleVariant::word_number, NeedleNames::held_out), held_out.size());
  for (const std::string_view name : held_out) EXPECT_FALSE(trained.contains(std::string(name))) << name;
  FactSource facts(NeedleVariant::word_number, 5, 3, NeedleNames::held_out),
      same(NeedleVariant::word_number, 5, 3);
  std::set<std::string> drawn;
  for (size_t i = 0; i < held_out.size(); ++i) {
    drawn.insert(facts.next().key);
    EXPECT_TRUE(trained.contains(same.next().key));
  }
  EXPECT_EQ(drawn, std::set<std::string>(held_out.begin(), held_out.end()));
}

TEST(Facts, KindsOfNamesAreReadBack) {
  for (const NeedleNames names : {NeedleNames::common, NeedleNames::held_out}) {
    const auto read = parse_needle_names(to_string(names));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, names);
  }
  const auto wrong = parse_needle_names("famous");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().line(), ::testing::HasSubstr("famous"));
}

TEST(Facts, NumbersHaveTheDigitsAskedForAndAllValuesOccur) {
  Random random(3);
  for (int64_t digits = 1; digits <= 18; ++digits) {
    for (int i = 0; i < 50; ++i) EXPECT_EQ(draw_number(random, digits).size(), static_cast<size_t>(digits));
  }
  std::set<std::string> one, two;
  for (int i = 0; i < 2000; ++i) one.insert(draw_number(random, 1)), two.insert(draw_number(random, 2));
  EXPECT_EQ(one.size(), num_needle_values(NeedleVariant::word_number, 1));
  EXPECT_EQ(two.size(), num_needle_values(NeedleVariant::word_number, 2));
}

TEST(Facts, UuidsAreOfVersionFour) {
  FactSource facts(NeedleVariant::uuid, 5, 2);
  for (int i = 0; i < 50; ++i) {
    EXPECT_THAT(
        facts.next().value,
        ::testing::ContainsRegex("^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"));
  }
}

}  // namespace
}  // namespace orthros
