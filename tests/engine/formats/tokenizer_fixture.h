// Tokenizers and recorded encodings of tests/fixtures/tokenizers.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/formats/gguf.h"
#include "engine/formats/json.h"
#include "engine/formats/tokenizer.h"

namespace orthros::test {

inline std::filesystem::path tokenizer_fixture(const std::string& name) {
  return std::filesystem::path(ORTHROS_FIXTURES) / "tokenizers" / name;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Json read_json(const std::string& name) {
  return Json::parse(read_file(tokenizer_fixture(name)));
}

template <class T>
T value_or_fail(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().line());
  return std::move(*result);
}

inline Tokenizer load_json(const std::string& name) {
  return value_or_fail(Tokenizer::from_json(read_json(name + ".json"), Json()));
}

inline Tokenizer load_gguf(const std::string& name) {
  const GgufFile file = value_or_fail(GgufFile::open(tokenizer_fixture(name + ".gguf")));
  return value_or_fail(Tokenizer::from_gguf(file));
}

/// One recorded encoding.
struct Vector {
  std::string text;
  std::vector<TokenId> ids;
};

inline std::vector<Vector> load_vectors(const std::string& name, const char* part = "cases") {
  std::vector<Vector> result;
  const Json document = read_json(name + ".vectors.json");
  for (const Json& item : document[part]) {
    std::string text;
    if (item.contains("repeat")) {
      for (int i = 0; i < item["times"].get<int>(); ++i) text += item["repeat"].get<std::string>();
    } else {
      text = item["text"].get<std::string>();
    }
    result.push_back({text, item["ids"].get<std::vector<TokenId>>()});
  }
  return result;
}

/// How many recorded encodings a tokenizer does not give.
inline int mismatches(const Tokenizer& tokenizer, const std::vector<Vector>& vectors, bool report) {
  int count = 0;
  for (const Vector& vector : vectors) {
    const auto ids = tokenizer.encode(vector.text, false);
    if (ids && *ids == vector.ids) continue;
    ++count;
    if (!report) continue;
    ADD_FAILURE() << "text: " << Json(vector.text.substr(0, 80)).dump() << "\n expected "
                  << Json(vector.ids).dump().substr(0, 400) << "\n got "
                  << (ids ? Json(*ids).dump().substr(0, 400) : ids.error().line());
  }
  return count;
}

}  // namespace orthros::test
