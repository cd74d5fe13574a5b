// PairData: the rows of one head of both streams as the pair view draws them. Base: the unrolled band, one
// column a sink and one an offset (w-1 .. 0). Output: one row a captured position that has an output copy,
// over keys. Units: weights in 0..1, or differences in -1..1. Threads: built on any, then only read.
#pragma once

#include <QStringList>
#include <QVector>
#include <memory>
#include <vector>

#include "widgets/max_pyramid.h"
#include "widgets/pair_facts.h"

namespace orthros::widgets {

struct PairData {
  std::vector<qint64> positions;  // of the rows, ascending
  MaxPyramid base;                // [positions, sinks + window]
  MaxPyramid output;              // [positions - outputBegin(), keys]; empty: one stream
  qint64 outputFrom = 0;          // positions before it have no x′ in the regime that is shown
  qint64 keys = 0;                // T
  qint64 sinks = 0, window = 0;   // window 0: the base row reads everything, and base is [positions, keys]
  QStringList tokens;             // visible text of each key; may be empty
  bool isDifference = false;
  QString differenceName;                  // of the output matrix, where it is not x′ against x′
  std::shared_ptr<const PairFacts> facts;  // by factsOf, when all above is there

  qint64 bandKey(qint64 position, qint64 column) const {
    if (window == 0) return column <= position ? column : -1;
    const qint64 begin = std::max<qint64>(0, position - window + 1);
    if (column < sinks) return column < begin ? column : -1;
    const qint64 key = position - (base.columns() - 1 - column);
    return key >= 0 ? key : -1;
  }
  /// Column of the band that holds a key for a row, or -1.
  qint64 bandColumn(qint64 position, qint64 key) const {
    if (key < 0 || key > position) return -1;
    if (window == 0) return key;
    if (key >= position - window + 1) return base.columns() - 1 - (position - key);
    return key < sinks ? key : -1;
  }
  /// The first of `positions` that has an x′: row 0 of `output`.
  qsizetype outputBegin() const;
  bool hasOutputAt(qint64 position) const { return !output.isEmpty() && position >= outputFrom; }
  /// Weights of a row (an index of `positions`), in either matrix.
  float at(bool isOutput, qsizetype row, qsizetype column) const {
    return isOutput ? output.at(row - outputBegin(), column) : base.at(row, column);
  }
  /// Of a row: how many keys it sees, and their weights (gathered in `buffer` where they lie apart).
  qint64 visibleKeys(qint64 position, bool output) const {
    return output || window == 0 ? position + 1 : std::min(position + 1, window + sinks);
  }
  std::span<const float> visibleCells(qsizetype row, bool output, std::vector<float>& buffer) const;
  const MaxPyramid& matrix(bool isOutput) const { return isOutput ? output : base; }
  /// Rows [begin, end) whose positions lie in [from, to).
  std::pair<qsizetype, qsizetype> rowsBetween(qint64 from, qint64 to) const;
  qsizetype rowOf(qint64 position) const;  // -1: not captured
};

}  // namespace orthros::widgets
