// The parts of a Tokenizer, and how they are assembled from tokenizer.json or from GGUF.
// Threads: immutable once assembled.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/formats/added_tokens.h"
#include "engine/formats/bpe_merge.h"
#include "engine/formats/normalizer.h"
#include "engine/formats/post_processor.h"
#include "engine/formats/pretokenizer.h"
#include "engine/formats/tokenizer.h"
#include "engine/formats/vocabulary.h"

namespace orthros {

/// A tokenizer as two files describe it; vocabulary and merges are kept apart because they are large.
struct TokenizerParts {
  Json shell;   // tokenizer.json without model.vocab and model.merges
  Json config;  // tokenizer_config.json, an object
  Vocabulary vocabulary;
  std::vector<std::pair<int32_t, int32_t>> merges;
  std::vector<TokenId> further_eos;  // besides the config's eos_token
};

struct Tokenizer::Impl {
  Json shell, config;
  Normalizer normalizer;
  Pretokenizer pretokenizer;
  PostProcessor post_processor;
  AddedTokens added;
  BpeModel model;
  std::optional<TokenId> bos;
  std::vector<TokenId> eos;
  int64_t vocab_size = 0;

  static Result<std::shared_ptr<const Impl>> assemble(TokenizerParts parts);
};

/// Merges as pairs of ids, from "left right" or from [left, right].
Result<std::vector<std::pair<int32_t, int32_t>>> merges_from_json(const Json& model,
                                                                  const Vocabulary& vocabulary);
Result<std::pair<int32_t, int32_t>> parse_merge(std::string_view merge, size_t rank,
                                                const Vocabulary& vocabulary);
Result<std::pair<int32_t, int32_t>> merge_of(std::string_view left, std::string_view right, size_t rank,
                                             const Vocabulary& vocabulary);

/// Said of every tokenizer that is sound but not byte-level BPE.
inline constexpr const char* kNoTokenizerHint =
    "the model still loads: give token ids instead of text (--ids)";

}  // namespace orthros
