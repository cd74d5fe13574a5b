// Vocabulary: the tokens of a BPE model by id and by content. Ids may have holes.
// Units: ids fit 31 bits. Errors: corrupt_file for a token or an id that occurs twice.
// Threads: immutable once built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"

namespace orthros {

class Vocabulary {
 public:
  Vocabulary() = default;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;
  Vocabulary(const Vocabulary&) = delete;  // the map views the strings
  Vocabulary& operator=(const Vocabulary&) = delete;

  struct Entry {
    std::string token;
    int64_t id = 0;
  };
  static Result<Vocabulary> build(std::vector<Entry> entries);

  /// One past the greatest id.
  int32_t end_id() const { return static_cast<int32_t>(tokens_.size()); }
  bool has(int64_t id) const { return id >= 0 && id < end_id() && present_[static_cast<size_t>(id)]; }
  const std::string& token(int32_t id) const { return tokens_[static_cast<size_t>(id)]; }
  std::optional<int32_t> find(std::string_view token) const;

 private:
  std::vector<std::string> tokens_;
  std::vector<bool> present_;
  std::unordered_map<std::string_view, int32_t> ids_;
};

}  // namespace orthros
