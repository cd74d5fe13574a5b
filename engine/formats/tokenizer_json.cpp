#include <algorithm>
#include <utility>

#include "engine/formats/json_access.h"
#include "engine/formats/quote.h"
#include "engine/formats/tokenizer.h"
#include "engine/formats/tokenizer_impl.h"
#include "engine/formats/utf8.h"

namespace orthros {
namespace {

using json_access::find;

/// Adds the hint that ids still work to an error about the kind of tokenizer.
template <class T>
Result<T> with_hint(Result<T> result) {
  if (!result && result.error().code == ErrorCode::unsupported && result.error().hint.empty()) {
    result.error().hint = kNoTokenizerHint;
  }
  return result;
}

tl::unexpected<Error> not_byte_level(std::string_view why) {
  return fail(Error{ErrorCode::unsupported,
                    fmt::format("the tokenizer is not byte-level BPE ({}), the only kind read here", why),
                    kNoTokenizerHint});
}

/// Refuses models whose ids would come out different.
Result<void> check_model(const Json& model) {
  ORTHROS_TRY(const std::optional<std::string> type, json_access::text(model, "type"));
  if (type.value_or("BPE") != "BPE") return not_byte_level("model " + quote(*type));
  ORTHROS_TRY(const bool byte_fallback, json_access::boolean(model, "byte_fallback", false));
  if (byte_fallback) return not_byte_level("SentencePiece style, byte_fallback");
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    ORTHROS_TRY(const std::optional<std::string> affix, json_access::text(model, key));
    if (affix && !affix->empty()) return not_byte_level(key);
  }
  const Json* dropout = find(model, "dropout");
  if (dropout != nullptr && !(dropout->is_number() && dropout->get<double>() == 0)) {
    return fail(ErrorCode::unsupported, "BPE dropout is not supported");
  }
  return {};
}

Result<void> check_decoder(const Json* decoder) {
  if (decoder == nullptr) return {};
  ORTHROS_TRY(const std::string type, json_access::type_of(*decoder, "decoder"));
  if (type == "ByteLevel") return {};
  return not_byte_level("decoder " + quote(type));
}

Result<Vocabulary> vocabulary_from_json(const Json& model) {
  const Json* vocab = find(model, "vocab");
  if (vocab == nullptr || !vocab->is_object()) {
    return fail(ErrorCode::corrupt_file, "tokenizer: model.vocab must be an object");
  }
  std::vector<Vocabulary::Entry> entries;
  entries.reserve(vocab->size());
  for (const auto& [token, id] : vocab->items()) {
    if (!id.is_number_integer() || id.get<int64_t>() < 0) {
      return fail(ErrorCode::corrupt_file, "tokenizer: the id of {} is not a whole number", quote(token));
    }
    if (find_invalid_utf8(token) != std::string_view::npos) {
      return fail(ErrorCode::corrupt_file, "tokenizer: token {} is not valid UTF-8", quote(token));
    }
    entries.push_back({token, id.get<int64_t>()});
  }
  return Vocabulary::build(std::move(entries));
}

Result<AddedToken> added_token(const Json& config, const Vocabulary& vocabulary) {
  AddedToken token;
  ORTHROS_TRY(std::optional<std::string> content, json_access::text(config, "content"));
  if (!content) return fail(ErrorCode::corrupt_file, "an added token has no content");
  token.content = std::move(*content);
  if (find_invalid_utf8(token.content) != std::string_view::npos) {
    return fail(ErrorCode::corrupt_file, "added token {} is not valid UTF-8", quote(token.content));
  }
  ORTHROS_TRY(const int64_t id, json_access::integer(config, "id"));
  const std::optional<int32_t> known = vocabulary.find(token.content);
  if (id < 0 || id >= INT32_MAX || (known && *known != id)) {
    return fail(ErrorCode::corrupt_file, "added token {} has id {}{}", quote(token.content), id,
                known ? fmt::format(" but {} in the vocabulary", *known) : "");
  }
  if (!known && vocabulary.has(id)) {
    return fail(ErrorCode::corrupt_file, "added token {} has the id {} of token {}", quote(token.content), id,
                quote(vocabulary.token(static_cast<int32_t>(id))));
  }
  token.id = static_cast<int32_t>(id);
  ORTHROS_TRY(token.special, json_access::boolean(config, "special", false));
  ORTHROS_TRY(token.normalized, json_access::boolean(config, "normalized", !token.special));
  ORTHROS_TRY(token.single_word, json_access::boolean(config, "single_word", false));
  ORTHROS_TRY(token.lstrip, json_access::boolean(config, "lstrip", false));
  ORTHROS_TRY(token.rstrip, json_access::boolean(config, "rstrip", false));
  return token;
}

Result<AddedTokens> added_from_json(const Json& shell, const Vocabulary& vocabulary,
                                    const Normalizer& normalizer) {
  ORTHROS_TRY(const Json* list, json_access::array(shell, "added_tokens"));
  std::vector<AddedToken> tokens;
  if (list != nullptr) {
    for (const Json& item : *list) {
      ORTHROS_TRY(AddedToken token, added_token(item, vocabulary));
      tokens.push_back(std::move(token));
    }
  }
  return AddedTokens::build(std::move(tokens), normalizer);
}

/// The id of a token named in tokenizer_config.json, as a string or as an object with its content.
std::optional<TokenId> configured_token(const Json& config, const char* key, const AddedTokens& added,
                                        const Vocabulary& vocabulary) {
  const Json* value = find(config, key);
  if (value != nullptr && value->is_object()) value = find(*value, "content");
  if (value == nullptr || !value->is_string()) return std::nullopt;
  const auto& content = value->get_ref<const std::string&>();
  if (const AddedToken* token = added.find(content)) return token->id;
  return vocabulary.find(content);
}

/// One past the greatest id. A few ids above the vocabulary are normal, a huge one is not.
Result<int64_t> total_size(const Vocabulary& vocabulary, const AddedTokens& added) {
  int64_t size = vocabulary.end_id();
  const int64_t limit = size + 8 * static_cast<int64_t>(added.tokens().size()) + 4096;
  for (const AddedToken& token : added.tokens()) size = std::max<int64_t>(size, int64_t{token.id} + 1);
  if (size > limit) {
    return fail(ErrorCode::corrupt_file, "added token id {} in a vocabulary of {} tokens", size - 1,
                vocabulary.end_id());
  }
  return size;
}

/// Ids that the post-processor adds must be tokens; a hole in the vocabulary could not be decoded.
Result<void> check_ids(const std::vector<int64_t>& ids, const Vocabulary& vocabulary,
                       const AddedTokens& added) {
  for (const int64_t id : ids) {
    if (vocabulary.has(id) || added.find(id) != nullptr) continue;
    return fail(ErrorCode::corrupt_file, "the post-processor adds id {}, which is no token", id);
  }
  return {};
}

Result<BpeOptions> options_from_json(const Json& model, const Vocabulary& vocabulary) {
  BpeOptions options;
  ORTHROS_TRY(options.ignore_merges, json_access::boolean(model, "ignore_merges", false));
  ORTHROS_TRY(options.fuse_unknown, json_access::boolean(model, "fuse_unk", false));
  ORTHROS_TRY(const std::optional<std::string> unknown, json_access::text(model, "unk_token"));
  if (unknown) options.unknown = vocabulary.find(*unknown);
  return options;
}

/// All of `object` but the members named in `without`.
Json copy_without(const Json& object, std::initializer_list<std::string_view> without) {
  Json copy = Json::object();
  for (const auto& [key, value] : object.items()) {
    if (std::find(without.begin(), without.end(), key) == without.end()) copy[key] = value;
  }
  return copy;
}

}  // namespace

Result<std::pair<int32_t, int32_t>> parse_merge(std::string_view merge, size_t rank,
                                                const Vocabulary& vocabulary) {
  const size_t space = merge.find(' ');
  if (space == std::string_view::npos || merge.find(' ', space + 1) != std::string_view::npos) {
    return fail(ErrorCode::corrupt_file, "merge {} is not two tokens with a space between: {}", rank,
                quote(merge));
  }
  return merge_of(merge.substr(0, space), merge.substr(space + 1), rank, vocabulary);
}

Result<std::pair<int32_t, int32_t>> merge_of(std::string_view left, std::string_view right, size_t rank,
                                             const Vocabulary& vocabulary) {
  const std::optional<int32_t> left_id = vocabulary.find(left);
  const std::optional<int32_t> right_id = vocabulary.find(right);
  if (!left_id || !right_id) {
    return fail(ErrorCode::corrupt_file, "merge {}: {} is not in the vocabulary", rank,
                quote(left_id ? right : left));
  }
  return std::pair(*left_id, *right_id);
}

Result<std::vector<std::pair<int32_t, int32_t>>> merges_from_json(const Json& model,
                                                                  const Vocabulary& vocabulary) {
  ORTHROS_TRY(const Json* list, json_access::array(model, "merges"));
  if (list == nullptr) return fail(ErrorCode::corrupt_file, "tokenizer: model.merges is missing");
  std::vector<std::pair<int32_t, int32_t>> merges;
  merges.reserve(list->size());
  for (const Json& item : *list) {
    const size_t rank = merges.size();
    if (item.is_string()) {
      ORTHROS_TRY(const auto merge, parse_merge(item.get_ref<const std::string&>(), rank, vocabulary));
      merges.push_back(merge);
    } else if (item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_string()) {
      ORTHROS_TRY(const auto merge, merge_of(item[0].get_ref<const std::string&>(),
                                             item[1].get_ref<const std::string&>(), rank, vocabulary));
      merges.push_back(merge);
    } else {
      return fail(ErrorCode::corrupt_file, "merge {} is neither a string nor a pair of strings", rank);
    }
  }
  return merges;
}

Result<std::shared_ptr<const Tokenizer::Impl>> Tokenizer::Impl::assemble(TokenizerParts parts) {
  auto impl = std::make_shared<Impl>();
  impl->shell = std::move(parts.shell);
  impl->config = std::move(parts.config);
  const Json& shell = impl->shell;
  ORTHROS_TRY(impl->normalizer, with_hint(Normalizer::from_json(find(shell, "normalizer"))));
  ORTHROS_TRY(impl->pretokenizer, with_hint(Pretokenizer::from_json(find(shell, "pre_tokenizer"))));
  ORTHROS_TRY(impl->post_processor, with_hint(PostProcessor::from_json(find(shell, "post_processor"))));
  ORTHROS_TRY_VOID(check_decoder(find(shell, "decoder")));
  ORTHROS_TRY(impl->added, added_from_json(shell, parts.vocabulary, impl->normalizer));
  ORTHROS_TRY(impl->vocab_size, total_size(parts.vocabulary, impl->added));
  ORTHROS_TRY_VOID(check_ids(impl->post_processor.prefix(), parts.vocabulary, impl->added));
  ORTHROS_TRY_VOID(check_ids(impl->post_processor.suffix(), parts.vocabulary, impl->added));
  ORTHROS_TRY(const BpeOptions options, options_from_json(shell["model"], parts.vocabulary));
  impl->bos = configured_token(impl->config, "bos_token", impl->added, parts.vocabulary);
  if (!impl->bos && !impl->post_processor.prefix().empty()) impl->bos = impl->post_processor.prefix().front();
  if (const auto eos = configured_token(impl->config, "eos_token", impl->added, parts.vocabulary)) {
    impl->eos.push_back(*eos);
  }
  for (const TokenId id : parts.further_eos) {
    if (std::find(impl->eos.begin(), impl->eos.end(), id) == impl->eos.end()) impl->eos.push_back(id);
  }
  ORTHROS_TRY(impl->model, BpeModel::build(std::move(parts.vocabulary), std::move(parts.merges), options));
  return std::shared_ptr<const Impl>(std::move(impl));
}

Result<Tokenizer> Tokenizer::from_json(const Json& tokenizer, const Json& tokenizer_config) {
  const Json* model = find(tokenizer, "model");
  if (model == nullptr || !model->is_object()) {
    return fail(ErrorCode::corrupt_file, "tokenizer.json has no model");
  }
  ORTHROS_TRY_VOID(check_model(*model));
  TokenizerParts parts;
  ORTHROS_TRY(parts.vocabulary, vocabulary_from_json(*model));
  ORTHROS_TRY(parts.merges, merges_from_json(*model, parts.vocabulary));
  parts.shell = copy_without(tokenizer, {"model"});
  parts.shell["model"] = copy_without(*model, {"vocab", "merges"});
  parts.config = tokenizer_config.is_object() ? tokenizer_config : Json::object();
  ORTHROS_TRY(std::shared_ptr<const Impl> impl, Impl::assemble(std::move(parts)));
  return Tokenizer(std::move(impl));
}

}  // namespace orthros
