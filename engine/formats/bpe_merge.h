// Ranked byte-pair merging: of all adjacent pairs the one of lowest rank, leftmost first, is merged until
// none is left. A heap keeps it n log n in the length of a pre-token; short ones are scanned. Errors:
// corrupt_file for merges whose parts or result are not in the vocabulary. Threads: const methods may run
// concurrently.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/vocabulary.h"

namespace orthros {

struct Merge {
  int32_t rank = 0;
  int32_t result = 0;
};

/// (left id, right id) -> Merge: open addressing, because every symbol of every text is looked up here.
class MergeTable {
 public:
  explicit MergeTable(size_t count = 0);
  /// A later merge of the same pair replaces the earlier one.
  void insert(int32_t left, int32_t right, Merge merge);
  const Merge* find(int32_t left, int32_t right) const;

 private:
  struct Slot {
    uint64_t key = kEmpty;
    Merge merge;
  };
  static constexpr uint64_t kEmpty = ~uint64_t{0};
  size_t start_of(uint64_t key) const;

  std::vector<Slot> slots_;
  size_t mask_ = 0;
};

/// Merges `symbols` in place. The two ways give the same result; merge_symbols chooses by length.
void merge_by_scanning(const MergeTable& table, std::vector<int32_t>& symbols);
void merge_by_heap(const MergeTable& table, std::vector<int32_t>& symbols);
void merge_symbols(const MergeTable& table, std::vector<int32_t>& symbols);

struct BpeOptions {
  bool ignore_merges = false;  // a pre-token that is a token is taken whole
  std::optional<int32_t> unknown;
  bool fuse_unknown = false;
};

class BpeModel {
 public:
  BpeModel() = default;
  static Result<BpeModel> build(Vocabulary vocabulary, std::vector<std::pair<int32_t, int32_t>> merges,
                                const BpeOptions& options);

  /// Appends the ids of one pre-token, given as bytes.
  void encode(std::string_view bytes, std::vector<int32_t>& out) const;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const std::vector<std::pair<int32_t, int32_t>>& merges() const { return merges_; }

 private:
  Vocabulary vocabulary_;
  std::vector<std::pair<int32_t, int32_t>> merges_;  // in rank order
  MergeTable table_;
  std::array<int32_t, 256> byte_ids_{};  // -1: not in the vocabulary
  BpeOptions options_;
};

}  // namespace orthros
