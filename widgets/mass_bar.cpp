#include "widgets/mass_bar.h"

#include <QPainter>
#include <QPainterPath>

#include "widgets/cell_marks.h"
#include "widgets/format.h"
#include "widgets/theme.h"

namespace orthros::widgets {

MassBar::MassBar(bool isOutput, QWidget* parent) : QWidget(parent), m_isOutput(isOutput) {
  setFixedHeight(34);
  setToolTip(tr("Sum of the weights of the sink keys, of the keys in the window, and of all keys before it"));
}

void MassBar::setMeasures(const RowMeasures& measures) {
  m_measures = measures;
  setAccessibleName(
      tr("sink %1, window %2, beyond %3")
          .arg(formatPercent(measures.sink), formatPercent(measures.window), formatPercent(measures.beyond)));
  update();
}

void MassBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor hue = color(m_isOutput ? Role::Output : Role::Accent);
  QFont name = font();
  name.setWeight(QFont::DemiBold);
  painter.setFont(name);
  painter.setPen(hue);
  painter.drawText(QRectF(0, 0, 24, 16), Qt::AlignLeft | Qt::AlignVCenter,
                   m_isOutput ? QStringLiteral("x′") : QStringLiteral("x"));
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  painter.setPen(color(Role::Muted));
  const QString text = tr("sink %1  window %2  beyond %3")
                           .arg(formatPercent(m_measures.sink), formatPercent(m_measures.window),
                                formatPercent(m_measures.beyond));
  if (painter.fontMetrics().horizontalAdvance(text) > width() - 24) caption.setPixelSize(10);
  painter.setFont(caption);
  painter.drawText(QRectF(24, 0, width() - 24.0, 16), Qt::AlignLeft | Qt::AlignVCenter, text);
  const QRectF bar(0.5, 19.5, width() - 1.0, 12);
  QPainterPath shape;
  shape.addRoundedRect(bar, 3, 3);
  painter.fillPath(shape, color(Role::Raised));
  // Cut by geometry: SVG knows no clipping.
  double left = bar.left();
  const auto part = [&](double share, const QColor& fill) {
    QPainterPath piece;
    piece.addRect(QRectF(left, bar.top(), share * bar.width(), bar.height()));
    left += share * bar.width();
    const QPainterPath cut = shape.intersected(piece);
    painter.fillPath(cut, fill);
    return cut.toFillPolygon();
  };
  QColor light = hue;
  light.setAlphaF(0.45F);
  part(m_measures.sink, color(Role::Muted));
  part(m_measures.window, light);
  fillHatched(painter, part(m_measures.beyond, hue), color(Role::Surface));
  painter.setPen(color(Role::FieldLine));
  painter.drawPath(shape);
}

}  // namespace orthros::widgets
