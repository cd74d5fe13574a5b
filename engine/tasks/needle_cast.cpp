#include "engine/tasks/needle_cast.h"

#include <algorithm>
#include <numeric>

namespace orthros {
namespace {

constexpr int64_t kMaxTargets = 64, kMaxDistractors = 128;
enum Stream : uint64_t { kDepths = 1, kFacts = 1000 };  // kFacts + attempt

int64_t own_distractors(NeedleVariant variant) {
  return variant == NeedleVariant::multi_key || variant == NeedleVariant::key_value ? 3 : 0;
}

Result<int64_t> count_targets(const NeedleTaskSpec& spec) {
  const auto bounded = [](int64_t count, const char* what) -> Result<int64_t> {
    if (count >= 1 && count <= kMaxTargets) return count;
    return fail(ErrorCode::invalid_argument, "{} is {}: it must be 1 to {}", what, count, kMaxTargets);
  };
  switch (spec.variant) {
    case NeedleVariant::multi_value:
      return bounded(spec.values, "values");
    case NeedleVariant::multi_query:
      return bounded(spec.queries, "queries");
    case NeedleVariant::k_needles:
      return bounded(spec.needles, "needles");
    default:
      return 1;
  }
}

/// Ids of a text that must come back from them as it was: spans are checked by decoding.
Result<std::vector<int64_t>> encode_exactly(const TextCodec& codec, const std::string& text) {
  ORTHROS_TRY(std::vector<int64_t> ids, codec.encode(text));
  ORTHROS_TRY(const std::string back, codec.decode(ids));
  if (back == text) return ids;
  return fail(Error{ErrorCode::unsupported,
                    fmt::format("the tokenizer does not give '{}' back from its ids", text),
                    "use another needle variant or a byte-level tokenizer"});
}

int64_t requested_depth(NeedleVariant variant, const NeedleCounts& counts, size_t index, int64_t first,
                        Random& random) {
  const auto anywhere = static_cast<int64_t>(random.below(1'000'001));
  if (index >= counts.targets) return anywhere;
  if (variant == NeedleVariant::k_needles) {
    return static_cast<int64_t>((2 * index + 1) * 500'000 / counts.targets);  // middles of equal shares
  }
  return index == 0 ? first : anywhere;
}

/// The ids that complete the question; those of the whole where they begin with the question's.
Result<std::vector<int64_t>> continuation(const TextCodec& codec, const std::string& question,
                                          const std::vector<int64_t>& question_ids,
                                          const std::string& answer) {
  ORTHROS_TRY(std::vector<int64_t> whole, codec.encode(question + answer));
  if (whole.size() > question_ids.size() &&
      std::equal(question_ids.begin(), question_ids.end(), whole.begin())) {
    whole.erase(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(question_ids.size()));
    return whole;
  }
  return codec.encode(answer);
}

/// The word of most ids.
Result<std::string> longest_of(std::span<const std::string_view> words, const TextCodec& codec) {
  size_t most = 0;
  std::string longest;
  for (const std::string_view word : words) {
    ORTHROS_TRY(const std::vector<int64_t> ids, codec.encode(" " + std::string(word)));
    if (ids.size() <= most) continue;
    most = ids.size();
    longest = word;
  }
  return longest;
}

Result<std::string> longest_key(const NeedleTaskSpec& spec, const TextCodec& codec) {
  if (spec.variant != NeedleVariant::key_value) return longest_of(needle_names(spec.names), codec);
  std::string key;
  for (const auto words : line_key_words()) {
    ORTHROS_TRY(const std::string longest, longest_of(words, codec));
    key += key.empty() ? longest : " " + longest;
  }
  return key;
}

std::vector<PlacedNeedle> draw_needles(const NeedleTaskSpec& spec, const NeedleCounts& counts,
                                       const NeedlePromptRequest& request, uint64_t attempt) {
  Random depths(request.seed, kDepths);
  FactSource facts(spec.variant, spec.digits, Random(request.seed, kFacts + attempt).next(), spec.names);
  std::vector<PlacedNeedle> needles;
  for (size_t i = 0; i < counts.targets + counts.distractors; ++i) {
    const bool same = counts.same_key && i > 0 && i < counts.targets;
    NeedleFact fact = same ? NeedleFact{needles[0].key, facts.next_value()} : facts.next();
    PlacedNeedle needle;
    needle.distractor = i >= counts.targets;
    needle.text = needle_text(spec.variant, fact);
    needle.key = std::move(fact.key);
    needle.value = std::move(fact.value);
    needle.depth_requested_ppm = requested_depth(spec.variant, counts, i, request.depth_ppm, depths);
    needles.push_back(std::move(needle));
  }
  return needles;
}

}  // namespace

Result<NeedleCounts> count_needles(const NeedleTaskSpec& spec) {
  const bool numbers = spec.variant != NeedleVariant::uuid;
  if (spec.digits < 1 || spec.digits > 18) {
    return fail(ErrorCode::invalid_argument, "digits is {}: it must be 1 to 18", spec.digits);
  }
  if (spec.distractors < -1 || spec.distractors > kMaxDistractors) {
    return fail(ErrorCode::invalid_argument, "distractors is {}: it must be -1 (the variant's own) to {}",
                spec.distractors, kMaxDistractors);
  }
  if (spec.variant == NeedleVariant::passkey && spec.distractors > 0) {
    return fail(ErrorCode::invalid_argument, "a pass key has no name, so it cannot have distractors");
  }
  NeedleCounts counts;
  ORTHROS_TRY(const int64_t targets, count_targets(spec));
  counts.targets = static_cast<size_t>(targets);
  counts.distractors =
      static_cast<size_t>(spec.distractors < 0 ? own_distractors(spec.variant) : spec.distractors);
  counts.same_key = spec.variant == NeedleVariant::multi_value;
  const uint64_t facts = counts.targets + counts.distractors;
  if (numbers && facts * 2 > num_needle_values(spec.variant, spec.digits)) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("{} facts cannot all differ in numbers of {} digits", facts, spec.digits),
                      "ask for more digits"});
  }
  return counts;
}

Result<NeedleCast> draw_cast(const NeedleTaskSpec& spec, const NeedleCounts& counts, const TextCodec& codec,
                             const NeedlePromptRequest& request, uint64_t attempt) {
  NeedleCast cast;
  cast.needles = draw_needles(spec, counts, request, attempt);
  for (const PlacedNeedle& needle : cast.needles) {
    ORTHROS_TRY(std::vector<int64_t> ids, encode_exactly(codec, needle.text));
    cast.num_needle_ids += static_cast<int64_t>(ids.size());
    cast.needle_ids.push_back(std::move(ids));
  }
  cast.order.resize(cast.needles.size());
  std::iota(cast.order.begin(), cast.order.end(), size_t{0});
  std::stable_sort(cast.order.begin(), cast.order.end(), [&](size_t a, size_t b) {
    return cast.needles[a].depth_requested_ppm < cast.needles[b].depth_requested_ppm;
  });
  std::vector<std::string> keys;
  for (size_t i = 0; i < counts.targets; ++i) {
    if (i == 0 || !counts.same_key) keys.push_back(cast.needles[i].key);
    if (!counts.same_key) cast.expected.push_back(cast.needles[i].value);
  }
  for (const size_t i : cast.order) {  // several values of one key: as they come in the prompt
    if (counts.same_key && i < counts.targets) cast.expected.push_back(cast.needles[i].value);
  }
  cast.question = question_text(spec.variant, keys, counts.targets);
  ORTHROS_TRY(cast.question_ids, encode_exactly(codec, cast.question));
  ORTHROS_TRY(cast.answer_ids,
              continuation(codec, cast.question, cast.question_ids, answer_text(cast.expected)));
  return cast;
}

/// Keys are counted by the longest; a value's ids by its bytes, which no byte-level token undercuts.
Result<int64_t> bound_cast_ids(const NeedleTaskSpec& spec, const NeedleCounts& counts,
                               const TextCodec& codec) {
  ORTHROS_TRY(const std::string key, longest_key(spec, codec));
  const auto value_bytes = static_cast<size_t>(spec.variant == NeedleVariant::uuid ? 36 : spec.digits);
  const std::string text = needle_text(spec.variant, {key, "0"});
  ORTHROS_TRY(const std::vector<int64_t> needle, encode_exactly(codec, text));
  const size_t times = spec.variant == NeedleVariant::passkey ? 2 : 1;
  const std::vector<std::string> keys(counts.same_key ? 1 : counts.targets, key);
  ORTHROS_TRY(const std::vector<int64_t> question,
              encode_exactly(codec, question_text(spec.variant, keys, counts.targets)));
  const size_t needles = counts.targets + counts.distractors;
  return static_cast<int64_t>(needles * (needle.size() + times * (value_bytes + 1)) + question.size());
}

}  // namespace orthros
