// SumPyramid: the coarser copies of a matrix in which a cell is the sum of all cells below it, beside a
// MaxPyramid and in its geometry. Pairwise sums: at every level the bins of a row add up to the row's sum
// within 1e-6 of it. Shapes: as the levels of the MaxPyramid. Threads: build on any, read on any.
#pragma once

#include <vector>

#include "widgets/max_pyramid.h"

namespace orthros::widgets {

class SumPyramid {
 public:
  SumPyramid() = default;
  explicit SumPyramid(const MaxPyramid& matrix);

  bool isEmpty() const { return m_levels.empty(); }
  const std::vector<MaxPyramid::Level>& levels() const { return m_levels; }
  qsizetype bytes() const;  // of the copies

 private:
  std::vector<std::shared_ptr<const std::vector<float>>> m_copies;  // shared by copies of the pyramid
  std::vector<MaxPyramid::Level> m_levels;  // level 0 is the matrix of the MaxPyramid, which must outlive it
};

}  // namespace orthros::widgets
