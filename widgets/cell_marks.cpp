#include "widgets/cell_marks.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/theme.h"

namespace orthros::widgets {

void fillHatched(QPainter& painter, const QPolygonF& convex, const QColor& color, double spacing) {
  const QRectF box = convex.boundingRect();
  painter.save();
  painter.setPen(QPen(color, 1));
  // x + y is the same along a line; the same lines for all neighbours.
  const double first = std::ceil((box.left() + box.top()) / spacing) * spacing;
  QList<QLineF> lines;
  for (double sum = first; sum < box.right() + box.bottom(); sum += spacing) {
    const QLineF across(sum - box.bottom() - 1, box.bottom() + 1, sum - box.top() + 1, box.top() - 1);
    QList<QPointF> cuts;
    for (qsizetype i = 0; i < convex.size(); ++i) {
      const QLineF edge(convex[i], convex[(i + 1) % convex.size()]);
      QPointF cut;
      if (across.intersects(edge, &cut) == QLineF::BoundedIntersection) cuts.append(cut);
    }
    if (cuts.size() < 2) continue;
    const auto [low, high] = std::ranges::minmax(cuts, {}, [](const QPointF& cut) { return cut.x(); });
    if (high.x() - low.x() > 0.3) lines.append(QLineF(low, high));
  }
  painter.drawLines(lines);
  painter.restore();
}

void fillHatched(QPainter& painter, const QRectF& rect, const QColor& color, double spacing) {
  fillHatched(painter, QPolygonF({rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft()}),
              color, spacing);
}

void paintBinnedCorner(QPainter& painter, const QRectF& rect) {
  constexpr double kStep = 4;
  const QPointF corner = rect.topRight();
  painter.save();
  painter.setPen(Qt::NoPen);
  painter.setBrush(color(Role::Surface));
  painter.drawPolygon(QPolygonF({corner, corner - QPointF(18, 0), corner + QPointF(0, 18)}));
  for (int row = 0; row < 3; ++row) {
    for (int dot = 0; dot < 3 - row; ++dot)
      painter.fillRect(QRectF(corner.x() - 4 - dot * kStep, corner.y() + 2 + row * kStep, 2, 2),
                       color(Role::Text));
  }
  painter.restore();
}

std::optional<QLineF> clipped(const QLineF& line, const QRectF& rect) {
  double from = 0;
  double to = 1;
  const auto cut = [&](double delta, double room) {  // keeps t with delta * t <= room
    if (delta == 0) return room >= 0;
    const double t = room / delta;
    if (delta > 0) {
      to = std::min(to, t);
    } else {
      from = std::max(from, t);
    }
    return from <= to;
  };
  if (!cut(line.dx(), rect.right() - line.x1()) || !cut(-line.dx(), line.x1() - rect.left()) ||
      !cut(line.dy(), rect.bottom() - line.y1()) || !cut(-line.dy(), line.y1() - rect.top()))
    return {};
  return QLineF(line.pointAt(from), line.pointAt(to));
}

}  // namespace orthros::widgets
