// Needle prompts: what niah-and-latency.md 6.4 asks (checks 3 and 4), over all variants, haystacks and
// codecs.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/sha256.h"
#include "engine/tasks/needle_task.h"
#include "engine/tasks/needle_text.h"
#include "tests/engine/tasks/prompt_checks.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

using test::count_in;
using test::text_of;
using test::value_or_fail;
using test::violations;
using ::testing::Contains;
using ::testing::IsEmpty;
using Task = std::shared_ptr<const NeedleTask>;

constexpr NeedleVariant kVariants[] = {NeedleVariant::passkey,     NeedleVariant::word_number,
                                       NeedleVariant::uuid,        NeedleVariant::key_value,
                                       NeedleVariant::multi_key,   NeedleVariant::multi_value,
                                       NeedleVariant::multi_query, NeedleVariant::k_needles};
constexpr HaystackKind kHaystacks[] = {HaystackKind::filler, HaystackKind::noise,
                                       HaystackKind::key_value_lines, HaystackKind::folder};

/// Text with stops of every kind, a long line without any, and numbers that needles must avoid.
const std::map<std::string, std::string>& folder_texts() {
  static const std::map<std::string, std::string> texts = [] {
    std::map<std::string, std::string> result;
    result["a.txt"] =
        "It rained. Did it? It did! The year was 1871 or so.\r\n\r\nA new paragraph begins\nand goes on.";
    result["B.txt"] =
        "\u4eca\u5929\u5929\u6c14\u5f88\u597d\u3002\u6211\u4eec\u53bb\u516c\u56ed\u3002Caf\u00e9 "
        "d\u00e9j\u00e0 vu.";
    std::string line = "a line without any stop";
    for (int i = 0; i < 60; ++i) line += " that goes on and on";
    result["c.txt"] = line + "\n";
    for (int i = 10; i < 60; ++i) result["d.txt"] += "Page " + std::to_string(i) + " is blank. ";
    return result;
  }();
  return texts;
}

void write_folder(const test::TempFolder& folder, bool reversed) {
  std::vector<std::pair<std::string, std::string>> texts(folder_texts().begin(), folder_texts().end());
  if (reversed) std::reverse(texts.begin(), texts.end());
  for (const auto& [name, text] : texts) std::ofstream(folder.path() / name, std::ios::binary) << text;
}

NeedleTaskSpec spec_of(NeedleVariant variant, HaystackKind haystack, const test::TempFolder& folder) {
  NeedleTaskSpec spec;
  spec.variant = variant;
  spec.haystack = haystack;
  if (haystack == HaystackKind::folder) spec.folder = folder.path().string();
  return spec;
}

Task make_task(NeedleVariant variant, const TextCodec& codec) {
  NeedleTaskSpec spec;
  spec.variant = variant;
  return value_or_fail(NeedleTask::create(spec, codec));
}

NeedlePrompt build(const Task& task, int64_t length, int64_t depth_ppm, uint64_t seed,
                   NeedleControl control = NeedleControl::none) {
  return value_or_fail(task->build({length, depth_ppm, seed, control}));
}

std::string hash_of(const std::vector<int64_t>& ids) {
  Sha256 hash;
  for (const int64_t id : ids) {
    for (int byte = 0; byte < 8; ++byte) {
      const std::byte part{static_cast<uint8_t>(static_cast<uint64_t>(id) >> (8 * byte))};
      hash.update({&part, 1});
    }
  }
  return hash.finish();
}

struct Combination {
  std::string codec;
  NeedleVariant variant;
};

class Prompts : public ::testing::TestWithParam<Combination> {
 protected:
  void SetUp() override { write_folder(folder_, false); }
  test::TempFolder folder_;
};

TEST_P(Prompts, HoldWhatTheyPromise) {
  const TextCodec codec = test::fixture_codec(GetParam().codec);
  for (const HaystackKind haystack : kHaystacks) {
    const Task task =
        value_or_fail(NeedleTask::create(spec_of(GetParam().variant, haystack, folder_), codec));
    const int64_t least = task->min_length();
    uint64_t seed = 0;
    for (const int64_t length : {least, least + 1, least + 97, int64_t{1500}}) {
      for (const int64_t depth : {0, 100'000, 333'333, 500'000, 900'000, 1'000'000}) {
        const NeedlePrompt prompt = build(task, length, depth, ++seed);
        EXPECT_THAT(violations(prompt, length, codec), IsEmpty())
            << task->generator() << " L " << length << " depth " << depth;
        EXPECT_GE(prompt.haystack_tokens, 16);
      }
    }
  }
}

TEST_P(Prompts, PlaceNeedlesAtTheNearestPlaceBetweenSentences) {
  const TextCodec codec = test::fixture_codec(GetParam().codec);
  for (const HaystackKind haystack :
       {HaystackKind::filler, HaystackKind::noise, HaystackKind::key_value_lines}) {
    const Task task =
        value_or_fail(NeedleTask::create(spec_of(GetParam().variant, haystack, folder_), codec));
    for (const int64_t depth : {0, 250'000, 700'000, 1'000'000}) {
      const NeedlePrompt prompt = build(task, 1200, depth, 11);
      const test::HaystackView view = test::view_haystack(prompt, codec);
      for (const PlacedNeedle& needle : prompt.needles) {
        const auto size = static_cast<double>(view.ids.size());
        const double asked = static_cast<double>(needle.depth_requested_ppm) * size / 1e6;
        const auto placed = static_cast<double>(view.before[static_cast<size_t>(needle.begin)]);
        EXPECT_NEAR(std::abs(placed - asked), test::least_distance(view, codec, needle.depth_requested_ppm),
                    1e-6)
            << task->generator() << " depth " << depth;
      }
    }
  }
}

TEST_P(Prompts, EndWithAQuestionWhoseAnswerContinuesIt) {
  const TextCodec codec = test::fixture_codec(GetParam().codec);
  const Task task = make_task(GetParam().variant, codec);
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const NeedlePrompt prompt = build(task, 700, 500'000, seed);
    std::vector<int64_t> ids(prompt.ids.begin() + prompt.question_begin, prompt.ids.end());
    ids.insert(ids.end(), prompt.answer_ids.begin(), prompt.answer_ids.end());
    const std::string text = value_or_fail(codec.decode(ids));
    EXPECT_EQ(text.rfind(prompt.question, 0), 0u);
    size_t at = prompt.question.size();
    for (const std::string& value : prompt.expected) {
      at = text.find(value, at);
      ASSERT_NE(at, std::string::npos) << value << " in " << text;
    }
    EXPECT_TRUE(text.ends_with(prompt.expected.back()));
    EXPECT_EQ(value_or_fail(codec.encode(text)), ids) << "not how the tokenizer writes the whole";
  }
}

TEST_P(Prompts, WithoutNeedleKeepLengthQuestionAndExpectedValues) {
  const TextCodec codec = test::fixture_codec(GetParam().codec);
  const Task task = make_task(GetParam().variant, codec);
  const NeedlePrompt with = build(task, 900, 400'000, 5);
  const NeedlePrompt without = build(task, 900, 400'000, 5, NeedleControl::no_needle);
  EXPECT_EQ(without.ids.size(), 900u);
  EXPECT_EQ(without.expected, with.expected);
  EXPECT_EQ(without.question, with.question);
  const std::string text = value_or_fail(codec.decode(without.ids));
  for (const PlacedNeedle& needle : without.needles) {
    EXPECT_EQ(needle.begin, 0);
    EXPECT_EQ(needle.end, 0);
    EXPECT_EQ(count_in(text, needle.value), 0);
  }
}

TEST_P(Prompts, OfNeedlesOnlyHaveNoHaystack) {
  const TextCodec codec = test::fixture_codec(GetParam().codec);
  const NeedlePrompt prompt =
      build(make_task(GetParam().variant, codec), 0, 400'000, 5, NeedleControl::needle_only);
  EXPECT_EQ(prompt.haystack_tokens, 0);
  EXPECT_THAT(violations(prompt, static_cast<int64_t>(prompt.ids.size()), codec), IsEmpty());
  size_t needles = 0;
  for (const PlacedNeedle& needle : prompt.needles) needles += needle.text.size();
  const auto begin = static_cast<int64_t>(codec.prefix.size());
  EXPECT_EQ(text_of(codec, prompt.ids, begin, static_cast<int64_t>(prompt.ids.size())).size(),
            needles + prompt.question.size());
}

TEST_P(Prompts, AreTheSameForTheSameSeedAndShareNoBeginningOtherwise) {
  const TextCodec codec = test::fixture_codec(GetParam().codec);
  for (const HaystackKind haystack : kHaystacks) {
    const Task task =
        value_or_fail(NeedleTask::create(spec_of(GetParam().variant, haystack, folder_), codec));
    const Task twin =
        value_or_fail(NeedleTask::create(spec_of(GetParam().variant, haystack, folder_), codec));
    EXPECT_EQ(build(task, 800, 500'000, 3).ids, build(twin, 800, 500'000, 3).ids);
    if (haystack == HaystackKind::folder) continue;  // a few sentences only, so that some seeds share theirs
    std::vector<std::vector<int64_t>> all;
    for (uint64_t seed = 0; seed < 40; ++seed) all.push_back(build(task, 800, 500'000, seed).ids);
    for (size_t a = 0; a < all.size(); ++a) {
      for (size_t b = 0; b < a; ++b) {
        const auto differs = std::mismatch(all[a].begin(), all[a].end(), all[b].begin()).first;
        EXPECT_LT(differs - all[a].begin(), 100) << task->generator() << " seeds " << a << " and " << b;
      }
    }
  }
}

std::vector<Combination> combinations() {
  std::vector<Combination> result;
  for (const char* codec : {"bytes", "llama3", "smollm"}) {
    for (const NeedleVariant variant : kVariants) result.push_back({codec, variant});
  }
  return result;
}
INSTANTIATE_TEST_SUITE_P(All, Prompts, ::testing::ValuesIn(combinations()), [](const auto& info) {
  std::string name = info.param.codec + "_" + to_string(info.param.variant);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(PromptChecks, RejectMutants) {
  const TextCodec codec = test::fixture_codec("llama3");
  const NeedlePrompt good = build(make_task(NeedleVariant::multi_key, codec), 700, 500'000, 1);
  ASSERT_THAT(violations(good, 700, codec), IsEmpty());
  const auto mutate = [&](auto&& change) {
    NeedlePrompt bad = good;
    change(bad);
    return violations(bad, 700, codec);
  };
  EXPECT_THAT(mutate([](NeedlePrompt& p) { ++p.needles[0].begin; }), Contains("span"));
  EXPECT_THAT(mutate([](NeedlePrompt& p) { --p.needles[0].end; }), Contains("span"));
  EXPECT_THAT(mutate([](NeedlePrompt& p) { --p.needles[0].begin, --p.needles[0].end; }), Contains("span"));
  EXPECT_THAT(mutate([](NeedlePrompt& p) { ++p.needles[0].depth_actual_ppm; }), Contains("actual depth"));
  EXPECT_THAT(mutate([](NeedlePrompt& p) { p.needles[0].depth_actual_ppm -= 1500; }),
              Contains("actual depth"));
  EXPECT_THAT(mutate([](NeedlePrompt& p) { p.ids.push_back(p.ids.back()); }), Contains("length"));
  EXPECT_THAT(mutate([](NeedlePrompt& p) { p.ids.erase(p.ids.begin()); }), Contains("length"));
  EXPECT_THAT(mutate([](NeedlePrompt& p) { ++p.question_begin; }), Contains("question"));
  EXPECT_THAT(mutate([](NeedlePrompt& p) { ++p.haystack_tokens; }), Contains("haystack"));
  EXPECT_THAT(mutate([](NeedlePrompt& p) { std::swap(p.needles[0].value, p.needles[1].value); }),
              Contains("needle without its value"));
  EXPECT_THAT(mutate([](NeedlePrompt& p) {  // another copy of a needle over the haystack's beginning
                const PlacedNeedle& last = p.needles[3];
                std::copy(p.ids.begin() + last.begin, p.ids.begin() + last.end, p.ids.begin() + 1);
              }),
              Contains("value"));
}

TEST(WordNumber, QuestionIsTheBeginningOfTheNeedle) {
  for (const char* name : {"bytes", "gpt2", "llama3", "qwen2", "qwen35", "smollm", "gpt2_prefix_space"}) {
    const TextCodec codec = test::fixture_codec(name);
    const NeedlePrompt prompt = build(make_task(NeedleVariant::word_number, codec), 600, 500'000, 9);
    const PlacedNeedle& needle = prompt.needles[0];
    EXPECT_EQ(needle.text, " The magic number of " + needle.key + " is " + needle.value + ".");
    EXPECT_EQ(prompt.question, " The magic number of " + needle.key + " is");
    std::vector<int64_t> asked(prompt.ids.begin() + prompt.question_begin, prompt.ids.end());
    asked.insert(asked.end(), prompt.answer_ids.begin(), prompt.answer_ids.end());
    const std::vector<int64_t> told(prompt.ids.begin() + needle.begin, prompt.ids.begin() + needle.end);
    ASSERT_LT(asked.size(), told.size());
    EXPECT_TRUE(std::equal(asked.begin(), asked.end(), told.begin())) << name;
  }
}

TEST(Depth, OrdersNeedlesAndReachesBothEnds) {
  const TextCodec codec = test::fixture_codec("smollm");
  for (const NeedleVariant variant :
       {NeedleVariant::passkey, NeedleVariant::word_number, NeedleVariant::multi_key}) {
    const Task task = make_task(variant, codec);
    int64_t before = -1;
    for (int64_t depth = 0; depth <= 1'000'000; depth += 50'000) {
      const PlacedNeedle needle = build(task, 2000, depth, 21).needles[0];
      EXPECT_EQ(needle.depth_requested_ppm, depth);
      EXPECT_GE(needle.depth_actual_ppm, before);
      EXPECT_NEAR(static_cast<double>(needle.depth_actual_ppm), static_cast<double>(depth), 40'000);
      before = needle.depth_actual_ppm;
    }
    EXPECT_EQ(before, 1'000'000);
    const NeedlePrompt first = build(task, 2000, 0, 21);
    EXPECT_EQ(first.needles[0].depth_actual_ppm, 0);
  }
  const Task single = make_task(NeedleVariant::word_number, codec);
  EXPECT_EQ(build(single, 2000, 0, 4).needles[0].begin, static_cast<int64_t>(codec.prefix.size()));
  const NeedlePrompt last = build(single, 2000, 1'000'000, 4);
  EXPECT_EQ(last.needles[0].end, last.question_begin);
}

TEST(Depth, OfKNeedlesIsEvenlySpreadInTheOrderAsked) {
  const TextCodec codec = test::fixture_codec("smollm");
  NeedleTaskSpec spec;
  spec.variant = NeedleVariant::k_needles;
  spec.needles = 7;
  const NeedlePrompt prompt = build(value_or_fail(NeedleTask::create(spec, codec)), 4000, 0, 2);
  ASSERT_EQ(prompt.needles.size(), 7u);
  ASSERT_EQ(prompt.expected.size(), 7u);
  for (size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(static_cast<double>(prompt.needles[i].depth_actual_ppm),
                (static_cast<double>(i) + 0.5) / 7 * 1e6, 20'000);
    EXPECT_EQ(prompt.needles[i].value, prompt.expected[i]);
  }
}

TEST(Variants, DifferInWhatIsAskedAndWhatDistracts) {
  const TextCodec codec = test::byte_codec();
  const auto facts = [&](NeedleVariant variant) {
    const NeedlePrompt prompt = build(make_task(variant, codec), 3000, 500'000, 8);
    std::set<std::string> keys, values;
    int64_t distractors = 0;
    for (const PlacedNeedle& needle : prompt.needles) {
      keys.insert(needle.key), values.insert(needle.value);
      distractors += needle.distractor;
    }
    EXPECT_EQ(values.size(), prompt.needles.size());
    return std::vector<int64_t>{static_cast<int64_t>(prompt.expected.size()), distractors,
                                static_cast<int64_t>(keys.size())};
  };
  EXPECT_EQ(facts(NeedleVariant::passkey), (std::vector<int64_t>{1, 0, 1}));
  EXPECT_EQ(facts(NeedleVariant::word_number), (std::vector<int64_t>{1, 0, 1}));
  EXPECT_EQ(facts(NeedleVariant::uuid), (std::vector<int64_t>{1, 0, 1}));
  EXPECT_EQ(facts(NeedleVariant::key_value), (std::vector<int64_t>{1, 3, 4}));
  EXPECT_EQ(facts(NeedleVariant::multi_key), (std::vector<int64_t>{1, 3, 4}));
  EXPECT_EQ(facts(NeedleVariant::multi_value), (std::vector<int64_t>{4, 0, 1}));
  EXPECT_EQ(facts(NeedleVariant::multi_query), (std::vector<int64_t>{4, 0, 4}));
  EXPECT_EQ(facts(NeedleVariant::k_needles), (std::vector<int64_t>{4, 0, 4}));
}

TEST(HeldOutNames, AreTheOnlyKeysOfTheirPrompts) {
  const TextCodec codec = test::fixture_codec("bytes");
  NeedleTaskSpec spec;
  spec.variant = NeedleVariant::multi_key;
  spec.names = NeedleNames::held_out;
  const Task task = value_or_fail(NeedleTask::create(spec, codec)), plain = make_task(spec.variant, codec);
  EXPECT_NE(task->generator(), plain->generator()) << "their results must not be taken for one another";
  const auto count_of = [&](NeedleNames names, const NeedlePrompt& prompt) {
    const std::string text = text_of(codec, prompt.ids, 0, static_cast<int64_t>(prompt.ids.size()));
    int count = 0;
    for (const std::string_view name : needle_names(names))
      count += count_in(text, fmt::format(" of {} is", name));
    return count;
  };
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const NeedlePrompt prompt = build(task, 1500, 400'000, seed), other = build(plain, 1500, 400'000, seed);
    EXPECT_THAT(violations(prompt, 1500, codec), IsEmpty());
    EXPECT_EQ(count_of(NeedleNames::common, prompt), 0);
    EXPECT_GT(count_of(NeedleNames::held_out, prompt), 1);
    EXPECT_EQ(count_of(NeedleNames::held_out, other), 0);
  }
}

TEST(Folder, GivesTheSamePromptsWhateverTheOrderOfItsFiles) {
  test::TempFolder one, other;
  write_folder(one, false);
  write_folder(other, true);
  const TextCodec codec = test::fixture_codec("llama3");
  const auto make = [&](const test::TempFolder& folder) {
    return value_or_fail(
        NeedleTask::create(spec_of(NeedleVariant::word_number, HaystackKind::folder, folder), codec));
  };
  const Task first = make(one), second = make(other);
  EXPECT_EQ(first->generator(), second->generator());
  EXPECT_EQ(build(first, 900, 300'000, 6).ids, build(second, 900, 300'000, 6).ids);
  EXPECT_EQ(first->generator().find(one.path().string()), std::string::npos);
  std::ofstream(other.path() / "e.txt") << "One more.";
  const Task changed = make(other);
  EXPECT_NE(changed->generator(), first->generator());
}

TEST(Folder, LongLinesWithoutStopsHavePlacesBetweenWords) {
  test::TempFolder folder;
  std::ofstream(folder / "line.txt") << folder_texts().at("c.txt");
  const TextCodec codec = test::byte_codec();
  const Task task = value_or_fail(
      NeedleTask::create(spec_of(NeedleVariant::word_number, HaystackKind::folder, folder), codec));
  for (int64_t depth = 0; depth <= 1'000'000; depth += 31'250) {
    const NeedlePrompt prompt = build(task, 6000, depth, 1);
    const PlacedNeedle& needle = prompt.needles[0];
    EXPECT_THAT(violations(prompt, 6000, codec), IsEmpty());
    EXPECT_LE(std::abs(needle.depth_actual_ppm - depth) * prompt.haystack_tokens / 1'000'000, 210);
    if (needle.depth_actual_ppm < 1'000'000) {
      const int64_t after = prompt.ids[static_cast<size_t>(needle.end)];
      EXPECT_TRUE(needle.depth_actual_ppm == 0 || after == ' ' || after == '\n') << after;
    }
  }
}

TEST(Folder, ValuesAvoidTheNumbersOfTheText) {
  test::TempFolder folder;
  write_folder(folder, false);
  NeedleTaskSpec spec = spec_of(NeedleVariant::word_number, HaystackKind::folder, folder);
  spec.digits = 2;  // "Page 10" to "Page 59" leave few
  const TextCodec codec = test::byte_codec();
  const Task task = value_or_fail(NeedleTask::create(spec, codec));
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const NeedlePrompt prompt = build(task, 4000, 500'000, seed);
    EXPECT_THAT(violations(prompt, 4000, codec), IsEmpty());
  }
}

/// Another machine, compiler or library must give these ids; a change of the grammar must raise kVersion.
TEST(Determinism, PromptsHaveTheRecordedHashes) {
  ASSERT_EQ(NeedleTask::kVersion, 1);
  const std::map<std::string, std::string> recorded{
      {"k-needles over filler", "97c000aad8d6d27a9152d8c1cdd54be4cb30bfd84d7f3c605a06e5ec58b5cc93"},
      {"key-value over filler", "53d5a6a5ac62d78c901a16c7a4a390bf59a641c98b7345d32d9c35e3ed62783a"},
      {"key-value over folder", "b590301135ecadf84b9142057e7993d2f36df8411cc8d83fb8db2960d9bbfa9f"},
      {"key-value over key-value-lines", "292edd8c1e087510ec0c8b6077689955ca062744d49073b727bc42cd9cff2e9a"},
      {"key-value over noise", "6fc0a7c6bb2ba83e8c4470b236be59f83015b571ad18bcc17e32694fe195ccd7"},
      {"multi-key over filler", "3156fe77886e3358b6cd9a580f66eb0678bda528434d180fc76c5d4b44520637"},
      {"multi-query over filler", "149b38475f80a72e34683a205d78f392c537add8bbbf5e1e78b7fc8aa4f0309f"},
      {"multi-value over filler", "704a0e925c948f4b891cea4704460e7c17ff13540a5a8d1945a9b83262971767"},
      {"passkey over filler", "903ef034ebbbc5f30b0bedd811b4e4baf927b9f106752bb501338c0e04fc2816"},
      {"uuid over filler", "1454cef132ee09f5ee3f5d612134e3a4d6a3e4054b670be9ee62527338d27f93"},
      {"word-number of llama3", "a0aa9e9802eeffc4a131da8c631feae14198ff6c65ac51c64fff9ae897f8b43a"},
      {"word-number over filler", "7e7ec579cb21bf39a405c3817417c14fe2a7d87482e7403f4a0cba7afc9cac17"}};
  test::TempFolder folder;
  write_folder(folder, true);
  std::map<std::string, std::string> got;
  for (const NeedleVariant variant : kVariants) {
    for (const HaystackKind haystack : kHaystacks) {
      if (haystack != HaystackKind::filler && variant != NeedleVariant::key_value) continue;
      const Task task =
          value_or_fail(NeedleTask::create(spec_of(variant, haystack, folder), test::byte_codec()));
      got[std::string(to_string(variant)) + " over " + to_string(haystack)] =
          hash_of(build(task, 5000, 300'000, 20261129).ids);
    }
  }
  got["word-number of llama3"] = hash_of(
      build(make_task(NeedleVariant::word_number, test::fixture_codec("llama3")), 3000, 700'000, 1).ids);
  EXPECT_EQ(got, recorded);
}

}  // namespace
}  // namespace orthros
