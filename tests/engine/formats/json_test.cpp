#include "engine/formats/json.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orthros {
namespace {

Error error_of(std::string_view text, const JsonLimits& limits = {}) {
  const auto json = parse_json(text, "config.json", limits);
  EXPECT_FALSE(json) << text;
  return json ? Error{} : json.error();
}

TEST(Json, EqualsTheLibrarysOwnDocument) {
  const std::string text =
      R"({"a": [1, -2, 3.5, true, false, null, "t\u00e9xt"], "b": {"c": {}, "d": []}, "e": 18446744073709551615})";
  const auto json = parse_json(text, "x");
  ASSERT_TRUE(json) << json.error().line();
  EXPECT_EQ(*json, Json::parse(text));
  EXPECT_NE(*json, Json::parse(R"({"a": []})"));
  for (const char* scalar : {"1", "\"a\"", "null", "true", " [ ] ", "{}"}) {
    EXPECT_EQ(*parse_json(scalar, "x"), Json::parse(scalar));
  }
}

TEST(Json, DuplicateKeysAreRefusedWithTheirPlace) {
  const Error error = error_of(R"({"a": 1, "b": 2, "a": 3})");
  EXPECT_EQ(error.code, ErrorCode::corrupt_file);
  EXPECT_THAT(error.message, testing::HasSubstr("'a' occurs twice"));
  EXPECT_THAT(error.message, testing::HasSubstr("byte 20"));
  // In different objects the same key is fine.
  EXPECT_TRUE(parse_json(R"([{"a": 1}, {"a": 1}, {"b": {"a": 1}, "a": 2}])", "x"));
}

TEST(Json, SyntaxErrorsNameTheDocumentAndTheByte) {
  const Error error = error_of("{\"a\": 1,, }");
  EXPECT_EQ(error.code, ErrorCode::corrupt_file);
  EXPECT_THAT(error.message, testing::StartsWith("config.json is not valid JSON: byte 8: "));
}

TEST(Json, BrokenTextIsRefused) {
  for (const char* text : {"",
                           " ",
                           "{",
                           "[",
                           "{\"a\"",
                           "{\"a\":",
                           "{\"a\":1",
                           "[1,",
                           "[1,]",
                           "{\"a\":1,}",
                           "nul",
                           "1 2",
                           "{} {}",
                           "'a'",
                           "// x\n1",
                           "NaN",
                           "[Infinity]",
                           "01",
                           "1e999",
                           "\"\\ud800\"",
                           "\"\n\"",
                           "\"\xff\"",
                           "\"\xc3\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xc0\x80\"",
                           "{\"\xff\": 1}",
                           "{1: 2}"}) {
    EXPECT_EQ(error_of(text).code, ErrorCode::corrupt_file) << text;
  }
}

TEST(Json, EveryTruncationIsRefused) {
  const std::string text = R"({"a": [1, -2.5e3, "b\n", {"c": null}], "d": true})";
  ASSERT_TRUE(parse_json(text, "x"));
  for (size_t length = 0; length < text.size(); ++length) {
    const std::vector<char> exact(text.begin(), text.begin() + static_cast<ptrdiff_t>(length));
    EXPECT_FALSE(parse_json({exact.data(), exact.size()}, "x")) << length;
  }
}

TEST(Json, NestingBombsStopAtTheDepthLimit) {
  EXPECT_TRUE(parse_json(std::string(64, '[') + std::string(64, ']'), "x"));
  EXPECT_THAT(error_of(std::string(65, '[') + std::string(65, ']')).message,
              testing::HasSubstr("deeper than 64"));
  EXPECT_EQ(error_of(std::string(5'000'000, '[')).code, ErrorCode::corrupt_file);
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_THAT(error_of(objects).message, testing::HasSubstr("deeper than 64"));
}

TEST(Json, SizeAndNumberOfValuesAreLimited) {
  EXPECT_THAT(error_of("[1,2,3]", {.max_bytes = 6}).message, testing::HasSubstr("7 bytes"));
  EXPECT_TRUE(parse_json("[1,2,3]", "x", {.max_values = 4}));
  EXPECT_THAT(error_of("[1,2,3]", {.max_values = 3}).message, testing::HasSubstr("more than 3 values"));
  EXPECT_THAT(error_of(R"({"a":{}})", {.max_values = 2}).message, testing::HasSubstr("more than 2 values"));
}

TEST(Json, MessagesStayShortAndPrintable) {
  const Error error = error_of("{\"" + std::string(100'000, '\x01') + "\xff\": x}");
  EXPECT_LT(error.line().size(), 400u);
  for (const char c : error.line()) EXPECT_TRUE(c >= 0x20 && c < 0x7f);
}

}  // namespace
}  // namespace orthros
