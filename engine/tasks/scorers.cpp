#include "engine/tasks/scorers.h"

#include <algorithm>

#include "engine/tasks/value_matcher.h"

namespace orthros {
namespace {

constexpr int kScorerVersion = 1;  // of each: raise that of a scorer whose verdicts change
constexpr std::string_view kBlank = " \t\r\n\v\f";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

bool take(std::string_view& text, std::string_view part) {
  if (!text.starts_with(part)) return false;
  text.remove_prefix(part.size());
  return true;
}

void skip_blank(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
}

/// "," or "and" or both, and blanks; at least one of the two words.
bool take_conjunction(std::string_view& text) {
  skip_blank(text);
  const bool comma = take(text, ",");
  skip_blank(text);
  const bool conjunction = take(text, "and ");
  skip_blank(text);
  return comma || conjunction;
}

/// One full stop at the end is how a sentence ends, not a part of the value.
bool is_exactly(std::string_view output, const std::vector<std::string>& expected) {
  output = trimmed(output);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (i > 0 && !take_conjunction(output)) return false;
    if (expected[i].empty() || !take(output, expected[i])) return false;
  }
  return output.empty() || output == ".";
}

double share_found(std::string_view output, const std::vector<std::string>& expected) {
  const auto found = std::count_if(expected.begin(), expected.end(),
                                   [&](const std::string& value) { return contains_value(output, value); });
  return static_cast<double>(found) / static_cast<double>(expected.size());
}

}  // namespace

std::string scorer_id(Scorer scorer) {
  std::string id = to_string(scorer);
  std::replace(id.begin(), id.end(), '-', '_');
  return id + "/" + std::to_string(kScorerVersion);
}

const std::vector<Scorer>& all_scorers() {
  static const std::vector<Scorer> scorers{Scorer::value_match, Scorer::exact, Scorer::first_answer,
                                           Scorer::fraction};
  return scorers;
}

double score_output(Scorer scorer, std::string_view output, const std::vector<std::string>& expected) {
  if (expected.empty()) return 0;
  switch (scorer) {
    case Scorer::value_match:
      return share_found(output, expected) == 1 ? 1 : 0;
    case Scorer::exact:
      return is_exactly(output, expected) ? 1 : 0;
    case Scorer::first_answer:
      return begins_with_value(output, expected[0]) ? 1 : 0;
    case Scorer::fraction:
      return share_found(output, expected);
  }
  return 0;
}

}  // namespace orthros
