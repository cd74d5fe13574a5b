// NeedleGrid: where the cells of a needle map lie. One step for each length and depth, or in proportion to
// them; margins stand apart. Units: pixels of the map. Threads: plain values.
#pragma once

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

#include "widgets/needle_data.h"

namespace orthros::widgets {

class NeedleGrid {
 public:
  static constexpr double kLeft = 44;
  static constexpr double kTop = 26;
  static constexpr double kBottom = 52;  // lengths, names of the axes, legend

  NeedleGrid() = default;
  NeedleGrid(const NeedleMapData& data, const NeedleStyle& style, const QSizeF& size);
  QRectF cell(NeedleIndex index) const;
  /// Not valid: between or outside the cells.
  NeedleIndex at(const QPointF& point) const;
  qsizetype columns() const { return std::ssize(m_x) - 1; }
  qsizetype rows() const { return std::ssize(m_y) - 1; }
  /// Where in a column the needle is `tokens` from the end, between the centres of its rows; nullopt: above
  /// its first row or below its last.
  std::optional<double> heightOf(double tokens, qsizetype length, const NeedleMapData& data) const;

 private:
  std::vector<double> m_x, m_y;  // edges of columns and rows, one more than there are
  double m_marginWide = 0, m_marginHigh = 0;
};

}  // namespace orthros::widgets
