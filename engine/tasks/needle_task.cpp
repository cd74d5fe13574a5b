#include "engine/tasks/needle_task.h"

#include <algorithm>

#include "engine/tasks/haystack_ids.h"
#include "engine/tasks/needle_cast.h"
#include "engine/tasks/sentence_source.h"

namespace orthros {
namespace {

constexpr int64_t kMinHaystack = 16;
constexpr uint64_t kMaxAttempts = 64;

size_t occurrences(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class Task final : public NeedleTask {
 public:
  Task(NeedleTaskSpec spec, NeedleCounts counts, TextCodec codec, std::shared_ptr<const Haystack> haystack,
       int64_t min_length)
      : spec_(std::move(spec)),
        counts_(counts),
        codec_(std::move(codec)),
        haystack_(std::move(haystack)),
        min_length_(min_length) {}

  Result<NeedlePrompt> build(const NeedlePromptRequest& request) const override;
  int64_t min_length() const override { return min_length_; }
  std::string generator() const override {
    std::string variant = to_string(spec_.variant);
    std::replace(variant.begin(), variant.end(), '-', '_');
    const char* names = spec_.names == NeedleNames::held_out ? " with held-out names" : "";
    return variant + names + " over " + haystack_->name();
  }

 private:
  Result<void> check(const NeedlePromptRequest& request) const;
  Result<HaystackIds> haystack(const NeedleCast& cast, const NeedlePromptRequest& request) const;
  NeedlePrompt assemble(NeedleCast cast, const HaystackIds& haystack, bool with_needles) const;
  Result<bool> values_stand_in_needles_only(const NeedlePrompt& prompt) const;

  NeedleTaskSpec spec_;
  NeedleCounts counts_;
  TextCodec codec_;
  std::shared_ptr<const Haystack> haystack_;
  int64_t min_length_;
};

Result<void> Task::check(const NeedlePromptRequest& request) const {
  if (request.depth_ppm < 0 || request.depth_ppm > 1'000'000) {
    return fail(ErrorCode::invalid_argument, "the depth is {} ppm: it must be 0 to 1000000",
                request.depth_ppm);
  }
  if (request.control == NeedleControl::needle_only) return {};
  if (request.length < min_length_) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("a length of {} ids is too small for {}", request.length, generator()),
                      fmt::format("use at least {}", min_length_)});
  }
  constexpr int64_t kMaxLength = int64_t{1} << 26;
  if (request.length > kMaxLength) {
    return fail(ErrorCode::invalid_argument, "a length of {} ids is too large: at most {}", request.length,
                kMaxLength);
  }
  return {};
}

Result<HaystackIds> Task::haystack(const NeedleCast& cast, const NeedlePromptRequest& request) const {
  if (request.control == NeedleControl::needle_only) return HaystackIds{};
  int64_t length = request.length - static_cast<int64_t>(codec_.prefix.size() + cast.question_ids.size());
  if (request.control == NeedleControl::none) length -= cast.num_needle_ids;
  if (length < 1) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("a length of {} ids leaves no haystack", request.length),
                      fmt::format("use at least {}", min_length_ + 1 - length)});
  }
  std::vector<std::string> avoid;
  for (const PlacedNeedle& needle : cast.needles) {
    avoid.push_back(needle.value);
    if (!needle.key.empty()) avoid.push_back(needle.key);
  }
  const auto source = haystack_->sentences(haystack_seed(request.seed), std::move(avoid));
  return take_haystack(*source, codec_, length);
}

NeedlePrompt Task::assemble(NeedleCast cast, const HaystackIds& haystack, bool with_needles) const {
  NeedlePrompt prompt;
  prompt.ids = codec_.prefix;
  const auto append = [&](auto begin, auto end) { prompt.ids.insert(prompt.ids.end(), begin, end); };
  const auto size = static_cast<int64_t>(haystack.ids.size());
  int64_t taken = 0;
  const auto append_until = [&](int64_t end) {
    append(haystack.ids.begin() + taken, haystack.ids.begin() + end);
    taken = end;
  };
  for (const size_t index : cast.order) {
    if (!with_needles) break;
    PlacedNeedle& needle = cast.needles[index];
    append_until(nearest_boundary(haystack, needle.depth_requested_ppm));
    needle.depth_actual_ppm = needle_depth_ppm(taken, size);
    needle.begin = static_cast<int64_t>(prompt.ids.size());
    append(cast.needle_ids[index].begin(), cast.needle_ids[index].end());
    needle.end = static_cast<int64_t>(prompt.ids.size());
  }
  append_until(size);
  prompt.question_begin = static_cast<int64_t>(prompt.ids.size());
  append(cast.question_ids.begin(), cast.question_ids.end());
  prompt.needles = std::move(cast.needles);
  prompt.question = std::move(cast.question);
  prompt.expected = std::move(cast.expected);
  prompt.answer_ids = std::move(cast.answer_ids);
  prompt.haystack_tokens = size;
  return prompt;
}

/// Read from the ids, as a model will.
Result<bool> Task::values_stand_in_needles_only(const NeedlePrompt& prompt) const {
  ORTHROS_TRY(const std::string text, codec_.decode(prompt.ids));
  for (const PlacedNeedle& needle : prompt.needles) {
    const size_t inside = needle.end > needle.begin ? occurrences(needle.text, needle.value) : 0;
    if (occurrences(text, needle.value) != inside) return false;
  }
  return true;
}

Result<NeedlePrompt> Task::build(const NeedlePromptRequest& request) const {
  ORTHROS_TRY_VOID(check(request));
  for (uint64_t attempt = 0; attempt < kMaxAttempts; ++attempt) {
    ORTHROS_TRY(NeedleCast cast, draw_cast(spec_, counts_, codec_, request, attempt));
    ORTHROS_TRY(const HaystackIds ids, haystack(cast, request));
    NeedlePrompt prompt = assemble(std::move(cast), ids, request.control != NeedleControl::no_needle);
    ORTHROS_TRY(const bool apart, values_stand_in_needles_only(prompt));
    if (apart) return prompt;
  }
  return fail(Error{ErrorCode::invalid_argument,
                    fmt::format("every value drawn already stands in the haystack ({} digits)", spec_.digits),
                    "ask for more digits"});
}

}  // namespace

Result<std::shared_ptr<const NeedleTask>> NeedleTask::create(const NeedleTaskSpec& spec, TextCodec codec) {
  if (!codec.encode || !codec.decode) {
    return fail(ErrorCode::invalid_argument, "needle tasks need a tokenizer that encodes and decodes");
  }
  ORTHROS_TRY(const NeedleCounts counts, count_needles(spec));
  ORTHROS_TRY(auto haystack, Haystack::create(spec.haystack, spec.folder, spec.digits));
  ORTHROS_TRY(const int64_t cast_ids, bound_cast_ids(spec, counts, codec));
  const int64_t min_length = static_cast<int64_t>(codec.prefix.size()) + cast_ids + kMinHaystack;
  return std::make_shared<const Task>(spec, counts, std::move(codec), std::move(haystack), min_length);
}

}  // namespace orthros
