// Marks by which the states of a cell differ besides their colour: hatched is "not captured", a dotted corner
// says that a pixel stands for many cells. Drawn as lines and dots, so that they survive in SVG, which knows
// no pattern brushes and no clipping.
#pragma once

#include <QLineF>
#include <QPolygonF>
#include <QRectF>
#include <optional>

class QColor;
class QPainter;

namespace orthros::widgets {

/// Diagonal lines within a convex polygon.
void fillHatched(QPainter& painter, const QPolygonF& convex, const QColor& color, double spacing = 8);
void fillHatched(QPainter& painter, const QRectF& rect, const QColor& color, double spacing = 8);

/// Three rows of dots in the upper right corner.
void paintBinnedCorner(QPainter& painter, const QRectF& rect);

/// The part of a line within a rectangle.
std::optional<QLineF> clipped(const QLineF& line, const QRectF& rect);

}  // namespace orthros::widgets
