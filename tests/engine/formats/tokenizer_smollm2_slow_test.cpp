// The real SmolLM2 tokenizer, from a GGUF file that is not in the repository.
// ORTHROS_SMOLLM2_GGUF names the file. ORTHROS_TOKENIZER_DIFF names a folder of check_against_hf.py, if set.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "engine/formats/mapped_file.h"
#include "tests/engine/formats/tokenizer_fixture.h"

namespace orthros {
namespace {

const char* gguf_path() {
  const char* path = std::getenv("ORTHROS_SMOLLM2_GGUF");
  return path == nullptr || *path == '\0' ? nullptr : path;
}

Tokenizer load_smollm2() {
  return test::value_or_fail(Tokenizer::from_gguf(test::value_or_fail(GgufFile::open(gguf_path()))));
}

TEST(SmolLm2, GivesTheIdsOfHf) {
  if (gguf_path() == nullptr) GTEST_SKIP() << "ORTHROS_SMOLLM2_GGUF does not name the GGUF file";
  const Tokenizer tokenizer = load_smollm2();
  const std::vector<test::Vector> vectors = test::load_vectors("smollm2_real");
  ASSERT_GT(vectors.size(), 100u);
  EXPECT_EQ(test::mismatches(tokenizer, vectors, true), 0);
  const auto copy = Tokenizer::from_json(tokenizer.to_tokenizer_json(), tokenizer.to_tokenizer_config_json());
  ASSERT_TRUE(copy) << copy.error().line();
  EXPECT_EQ(test::mismatches(*copy, vectors, true), 0);
  EXPECT_EQ(copy->eos(), tokenizer.eos());
  EXPECT_EQ(tokenizer.vocab_size(), 49152);
  EXPECT_EQ(tokenizer.eos(), std::vector<TokenId>{*tokenizer.id_of("<|im_end|>")});
}

/// DIR/strings.json: texts. Writes DIR/ids.json, and the exported files of a GGUF source into DIR.
TEST(TokenizerDifferential, WritesIdsForThePythonScript) {
  const char* folder = std::getenv("ORTHROS_TOKENIZER_DIFF");
  if (folder == nullptr) GTEST_SKIP() << "ORTHROS_TOKENIZER_DIFF does not name a folder";
  const std::filesystem::path dir(folder);
  const bool from_json = std::filesystem::exists(dir / "source.json");
  const Tokenizer tokenizer = from_json ? test::value_or_fail(Tokenizer::from_json(
                                              Json::parse(test::read_file(dir / "source.json")), Json()))
                                        : test::value_or_fail(Tokenizer::from_gguf(
                                              test::value_or_fail(GgufFile::open(dir / "source.gguf"))));
  const auto write = [&](const char* name, const Json& json) {
    ASSERT_TRUE(write_text_atomically(dir / name, json.dump()));
  };
  write("tokenizer.json", tokenizer.to_tokenizer_json());
  write("tokenizer_config.json", tokenizer.to_tokenizer_config_json());
  write("special_tokens_map.json", tokenizer.to_special_tokens_map_json());
  Json all = Json::array();
  for (const Json& text : Json::parse(test::read_file(dir / "strings.json"))) {
    const auto ids = tokenizer.encode(text.get_ref<const std::string&>());
    all.push_back(ids ? Json(*ids) : Json(ids.error().line()));
  }
  write("ids.json", all);
}

}  // namespace
}  // namespace orthros
