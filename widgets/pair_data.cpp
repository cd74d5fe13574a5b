#include "widgets/pair_data.h"

#include <algorithm>

namespace orthros::widgets {

std::pair<qsizetype, qsizetype> PairData::rowsBetween(qint64 from, qint64 to) const {
  const auto begin = std::ranges::lower_bound(positions, from);
  const auto end = std::lower_bound(begin, positions.end(), to);
  return {begin - positions.begin(), end - positions.begin()};
}

qsizetype PairData::rowOf(qint64 position) const {
  const auto [begin, end] = rowsBetween(position, position + 1);
  return begin < end ? begin : -1;
}

qsizetype PairData::outputBegin() const {
  return outputFrom <= 0 ? 0 : std::ranges::lower_bound(positions, outputFrom) - positions.begin();
}

std::span<const float> PairData::visibleCells(qsizetype row, bool isOutput,
                                              std::vector<float>& buffer) const {
  const MaxPyramid& cells = matrix(isOutput);
  const qint64 position = positions[static_cast<size_t>(row)];
  const float* first =
      cells.levels().front().cells + (row - (isOutput ? outputBegin() : 0)) * cells.columns();
  if (isOutput || window == 0) return {first, static_cast<size_t>(position + 1)};
  buffer.clear();
  for (qsizetype column = 0; column < cells.columns(); ++column) {
    if (bandKey(position, column) >= 0) buffer.push_back(first[column]);
  }
  return buffer;
}

}  // namespace orthros::widgets
