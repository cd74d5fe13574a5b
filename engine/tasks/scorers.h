// Scorers: from output text to a score in 0..1. Each has a version; re-scoring adds results, never edits
// outputs. Source: niah-and-latency.md 6.1. Threads: pure functions. Public: no torch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace orthros {

enum class Scorer {
  value_match,  // 1 when every expected value stands in the output with boundaries; case-folded, separators
                // optional
  exact,  // the whole output, trimmed, is the value (multi: the values in order with "," or "and" between)
  first_answer,  // the first value-like thing in the output is the first expected value
  fraction,      // share of the expected values that stand in the output
};
const char* to_string(Scorer scorer);
Result<Scorer> parse_scorer(std::string_view text);
/// "value_match/1"
std::string scorer_id(Scorer scorer);
const std::vector<Scorer>& all_scorers();

double score_output(Scorer scorer, std::string_view output, const std::vector<std::string>& expected);

}  // namespace orthros
