#include "widgets/needle_grid.h"

#include <algorithm>

namespace orthros::widgets {
namespace {

constexpr double kRight = 6;
constexpr double kRightAxis = 46;  // tokens from the end
constexpr double kMarginGap = 5;
constexpr double kSumsWide = 44;  // "150/150" in the smallest type

// Edges half-way between neighbours, the outer ones as far from their value as the inner; equal steps for
// what is not to scale.
std::vector<double> edges(const std::vector<double>& values, bool toScale, double low, double from,
                          double size) {
  const size_t count = std::max<size_t>(1, values.size());
  std::vector<double> result(count + 1);
  if (!toScale || values.size() < 2) {
    for (size_t i = 0; i <= count; ++i)
      result[i] = from + size * static_cast<double>(i) / static_cast<double>(count);
    return result;
  }
  result.front() = std::max(low, values[0] - (values[1] - values[0]) / 2);
  for (size_t i = 1; i < count; ++i) result[i] = (values[i - 1] + values[i]) / 2;
  result.back() = values[count - 1] + (values[count - 1] - values[count - 2]) / 2;
  const double first = result.front();
  const double scale = size / (result.back() - first);
  for (double& edge : result) edge = from + (edge - first) * scale;
  return result;
}

// Index of the interval that holds `at`; -1: none.
qsizetype find(const std::vector<double>& all, double at) {
  if (all.empty() || at < all.front() || at >= all.back()) return -1;
  return std::ranges::upper_bound(all, at) - all.begin() - 1;
}

}  // namespace

NeedleGrid::NeedleGrid(const NeedleMapData& data, const NeedleStyle& style, const QSizeF& size) {
  const auto columns = static_cast<double>(std::max<qsizetype>(1, data.lengths.size()));
  const auto rows = static_cast<double>(std::max<qsizetype>(1, data.depths.size()));
  const double right = style.fromEnd && !data.isDifference ? kRightAxis : kRight;
  const double wide = std::max(1.0, size.width() - kLeft - right - kMarginGap);
  const double high = std::max(1.0, size.height() - kTop - kBottom - kMarginGap);
  m_marginWide = std::clamp(wide / (columns + 1), std::min(kSumsWide, wide / 4), 52.0);
  m_marginHigh = std::clamp(high / (rows + 1), 10.0, 28.0);
  std::vector<double> lengths;
  for (const qint64 length : data.lengths) lengths.push_back(static_cast<double>(length));
  m_x = edges(lengths, style.trueToScale, 0, kLeft, std::max(columns, wide - m_marginWide));
  m_y = edges({data.depths.begin(), data.depths.end()}, style.trueToScale, -1, kTop,
              std::max(rows, high - m_marginHigh));
}

QRectF NeedleGrid::cell(NeedleIndex index) const {
  if (m_x.empty() || index.length < 0 || index.depth < 0 || index.length > columns() || index.depth > rows())
    return {};
  const auto span = [](const std::vector<double>& all, qsizetype i, double margin) {
    const auto at = static_cast<size_t>(i);
    return at + 1 < all.size() ? std::pair(all[at], all[at + 1] - all[at])
                               : std::pair(all.back() + kMarginGap, margin);
  };
  const auto [x, wide] = span(m_x, index.length, m_marginWide);
  const auto [y, high] = span(m_y, index.depth, m_marginHigh);
  return {x, y, wide, high};
}

NeedleIndex NeedleGrid::at(const QPointF& point) const {
  NeedleIndex found{find(m_x, point.x()), find(m_y, point.y())};
  const QRectF all = cell({columns(), rows()});
  if (found.length < 0 && point.x() >= all.left() && point.x() < all.right()) found.length = columns();
  if (found.depth < 0 && point.y() >= all.top() && point.y() < all.bottom()) found.depth = rows();
  return found.length < 0 || found.depth < 0 ? NeedleIndex{} : found;
}

std::optional<double> NeedleGrid::heightOf(double tokens, qsizetype length, const NeedleMapData& data) const {
  const auto centre = [this, length](qsizetype row) { return cell({length, row}).center().y(); };
  if (rows() == 0 || data.depths.isEmpty() || data.fromEnd(length, 0) <= tokens) return {};
  for (qsizetype row = 1; row < rows(); ++row) {
    const double above = data.fromEnd(length, row - 1);
    const double below = data.fromEnd(length, row);
    if (below > tokens) continue;
    const double share = above > below ? (above - tokens) / (above - below) : 0.5;
    return centre(row - 1) + share * (centre(row) - centre(row - 1));
  }
  return {};
}

}  // namespace orthros::widgets
