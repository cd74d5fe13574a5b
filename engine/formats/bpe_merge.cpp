#include "engine/formats/bpe_merge.h"

#include <bit>
#include <queue>

#include "engine/formats/byte_level.h"
#include "engine/formats/quote.h"

namespace orthros {
namespace {

constexpr size_t kLongestScan = 48;  // above this many symbols the heap is faster

uint64_t key_of(int32_t left, int32_t right) {
  return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 | static_cast<uint32_t>(right);
}

struct Candidate {
  int32_t rank;
  uint32_t left;   // index of the left symbol
  int32_t result;  // tells whether the pair is still the one that was queued

  bool operator>(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : left > other.left;
  }
};

/// Symbols as a linked list, so that a merge costs no move.
struct Link {
  int32_t id;
  uint32_t previous, next;
};

constexpr uint32_t kNone = UINT32_MAX;
constexpr int32_t kGone = -1;

}  // namespace

MergeTable::MergeTable(size_t count) : slots_(std::bit_ceil(2 * count + 2)), mask_(slots_.size() - 1) {}

size_t MergeTable::start_of(uint64_t key) const {
  key ^= key >> 29;
  return static_cast<size_t>((key * 0x9e3779b97f4a7c15u) >> 20) & mask_;
}

void MergeTable::insert(int32_t left, int32_t right, Merge merge) {
  const uint64_t key = key_of(left, right);
  size_t at = start_of(key);
  while (slots_[at].key != kEmpty && slots_[at].key != key) at = (at + 1) & mask_;
  slots_[at] = {key, merge};
}

const Merge* MergeTable::find(int32_t left, int32_t right) const {
  const uint64_t key = key_of(left, right);
  for (size_t at = start_of(key); slots_[at].key != kEmpty; at = (at + 1) & mask_) {
    if (slots_[at].key == key) return &slots_[at].merge;
  }
  return nullptr;
}

void merge_by_scanning(const MergeTable& table, std::vector<int32_t>& symbols) {
  constexpr Merge kNoMerge{INT32_MAX, 0};
  const auto merge_at = [&](size_t i) {
    const Merge* merge = table.find(symbols[i], symbols[i + 1]);
    return merge == nullptr ? kNoMerge : *merge;
  };
  std::vector<Merge> merges;  // of symbols i and i + 1
  for (size_t i = 0; i + 1 < symbols.size(); ++i) merges.push_back(merge_at(i));
  while (!merges.empty()) {
    size_t best = 0;
    for (size_t i = 1; i < merges.size(); ++i) {
      if (merges[i].rank < merges[best].rank) best = i;
    }
    if (merges[best].rank == INT32_MAX) return;
    symbols[best] = merges[best].result;
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    merges.erase(merges.begin() + static_cast<std::ptrdiff_t>(best));
    if (best < merges.size()) merges[best] = merge_at(best);
    if (best > 0) merges[best - 1] = merge_at(best - 1);
  }
}

void merge_by_heap(const MergeTable& table, std::vector<int32_t>& symbols) {
  std::vector<Link> links;
  links.reserve(symbols.size());
  const auto count = static_cast<uint32_t>(symbols.size());
  for (uint32_t i = 0; i < count; ++i) {
    links.push_back({symbols[i], i == 0 ? kNone : i - 1, i + 1 == count ? kNone : i + 1});
  }
  std::vector<Candidate> storage;
  storage.reserve(symbols.size());
  std::priority_queue queue(std::greater<Candidate>{}, std::move(storage));
  const auto push = [&](uint32_t left) {
    if (left == kNone || links[left].next == kNone) return;
    const Merge* merge = table.find(links[left].id, links[links[left].next].id);
    if (merge != nullptr) queue.push({merge->rank, left, merge->result});
  };
  for (uint32_t i = 0; i + 1 < count; ++i) push(i);
  while (!queue.empty()) {
    const Candidate top = queue.top();
    queue.pop();
    Link& left = links[top.left];
    if (left.id == kGone || left.next == kNone) continue;
    Link& right = links[left.next];
    const Merge* merge = table.find(left.id, right.id);
    if (merge == nullptr || merge->result != top.result) continue;  // one of the two was merged meanwhile
    left.id = top.result;
    right.id = kGone;
    left.next = right.next;
    if (left.next != kNone) links[left.next].previous = top.left;
    push(left.previous);
    push(top.left);
  }
  symbols.clear();
  for (const Link& link : links) {
    if (link.id != kGone) symbols.push_back(link.id);
  }
}

void merge_symbols(const MergeTable& table, std::vector<int32_t>& symbols) {
  if (symbols.size() <= kLongestScan) {
    merge_by_scanning(table, symbols);
  } else {
    merge_by_heap(table, symbols);
  }
}

Result<BpeModel> BpeModel::build(Vocabulary vocabulary, std::vector<std::pair<int32_t, int32_t>> merges,
                                 const BpeOptions& options) {
  BpeModel model;
  model.table_ = MergeTable(merges.size());
  std::string merged;
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const auto [left, right] = merges[rank];
    merged = vocabulary.token(left) + vocabulary.token(right);
    const std::optional<int32_t> result = vocabulary.find(merged);
    if (!result) {
      return fail(ErrorCode::corrupt_file, "merge {} makes {}, which is not in the vocabulary", rank,
                  quote(merged));
    }
    model.table_.insert(left, right, {static_cast<int32_t>(rank), *result});
  }
  for (size_t byte = 0; byte < model.byte_ids_.size(); ++byte) {
    const std::optional<int32_t> id = vocabulary.find(byte_to_symbol(static_cast<uint8_t>(byte)));
    model.byte_ids_[byte] = id.value_or(-1);
  }
  model.vocabulary_ = std::move(vocabulary);
  model.merges_ = std::move(merges);
  model.options_ = options;
  return model;
}

void BpeModel::encode(std::string_view bytes, std::vector<int32_t>& out) const {
  if (options_.ignore_merges) {
    std::string token;
    append_byte_level(token, bytes);
    if (const std::optional<int32_t> whole = vocabulary_.find(token)) {
      out.push_back(*whole);
      return;
    }
  }
  std::vector<int32_t> symbols;
  symbols.reserve(bytes.size());
  bool after_unknown = false;
  for (const char c : bytes) {
    const int32_t id = byte_ids_[static_cast<uint8_t>(c)];
    if (id >= 0) {
      symbols.push_back(id);
    } else if (options_.unknown && !(options_.fuse_unknown && after_unknown)) {
      symbols.push_back(*options_.unknown);
    }  // without an unknown token, a byte that is not in the vocabulary is dropped, as HF does
    after_unknown = id < 0;
  }
  merge_symbols(table_, symbols);
  out.insert(out.end(), symbols.begin(), symbols.end());
}

}  // namespace orthros
