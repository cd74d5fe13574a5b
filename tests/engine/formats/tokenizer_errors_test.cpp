// Tokenizers that cannot be used say so in one line; broken ones never do harm.
#include <functional>

#include <gtest/gtest.h>

#include "engine/formats/tokenizer.h"
#include "tests/engine/formats/tokenizer_fixture.h"

namespace orthros {
namespace {

struct Edit {
  const char* what;
  std::function<void(Json&)> apply;
  ErrorCode code;
  const char* named;
};

Error error_after(const Edit& edit) {
  Json json = test::read_json("llama3.json");
  edit.apply(json);
  const auto tokenizer = Tokenizer::from_json(json, Json());
  EXPECT_FALSE(tokenizer) << edit.what;
  return tokenizer ? Error{} : tokenizer.error();
}

TEST(TokenizerErrors, NameWhatIsNotSupportedAndThatIdsStillWork) {
  const std::vector<Edit> edits{
      {"model", [](Json& j) { j["model"]["type"] = "Unigram"; }, ErrorCode::unsupported, "Unigram"},
      {"fallback", [](Json& j) { j["model"]["byte_fallback"] = true; }, ErrorCode::unsupported,
       "SentencePiece"},
      {"metaspace",
       [](Json& j) {
         j["pre_tokenizer"] = {{"type", "Metaspace"}};
       },
       ErrorCode::unsupported, "Metaspace"},
      {"none", [](Json& j) { j["pre_tokenizer"] = nullptr; }, ErrorCode::unsupported, "byte-level"},
      {"order",
       [](Json& j) {
         auto& parts = j["pre_tokenizer"]["pretokenizers"];
         std::swap(parts[0], parts[1]);
       },
       ErrorCode::unsupported, "Split"},
      {"normalizer",
       [](Json& j) {
         j["normalizer"] = {{"type", "Lowercase"}};
       },
       ErrorCode::unsupported, "Lowercase"},
      {"post",
       [](Json& j) {
         j["post_processor"] = {{"type", "RobertaProcessing"}};
       },
       ErrorCode::unsupported, "RobertaProcessing"},
      {"decoder",
       [](Json& j) {
         j["decoder"] = {{"type", "WordPiece"}};
       },
       ErrorCode::unsupported, "WordPiece"},
  };
  for (const Edit& edit : edits) {
    const Error error = error_after(edit);
    EXPECT_EQ(error.code, edit.code) << edit.what;
    EXPECT_NE(error.message.find(edit.named), std::string::npos) << error.message;
    EXPECT_NE(error.hint.find("--ids"), std::string::npos) << edit.what;
    EXPECT_EQ(error.line().find('\n'), std::string::npos);
  }
}

TEST(TokenizerErrors, NameWhatIsBroken) {
  const auto code = ErrorCode::corrupt_file;
  const std::vector<Edit> edits{
      {"no model", [](Json& j) { j.erase("model"); }, code, "model"},
      {"no vocab", [](Json& j) { j["model"].erase("vocab"); }, code, "vocab"},
      {"vocab list", [](Json& j) { j["model"]["vocab"] = Json::array(); }, code, "vocab"},
      {"id text", [](Json& j) { j["model"]["vocab"]["a"] = "x"; }, code, "'a'"},
      {"id twice", [](Json& j) { j["model"]["vocab"]["zz_new"] = 5; }, code, "zz_new"},
      {"huge id", [](Json& j) { j["model"]["vocab"]["zz_new"] = 2'000'000'000; }, code, "2000000000"},
      {"merge", [](Json& j) { j["model"]["merges"].push_back("a nowhere"); }, code, "nowhere"},
      {"merge result", [](Json& j) { j["model"]["merges"].push_back("Z Z"); }, code, "ZZ"},
      {"merge form", [](Json& j) { j["model"]["merges"].push_back("a b c"); }, code, "a b c"},
      {"merge type", [](Json& j) { j["model"]["merges"].push_back(5); }, code, "merge"},
      {"no merges", [](Json& j) { j["model"].erase("merges"); }, code, "merges"},
      {"added id", [](Json& j) { j["added_tokens"][0]["id"] = 3; }, code, "begin_of_text"},
      {"added twice", [](Json& j) { j["added_tokens"][0]["id"] = j["added_tokens"][1]["id"]; }, code,
       "end_of_text"},
      {"added huge", [](Json& j) { j["added_tokens"][0]["id"] = 2'000'000'000; }, code, "2000000000"},
      {"added type", [](Json& j) { j["added_tokens"][0]["special"] = 1; }, code, "special"},
      {"template id",
       [](Json& j) {
         j["post_processor"]["processors"][1]["special_tokens"]["<|begin_of_text|>"]["ids"][0] =
             1'000'000'000'000;
       },
       code, "1000000000000"},
      {"template hole", [](Json& j) { j["added_tokens"][0]["id"] = 2000; }, code, "no token"},
      {"behavior", [](Json& j) { j["pre_tokenizer"]["pretokenizers"][0]["behavior"] = "Odd"; }, code, "Odd"},
  };
  for (const Edit& edit : edits) {
    const Error error = error_after(edit);
    EXPECT_EQ(error.code, edit.code) << edit.what << error.line();
    EXPECT_NE(error.message.find(edit.named), std::string::npos) << edit.what << ": " << error.message;
  }
  for (const Json& document : {Json(), Json::array(), Json("x"), Json{{"model", 3}}}) {
    EXPECT_FALSE(Tokenizer::from_json(document, Json()));
  }
}

/// A GGUF file that holds texts only, as its bytes.
class GgufBytes {
 public:
  GgufBytes& text(const std::string& key, const std::string& value) {
    string(key);
    number<uint32_t>(8);
    string(value);
    ++pairs_;
    return *this;
  }
  GgufBytes& texts(const std::string& key, const std::vector<std::string>& values) {
    string(key);
    number<uint32_t>(9);
    number<uint32_t>(8);
    number<uint64_t>(values.size());
    for (const std::string& value : values) string(value);
    ++pairs_;
    return *this;
  }
  GgufBytes& id(const std::string& key, uint32_t value) {
    string(key);
    number<uint32_t>(4);
    number(value);
    ++pairs_;
    return *this;
  }
  Result<Tokenizer> tokenizer() const {
    GgufBytes whole;
    whole.bytes_ = "GGUF";
    whole.number<uint32_t>(3);
    whole.number<uint64_t>(0);
    whole.number<uint64_t>(pairs_);
    whole.bytes_ += bytes_;
    const auto file = GgufFile::parse(std::as_bytes(std::span(whole.bytes_)));
    if (!file) return tl::unexpected(file.error());
    return Tokenizer::from_gguf(*file);
  }

 private:
  template <class T>
  void number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void string(const std::string& value) {
    number<uint64_t>(value.size());
    bytes_ += value;
  }
  std::string bytes_;
  uint64_t pairs_ = 0;
};

GgufBytes gguf_tokenizer(const std::string& model, const std::string& pre) {
  return GgufBytes()
      .text("tokenizer.ggml.model", model)
      .text("tokenizer.ggml.pre", pre)
      .texts("tokenizer.ggml.tokens", {"a", "b", "ab"})
      .texts("tokenizer.ggml.merges", {"a b"});
}

TEST(TokenizerGgufErrors, NameTheKindOrThePretokenizer) {
  const auto ids = gguf_tokenizer("gpt2", "gpt-2").tokenizer()->encode("aab");
  ASSERT_TRUE(ids);
  EXPECT_EQ(*ids, (std::vector<TokenId>{0, 2}));
  const std::vector<std::pair<GgufBytes, std::string>> cases{
      {gguf_tokenizer("llama", "default"), "SentencePiece"},
      {gguf_tokenizer("bert", "default"), "bert"},
      {gguf_tokenizer("gpt2", "tekken"), "tekken"},
      {GgufBytes().text("tokenizer.ggml.model", "gpt2"), "pre-tokenizer"},
      {GgufBytes().text("general.name", "x"), "no tokenizer"}};
  for (const auto& [file, named] : cases) {
    const auto tokenizer = file.tokenizer();
    ASSERT_FALSE(tokenizer) << named;
    EXPECT_NE(tokenizer.error().message.find(named), std::string::npos) << tokenizer.error().line();
    EXPECT_NE(tokenizer.error().hint.find("ids"), std::string::npos) << named;
  }
}

TEST(TokenizerGgufErrors, RefuseBrokenTables) {
  const auto broken = [](GgufBytes file) {
    const auto tokenizer = file.tokenizer();
    EXPECT_FALSE(tokenizer);
    return tokenizer ? ErrorCode::internal : tokenizer.error().code;
  };
  EXPECT_EQ(broken(gguf_tokenizer("gpt2", "gpt-2").id("tokenizer.ggml.bos_token_id", 3)),
            ErrorCode::corrupt_file);
  GgufBytes base = GgufBytes().text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "gpt-2");
  EXPECT_EQ(broken(base), ErrorCode::corrupt_file);
  EXPECT_EQ(broken(GgufBytes(base).texts("tokenizer.ggml.tokens", {"a", "b"})), ErrorCode::corrupt_file);
  EXPECT_EQ(
      broken(GgufBytes(base).texts("tokenizer.ggml.tokens", {"a", "a"}).texts("tokenizer.ggml.merges", {})),
      ErrorCode::corrupt_file);
  EXPECT_EQ(
      broken(GgufBytes(base).texts("tokenizer.ggml.tokens", {"a\xff"}).texts("tokenizer.ggml.merges", {})),
      ErrorCode::corrupt_file);
}

TEST(TokenizerGguf, SplitsByGgmlsDefault) {
  const auto tokenizer =
      GgufBytes()
          .text("tokenizer.ggml.model", "gpt2")
          .text("tokenizer.ggml.pre", "default")
          .texts("tokenizer.ggml.tokens", {"1", "!", "11", "1!", "1111", "\u0120", "\u01201"})
          .texts("tokenizer.ggml.merges", {"1 1", "11 11", "1 !", "\u0120 1"})
          .tokenizer();
  ASSERT_TRUE(tokenizer) << tokenizer.error().line();
  // Digits go in threes, apart from the space and from punctuation.
  EXPECT_EQ(*tokenizer->encode("1111!"), (std::vector<TokenId>{2, 0, 0, 1}));
  EXPECT_EQ(*tokenizer->encode(" 11"), (std::vector<TokenId>{5, 2}));
}

}  // namespace
}  // namespace orthros
