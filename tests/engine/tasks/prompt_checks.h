// Everything that must hold of a needle prompt, read from its ids; the generator's own arithmetic is not
// used.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "engine/tasks/needle_task.h"
#include "tests/engine/tasks/codecs.h"

namespace orthros::test {

inline int count_in(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

inline bool is_inside_needle(const NeedlePrompt& prompt, int64_t at) {
  for (const PlacedNeedle& needle : prompt.needles) {
    if (at >= needle.begin && at < needle.end) return true;
  }
  return false;
}

/// Ids of the haystack alone, and for every id of the prompt how many of them come before it.
struct HaystackView {
  std::vector<int64_t> ids, before;
};

inline HaystackView view_haystack(const NeedlePrompt& prompt, const TextCodec& codec) {
  HaystackView view;
  for (int64_t at = 0; at <= static_cast<int64_t>(prompt.ids.size()); ++at) {
    view.before.push_back(static_cast<int64_t>(view.ids.size()));
    const bool haystack = at >= static_cast<int64_t>(codec.prefix.size()) && at < prompt.question_begin;
    if (haystack && !is_inside_needle(prompt, at)) view.ids.push_back(prompt.ids[static_cast<size_t>(at)]);
  }
  return view;
}

/// Least distance in ids from the asked depth to the ends and the places between sentences.
inline double least_distance(const HaystackView& view, const TextCodec& codec, int64_t depth_ppm) {
  const auto size = static_cast<double>(view.ids.size());
  const double asked = static_cast<double>(depth_ppm) * size / 1e6;
  double least = std::min(asked, size - asked);
  std::string before;
  for (size_t i = 0; i < view.ids.size(); ++i) {
    const std::string piece = value_or_fail(codec.decode({view.ids[i]}));
    const bool ended = !before.empty() && std::string(".?!").find(before.back()) != std::string::npos;
    const bool boundary = (ended && piece.starts_with(" ")) || (!before.empty() && piece.starts_with("\n"));
    if (boundary) least = std::min(least, std::abs(static_cast<double>(i) - asked));
    before = piece;
  }
  return least;
}

inline void check_needle(const NeedlePrompt& prompt, const PlacedNeedle& needle, const TextCodec& codec,
                         const HaystackView& view, std::vector<std::string>& wrong) {
  const bool in_range = needle.begin >= static_cast<int64_t>(codec.prefix.size()) &&
                        needle.begin < needle.end && needle.end <= prompt.question_begin;
  if (!in_range) {
    wrong.push_back("span out of range");
    return;
  }
  if (text_of(codec, prompt.ids, needle.begin, needle.end) != needle.text) wrong.push_back("span");
  const int64_t before = view.before[static_cast<size_t>(needle.begin)];
  const double share =
      view.ids.empty() ? 0 : static_cast<double>(before) / static_cast<double>(view.ids.size());
  if (std::llround(share * 1e6) != needle.depth_actual_ppm) wrong.push_back("actual depth");
}

/// What is wrong with a prompt of control none; empty if all is well.
inline std::vector<std::string> violations(const NeedlePrompt& prompt, int64_t length,
                                           const TextCodec& codec) {
  std::vector<std::string> wrong;
  const auto size = static_cast<int64_t>(prompt.ids.size());
  if (size != length) wrong.push_back("length");
  const bool sound = prompt.question_begin >= 0 && prompt.question_begin <= size;
  if (!sound) return {"question out of range"};
  const std::string all = text_of(codec, prompt.ids, 0, size);
  const HaystackView view = view_haystack(prompt, codec);
  if (static_cast<int64_t>(view.ids.size()) != prompt.haystack_tokens) wrong.push_back("haystack");
  for (const PlacedNeedle& needle : prompt.needles) {
    check_needle(prompt, needle, codec, view, wrong);
    if (count_in(all, needle.value) != count_in(needle.text, needle.value)) wrong.push_back("value");
    if (needle.text.find(needle.value) == std::string::npos) wrong.push_back("needle without its value");
  }
  if (text_of(codec, prompt.ids, prompt.question_begin, size) != prompt.question) wrong.push_back("question");
  if (!std::equal(codec.prefix.begin(), codec.prefix.end(), prompt.ids.begin())) wrong.push_back("prefix");
  return wrong;
}

}  // namespace orthros::test
