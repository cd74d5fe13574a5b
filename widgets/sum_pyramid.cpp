#include "widgets/sum_pyramid.h"

namespace orthros::widgets {
namespace {

std::vector<float> added(const MaxPyramid::Level& from, const MaxPyramid::Level& to) {
  const bool rows = to.rowFactor != from.rowFactor;
  const bool columns = to.columnFactor != from.columnFactor;
  std::vector<float> cells(static_cast<size_t>(to.rows * to.columns));
  for (qsizetype row = 0; row < to.rows; ++row) {
    const float* one = from.cells + (rows ? 2 * row : row) * from.columns;
    const float* two = rows && 2 * row + 1 < from.rows ? one + from.columns : nullptr;
    float* sums = cells.data() + row * to.columns;
    const auto sum = [&](qsizetype c) {
      return static_cast<double>(one[c]) + (two == nullptr ? 0.0 : static_cast<double>(two[c]));
    };
    for (qsizetype c = 0; c < to.columns; ++c) {
      if (!columns) {
        sums[c] = static_cast<float>(sum(c));
      } else {
        sums[c] = static_cast<float>(sum(2 * c) + (2 * c + 1 < from.columns ? sum(2 * c + 1) : 0.0));
      }
    }
  }
  return cells;
}

}  // namespace

SumPyramid::SumPyramid(const MaxPyramid& matrix) : m_levels(matrix.levels()) {
  for (size_t i = 1; i < m_levels.size(); ++i) {
    m_copies.push_back(std::make_shared<const std::vector<float>>(added(m_levels[i - 1], m_levels[i])));
    m_levels[i].cells = m_copies.back()->data();
  }
}

qsizetype SumPyramid::bytes() const {
  qsizetype count = 0;
  for (const auto& copy : m_copies) count += static_cast<qsizetype>(copy->size() * sizeof(float));
  return count;
}

}  // namespace orthros::widgets
