#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "engine/formats/pretoken_scanner.h"
#include "engine/formats/quote.h"
#include "engine/formats/tokenizer.h"
#include "engine/formats/tokenizer_impl.h"
#include "engine/formats/utf8.h"

namespace orthros {
namespace {

/// Values of tokenizer.ggml.token_type.
enum TokenType : int64_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4 };

enum class Splits { gpt2, digits_gpt2, llama3, qwen2, qwen35, ggml_default };

/// What a name in tokenizer.ggml.pre stands for.
struct PreFamily {
  std::string_view name;
  Splits splits;
  bool nfc = false;
  bool ignore_merges = false;
  bool add_bos = false;
};

constexpr std::array kPreFamilies{
    PreFamily{"gpt-2", Splits::gpt2},
    PreFamily{"phi-2", Splits::gpt2},
    PreFamily{"smollm", Splits::digits_gpt2},
    PreFamily{"starcoder", Splits::digits_gpt2},
    PreFamily{"llama-bpe", Splits::llama3, false, true, true},
    PreFamily{"llama3", Splits::llama3, false, true, true},
    PreFamily{"llama-v3", Splits::llama3, false, true, true},
    PreFamily{"qwen2", Splits::qwen2, true},
    PreFamily{"qwen35", Splits::qwen35, true},
    PreFamily{"default", Splits::ggml_default},
};

Result<PreFamily> family_of(const GgufFile& file) {
  if (!file.has("tokenizer.ggml.pre")) {
    return fail(Error{ErrorCode::unsupported,
                      "the GGUF file does not name its pre-tokenizer (tokenizer.ggml.pre)",
                      "convert the model again with a newer converter, or give token ids (--ids)"});
  }
  ORTHROS_TRY(const std::string name, file.text("tokenizer.ggml.pre"));
  for (const PreFamily& family : kPreFamilies) {
    if (family.name == name) return family;
  }
  return fail(Error{ErrorCode::unsupported,
                    fmt::format("GGUF pre-tokenizer {} is not known here", quote(name)), kNoTokenizerHint});
}

Json isolated_split(std::string_view regex) {
  return {{"type", "Split"}, {"pattern", {{"Regex", regex}}}, {"behavior", "Isolated"}, {"invert", false}};
}

Json byte_level(bool add_prefix_space, bool use_regex) {
  return {{"type", "ByteLevel"},
          {"add_prefix_space", add_prefix_space},
          {"trim_offsets", false},
          {"use_regex", use_regex}};
}

Json sequence(Json parts) {
  return {{"type", "Sequence"}, {"pretokenizers", std::move(parts)}};
}

Json pre_tokenizer_of(Splits splits, bool prefix_space) {
  switch (splits) {
    case Splits::gpt2:
      return byte_level(prefix_space, true);
    case Splits::digits_gpt2:
      return sequence({{{"type", "Digits"}, {"individual_digits", true}}, byte_level(prefix_space, true)});
    case Splits::llama3:
      return sequence({isolated_split(kLlama3Pattern), byte_level(false, false)});
    case Splits::qwen2:
      return sequence({isolated_split(kQwen2Pattern), byte_level(false, false)});
    case Splits::qwen35:
      return sequence({isolated_split(kQwen35Pattern), byte_level(false, false)});
    case Splits::ggml_default:
      break;
  }
  // ggml's own default: punctuation, then GPT-2, then digits in threes.
  return sequence({isolated_split(R"([\p{P}\$\+<=>\^~\|]+)"), isolated_split(kGpt2Pattern),
                   isolated_split(R"(\p{N}+)"), isolated_split("[0-9][0-9][0-9]"), byte_level(false, false)});
}

Result<std::optional<int64_t>> token_id(const GgufFile& file, std::string_view key, size_t token_count) {
  if (!file.has(key)) return std::optional<int64_t>();
  ORTHROS_TRY(const int64_t id, file.integer(key));
  // -1 as 32 bits is how some writers say "none".
  if (id == -1 || id == int64_t{UINT32_MAX}) return std::optional<int64_t>();
  if (id < 0 || id >= static_cast<int64_t>(token_count)) {
    return fail(ErrorCode::corrupt_file, "GGUF {} is {} in a vocabulary of {}", key, id, token_count);
  }
  return std::optional(id);
}

Result<bool> flag(const GgufFile& file, std::string_view key, bool fallback) {
  if (!file.has(key)) return fallback;
  return file.boolean(key);
}

/// Ids with a role. Only these of the file's keys change what text becomes.
struct Roles {
  std::optional<int64_t> bos, eos, eot, eom, pad, unknown;
};

Result<Roles> read_roles(const GgufFile& file, size_t count) {
  Roles roles;
  ORTHROS_TRY(roles.bos, token_id(file, "tokenizer.ggml.bos_token_id", count));
  ORTHROS_TRY(roles.eos, token_id(file, "tokenizer.ggml.eos_token_id", count));
  ORTHROS_TRY(roles.eot, token_id(file, "tokenizer.ggml.eot_token_id", count));
  ORTHROS_TRY(roles.eom, token_id(file, "tokenizer.ggml.eom_token_id", count));
  ORTHROS_TRY(roles.pad, token_id(file, "tokenizer.ggml.padding_token_id", count));
  ORTHROS_TRY(roles.unknown, token_id(file, "tokenizer.ggml.unknown_token_id", count));
  return roles;
}

Result<Vocabulary> vocabulary_of(const std::vector<std::string>& tokens) {
  std::vector<Vocabulary::Entry> entries;
  entries.reserve(tokens.size());
  for (size_t id = 0; id < tokens.size(); ++id) {
    if (find_invalid_utf8(tokens[id]) != std::string_view::npos) {
      return fail(ErrorCode::corrupt_file, "GGUF token {} is not valid UTF-8", id);
    }
    if (!tokens[id].empty()) entries.push_back({tokens[id], static_cast<int64_t>(id)});
  }
  return Vocabulary::build(std::move(entries));
}

/// The added_tokens of tokenizer.json: control tokens are special, user-defined ones are not.
Result<Json> added_tokens_of(const GgufFile& file, const std::vector<std::string>& tokens,
                             const Roles& roles) {
  const std::vector<int64_t>* types = file.integers("tokenizer.ggml.token_type");
  if (types != nullptr && types->size() != tokens.size()) {
    return fail(ErrorCode::corrupt_file, "GGUF lists {} token types for {} tokens", types->size(),
                tokens.size());
  }
  Json list = Json::array();
  for (size_t id = 0; id < tokens.size(); ++id) {
    const int64_t type = types == nullptr ? int64_t{kNormal} : (*types)[id];
    const auto has_role = [&](const std::optional<int64_t>& role) {
      return role && *role == static_cast<int64_t>(id);
    };
    const bool special = type == kControl || type == kUnknown || has_role(roles.bos) || has_role(roles.eos) ||
                         has_role(roles.eot) || has_role(roles.eom);
    if ((!special && type != kUserDefined) || tokens[id].empty()) continue;
    list.push_back({{"id", id},
                    {"content", tokens[id]},
                    {"single_word", false},
                    {"lstrip", false},
                    {"rstrip", false},
                    {"normalized", false},
                    {"special", special}});
  }
  return list;
}

/// ByteLevel alone, or a template around the text when BOS or EOS is added.
Result<Json> post_processor_of(const GgufFile& file, const PreFamily& family, const Roles& roles,
                               const std::vector<std::string>& tokens) {
  ORTHROS_TRY(const bool add_bos, flag(file, "tokenizer.ggml.add_bos_token", family.add_bos));
  ORTHROS_TRY(const bool add_eos, flag(file, "tokenizer.ggml.add_eos_token", false));
  Json byte_level_part = byte_level(true, true);
  const bool with_bos = add_bos && roles.bos;
  const bool with_eos = add_eos && roles.eos;
  if (!with_bos && !with_eos) return byte_level_part;
  Json single = Json::array();
  Json pair = Json::array();
  Json special = Json::object();
  const auto sequence_item = [](const char* id, int type) {
    return Json{{"Sequence", {{"id", id}, {"type_id", type}}}};
  };
  const auto add = [&](int64_t id) {
    const std::string& token = tokens[static_cast<size_t>(id)];
    const Json item{{"SpecialToken", {{"id", token}, {"type_id", 0}}}};
    single.push_back(item);
    pair.push_back(item);
    special[token] = {{"id", token}, {"ids", {id}}, {"tokens", {token}}};
  };
  if (with_bos) add(*roles.bos);
  single.push_back(sequence_item("A", 0));
  pair.push_back(sequence_item("A", 0));
  pair.push_back(sequence_item("B", 1));
  if (with_eos) add(*roles.eos);
  const Json around{
      {"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", special}};
  return Json{{"type", "Sequence"}, {"processors", {std::move(byte_level_part), around}}};
}

Json config_of(const GgufFile& file, const Roles& roles, const std::vector<std::string>& tokens,
               const Json& added_tokens) {
  Json config{{"tokenizer_class", "PreTrainedTokenizerFast"}, {"clean_up_tokenization_spaces", false}};
  Json decoder = Json::object();
  for (Json token : added_tokens) {
    const std::string id = std::to_string(token["id"].get<int64_t>());
    token.erase("id");
    decoder[id] = std::move(token);
  }
  // HF makes every token named here special, so padding and unknown are named only when they are already.
  const auto name = [&](const char* key, const std::optional<int64_t>& id) {
    if (id && decoder.contains(std::to_string(*id))) config[key] = tokens[static_cast<size_t>(*id)];
  };
  name("bos_token", roles.bos);
  name("eos_token", roles.eos);
  name("pad_token", roles.pad);
  name("unk_token", roles.unknown);
  config["added_tokens_decoder"] = std::move(decoder);
  if (const Result<std::string> chat_template = file.text("tokenizer.chat_template")) {
    config["chat_template"] = *chat_template;
  }
  return config;
}

Result<std::vector<std::pair<int32_t, int32_t>>> merges_of(const GgufFile& file,
                                                           const Vocabulary& vocabulary) {
  const std::vector<std::string>* list = file.strings("tokenizer.ggml.merges");
  if (list == nullptr) return fail(ErrorCode::corrupt_file, "GGUF has no tokenizer.ggml.merges");
  std::vector<std::pair<int32_t, int32_t>> merges;
  merges.reserve(list->size());
  for (const std::string& merge : *list) {
    ORTHROS_TRY(const auto pair, parse_merge(merge, merges.size(), vocabulary));
    merges.push_back(pair);
  }
  return merges;
}

Result<void> check_kind(const GgufFile& file) {
  if (!file.has("tokenizer.ggml.model")) {
    return fail(Error{ErrorCode::not_found, "the GGUF file has no tokenizer", kNoTokenizerHint});
  }
  ORTHROS_TRY(const std::string kind, file.text("tokenizer.ggml.model"));
  if (kind == "gpt2") return {};
  const std::string name = kind == "llama" ? "SentencePiece ('llama')" : quote(kind);
  return fail(Error{ErrorCode::unsupported,
                    fmt::format("GGUF tokenizer {} is not byte-level BPE, the only kind read here", name),
                    kNoTokenizerHint});
}

}  // namespace

Result<Tokenizer> Tokenizer::from_gguf(const GgufFile& file) {
  ORTHROS_TRY_VOID(check_kind(file));
  ORTHROS_TRY(const PreFamily family, family_of(file));
  const std::vector<std::string>* tokens = file.strings("tokenizer.ggml.tokens");
  if (tokens == nullptr) return fail(ErrorCode::corrupt_file, "GGUF has no tokenizer.ggml.tokens");
  ORTHROS_TRY(const Roles roles, read_roles(file, tokens->size()));
  ORTHROS_TRY(const bool prefix_space, flag(file, "tokenizer.ggml.add_space_prefix", false));
  ORTHROS_TRY(Json added, added_tokens_of(file, *tokens, roles));
  ORTHROS_TRY(Json post_processor, post_processor_of(file, family, roles, *tokens));
  TokenizerParts parts;
  ORTHROS_TRY(parts.vocabulary, vocabulary_of(*tokens));
  ORTHROS_TRY(parts.merges, merges_of(file, parts.vocabulary));
  parts.config = config_of(file, roles, *tokens, added);
  parts.shell = {{"version", "1.0"},
                 {"truncation", nullptr},
                 {"padding", nullptr},
                 {"added_tokens", std::move(added)},
                 {"normalizer", family.nfc ? Json{{"type", "NFC"}} : Json()},
                 {"pre_tokenizer", pre_tokenizer_of(family.splits, prefix_space)},
                 {"post_processor", std::move(post_processor)},
                 {"decoder", byte_level(true, true)},
                 {"model",
                  {{"type", "BPE"},
                   {"dropout", nullptr},
                   {"unk_token", nullptr},
                   {"continuing_subword_prefix", nullptr},
                   {"end_of_word_suffix", nullptr},
                   {"fuse_unk", false},
                   {"byte_fallback", false},
                   {"ignore_merges", family.ignore_merges}}}};
  for (const std::optional<int64_t>& id : {roles.eos, roles.eot, roles.eom}) {
    if (id) parts.further_eos.push_back(*id);
  }
  ORTHROS_TRY(std::shared_ptr<const Impl> impl, Impl::assemble(std::move(parts)));
  return Tokenizer(std::move(impl));
}

}  // namespace orthros
