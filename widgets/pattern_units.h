// Pattern units: frames of the strip by a regular expression over the text: each match is one frame, what
// lies between stays by token. A token is never split: it belongs to the match in which it begins, where its
// leading white space does not count (most tokens of a word bring their space). Unicode classes; ^ and $ at
// every line. Errors: a bad pattern, one that needs too many steps, or more than the budget. Threads: pure
// function.
#pragma once

#include <chrono>

#include "widgets/token_units.h"

namespace orthros::widgets {

constexpr std::chrono::milliseconds kPatternBudget{500};  // 131,072 tokens take about 200

struct PatternUnits {
  std::vector<TokenUnit> units;  // empty where there is a problem
  qsizetype matches = 0;         // frames that are matches
  QString problem;               // what is wrong, for the eye
  qsizetype problemAt = -1;      // character of the pattern; -1: the text made it
};

PatternUnits patternUnits(const QList<QByteArray>& pieces, const QString& pattern,
                          std::chrono::milliseconds budget = kPatternBudget);

}  // namespace orthros::widgets
