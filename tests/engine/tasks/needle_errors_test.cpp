// What needle tasks refuse, and what they say.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/tasks/needle_task.h"
#include "tests/engine/tasks/codecs.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

using test::value_or_fail;
using ::testing::HasSubstr;

std::string refusal(const NeedleTaskSpec& spec, TextCodec codec = test::byte_codec()) {
  const auto task = NeedleTask::create(spec, std::move(codec));
  if (task) return "no error";
  EXPECT_EQ(task.error().code, ErrorCode::invalid_argument);
  return task.error().line();
}

NeedleTaskSpec spec_of(NeedleVariant variant) {
  NeedleTaskSpec spec;
  spec.variant = variant;
  return spec;
}

TEST(NeedleTaskErrors, CountsOutOfRangeAreNamed) {
  NeedleTaskSpec spec;
  for (const int64_t digits : {int64_t{0}, int64_t{19}, INT64_MIN, INT64_MAX}) {
    spec.digits = digits;
    EXPECT_THAT(refusal(spec), HasSubstr("digits is"));
  }
  spec = spec_of(NeedleVariant::k_needles);
  for (const int64_t count : {int64_t{0}, int64_t{-1}, int64_t{65}, INT64_MAX}) {
    spec.needles = count;
    EXPECT_THAT(refusal(spec), HasSubstr("needles is"));
  }
  spec = spec_of(NeedleVariant::multi_value);
  spec.values = 0;
  EXPECT_THAT(refusal(spec), HasSubstr("values is"));
  spec = spec_of(NeedleVariant::multi_query);
  spec.queries = 1000;
  EXPECT_THAT(refusal(spec), HasSubstr("queries is"));
  spec = spec_of(NeedleVariant::multi_key);
  spec.distractors = 129;
  EXPECT_THAT(refusal(spec), HasSubstr("distractors is"));
  spec = spec_of(NeedleVariant::passkey);
  spec.distractors = 1;
  EXPECT_THAT(refusal(spec), HasSubstr("no name"));
}

TEST(NeedleTaskErrors, TooFewDigitsForAllFactsToDiffer) {
  NeedleTaskSpec spec = spec_of(NeedleVariant::k_needles);
  spec.digits = 1;
  spec.needles = 6;
  EXPECT_THAT(refusal(spec), HasSubstr("ask for more digits"));
  spec.needles = 5;
  EXPECT_EQ(refusal(spec), "no error");
}

TEST(NeedleTaskErrors, FolderAndHaystackMustAgree) {
  NeedleTaskSpec spec;
  spec.folder = "texts";
  EXPECT_THAT(refusal(spec), HasSubstr("the haystack is filler"));
  spec.haystack = HaystackKind::folder;
  const auto task = NeedleTask::create(spec, test::byte_codec());
  ASSERT_FALSE(task);
  EXPECT_EQ(task.error().code, ErrorCode::not_found);
}

TEST(NeedleTaskErrors, MinLengthIsNamedAndSufficesForEverySeed) {
  for (const char* name : {"bytes", "llama3", "gpt2", "smollm"}) {
    const TextCodec codec = test::fixture_codec(name);
    for (const NeedleVariant variant :
         {NeedleVariant::word_number, NeedleVariant::passkey, NeedleVariant::uuid, NeedleVariant::key_value,
          NeedleVariant::multi_query}) {
      const auto task = value_or_fail(NeedleTask::create(spec_of(variant), codec));
      const auto small = task->build({task->min_length() - 1});
      ASSERT_FALSE(small);
      EXPECT_EQ(small.error().code, ErrorCode::invalid_argument);
      EXPECT_THAT(small.error().line(), HasSubstr("at least " + std::to_string(task->min_length())));
      for (const int64_t length : {int64_t{0}, int64_t{-5}, INT64_MIN, INT64_MAX})
        EXPECT_FALSE(task->build({length}));
      for (uint64_t seed = 0; seed < 300; ++seed) {
        EXPECT_GE(value_or_fail(task->build({task->min_length(), 500'000, seed})).haystack_tokens, 16);
      }
    }
  }
}

TEST(NeedleTaskErrors, DepthsOutOfRangeAreRefused) {
  const auto task = value_or_fail(NeedleTask::create({}, test::byte_codec()));
  for (const int64_t depth : {int64_t{-1}, int64_t{1'000'001}, INT64_MIN, INT64_MAX}) {
    const auto prompt = task->build({500, depth});
    ASSERT_FALSE(prompt);
    EXPECT_THAT(prompt.error().line(), HasSubstr("it must be 0 to 1000000"));
  }
}

TEST(NeedleTaskErrors, ATextWithAllValuesIsRefusedNotSearchedForEver) {
  test::TempFolder folder;
  std::ofstream(folder / "digits.txt") << "0 1 2 3 4 5 6 7 8 9.";
  NeedleTaskSpec spec;
  spec.haystack = HaystackKind::folder;
  spec.folder = folder.path().string();
  spec.digits = 1;
  const auto task = value_or_fail(NeedleTask::create(spec, test::byte_codec()));
  const auto prompt = task->build({500});
  ASSERT_FALSE(prompt);
  EXPECT_THAT(prompt.error().line(), HasSubstr("ask for more digits"));
}

TEST(NeedleTaskErrors, ATokenizerThatDoesNotGiveTextBackIsUnsupported) {
  TextCodec codec = test::byte_codec();
  const auto encode = codec.encode;
  codec.encode = [encode](std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = c == 'T' ? 't' : c;
    return encode(lower);
  };
  const auto task = NeedleTask::create({}, codec);
  ASSERT_FALSE(task);
  EXPECT_EQ(task.error().code, ErrorCode::unsupported);
  EXPECT_THAT(task.error().line(), HasSubstr("magic number"));
  // Prepends a space to what begins with a new line: only the variant that needs lines is refused.
  const TextCodec spaced = test::fixture_codec("gpt2_prefix_space");
  EXPECT_FALSE(NeedleTask::create(spec_of(NeedleVariant::key_value), spaced));
  EXPECT_TRUE(NeedleTask::create(spec_of(NeedleVariant::word_number), spaced));
}

TEST(NeedleTaskErrors, ErrorsOfTheTokenizerArePassedOn) {
  EXPECT_THAT(refusal({}, TextCodec{}), HasSubstr("tokenizer"));
  TextCodec codec = test::byte_codec();
  codec.encode = [](std::string_view) -> Result<std::vector<int64_t>> {
    return fail(ErrorCode::invalid_argument, "no such text");
  };
  EXPECT_THAT(refusal({}, codec), HasSubstr("no such text"));
  codec = test::byte_codec();
  const auto encode = codec.encode;
  codec.encode = [encode](std::string_view text) -> Result<std::vector<int64_t>> {
    if (text.find("magic") == std::string_view::npos) return std::vector<int64_t>{};
    return encode(text);
  };
  const auto task = value_or_fail(NeedleTask::create({}, codec));
  const auto prompt = task->build({1000});
  ASSERT_FALSE(prompt);
  EXPECT_THAT(prompt.error().line(), HasSubstr("gives no ids"));
}

}  // namespace
}  // namespace orthros
