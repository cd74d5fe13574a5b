// HeadLabel: what one row of a head mostly does, from thresholds that are printed wherever the label is: the
// measure that is farthest above its own threshold, or no label. A label says what this row does, not what
// the head is for. Threads: pure functions.
#pragma once

#include <QString>
#include <span>
#include <vector>

#include "widgets/attention_measures.h"

namespace orthros::widgets {

struct HeadLabel {
  enum class Kind { None, First, Self, Previous, Induction, Beyond, Uniform };
  Kind kind = Kind::None;
  double score = 0;  // of the measure that gave it
};

HeadLabel labelOf(const RowMeasures& row);
QString labelName(HeadLabel::Kind kind);    // "first token"
QString labelLetter(HeadLabel::Kind kind);  // "F"; none: "·"
double labelThreshold(HeadLabel::Kind kind);
/// Every label with its letter and threshold, one a line.
QString labelRules();

constexpr double kMostLabelled = 0.6;
/// A label that more than 60 % of the heads share says little: show scores instead. None: no such label.
HeadLabel::Kind tooCommon(std::span<const HeadLabel> labels);

}  // namespace orthros::widgets
