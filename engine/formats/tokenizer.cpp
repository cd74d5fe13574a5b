#include "engine/formats/tokenizer.h"

#include <unordered_map>

#include "engine/formats/byte_level.h"
#include "engine/formats/tokenizer_impl.h"
#include "engine/formats/utf8.h"

namespace orthros {
namespace {

/// Ids of pre-tokens already seen in this text: natural text repeats its words.
class WordCache {
 public:
  explicit WordCache(const BpeModel& model) : model_(model) {}

  void encode(std::string_view word, std::vector<int32_t>& out) {
    if (word.size() > kMaxWordBytes) return model_.encode(word, out);
    const auto found = words_.find(word);
    if (found != words_.end()) {
      const auto begin = ids_.begin() + static_cast<std::ptrdiff_t>(found->second.begin);
      out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(found->second.count));
      return;
    }
    const size_t before = out.size();
    model_.encode(word, out);
    if (words_.size() >= kMaxWords) return;
    const size_t begin = ids_.size();
    ids_.insert(ids_.end(), out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
    words_.emplace(std::string(word), Range{begin, ids_.size() - begin});
  }

 private:
  static constexpr size_t kMaxWordBytes = 64;
  static constexpr size_t kMaxWords = 100'000;
  struct Range {
    size_t begin = 0, count = 0;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  const BpeModel& model_;
  std::unordered_map<std::string, Range, Hash, std::equal_to<>> words_;
  std::vector<int32_t> ids_;
};

}  // namespace

Result<std::vector<TokenId>> Tokenizer::encode(std::string_view text, bool add_special) const {
  if (const size_t bad = find_invalid_utf8(text); bad != std::string_view::npos) {
    return fail(ErrorCode::invalid_argument, "the text is not valid UTF-8 at byte {}", bad);
  }
  std::vector<int32_t> ids;
  WordCache words(impl_->model);
  const TextSegments segments = impl_->added.split(text, impl_->normalizer);
  for (const TextSegment& segment : segments.parts) {
    if (segment.id >= 0) {
      ids.push_back(segment.id);
      continue;
    }
    ORTHROS_TRY(const Pretokens pretokens, impl_->pretokenizer.split(segment.text));
    for (const std::string_view part : pretokens.parts) words.encode(part, ids);
  }
  std::vector<TokenId> result;
  if (add_special) result = impl_->post_processor.prefix();
  result.insert(result.end(), ids.begin(), ids.end());
  if (add_special) {
    const std::vector<int64_t>& suffix = impl_->post_processor.suffix();
    result.insert(result.end(), suffix.begin(), suffix.end());
  }
  return result;
}

Result<std::string> Tokenizer::piece(TokenId id) const {
  // An added token stands for itself; it is not written in the byte-level alphabet.
  if (const AddedToken* token = impl_->added.find(id)) return token->content;
  const Vocabulary& vocabulary = impl_->model.vocabulary();
  if (!vocabulary.has(id)) {
    return fail(ErrorCode::invalid_argument, "token id {} is not in the vocabulary of {} tokens", id,
                impl_->vocab_size);
  }
  return byte_level_to_bytes(vocabulary.token(static_cast<int32_t>(id)));
}

Result<std::string> Tokenizer::decode(const std::vector<TokenId>& ids, bool skip_special) const {
  std::string text;
  for (const TokenId id : ids) {
    ORTHROS_TRY(const std::string bytes, piece(id));
    if (!skip_special || !is_special(id)) text += bytes;
  }
  return text;
}

int64_t Tokenizer::vocab_size() const {
  return impl_->vocab_size;
}

std::optional<TokenId> Tokenizer::id_of(std::string_view token) const {
  if (const AddedToken* added = impl_->added.find(token)) return added->id;
  return impl_->model.vocabulary().find(token);
}

bool Tokenizer::is_special(TokenId id) const {
  const AddedToken* token = impl_->added.find(id);
  return token != nullptr && token->special;
}

std::optional<TokenId> Tokenizer::bos() const {
  return impl_->bos;
}

std::vector<TokenId> Tokenizer::eos() const {
  return impl_->eos;
}

}  // namespace orthros
