#include "widgets/row_ranks.h"

#include <algorithm>
#include <cmath>

namespace orthros::widgets {

double rankOf(double value, std::span<const float> row) {
  const double size = std::abs(value);
  qsizetype below = 0;
  qsizetype ties = 0;
  for (const float other : row) {
    const auto otherSize = std::abs(static_cast<double>(other));
    below += otherSize < size ? 1 : 0;
    ties += otherSize == size ? 1 : 0;
  }
  return row.empty()
             ? 0
             : (static_cast<double>(below) + static_cast<double>(ties) / 2) / static_cast<double>(row.size());
}

RowRanks::RowRanks(qsizetype rows, const std::function<std::span<const float>(qsizetype)>& visible)
    : m_table(static_cast<size_t>(rows * kCodes)) {
  std::vector<quint32> counts(kCodes);
  for (qsizetype row = 0; row < rows; ++row) {
    std::ranges::fill(counts, 0U);
    const std::span<const float> weights = visible(row);
    for (const float weight : weights) ++counts[static_cast<size_t>(codeOf(weight))];
    double below = 0;
    const double all = std::max<double>(1, static_cast<double>(weights.size()));
    for (int code = 0; code < kCodes; ++code) {
      const double ties = counts[static_cast<size_t>(code)];
      m_table[static_cast<size_t>(row * kCodes + code)] =
          static_cast<quint8>(std::lround((below + ties / 2) / all * 255));
      below += ties;
    }
  }
}

}  // namespace orthros::widgets
