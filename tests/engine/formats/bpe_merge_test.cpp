// Ranked merging: the two ways agree, and what they give is what the definition says.
#include "engine/formats/bpe_merge.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace orthros {
namespace {

/// The definition: merge the leftmost pair of lowest rank until there is none.
std::vector<int32_t> merge_by_definition(const MergeTable& table, std::vector<int32_t> symbols) {
  while (true) {
    size_t best = symbols.size();
    const Merge* best_merge = nullptr;
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
      const Merge* merge = table.find(symbols[i], symbols[i + 1]);
      if (merge != nullptr && (best_merge == nullptr || merge->rank < best_merge->rank)) {
        best = i;
        best_merge = merge;
      }
    }
    if (best_merge == nullptr) return symbols;
    symbols[best] = best_merge->result;
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

/// Random merges in which each new symbol has a content of its own length, as in a real vocabulary.
MergeTable random_table(std::mt19937& random, int letters, int merges) {
  MergeTable table(static_cast<size_t>(merges));
  int32_t next = letters;
  std::vector<std::pair<int32_t, int32_t>> seen;
  while (next < letters + merges) {
    std::uniform_int_distribution<int32_t> any(0, next - 1);
    const std::pair pair(any(random), any(random));
    if (table.find(pair.first, pair.second) != nullptr) continue;
    table.insert(pair.first, pair.second, {static_cast<int32_t>(random() % 1000), next++});
  }
  return table;
}

TEST(BpeMerge, BothWaysFollowTheDefinition) {
  std::mt19937 random(3);
  int merged = 0;
  for (int round = 0; round < 400; ++round) {
    const MergeTable table = random_table(random, 3, 12);
    std::vector<int32_t> symbols(random() % 120);
    for (int32_t& symbol : symbols) symbol = static_cast<int32_t>(random() % 3);
    const std::vector<int32_t> expected = merge_by_definition(table, symbols);
    merged += expected != symbols;
    std::vector<int32_t> scanned = symbols;
    merge_by_scanning(table, scanned);
    std::vector<int32_t> heaped = symbols;
    merge_by_heap(table, heaped);
    std::vector<int32_t> chosen = symbols;
    merge_symbols(table, chosen);
    ASSERT_EQ(scanned, expected);
    ASSERT_EQ(heaped, expected);
    ASSERT_EQ(chosen, expected);
  }
  EXPECT_GT(merged, 300);
}

TEST(BpeMerge, TakesTheLeftmostOfEqualPairs) {
  MergeTable table(1);
  table.insert(0, 0, {0, 1});
  std::vector<int32_t> three{0, 0, 0};
  merge_by_heap(table, three);
  EXPECT_EQ(three, (std::vector<int32_t>{1, 0}));
}

TEST(MergeTable, FindsEveryPairItWasGivenAndNoOther) {
  std::mt19937 random(4);
  std::map<std::pair<int32_t, int32_t>, int32_t> pairs;
  MergeTable table(5000);
  for (int32_t i = 0; i < 5000; ++i) {
    const std::pair pair(static_cast<int32_t>(random() % 90), static_cast<int32_t>(random() % 90));
    pairs[pair] = i;  // the later one counts
    table.insert(pair.first, pair.second, {i, i});
  }
  for (int32_t left = 0; left < 91; ++left) {
    for (int32_t right = 0; right < 91; ++right) {
      const auto known = pairs.find({left, right});
      const Merge* merge = table.find(left, right);
      ASSERT_EQ(merge != nullptr, known != pairs.end());
      if (merge != nullptr) {
        ASSERT_EQ(merge->rank, known->second);
      }
    }
  }
  EXPECT_EQ(MergeTable().find(0, 0), nullptr);
}

TEST(Vocabulary, RefusesDoubleTokensDoubleIdsAndHugeIds) {
  EXPECT_TRUE(Vocabulary::build({{"a", 0}, {"b", 7}}));
  const std::vector<std::pair<std::vector<Vocabulary::Entry>, std::string>> broken{
      {{{"a", 0}, {"a", 1}}, "'a'"},
      {{{"a", 5}, {"b", 5}}, "5"},
      {{{"a", -1}}, "-1"},
      {{{"a", 0}, {"b", 2'000'000'000}}, "2000000000"},
      {{{"a", INT64_MAX}}, std::to_string(INT64_MAX)}};
  for (const auto& [entries, named] : broken) {
    const auto vocabulary = Vocabulary::build(entries);
    ASSERT_FALSE(vocabulary);
    EXPECT_EQ(vocabulary.error().code, ErrorCode::corrupt_file);
    EXPECT_NE(vocabulary.error().message.find(named), std::string::npos) << vocabulary.error().message;
  }
}

}  // namespace
}  // namespace orthros
