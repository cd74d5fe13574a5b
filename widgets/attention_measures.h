// What one attention row says in numbers. Row t holds the weights that position t pays to keys 0..t.
// Units: shares in 0..1. Threads: pure functions.
#pragma once

#include <QtGlobal>
#include <cstdint>
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
  double distance = 0;    // mean distance / (visible keys - 1)
  double edge = 0;        // mass at the window's far edge: the last kEdge offsets that x can see
  double top = 0;         // the heaviest key's share
  double induction = 0;   // mass on what came after earlier copies of the query's token
  double divergence = 0;  // Jensen-Shannon distance of x and x′ inside the window, 0..1
  qsizetype support = 0;
};

constexpr qsizetype kEdge = 8;  // offsets w - 8 .. w - 1

RowMeasures measureRow(std::span<const float> weights, const RowParts& parts);

/// Mass on keys j whose predecessor is the token that asks: ids[j - 1] == ids[t]. The row is over keys 0..t.
double inductionMass(std::span<const float> weights, std::span<const std::int64_t> ids);

/// Square root of the Jensen-Shannon divergence (base 2) of two rows over the last `window` keys, each
/// brought to sum 1 there: 0 alike, 1 on different keys. NaN where a row has no mass there.
double jensenShannon(std::span<const float> a, std::span<const float> b, qsizetype window);

/// Keys by weight, heaviest first, of equal ones the earlier; at most `count`, none of weight 0.
std::vector<qsizetype> heaviestKeys(std::span<const float> weights, qsizetype count);

/// The smallest set of keys that holds a share of a row.
struct KeySet {
  std::vector<qsizetype> keys;  // heaviest first
  double mass = 0;              // theirs, as a share of the row's sum
  qsizetype others = 0;         // keys of a weight above 0 that are not in it
  bool reached = false;         // false: `most` keys hold less
};
constexpr double kMainShare = 0.7;
constexpr qsizetype kMainKeys = 64;  // at most
KeySet keysReaching(std::span<const float> weights, double share = kMainShare, qsizetype most = kMainKeys);

/// The heaviest weight of each of `bins` equal stretches of the row: a peak is never lost to drawing.
std::vector<float> maxBins(std::span<const float> weights, qsizetype bins);
/// The sum of each stretch, in double.
std::vector<float> sumBins(std::span<const float> weights, qsizetype bins);

}  // namespace orthros::widgets
