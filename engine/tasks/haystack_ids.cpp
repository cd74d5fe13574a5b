#include "engine/tasks/haystack_ids.h"

#include <algorithm>
#include <unordered_map>

#include "engine/tasks/needle_task.h"
#include "engine/tasks/random.h"

namespace orthros {
namespace {

/// Encodes a repeated sentence once. Bounded: filler hardly repeats.
class EncodingCache {
 public:
  explicit EncodingCache(const TextCodec& codec) : codec_(codec) {}
  Result<void> append(std::string_view text, std::vector<int64_t>& ids) {
    if (const auto found = encodings_.find(std::string(text)); found != encodings_.end()) {
      ids.insert(ids.end(), found->second.begin(), found->second.end());
      return {};
    }
    ORTHROS_TRY(std::vector<int64_t> encoded, codec_.encode(text));
    ids.insert(ids.end(), encoded.begin(), encoded.end());
    if (encodings_.size() < 4096) encodings_.emplace(text, std::move(encoded));
    return {};
  }

 private:
  const TextCodec& codec_;
  std::unordered_map<std::string, std::vector<int64_t>> encodings_;
};

}  // namespace

Result<HaystackIds> take_haystack(SentenceSource& source, const TextCodec& codec, int64_t length) {
  HaystackIds haystack;
  EncodingCache cache(codec);
  int empty = 0;
  while (static_cast<int64_t>(haystack.ids.size()) < length) {
    const size_t before = haystack.ids.size();
    ORTHROS_TRY_VOID(cache.append(source.next(), haystack.ids));
    haystack.boundaries.push_back(static_cast<int64_t>(haystack.ids.size()));
    empty = haystack.ids.size() == before ? empty + 1 : 0;
    if (empty == 1000) {
      return fail(ErrorCode::invalid_argument, "the tokenizer gives no ids for the text of the haystack");
    }
  }
  const auto cut = static_cast<int64_t>(haystack.ids.size()) - length;
  haystack.ids.erase(haystack.ids.begin(), haystack.ids.begin() + cut);
  for (int64_t& boundary : haystack.boundaries) boundary = std::max<int64_t>(boundary - cut, 0);
  return haystack;
}

/// Of two equally near, the earlier.
int64_t nearest_boundary(const HaystackIds& haystack, int64_t depth_ppm) {
  const auto size = static_cast<int64_t>(haystack.ids.size());
  const auto distance = [&](int64_t boundary) { return std::abs(boundary * 1'000'000 - depth_ppm * size); };
  return *std::min_element(haystack.boundaries.begin(), haystack.boundaries.end(),
                           [&](int64_t a, int64_t b) { return distance(a) < distance(b); });
}

uint64_t haystack_seed(uint64_t prompt_seed) {
  return Random(prompt_seed, 2).next();
}

}  // namespace orthros
