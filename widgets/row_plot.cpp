#include "widgets/row_plot.h"

#include <QMouseEvent>
#include <QPainter>
#include <cmath>

#include "widgets/format.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kLeft = 52;
constexpr double kRight = 12;
constexpr double kTop = 22;
constexpr double kBottom = 22;
constexpr double kAxis = 18;   // between the lanes
constexpr double kFloor = 16;  // log2 of the least weight drawn

}  // namespace

RowPlot::RowPlot(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setAccessibleName(tr("Attention rows of both streams"));
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

void RowPlot::setView(const RowView& view) {
  m_view = view;
  m_most = 0;
  for (const std::vector<float>* row : {&view.base, &view.output}) {
    for (const float weight : *row) m_most = std::max<double>(m_most, weight);
  }
  if (m_most <= 0) m_most = 1;
  m_hovered = -1;
  update();
}

void RowPlot::setLogScale(bool log) {
  m_log = log;
  update();
}

double RowPlot::heightOf(double weight) const {
  if (weight <= 0) return 0;
  if (!m_log) return weight / m_most;
  return std::clamp((std::log2(weight) + kFloor) / kFloor, 0.01, 1.0);  // not zero, so not nothing
}

double RowPlot::laneHeight() const {
  const double room = height() - kTop - kBottom - kAxis;
  return m_view.output.empty() ? room : room / 2;
}

double RowPlot::axisY() const {
  return m_view.output.empty() ? kTop : kTop + laneHeight();
}

double RowPlot::xOf(double key) const {
  return kLeft + key / static_cast<double>(m_view.base.size()) * (width() - kLeft - kRight);
}

qsizetype RowPlot::keyAt(double x) const {
  if (m_view.base.empty() || x < kLeft || x >= width() - kRight) return -1;
  const double share = (x - kLeft) / (width() - kLeft - kRight);
  return static_cast<qsizetype>(share * static_cast<double>(m_view.base.size()));
}

void RowPlot::paintGround(QPainter& painter) const {
  const auto count = static_cast<double>(m_view.base.size());
  const double window = static_cast<double>(m_view.parts.window);
  const double top = kTop;
  const double bottom = height() - kBottom;
  if (window > 0 && window < count) {  // what the base row may read
    QColor band = color(Role::AccentSoft);
    painter.fillRect(QRectF(QPointF(xOf(count - window), top), QPointF(xOf(count), bottom)), band);
    painter.fillRect(
        QRectF(QPointF(xOf(0), top), QPointF(xOf(static_cast<double>(m_view.parts.sinks)), bottom)), band);
    painter.setPen(QPen(color(Role::Accent), 1, Qt::DashLine));
    painter.drawLine(QPointF(xOf(count - window), top), QPointF(xOf(count - window), bottom));
  }
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  painter.setPen(color(Role::Muted));
  if (window > 0 && window < count)
    painter.drawText(QRectF(xOf(count - window) + 4, 2, 200, 16), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("window"));
  painter.drawText(QRectF(kLeft, height() - 18.0, width() - kLeft - kRight, 16),
                   Qt::AlignHCenter | Qt::AlignVCenter, tr("is read (key) →"));
  painter.drawText(QRectF(kLeft, height() - 18.0, 60, 16), Qt::AlignLeft | Qt::AlignVCenter,
                   QStringLiteral("0"));
  painter.drawText(QRectF(width() - kRight - 80, height() - 18.0, 80, 16), Qt::AlignRight | Qt::AlignVCenter,
                   QString::number(m_view.base.size() - 1));
}

void RowPlot::paintLane(QPainter& painter, const std::vector<float>& row, bool up) const {
  const double start = up ? axisY() : axisY() + kAxis;
  const double direction = up ? -1 : 1;
  const Role role = up ? Role::Output : Role::Accent;
  painter.setPen(QPen(color(Role::Line), 1));
  const QList<double> ticks =
      m_log ? QList<double>{1, 1.0 / 16, 1.0 / 256, 1.0 / 4096} : QList<double>{m_most, m_most / 2};
  for (const double tick : ticks) {
    const double y = std::round(start + direction * heightOf(tick) * laneHeight()) + 0.5;
    painter.setPen(QPen(color(Role::Line), 1));
    painter.drawLine(QPointF(kLeft, y), QPointF(width() - kRight, y));
    painter.setPen(color(Role::Muted));
    painter.drawText(QRectF(0, y - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     m_log && tick < 1 ? QStringLiteral("1/%1").arg(qRound(1 / tick)) : formatNumber(tick));
  }
  const auto room = static_cast<qsizetype>(width() - kLeft - kRight);
  const auto count = static_cast<qsizetype>(row.size());
  const std::vector<float> bins = maxBins(row, std::min(count, std::max<qsizetype>(room, 1)));
  const double step = static_cast<double>(room) / static_cast<double>(bins.size());
  const double gap = step > 3 ? 1 : 0;
  for (size_t i = 0; i < bins.size(); ++i) {
    const double high = heightOf(bins[i]) * laneHeight();
    if (high <= 0) continue;
    const double y = up ? start - high : start;
    painter.fillRect(QRectF(kLeft + static_cast<double>(i) * step, y, std::max(1.0, step - gap), high),
                     color(role));
  }
}

void RowPlot::paintCursor(QPainter& painter) const {
  const auto key = static_cast<size_t>(m_hovered);
  const double x = xOf(static_cast<double>(m_hovered) + 0.5);
  painter.setPen(QPen(color(Role::Text), 1));
  painter.drawLine(QPointF(x, kTop), QPointF(x, height() - kBottom));
  QString text = tr("key %1  %2   x %3")
                     .arg(m_hovered)
                     .arg(m_view.tokens.value(m_hovered), formatNumber(m_view.base[key]));
  if (!m_view.output.empty()) text += tr("   x′ %1").arg(formatNumber(m_view.output[key]));
  painter.setFont(monoFont(12));
  const double wide = painter.fontMetrics().horizontalAdvance(text) + 16;
  const double left = std::clamp(x - wide / 2, kLeft, std::max(kLeft, width() - kRight - wide));
  const QRectF box(left, 1, wide, 20);
  painter.setPen(color(Role::FieldLine));
  painter.setBrush(color(Role::Surface));
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  painter.setPen(color(Role::Text));
  painter.drawText(box, Qt::AlignCenter, text);
}

void RowPlot::paintEvent(QPaintEvent*) {
  if (m_view.base.empty()) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintGround(painter);
  if (!m_view.output.empty()) paintLane(painter, m_view.output, true);
  paintLane(painter, m_view.base, false);
  QFont name = font();
  name.setWeight(QFont::DemiBold);
  painter.setFont(name);
  if (!m_view.output.empty()) {
    painter.setPen(color(Role::Output));
    painter.drawText(QRectF(kLeft + 2, axisY() - 1, 300, kAxis), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("↑ output stream x′"));
  }
  painter.setPen(color(Role::Accent));
  const QString base = !m_view.baseKept  ? tr("base stream x: not captured")
                       : m_view.baseUsed ? tr("↓ base stream x")
                                         : tr("↓ base stream x (not used in the last layer)");
  painter.drawText(QRectF(kLeft + (m_view.output.empty() ? 2 : 160), axisY() - 1, 400, kAxis),
                   Qt::AlignLeft | Qt::AlignVCenter, base);
  if (m_hovered >= 0) paintCursor(painter);
}

void RowPlot::mouseMoveEvent(QMouseEvent* event) {
  const qsizetype key = keyAt(event->position().x());
  if (key == m_hovered) return;
  m_hovered = key;
  update();
  Q_EMIT keyHovered(key);
}

void RowPlot::setMarked(qsizetype key) {
  m_hovered = key < static_cast<qsizetype>(m_view.base.size()) ? key : -1;
  update();
}

void RowPlot::leaveEvent(QEvent*) {
  m_hovered = -1;
  update();
  Q_EMIT keyHovered(-1);
}

}  // namespace orthros::widgets
