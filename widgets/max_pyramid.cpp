#include "widgets/max_pyramid.h"

#include <algorithm>

namespace orthros::widgets {
namespace {

constexpr qsizetype kSmallest = 256;  // below that a view reads every cell

std::vector<float> halved(const MaxPyramid::Level& from, bool rows, bool columns) {
  const qsizetype toRows = rows ? (from.rows + 1) / 2 : from.rows;
  const qsizetype toColumns = columns ? (from.columns + 1) / 2 : from.columns;
  std::vector<float> cells(static_cast<size_t>(toRows * toColumns));
  for (qsizetype row = 0; row < toRows; ++row) {
    const float* one = from.cells + (rows ? 2 * row : row) * from.columns;
    const float* two = rows && 2 * row + 1 < from.rows ? one + from.columns : one;
    float* to = cells.data() + row * toColumns;
    if (!columns) {
      for (qsizetype c = 0; c < toColumns; ++c) to[c] = larger(one[c], two[c]);
      continue;
    }
    const qsizetype pairs = from.columns / 2;
    for (qsizetype c = 0; c < pairs; ++c)
      to[c] = larger(larger(one[2 * c], one[2 * c + 1]), larger(two[2 * c], two[2 * c + 1]));
    if (pairs < toColumns) to[pairs] = larger(one[2 * pairs], two[2 * pairs]);
  }
  return cells;
}

}  // namespace

MaxPyramid::MaxPyramid(std::shared_ptr<const void> owner, std::span<const float> cells, qsizetype rows,
                       qsizetype columns)
    : m_owner(std::move(owner)) {
  if (rows <= 0 || columns <= 0 || static_cast<qsizetype>(cells.size()) < rows * columns) return;
  m_levels.push_back({rows, columns, 1, 1, cells.data()});
  while (std::max(m_levels.back().rows, m_levels.back().columns) > kSmallest) {
    const Level from = m_levels.back();
    const bool halveRows = from.rows * 2 > from.columns && from.rows > 1;
    const bool halveColumns = from.columns * 2 > from.rows && from.columns > 1;
    m_copies.push_back(std::make_shared<const std::vector<float>>(halved(from, halveRows, halveColumns)));
    m_levels.push_back({halveRows ? (from.rows + 1) / 2 : from.rows,
                        halveColumns ? (from.columns + 1) / 2 : from.columns,
                        halveRows ? from.rowFactor * 2 : from.rowFactor,
                        halveColumns ? from.columnFactor * 2 : from.columnFactor, m_copies.back()->data()});
  }
}

const MaxPyramid::Level& MaxPyramid::levelFor(double rowsPerPixel, double columnsPerPixel) const {
  size_t best = 0;
  for (size_t i = 1; i < m_levels.size(); ++i) {
    if (static_cast<double>(m_levels[i].rowFactor) <= std::max(1.0, rowsPerPixel) &&
        static_cast<double>(m_levels[i].columnFactor) <= std::max(1.0, columnsPerPixel))
      best = i;
  }
  return m_levels[best];
}

qsizetype MaxPyramid::bytes() const {
  qsizetype count = 0;
  for (const auto& copy : m_copies) count += static_cast<qsizetype>(copy->size() * sizeof(float));
  return count;
}

}  // namespace orthros::widgets
