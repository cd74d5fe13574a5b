// Byte-level BPE tokenizers of the GPT-2, SmolLM, Llama-3 and Qwen2/3 families, from tokenizer.json or from
// GGUF. Units: token ids. Errors: unsupported (SentencePiece, unknown pre-tokeniser: says which),
// corrupt_file. Threads: const methods may run concurrently. Source: HF tokenizers' semantics, recorded
// vectors in tests/fixtures.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/gguf.h"
#include "engine/formats/json.h"

namespace orthros {

using TokenId = int64_t;

class Tokenizer {
 public:
  /// tokenizer.json (and tokenizer_config.json, which may be null).
  static Result<Tokenizer> from_json(const Json& tokenizer, const Json& tokenizer_config);
  static Result<Tokenizer> from_gguf(const GgufFile& file);

  /// add_special: what the post-processor adds (Llama-3: <|begin_of_text|>). Invalid UTF-8 in text:
  /// invalid_argument with the byte offset. Special tokens written in the text are recognised.
  Result<std::vector<TokenId>> encode(std::string_view text, bool add_special = true) const;
  /// Bytes of the ids, which need not be valid UTF-8 at the ends. Ids outside the vocabulary:
  /// invalid_argument.
  Result<std::string> decode(const std::vector<TokenId>& ids, bool skip_special = false) const;
  /// The bytes of one token.
  Result<std::string> piece(TokenId id) const;

  int64_t vocab_size() const;
  std::optional<TokenId> id_of(std::string_view token) const;  // exact content of a vocabulary or added token
  bool is_special(TokenId id) const;
  std::optional<TokenId> bos() const;
  std::vector<TokenId> eos() const;  // from the tokenizer's own files only; callers unite sources

  /// tokenizer.json, tokenizer_config.json and special_tokens_map.json that give the same ids in HF and here.
  Json to_tokenizer_json() const;
  Json to_tokenizer_config_json() const;
  Json to_special_tokens_map_json() const;

 private:
  struct Impl;
  explicit Tokenizer(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace orthros
