// Pre-tokenizers: the scanners against a regex engine, the behaviours of Split by their definition.
#include "engine/formats/pretokenizer.h"

#include <random>

#include <gtest/gtest.h>

#include "engine/formats/unicode_class.h"
#include "engine/formats/utf8.h"

namespace orthros {
namespace {

/// Characters that the patterns tell apart, in both engines' Unicode versions.
std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> units{
      "a",  "Z",  "s",      "S",      "t",      "ll",     "LL",     "re", "vE", "m",
      "d",  "'",  "\u017f", "0",      "9",      "\u0663", "\u00b2", " ",  " ",  "\t",
      "\n", "\r", "\u0085", "\u00a0", "\u3000", "\u2028", "!",      "_",  "-",  "é",
      "я",  "中", "\u0301", "\u0903", "\u200d", "😀",      "\u0000"};
  std::string text;
  for (size_t i = random() % 24 + 1; i > 0; --i) text += units[random() % units.size()];
  return text;
}

std::vector<std::string> scan(ScanPattern pattern, std::string_view text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    const size_t end = pretoken_end(pattern, text, at);
    EXPECT_GT(end, at);
    if (end <= at) break;
    parts.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return parts;
}

std::vector<std::string> match(const Regex& regex, std::string_view text) {
  std::vector<std::string> parts;
  Regex::Matcher matcher(regex);
  size_t from = 0;
  while (from < text.size()) {
    const auto found = matcher.find(text, from);
    if (!found || !*found) break;
    EXPECT_EQ((*found)->first, from) << "the pattern matches everywhere";
    from = (*found)->second;
    parts.emplace_back(text.substr((*found)->first, from - (*found)->first));
  }
  return parts;
}

TEST(PretokenScanner, CutsAsTheRegexEngineDoes) {
  const std::vector<std::pair<ScanPattern, std::string_view>> patterns{{ScanPattern::gpt2, kGpt2Pattern},
                                                                       {ScanPattern::llama3, kLlama3Pattern},
                                                                       {ScanPattern::qwen2, kQwen2Pattern},
                                                                       {ScanPattern::qwen35, kQwen35Pattern}};
  for (const auto& [pattern, source] : patterns) {
    ASSERT_EQ(known_pattern(source), pattern);
    const auto regex = Regex::compile(std::string(source));
    ASSERT_TRUE(regex) << regex.error().line();
    std::mt19937 random(5);
    for (int i = 0; i < 5000; ++i) {
      const std::string text = random_text(random);
      ASSERT_EQ(scan(pattern, text), match(*regex, text)) << source << "\n" << text;
    }
  }
  EXPECT_EQ(known_pattern("[a-z]+"), std::nullopt);
}

TEST(PretokenScanner, TellsThePatternsApart) {
  const auto gpt2 = [](std::string_view text) { return scan(ScanPattern::gpt2, text); };
  const auto llama3 = [](std::string_view text) { return scan(ScanPattern::llama3, text); };
  const auto qwen2 = [](std::string_view text) { return scan(ScanPattern::qwen2, text); };
  const auto qwen35 = [](std::string_view text) { return scan(ScanPattern::qwen35, text); };
  using Parts = std::vector<std::string>;
  EXPECT_EQ(gpt2("1234"), (Parts{"1234"}));
  EXPECT_EQ(llama3("1234"), (Parts{"123", "4"}));
  EXPECT_EQ(qwen2("1234"), (Parts{"1", "2", "3", "4"}));
  EXPECT_EQ(gpt2("I'LL"), (Parts{"I", "'", "LL"}));
  EXPECT_EQ(llama3("I'LL"), (Parts{"I", "'LL"}));
  EXPECT_EQ(qwen2("a'\u017f"), (Parts{"a", "'\u017f"}));
  EXPECT_EQ(qwen2("o\u0903o"), (Parts{"o", "\u0903o"}));
  EXPECT_EQ(qwen35("o\u0903o"), (Parts{"o\u0903o"}));
  EXPECT_EQ(llama3("a \n b"), (Parts{"a", " \n", " b"}));
  EXPECT_EQ(gpt2("a   b  "), (Parts{"a", "  ", " b", "  "}));
}

std::vector<std::string> behave(std::string_view text, const std::vector<Match>& matches,
                                SplitBehavior behavior) {
  std::vector<std::string> parts;
  for (const Match& part : apply_behavior(matches, behavior))
    parts.emplace_back(text.substr(part.begin, part.end - part.begin));
  return parts;
}

TEST(SplitBehavior, FollowsHfOnItsOwnExample) {
  // "the-final--countdown", with '-' as the pattern: the example of HF's documentation.
  const std::string text = "the-final--countdown";
  const std::vector<Match> matches{{0, 3, false}, {3, 4, true},   {4, 9, false},
                                   {9, 10, true}, {10, 11, true}, {11, 20, false}};
  using Parts = std::vector<std::string>;
  EXPECT_EQ(behave(text, matches, SplitBehavior::removed), (Parts{"the", "final", "countdown"}));
  EXPECT_EQ(behave(text, matches, SplitBehavior::isolated),
            (Parts{"the", "-", "final", "-", "-", "countdown"}));
  EXPECT_EQ(behave(text, matches, SplitBehavior::merged_with_previous),
            (Parts{"the-", "final-", "-", "countdown"}));
  EXPECT_EQ(behave(text, matches, SplitBehavior::merged_with_next),
            (Parts{"the", "-final", "-", "-countdown"}));
  EXPECT_EQ(behave(text, matches, SplitBehavior::contiguous),
            (Parts{"the", "-", "final", "--", "countdown"}));
}

TEST(Regex, RefusesWhatTheEnginesReadDifferently) {
  for (const char* pattern :
       {R"(\h+)", R"(a\Kb)", "[a[bc]]", "[a-z&&[^b]]", "(?m:a.b)", R"([\S])", "(", R"(\X)"}) {
    const auto regex = Regex::compile(pattern);
    ASSERT_FALSE(regex) << pattern;
    EXPECT_EQ(regex.error().code, ErrorCode::unsupported);
  }
  for (const char* pattern : {"[]a]", "[^]a]+", R"([\]\s]+)", "(?i:'m)", "(?=m)", R"(\S+|\s)"}) {
    EXPECT_TRUE(Regex::compile(pattern)) << pattern;
  }
}

TEST(Regex, GivesUpOnAPatternThatBlowsUp) {
  const auto regex = Regex::compile("(a|a)*(a|a)*(a|a)*b|c");
  ASSERT_TRUE(regex);
  const auto found = Regex::Matcher(*regex).find(std::string(4000, 'a'), 0);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::unsupported);
}

TEST(UnicodeClass, KnowsTheOddOnes) {
  using namespace unicode;
  const uint8_t* table = classes();
  for (const char32_t c : {U'\u0085', U'\u3000', U'\u2028', U'\u00a0', U' ', U'\n'})
    EXPECT_EQ(table[c] & kSpace, kSpace);
  for (const char32_t c : {U'\u180e', U'\u200b', U'\ufeff', U'\u001c'}) EXPECT_EQ(table[c] & kSpace, 0);
  EXPECT_EQ(table[U'é'] & kLetter, kLetter);
  EXPECT_EQ(table[U'\u0301'] & (kLetter | kMark), kMark);
  EXPECT_EQ(table[U'\u00b2'] & kNumber, kNumber);
  EXPECT_EQ(table[U'_'] & (kLetter | kWord), kWord);
  EXPECT_EQ(table[0x10ffff], 0);
}

}  // namespace
}  // namespace orthros
