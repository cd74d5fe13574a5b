// Haystack text: seeded, varied, free of what needles are made of; and the text of folders.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/tasks/needle_text.h"
#include "engine/tasks/sentence_source.h"
#include "engine/tasks/text_folder.h"
#include "tests/engine/tasks/codecs.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

using test::value_or_fail;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> take(HaystackKind kind, uint64_t seed, size_t count,
                              std::vector<std::string> avoid = {}) {
  const auto haystack = value_or_fail(Haystack::create(kind));
  const auto source = haystack->sentences(seed, std::move(avoid));
  std::vector<std::string> sentences;
  for (size_t i = 0; i < count; ++i) sentences.emplace_back(source->next());
  return sentences;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words{""};
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    if (letter) words.back() += c;
    if (!letter && !words.back().empty()) words.emplace_back();
  }
  return words;
}

constexpr size_t kSentencesOf100KTokens =
    6000;  // a sentence of filler has about twenty tokens of a real tokenizer

TEST(Filler, RepeatsNoParagraphWithin100KTokens) {
  for (const uint64_t seed : {1u, 2u, 3u}) {
    const std::vector<std::string> sentences = take(HaystackKind::filler, seed, kSentencesOf100KTokens);
    std::set<std::string> triples;
    std::map<std::string, int> counts;
    for (size_t i = 0; i < sentences.size(); ++i) {
      ++counts[sentences[i]];
      if (i >= 2) triples.insert(sentences[i - 2] + sentences[i - 1] + sentences[i]);
    }
    EXPECT_EQ(triples.size(), sentences.size() - 2);
    EXPECT_GT(counts.size(), sentences.size() * 96 / 100);
    EXPECT_LE(
        std::max_element(counts.begin(), counts.end(), [](auto& a, auto& b) { return a.second < b.second; })
            ->second,
        8);
  }
}

TEST(Filler, IsPlainSentencesOfManyWords) {
  std::set<std::string> vocabulary;
  for (const std::string& sentence : take(HaystackKind::filler, 4, 3000)) {
    ASSERT_GE(sentence.size(), 20u);
    EXPECT_EQ(sentence[0], ' ');
    EXPECT_TRUE(sentence[1] >= 'A' && sentence[1] <= 'Z') << sentence;
    EXPECT_TRUE(sentence.ends_with("."));
    EXPECT_EQ(std::count(sentence.begin(), sentence.end(), '.'), 1) << sentence;
    for (const char* mark : {"$", "  ", " ,", "\n", ",,"}) EXPECT_THAT(sentence, Not(HasSubstr(mark)));
    EXPECT_EQ(sentence.find_first_of("0123456789"), std::string::npos) << sentence;
    for (const std::string& word : words_of(sentence)) vocabulary.insert(word);
  }
  EXPECT_GT(vocabulary.size(), 600u);
}

TEST(FillerAndNoise, HoldNothingThatNeedlesAreMadeOf) {
  std::set<std::string> names(needle_names().begin(), needle_names().end());
  names.insert(needle_names(NeedleNames::held_out).begin(), needle_names(NeedleNames::held_out).end());
  for (const HaystackKind kind : {HaystackKind::filler, HaystackKind::noise}) {
    for (const std::string& sentence : take(kind, 5, 3000)) {
      for (const char* phrase : {"magic", "pass key", "access code", "entry"}) {
        EXPECT_THAT(sentence, Not(HasSubstr(phrase)));
      }
      for (const std::string& word : words_of(sentence)) EXPECT_FALSE(names.contains(word)) << sentence;
    }
  }
}

TEST(Noise, RepeatsAFewSentencesThatTheSeedChooses) {
  const std::vector<std::string> one = take(HaystackKind::noise, 1, 60);
  EXPECT_EQ(std::set<std::string>(one.begin(), one.end()).size(), 6u);
  for (size_t i = 6; i < one.size(); ++i) EXPECT_EQ(one[i], one[i - 6]);
  EXPECT_NE(take(HaystackKind::noise, 2, 60), one);
}

TEST(KeyValueLines, RepeatNoKeyAndHoldNothingToAvoid) {
  const std::vector<std::string> free = take(HaystackKind::key_value_lines, 3, 4);
  const std::string key = free[1].substr(std::string("\nThe entry for ").size(),
                                         free[1].find(" reads") - std::string("\nThe entry for ").size());
  const std::string value = free[2].substr(free[2].size() - 6, 5);
  std::set<std::string> keys;
  for (const std::string& line : take(HaystackKind::key_value_lines, 3, 20'000, {key, value})) {
    EXPECT_TRUE(line.starts_with("\nThe entry for ") && line.ends_with(".")) << line;
    EXPECT_THAT(line, Not(HasSubstr(key)));
    EXPECT_THAT(line, Not(HasSubstr(value)));
    keys.insert(line.substr(0, line.find(" reads")));
  }
  EXPECT_EQ(keys.size(), 20'000u);
}

TEST(Sources, FollowTheirSeed) {
  for (const HaystackKind kind : {HaystackKind::filler, HaystackKind::noise, HaystackKind::key_value_lines}) {
    EXPECT_EQ(take(kind, 7, 100), take(kind, 7, 100));
    EXPECT_NE(take(kind, 7, 100), take(kind, 8, 100));
  }
}

std::vector<std::string> split(const std::string& text) {
  const std::vector<uint32_t> begins = split_sentences(text);
  std::vector<std::string> parts;
  for (size_t i = 0; i + 1 < begins.size(); ++i)
    parts.push_back(text.substr(begins[i], begins[i + 1] - begins[i]));
  return parts;
}

TEST(SplitSentences, CutsAfterStopsAndAtNewLines) {
  EXPECT_THAT(split("One. Two? Three! Four, v1.2 five."),
              ElementsAre("One.", " Two?", " Three!", " Four, v1.2 five."));
  EXPECT_THAT(split("a\nb\r\n\r\nc"), ElementsAre("a", "\nb", "\r\n\r\nc"));
  EXPECT_THAT(split("\u4f60\u597d\u3002\u4e16\u754c\uff01\u597d\uff1f"),
              ElementsAre("\u4f60\u597d\u3002", "\u4e16\u754c\uff01", "\u597d\uff1f"));
  EXPECT_THAT(split("x"), ElementsAre("x"));
}

TEST(SplitSentences, CutsLongOnesBetweenWordsElseCharacters) {
  std::string words;
  for (int i = 0; i < 500; ++i) words += " word";
  std::string all;
  for (const std::string& part : split(words)) {
    EXPECT_LE(part.size(), TextFolder::kMaxSentenceBytes);
    EXPECT_TRUE(part.starts_with(" ") && part.ends_with("word"));
    all += part;
  }
  EXPECT_EQ(all, words);
  std::string letters;
  for (int i = 0; i < 500; ++i) letters += "\u00e9\u4e16";
  all.clear();
  for (const std::string& part : split(letters)) {
    EXPECT_LE(part.size(), TextFolder::kMaxSentenceBytes);
    EXPECT_NE(static_cast<uint8_t>(part[0]) & 0xc0, 0x80) << "inside a character";
    all += part;
  }
  EXPECT_EQ(all, letters);
}

class FolderErrors : public ::testing::Test {
 protected:
  void put(const char* name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string error(ErrorCode code) {
    const auto result = TextFolder::read(folder_.path().string());
    if (result) return "no error";
    EXPECT_EQ(result.error().code, code);
    EXPECT_THAT(result.error().line(), Not(HasSubstr(folder_.path().string())));
    return result.error().line();
  }
  test::TempFolder folder_;
};

TEST_F(FolderErrors, SayWhatIsMissing) {
  EXPECT_THAT(error(ErrorCode::invalid_argument), HasSubstr("holds no files"));
  put("blank.txt", " \n\t\r\n");
  EXPECT_THAT(error(ErrorCode::invalid_argument), HasSubstr("all empty"));
  const auto missing = TextFolder::read((folder_ / "nothing").string());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_FALSE(TextFolder::read(""));
  EXPECT_FALSE(TextFolder::read((folder_ / "blank.txt").string()));
}

TEST_F(FolderErrors, NameTheFileThatIsNoText) {
  put("good.txt", "Fine.");
  put("no\nuni.txt", "ab\xc3(");
  EXPECT_THAT(error(ErrorCode::corrupt_file), HasSubstr("'no?uni.txt' is not UTF-8 text (byte 2)"));
  for (const std::string bad : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe0\x9f\xbf",
                                "\xf0\x80\x80\x80", "\xe4\xb8", "\x80"}) {
    put("no\nuni.txt", "abc" + bad);
    EXPECT_THAT(error(ErrorCode::corrupt_file), HasSubstr("(byte 3)"));
  }
  put("no\nuni.txt", std::string("abcd\0e", 6));
  EXPECT_THAT(error(ErrorCode::corrupt_file), HasSubstr("(byte 4)"));
}

TEST_F(FolderErrors, BoundTheSize) {
  put("a.txt", std::string(TextFolder::kMaxBytes / 2, 'a'));
  put("b.txt", std::string(TextFolder::kMaxBytes / 2 + 1, 'b'));
  EXPECT_THAT(error(ErrorCode::invalid_argument), HasSubstr("more than 64 MiB (reached in 'b.txt')"));
}

TEST_F(FolderErrors, HiddenFilesAndFoldersAreLeftOut) {
  put(".hidden", "\xff");
  std::filesystem::create_directory(folder_ / "sub");
  put("sub/inner.txt", "\xff");
  put("b.txt", "\xef\xbb\xbfSecond.\n");
  put("a.txt", "First.");
  put("Z.txt", "Zero.");
  const TextFolder folder = value_or_fail(TextFolder::read(folder_.path().string()));
  ASSERT_EQ(folder.num_sentences(), 3u);  // bytewise: capitals come first
  EXPECT_EQ(folder.sentence(0), "\nZero.");
  EXPECT_EQ(folder.sentence(1), "\nFirst.");
  EXPECT_EQ(folder.sentence(2), "\nSecond.");
}

TEST(FolderHaystack, StartsWhereTheSeedSaysAndWrapsRound) {
  test::TempFolder folder;
  std::ofstream(folder / "a.txt") << "A. B. C. D. E.";
  const auto haystack = value_or_fail(Haystack::create(HaystackKind::folder, folder.path().string()));
  std::set<std::string> starts;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto source = haystack->sentences(seed, {});
    std::string text;
    for (int i = 0; i < 6; ++i) text += source->next();
    starts.insert(text.substr(0, 3));
    EXPECT_THAT("\nA. B. C. D. E.\nA. B. C. D. E.\nA.", HasSubstr(text));
  }
  EXPECT_EQ(starts.size(), 5u);
}

}  // namespace
}  // namespace orthros
