// How a CurvePlot is painted: head, axes and curves, points without a value, the point that is looked at.
#include <algorithm>
#include <cmath>

#include "widgets/curve_plot.h"
#include "widgets/curve_style.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kTitle = 22;
constexpr double kRow = 18;
constexpr double kLeft = 8;
constexpr double kSample = 26;  // the line of a legend entry
constexpr double kGap = 14;
constexpr double kCross = 3.5;

}  // namespace

struct CurvePlot::LegendEntry {
  QRectF box;
  QString text;
  CurveStyle style;
};

double CurvePlot::headHeight() const {
  double high = m_data.title.isEmpty() && m_data.y.label.isEmpty() ? 4 : kTitle;
  for (const LegendEntry& entry : legend()) high = std::max(high, entry.box.bottom());
  return high;
}

std::vector<CurvePlot::LegendEntry> CurvePlot::legend() const {
  std::vector<LegendEntry> entries;
  const QFontMetricsF metrics(fontOf(*this, 11));
  const double most = std::max(40.0, width() - 2 * kLeft);
  double x = kLeft;
  double y = m_data.title.isEmpty() && m_data.y.label.isEmpty() ? 4 : kTitle;
  for (const Curve& curve : m_data.curves) {
    const QString text = curve.legend.value_or(curve.label);
    if (text.isEmpty() || curve.points.empty()) continue;
    const double wide = std::min(most, kSample + 6 + metrics.horizontalAdvance(text) + 1);
    if (x > kLeft && x + wide > kLeft + most) {
      x = kLeft;
      y += kRow;
    }
    entries.push_back({QRectF(x, y, wide, kRow), text, curveStyle(curve)});
    x += wide + kGap;
  }
  return entries;
}

void CurvePlot::paintHead(QCPPainter& painter) const {
  double x = kLeft;
  if (!m_data.title.isEmpty()) {
    painter.setFont(fontOf(*this, 13, QFont::DemiBold));
    painter.setPen(color(Role::Text));
    painter.drawText(QRectF(x, 0, width() - x, kTitle), Qt::AlignLeft | Qt::AlignVCenter, m_data.title);
    x += painter.fontMetrics().horizontalAdvance(m_data.title) + 10;
  }
  painter.setFont(fontOf(*this, 11));
  painter.setPen(color(Role::Muted));
  const double room = std::max(0.0, width() - x - 4);
  painter.drawText(QRectF(x, 1, room, kTitle), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(m_data.y.label, Qt::ElideRight, static_cast<int>(room)));
  for (const LegendEntry& entry : legend()) {
    const double middle = entry.box.center().y();
    painter.setPen(entry.style.pen);
    painter.drawLine(QPointF(entry.box.left(), middle), QPointF(entry.box.left() + kSample, middle));
    entry.style.mark.applyTo(&painter, entry.style.pen);
    entry.style.mark.drawShape(&painter, entry.box.left() + kSample / 2, middle);
    painter.setPen(color(Role::Text));
    const QRectF box = entry.box.adjusted(kSample + 6, 0, 1, 0);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(entry.text, Qt::ElideRight,
                                                      static_cast<int>(std::ceil(box.width()))));
  }
  for (const CurveGuide& guide : m_data.guides) {
    const QRectF area = m_plot->axisRect()->rect();
    const bool across = guide.orientation == Qt::Horizontal;
    const double pixel = (across ? m_plot->yAxis : m_plot->xAxis)->coordToPixel(guide.at);
    const bool inside = across ? pixel > area.top() + 12 && pixel < area.bottom()
                               : pixel > area.left() && pixel < area.right();
    if (!inside) continue;
    painter.setPen(color(Role::Muted));
    if (across) {
      painter.drawText(QRectF(area.left() + 4, pixel - 16, area.width() - 8, 14),
                       Qt::AlignRight | Qt::AlignVCenter, guide.label);
    } else {
      const bool left = pixel > area.center().x();
      const QRectF box = left ? QRectF(area.left(), area.top() + 2, pixel - area.left() - 4, 14)
                              : QRectF(pixel + 4, area.top() + 2, area.right() - pixel - 4, 14);
      painter.drawText(box, (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, guide.label);
    }
  }
}

void CurvePlot::paintMissing(QCPPainter& painter) const {
  for (qsizetype curve = 0; curve < std::ssize(m_data.curves); ++curve) {
    const Curve& one = m_data.curves[static_cast<size_t>(curve)];
    painter.setPen(QPen(theme().architecture(one.architecture), 1.75));
    for (qsizetype point = 0; point < std::ssize(one.points); ++point) {
      if (std::isfinite(one.points[static_cast<size_t>(point)].y)) continue;
      const QPointF at = position({curve, point});
      if (at.isNull()) continue;
      painter.drawLine(at + QPointF(-kCross, -kCross), at + QPointF(kCross, kCross));
      painter.drawLine(at + QPointF(-kCross, kCross), at + QPointF(kCross, -kCross));
    }
  }
}

void CurvePlot::paintMarked(QCPPainter& painter) const {
  const QPointF to = position(m_marked);
  if (to.isNull()) return;
  painter.setPen(QPen(color(Role::Text), 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(to, 7, 7);
  painter.setFont(fontOf(*this, 11));
  const QString whole = readout(m_marked);
  const double most = width() - 2 * kLeft;
  // As many lines as it needs, broken between its parts.
  const double wide = std::min(most, painter.fontMetrics().horizontalAdvance(whole) + 18.0);
  QRectF box = painter.boundingRect(QRectF(0, 0, wide - 16, height()), Qt::TextWordWrap, whole);
  box = QRectF(0, 0, box.width() + 18, box.height() + 8);
  const QRectF area = m_plot->axisRect()->rect();
  const double x =
      std::clamp(to.x() - box.width() / 2, kLeft, std::max(kLeft, width() - kLeft - box.width()));
  const bool above = to.y() - 14 - box.height() >= area.top();
  box.moveTopLeft({x, above ? to.y() - 14 - box.height() : to.y() + 14});
  painter.setPen(color(Role::FieldLine));
  painter.setBrush(color(Role::Surface));
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(color(Role::Text));
  painter.drawText(box.adjusted(8, 4, -8, -4), Qt::TextWordWrap | Qt::AlignVCenter, whole);
}

void CurvePlot::paintEvent(QPaintEvent*) {
  QCPPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setMode(QCPPainter::pmNoCaching);
  const bool empty =
      std::ranges::all_of(m_data.curves, [](const Curve& curve) { return curve.points.empty(); });
  if (!m_data.empty.isEmpty() && empty) {
    paintHead(painter);
    painter.setFont(fontOf(*this, 12));
    painter.setPen(color(Role::Muted));
    painter.drawText(QRectF(rect()).adjusted(16, kTitle, -16, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     m_data.empty);
    return;
  }
  // toPainter draws a viewport that begins at 0, 0.
  const int top = static_cast<int>(headHeight());
  painter.save();
  painter.translate(0, top);
  m_plot->toPainter(&painter, std::max(1, width()), std::max(1, height() - top));
  painter.restore();
  m_plot->plotLayout()->update(QCPLayoutElement::upLayout);
  painter.setAntialiasing(true);
  paintHead(painter);
  paintMissing(painter);
  if (m_marked.isValid()) paintMarked(painter);
}

}  // namespace orthros::widgets
