#include "engine/formats/vocabulary.h"

#include <algorithm>

#include "engine/formats/quote.h"

namespace orthros {

Result<Vocabulary> Vocabulary::build(std::vector<Entry> entries) {
  int64_t end = 0;
  for (const Entry& entry : entries) {
    if (entry.id < 0 || entry.id >= INT32_MAX) {
      return fail(ErrorCode::corrupt_file, "token {} has id {}", quote(entry.token), entry.id);
    }
    end = std::max(end, entry.id + 1);
  }
  // Real vocabularies have few holes; a single huge id must not decide how much is allocated.
  const int64_t limit = 8 * static_cast<int64_t>(entries.size()) + 4096;
  if (end > limit) {
    return fail(ErrorCode::corrupt_file, "token id {} in a vocabulary of {} tokens", end - 1, entries.size());
  }
  Vocabulary result;
  result.tokens_.resize(static_cast<size_t>(end));
  result.present_.resize(static_cast<size_t>(end));
  result.ids_.reserve(entries.size());
  for (Entry& entry : entries) {
    const auto id = static_cast<size_t>(entry.id);
    if (result.present_[id]) {
      return fail(ErrorCode::corrupt_file, "tokens {} and {} have the same id {}", quote(result.tokens_[id]),
                  quote(entry.token), id);
    }
    result.present_[id] = true;
    result.tokens_[id] = std::move(entry.token);
    const auto [place, inserted] = result.ids_.emplace(result.tokens_[id], static_cast<int32_t>(id));
    if (!inserted) {
      return fail(ErrorCode::corrupt_file, "token {} has the ids {} and {}", quote(result.tokens_[id]),
                  place->second, id);
    }
  }
  return result;
}

std::optional<int32_t> Vocabulary::find(std::string_view token) const {
  const auto found = ids_.find(token);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

}  // namespace orthros
