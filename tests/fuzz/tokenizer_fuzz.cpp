// One byte says what the rest is: 'J' tokenizer.json, 0xff, a text; 'G' a GGUF file; a digit: a text for a
// built-in tokenizer with that pre-tokenizer, or '9', 0xff between: a split pattern and a text for it.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/formats/byte_level.h"
#include "engine/formats/pretoken_scanner.h"
#include "engine/formats/tokenizer.h"
#include "engine/formats/utf8.h"
#include "tests/fuzz/check.h"

using orthros::Json;
using orthros::Tokenizer;
using orthros::fuzz::check;
using orthros::fuzz::check_error;

namespace {

/// All bytes and a few merges.
Json small_tokenizer(std::string_view pattern, bool normalize) {
  Json vocab = Json::object();
  for (int byte = 0; byte < 256; ++byte) {
    vocab[std::string(orthros::byte_to_symbol(static_cast<uint8_t>(byte)))] = byte;
  }
  Json merges = Json::array();
  const std::string space(orthros::byte_to_symbol(' '));
  for (const auto& [left, right] : std::array<std::pair<std::string, std::string>, 6>{
           {{"a", "a"}, {"aa", "a"}, {"aa", "aa"}, {space, "t"}, {space, space}, {"1", "2"}}}) {
    vocab[left + right] = vocab.size();
    merges.push_back(left + " " + right);
  }
  const Json split{
      {"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
  const Json bytes{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
  const Json added{{"id", vocab.size()}, {"content", "<|x|>"}, {"special", true}, {"normalized", false}};
  return {{"added_tokens", Json::array({added})},
          {"normalizer", normalize ? Json{{"type", "NFC"}} : Json()},
          {"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", Json::array({split, bytes})}}},
          {"model", {{"type", "BPE"}, {"vocab", vocab}, {"merges", merges}}}};
}

/// Encodes and decodes; the text comes back when nothing normalizes it.
void use(const Tokenizer& tokenizer, std::string_view text, bool lossless) {
  const auto ids = tokenizer.encode(text);
  check_error(ids);
  const bool valid = orthros::find_invalid_utf8(text) == std::string_view::npos;
  check(valid || !ids);
  if (!ids) return;
  const auto decoded = tokenizer.decode(*ids);
  check(decoded.has_value());
  if (lossless) check(*decoded == text);
  for (const orthros::TokenId id : *ids) check(id >= 0 && id < tokenizer.vocab_size());
}

/// What is exported is a tokenizer with the same ids.
void use_export(const Tokenizer& tokenizer, std::string_view text) {
  const auto copy = Tokenizer::from_json(tokenizer.to_tokenizer_json(), tokenizer.to_tokenizer_config_json());
  check(copy.has_value());
  const auto ids = tokenizer.encode(text);
  const auto again = copy->encode(text);
  check(ids.has_value() == again.has_value() && (!ids || *ids == *again));
}

std::pair<std::string_view, std::string_view> cut(std::string_view input) {
  const size_t at = input.find('\xff');
  if (at == std::string_view::npos) return {input, {}};
  return {input.substr(0, at), input.substr(at + 1)};
}

void use_json(std::string_view input) {
  const auto [document, text] = cut(input);
  const auto json = orthros::parse_json(document, "tokenizer.json");
  if (!json) return;
  const auto tokenizer = Tokenizer::from_json(*json, Json());
  check_error(tokenizer);
  if (!tokenizer) return;
  use(*tokenizer, text, false);
  use_export(*tokenizer, text);
}

void use_gguf(std::string_view input) {
  const auto file = orthros::GgufFile::parse(std::as_bytes(std::span(input.data(), input.size())));
  if (!file) return;
  const auto tokenizer = Tokenizer::from_gguf(*file);
  check_error(tokenizer);
  if (!tokenizer) return;
  use(*tokenizer, "Hello world! 123\n\n <|im_end|>", false);
  use_export(*tokenizer, "Hello world! 123\n\n <|im_end|>");
}

void use_pattern(std::string_view input) {
  const auto [pattern, text] = cut(input);
  const auto tokenizer = Tokenizer::from_json(small_tokenizer(pattern, false), Json());
  check_error(tokenizer);
  if (tokenizer) use(*tokenizer, text.substr(0, 2000), true);
}

const Tokenizer& built_in(size_t index) {
  static const std::array<Tokenizer, 5> tokenizers{
      *Tokenizer::from_json(small_tokenizer(orthros::kGpt2Pattern, false), Json()),
      *Tokenizer::from_json(small_tokenizer(orthros::kLlama3Pattern, false), Json()),
      *Tokenizer::from_json(small_tokenizer(orthros::kQwen2Pattern, false), Json()),
      *Tokenizer::from_json(small_tokenizer(orthros::kQwen35Pattern, false), Json()),
      *Tokenizer::from_json(small_tokenizer(orthros::kQwen2Pattern, true), Json())};
  return tokenizers[index];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) return 0;
  const char kind = input[0];
  const std::string_view rest = input.substr(1);
  if (kind == 'J') use_json(rest);
  if (kind == 'G') use_gguf(rest);
  if (kind == '9' && orthros::find_invalid_utf8(cut(rest).first) == std::string_view::npos) use_pattern(rest);
  if (kind >= '0' && kind <= '4') use(built_in(static_cast<size_t>(kind - '0')), rest, kind != '4');
  return 0;
}
