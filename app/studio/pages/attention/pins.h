// Pins: the queries that ask, and how their rows become one: the current one alone, or the mean, heaviest or
// sum over all of them, key by key. A key that a query cannot see counts as 0; a query that has no x′ in the
// regime counts for x alone. Units: weights in 0..1, sums
// more. Threads: pure functions.
#pragma once

#include <QString>
#include <vector>

#include "app/studio/pages/attention/attention_capture.h"

namespace orthros::studio {

enum class Combine { One, Mean, Max, Sum };

struct Pins {
  std::vector<qint64> positions;  // ascending; at least the current one
  qint64 current = 0;
  Combine combine = Combine::One;
  qint64 outputFrom = 0;  // queries before it have no x′ in the regime

  bool isCombined() const { return positions.size() > 1 && combine != Combine::One; }
  bool hasOutput() const { return current >= outputFrom; }
  /// The queries whose rows of this stream are shown.
  std::vector<qint64> asking(StreamKind stream) const;
  void set(qint64 position);
  /// Adds it and makes it the current one; from one pin to two, their mean is shown.
  void add(qint64 position);
  void next();
  /// The current one first: how a strip draws them.
  std::vector<qsizetype> currentFirst() const;
};

QString combineName(Combine combine);
/// "mean of 3 queries"; empty for one query.
QString pinsText(const Pins& pins);
/// Over keys 0..t of the last query; empty where a row of them was not captured, or none exists.
std::vector<float> rowOf(const AttentionCapture& capture, StreamKind stream, int64_t layer, int64_t head,
                         const Pins& pins);

/// Where the weight goes: of the current query, or the mean over all pins. Empty rows: support 0.
widgets::RowMeasures measuresOf(const AttentionCapture& capture, StreamKind stream, int64_t layer,
                                int64_t head, const Pins& pins);

}  // namespace orthros::studio
