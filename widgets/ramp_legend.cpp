#include "widgets/ramp_legend.h"

#include <QPainter>

namespace orthros::widgets {

double paintRampLegend(QPainter& painter, double x, double y, const RampLegend& legend) {
  constexpr double kRamp = 72;
  const auto text = [&](const QString& words, Role role) {
    const double wide = painter.fontMetrics().horizontalAdvance(words);
    painter.setPen(color(role));
    painter.drawText(QRectF(x, y - 4, wide + 2, 16), Qt::AlignLeft | Qt::AlignVCenter, words);
    x += wide + 6;
  };
  text(legend.name, Role::Muted);
  text(legend.scale.lowEnd(), Role::Muted);
  for (int i = 0; i < 48; ++i)
    painter.fillRect(QRectF(x + i * kRamp / 48, y, kRamp / 48 + 0.5, 8), theme().ramp(legend.ramp, i / 47.0));
  if (legend.tick) {
    const double at = x + *legend.tick * kRamp;
    painter.fillRect(QRectF(at - 2, y - 3, 4, 14), color(Role::Surface));  // seen on the ramp's dark half too
    painter.fillRect(QRectF(at - 0.75, y - 3, 1.5, 14), color(Role::Text));
  }
  x += kRamp + 6;
  text(legend.scale.highEnd(), Role::Muted);
  if (legend.tick) {
    painter.fillRect(QRectF(x, y - 2, 1.5, 12), color(Role::Text));
    x += 5;
    text(legend.tickText, Role::Muted);
  }
  return x + 8;
}

}  // namespace orthros::widgets
