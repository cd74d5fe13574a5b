// Added tokens: strings that are cut out of the text before anything else, the longest match at each
// position. Those with `normalized` are searched in the normalized text, the others in the text as given.
// Errors: corrupt_file for two tokens with one id; unsupported for very long ones.
// Threads: split is const. Source: HF tokenizers' AddedVocabulary, tests/fixtures/tokenizers.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/normalizer.h"

namespace orthros {

struct AddedToken {
  int32_t id = 0;
  std::string content;
  bool single_word = false;  // only where no word character is beside it
  bool lstrip = false;       // takes the white space before it
  bool rstrip = false;       // takes the white space after it
  bool normalized = false;
  bool special = false;
};

/// Byte strings with a value each; finds the longest that starts at a position.
class TokenTrie {
 public:
  TokenTrie() : nodes_(1) {}
  /// The first of two equal strings wins.
  void insert(std::string_view text, uint32_t value);
  bool is_empty() const { return nodes_.size() == 1; }

  struct Found {
    uint32_t value = 0;
    size_t length = 0;  // 0: nothing starts here
  };
  Found longest_at(std::string_view text, size_t at) const;

 private:
  static constexpr uint32_t kNoValue = UINT32_MAX;
  struct Node {
    std::vector<std::pair<uint8_t, uint32_t>> children;
    uint32_t value = kNoValue;
  };
  const uint32_t* child(const Node& node, uint8_t byte) const;

  std::vector<Node> nodes_;
};

/// A part of a text: an added token, or text still to be tokenized.
struct TextSegment {
  int32_t id = -1;  // of the added token, or -1
  std::string_view text;
};

struct TextSegments {
  std::vector<TextSegment> parts;
  std::deque<std::string> storage;  // normalized text that parts point into
};

class AddedTokens {
 public:
  static Result<AddedTokens> build(std::vector<AddedToken> tokens, const Normalizer& normalizer);

  /// Cuts a valid UTF-8 text, which must outlive the result. Parts that are text are normalized.
  TextSegments split(std::string_view text, const Normalizer& normalizer) const;

  const std::vector<AddedToken>& tokens() const { return tokens_; }
  const AddedToken* find(int64_t id) const;
  const AddedToken* find(std::string_view content) const;

 private:
  void cut(const TokenTrie& trie, std::string_view text, std::vector<TextSegment>& out) const;

  std::vector<AddedToken> tokens_;
  std::unordered_map<int64_t, size_t> by_id_;
  TokenTrie raw_, normalized_;  // values are indices into tokens_
};

}  // namespace orthros
