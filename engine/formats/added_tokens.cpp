#include "engine/formats/added_tokens.h"

#include <algorithm>

#include "engine/formats/quote.h"
#include "engine/formats/unicode_class.h"
#include "engine/formats/utf8.h"

namespace orthros {
namespace {

constexpr size_t kMaxContentBytes = 1024;  // bounds the work at each position of a text

bool has_class(char32_t c, uint8_t bits) {
  return (unicode::classes()[c] & bits) != 0;
}

bool word_ends_at(std::string_view text, size_t at) {
  return at > 0 && has_class(decode_utf8(text, previous_character(text, at)).value, unicode::kWord);
}

bool word_starts_at(std::string_view text, size_t at) {
  return at < text.size() && has_class(decode_utf8(text, at).value, unicode::kWord);
}

size_t skip_space_back(std::string_view text, size_t at, size_t limit) {
  while (at > limit) {
    const size_t before = previous_character(text, at);
    if (!has_class(decode_utf8(text, before).value, unicode::kSpace)) break;
    at = before;
  }
  return at;
}

size_t skip_space(std::string_view text, size_t at) {
  while (at < text.size()) {
    const CodePoint c = decode_utf8(text, at);
    if (!has_class(c.value, unicode::kSpace)) break;
    at += c.length;
  }
  return at;
}

}  // namespace

const uint32_t* TokenTrie::child(const Node& node, uint8_t byte) const {
  const auto place = std::lower_bound(node.children.begin(), node.children.end(), byte,
                                      [](const auto& pair, uint8_t wanted) { return pair.first < wanted; });
  return place == node.children.end() || place->first != byte ? nullptr : &place->second;
}

void TokenTrie::insert(std::string_view text, uint32_t value) {
  uint32_t at = 0;
  for (const char c : text) {
    const uint8_t byte = static_cast<uint8_t>(c);
    if (const uint32_t* next = child(nodes_[at], byte)) {
      at = *next;
      continue;
    }
    const auto added = static_cast<uint32_t>(nodes_.size());
    auto& children = nodes_[at].children;
    children.insert(std::upper_bound(children.begin(), children.end(), std::pair(byte, UINT32_MAX)),
                    {byte, added});
    nodes_.emplace_back();
    at = added;
  }
  if (nodes_[at].value == kNoValue) nodes_[at].value = value;
}

TokenTrie::Found TokenTrie::longest_at(std::string_view text, size_t at) const {
  Found found;
  const Node* node = &nodes_[0];
  for (size_t i = at; i < text.size(); ++i) {
    const uint32_t* next = child(*node, static_cast<uint8_t>(text[i]));
    if (next == nullptr) break;
    node = &nodes_[*next];
    if (node->value != kNoValue) found = {node->value, i + 1 - at};
  }
  return found;
}

Result<AddedTokens> AddedTokens::build(std::vector<AddedToken> tokens, const Normalizer& normalizer) {
  AddedTokens result;
  result.tokens_ = std::move(tokens);
  for (size_t i = 0; i < result.tokens_.size(); ++i) {
    const AddedToken& token = result.tokens_[i];
    if (token.content.size() > kMaxContentBytes) {
      return fail(ErrorCode::unsupported, "added token {} has {} bytes, more than {}", quote(token.content),
                  token.content.size(), kMaxContentBytes);
    }
    const auto [place, inserted] = result.by_id_.emplace(token.id, i);
    if (!inserted) {
      return fail(ErrorCode::corrupt_file, "added tokens {} and {} have the same id {}",
                  quote(result.tokens_[place->second].content), quote(token.content), token.id);
    }
    if (token.content.empty()) continue;
    if (token.normalized) {
      result.normalized_.insert(normalizer.apply(token.content), static_cast<uint32_t>(i));
    } else {
      result.raw_.insert(token.content, static_cast<uint32_t>(i));
    }
  }
  return result;
}

const AddedToken* AddedTokens::find(int64_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &tokens_[found->second];
}

const AddedToken* AddedTokens::find(std::string_view content) const {
  const auto found = std::find_if(tokens_.begin(), tokens_.end(),
                                  [&](const AddedToken& token) { return token.content == content; });
  return found == tokens_.end() ? nullptr : &*found;
}

void AddedTokens::cut(const TokenTrie& trie, std::string_view text, std::vector<TextSegment>& out) const {
  size_t done = 0;  // end of what was put out
  for (size_t at = 0; at < text.size();) {
    const TokenTrie::Found found = trie.longest_at(text, at);
    if (found.length == 0) {
      ++at;
      continue;
    }
    const AddedToken& token = tokens_[found.value];
    size_t begin = at;
    size_t end = at + found.length;
    at = end;  // the search goes on after the match itself, whether or not it counts
    if (token.single_word && (word_ends_at(text, begin) || word_starts_at(text, end))) continue;
    // The token before may have taken this white space already.
    if (token.lstrip) begin = std::max(skip_space_back(text, begin, 0), done);
    if (token.rstrip) end = skip_space(text, end);
    if (done < begin) out.push_back({-1, text.substr(done, begin - done)});
    out.push_back({token.id, {}});
    done = end;
  }
  if (done < text.size()) out.push_back({-1, text.substr(done)});
}

TextSegments AddedTokens::split(std::string_view text, const Normalizer& normalizer) const {
  TextSegments result;
  std::vector<TextSegment> raw;
  if (raw_.is_empty()) {
    raw.push_back({-1, text});
  } else {
    cut(raw_, text, raw);
  }
  if (normalizer.is_identity() && normalized_.is_empty()) {
    result.parts = std::move(raw);
    return result;
  }
  for (const TextSegment& part : raw) {
    if (part.id >= 0) {
      result.parts.push_back(part);
      continue;
    }
    std::string_view normal = part.text;
    if (!normalizer.is_identity()) normal = result.storage.emplace_back(normalizer.apply(part.text));
    cut(normalized_, normal, result.parts);
  }
  return result;
}

}  // namespace orthros
