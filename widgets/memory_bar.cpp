#include "widgets/memory_bar.h"

#include <QPainter>
#include <QPainterPath>

#include "widgets/format.h"
#include "widgets/theme.h"

namespace orthros::widgets {

MemoryBar::MemoryBar(QWidget* parent) : QWidget(parent) {
  setFixedHeight(12);
}

void MemoryBar::setPlan(const MemoryView& plan) {
  m_plan = plan;
  const QString text =
      tr("weights %1 + KV cache %2 + activations %3 = %4; free %5")
          .arg(formatBytes(plan.weightsBytes), formatBytes(plan.kvBytes), formatBytes(plan.activationBytes),
               formatBytes(plan.totalBytes()), formatBytes(plan.availableBytes));
  setToolTip(text);
  setAccessibleName(text);
  update();
}

void MemoryBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath shape;
  shape.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  painter.fillPath(shape, color(Role::Raised));
  painter.setClipPath(shape);
  const double whole = static_cast<double>(std::max({m_plan.availableBytes, m_plan.totalBytes(), qint64{1}}));
  double left = 0;
  const auto part = [&](qint64 bytes, const QColor& fill) {
    double wide = static_cast<double>(bytes) / whole * width();
    if (bytes > 0) wide = std::max(wide, 2.0);
    painter.fillRect(QRectF(left, 0, wide, height()), fill);
    left += wide;
  };
  const bool fits = m_plan.fits();
  part(m_plan.weightsBytes, color(fits ? Role::Accent : Role::Bad));
  part(m_plan.kvBytes, color(Role::Output));
  part(m_plan.activationBytes, color(Role::Muted));
  painter.setClipping(false);
  if (!fits) {  // where the free memory ends
    const double limit = static_cast<double>(m_plan.availableBytes) / whole * width();
    painter.fillRect(QRectF(limit - 1, 0, 2, height()), color(Role::Text));
  }
  painter.setPen(color(Role::FieldLine));
  painter.drawPath(shape);
}

}  // namespace orthros::widgets
