// What one attention row says in numbers. Row t holds the weights that position t pays to keys 0..t.
// Units: shares in 0..1. Threads: pure functions.
#pragma once

#include <QtGlobal>
#include <span>
#include <vector>

namespace orthros::widgets {

/// Which keys are sinks and which lie in the window of the row's last position.
struct RowParts {
  qsizetype sinks = 0;   // keys [0, sinks)
  qsizetype window = 0;  // the last `window` keys; 0: everything is window
};

struct RowMeasures {
  double sink = 0, window = 0, beyond = 0;  // add up to the row's sum
  double entropy = 0;                       // / ln(support): 0 is one key, 1 is uniform
  double self = 0, previous = 0, first = 0;
  double distance = 0;  // mean distance / (visible keys - 1)
  qsizetype support = 0;
};

RowMeasures measureRow(std::span<const float> weights, const RowParts& parts);

/// Keys by weight, heaviest first, at most `count`, none of weight 0.
std::vector<qsizetype> heaviestKeys(std::span<const float> weights, qsizetype count);

/// The heaviest weight of each of `bins` equal stretches of the row: a peak is never lost to drawing.
std::vector<float> maxBins(std::span<const float> weights, qsizetype bins);

}  // namespace orthros::widgets
