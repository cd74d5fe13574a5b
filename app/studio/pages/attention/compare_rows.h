// compareRows: A - B of two heads, cell by cell. The same tokens: both streams; where B has one stream that
// reads everything (a Transformer), x' of A against it. Different tokens: aligned by their longest common
// subsequence, over the tokens that both have, with the weight on the others told. Rows of x' count where
// both have one in the regime. Units: differences in -1..1, masses in 0..1. Threads: any.
#pragma once

#include <QString>

#include "app/studio/pages/attention/attention_capture.h"

namespace orthros::studio {

struct HeadOf {
  CapturePointer capture;
  int layer = 0, head = 0;
  qint64 outputFrom = 0;  // positions before it have no x′ in the regime
};

struct Comparison {
  std::shared_ptr<const widgets::PairData> data;  // empty: nothing to compare
  qint64 aligned = 0, tokensA = 0, tokensB = 0;   // tokens that both have, and all
  double leftA = 0, leftB = 0;                    // mean weight of the rows on tokens that only one has
  bool isAligned() const { return aligned < std::max(tokensA, tokensB); }
};

Comparison compareRows(const HeadOf& a, const HeadOf& b);

}  // namespace orthros::studio
