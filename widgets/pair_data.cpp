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

}  // namespace orthros::widgets
