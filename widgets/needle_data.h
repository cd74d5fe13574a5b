// What a needle map shows, in plain values: retrieval by depth of the needle and context length, its margins,
// and how it is drawn. Units: tokens, shares 0..1, nats. Threads: plain values.
#pragma once

#include <QList>
#include <QString>
#include <cmath>
#include <limits>
#include <vector>

namespace orthros::widgets {

struct NeedleCell {
  enum class State { Pending, Running, Done, OutOfMemory, Timeout, Failed, Skipped };
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  State state = State::Pending;
  qint64 hits = 0, trials = 0;           // of a difference: hits of A alone minus those of B alone, pairs
  double value = kNone;                  // share of hits, or difference of shares
  double low = 0, high = 1;              // its 95 % interval
  double depthLow = -1, depthHigh = -1;  // where needles were placed; -1: nowhere
  double fromEnd = kNone;                // tokens from a needle's first to the end of the prompt, mean
  double mass = kNone;                   // attention on the needle, mean over heads
  double uniform = 0;                    // what it were if attention were even
  double logProbability = kNone;         // of the right answer's ids, mean, nats
  qint64 cut = 0;                        // replies ended by the budget without a value
  QString error;

  bool hasValue() const { return !std::isnan(value); }
  /// Too few trials to tell 0 from 1: 4 of 4 may be 0.51.
  bool isUnsure() const { return hasValue() && trials < 5; }
};

/// A cell, or a margin: length == lengths.size() is over all lengths, depth == depths.size() over all depths.
struct NeedleIndex {
  qsizetype length = -1, depth = -1;
  bool isValid() const { return length >= 0; }
  bool operator==(const NeedleIndex&) const = default;
};

struct NeedleMapData {
  QString title;
  QString architecture;  // key of the mark's colour; empty: no mark
  bool isDifference = false;
  QList<qint64> lengths;          // tokens, ascending
  QList<double> depths;           // 0: first, 1: last before the question
  std::vector<NeedleCell> cells;  // [length][depth]
  std::vector<NeedleCell> byLength, byDepth;
  NeedleCell all;
  qint64 window = 0;  // keys that a row of the base stream reads; 0: all
  qint64 reach = 0;   // tokens from the end that reach the last row through all layers; 0: all

  const NeedleCell* at(NeedleIndex index) const;  // null: no such cell
  /// Tokens from the end: measured, else what the depth asks for.
  double fromEnd(qsizetype length, qsizetype depth) const;
};

enum class NeedleMeasure { Found, Attention, LogProbability };

/// How it is drawn. Colour limits never follow the data.
struct NeedleStyle {
  NeedleMeasure measure = NeedleMeasure::Found;
  bool trueToScale = false;  // axes in proportion to tokens and depths, else one step each
  bool familiar = false;     // pink, amber, green
  bool fromEnd = false;      // a second depth axis in tokens from the end, with window and reach
  bool operator==(const NeedleStyle&) const = default;
};

/// "512", "4K", "1M"
QString tokensText(qint64 tokens);

}  // namespace orthros::widgets
