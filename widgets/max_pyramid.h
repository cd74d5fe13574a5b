// MaxPyramid: a matrix of weights with coarser copies in which a cell keeps the value of largest size below
// it, so that a planted peak is seen at every zoom. Level 0 is the caller's memory, held by `owner`. The
// longer side is halved first, then both. Shapes: [rows, columns] row-major. Threads: build on any, read on
// any.
#pragma once

#include <QtGlobal>
#include <memory>
#include <span>
#include <vector>

namespace orthros::widgets {

class MaxPyramid {
 public:
  struct Level {
    qsizetype rows = 0, columns = 0;
    qsizetype rowFactor = 1, columnFactor = 1;  // cells of level 0 below one cell
    const float* cells = nullptr;
  };

  MaxPyramid() = default;
  MaxPyramid(std::shared_ptr<const void> owner, std::span<const float> cells, qsizetype rows,
             qsizetype columns);

  bool isEmpty() const { return m_levels.empty(); }
  qsizetype rows() const { return isEmpty() ? 0 : m_levels.front().rows; }
  qsizetype columns() const { return isEmpty() ? 0 : m_levels.front().columns; }
  float at(qsizetype row, qsizetype column) const { return m_levels.front().cells[row * columns() + column]; }
  const std::vector<Level>& levels() const { return m_levels; }
  /// The coarsest level whose cells are no larger than this many rows and columns of level 0.
  const Level& levelFor(double rowsPerPixel, double columnsPerPixel) const;
  qsizetype bytes() const;  // of the copies

 private:
  std::shared_ptr<const void> m_owner;
  std::vector<std::shared_ptr<const std::vector<float>>> m_copies;  // shared by copies of the pyramid
  std::vector<Level> m_levels;
};

/// Of two values the one of larger size.
inline float larger(float a, float b) {
  return (b < 0 ? -b : b) > (a < 0 ? -a : a) ? b : a;
}

}  // namespace orthros::widgets
