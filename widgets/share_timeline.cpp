#include "widgets/share_timeline.h"

#include <QMouseEvent>
#include <QPainter>
#include <cmath>

#include "widgets/cell_marks.h"
#include "widgets/format.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kLeft = 34;
constexpr double kRight = 12;
constexpr double kTop = 24;
constexpr double kBottom = 34;

}  // namespace

ShareTimeline::ShareTimeline(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

void ShareTimeline::setPoints(const std::vector<SharePoint>& points, const QString& title) {
  m_points = points;
  m_title = title;
  m_hovered = -1;
  setAccessibleName(title);
  update();
}

void ShareTimeline::setMarked(qsizetype position) {
  m_marked = position;
  update();
}

QRectF ShareTimeline::field() const {
  return {kLeft, kTop, std::max(1.0, width() - kLeft - kRight), std::max(1.0, height() - kTop - kBottom)};
}

qsizetype ShareTimeline::positionAt(double x) const {
  const QRectF at = field();
  if (m_points.empty() || x < at.left() || x >= at.right()) return -1;
  return static_cast<qsizetype>((x - at.left()) / at.width() * static_cast<double>(m_points.size()));
}

QString ShareTimeline::readout(qsizetype position) const {
  if (position < 0 || position >= static_cast<qsizetype>(m_points.size())) return {};
  const SharePoint& point = m_points[static_cast<size_t>(position)];
  return tr("query %1   sink %2   window %3   beyond %4")
      .arg(position)
      .arg(formatPercent(point.sink), formatPercent(point.window), formatPercent(point.beyond));
}

void ShareTimeline::paintEvent(QPaintEvent*) {
  if (m_points.empty()) return;
  QPainter painter(this);
  const QRectF at = field();
  painter.fillRect(at, color(Role::Raised));
  const auto count = static_cast<qsizetype>(m_points.size());
  const auto columns = std::min(count, std::max<qsizetype>(1, static_cast<qsizetype>(at.width())));
  const double wide = at.width() / static_cast<double>(columns);
  const double gap = wide > 5 ? 1 : 0;
  QColor light = color(Role::Output);
  light.setAlphaF(0.45F);
  for (qsizetype i = 0; i < columns; ++i) {
    const SharePoint& point = m_points[static_cast<size_t>(i * count / columns)];
    double bottom = at.bottom();
    const auto part = [&](float share, const QBrush& brush) {
      const double high = static_cast<double>(share) * at.height();
      painter.fillRect(QRectF(at.left() + static_cast<double>(i) * wide, bottom - high, wide - gap, high),
                       brush);
      bottom -= high;
    };
    part(point.sink, color(Role::Muted));
    part(point.window, light);
    part(point.beyond, color(Role::Output));
    const double high = static_cast<double>(point.beyond) * at.height();
    if (high > 0)
      fillHatched(painter, QRectF(at.left() + static_cast<double>(i) * wide, bottom, wide - gap, high),
                  color(Role::Surface));
  }
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  painter.setPen(color(Role::Muted));
  painter.drawText(QRectF(0, at.top() - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                   QStringLiteral("1"));
  painter.drawText(QRectF(0, at.bottom() - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                   QStringLiteral("0"));
  painter.drawText(QRectF(at.left(), at.bottom() + 2, at.width(), 14), Qt::AlignHCenter,
                   tr("query (position) →"));
  painter.drawText(QRectF(at.left(), at.bottom() + 2, at.width(), 14), Qt::AlignLeft, QStringLiteral("0"));
  painter.drawText(QRectF(at.left(), at.bottom() + 2, at.width(), 14), Qt::AlignRight,
                   QString::number(count - 1));
  double x = at.left();
  const auto key = [&](const QBrush& ground, bool hatched, const QString& name) {
    painter.fillRect(QRectF(x, at.bottom() + 20, 14, 9), ground);
    if (hatched)
      painter.fillRect(QRectF(x, at.bottom() + 20, 14, 9), QBrush(color(Role::Surface), Qt::BDiagPattern));
    painter.drawText(QRectF(x + 18, at.bottom() + 17, 90, 14), Qt::AlignLeft | Qt::AlignVCenter, name);
    x += 18 + painter.fontMetrics().horizontalAdvance(name) + 16;
  };
  key(color(Role::Muted), false, tr("sinks"));
  key(light, false, tr("window"));
  key(color(Role::Output), true, tr("beyond"));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color(Role::Text), 1.5));
  for (const qsizetype position : {m_marked, m_hovered}) {
    if (position < 0) continue;
    const double step = at.width() / static_cast<double>(count);
    painter.drawRect(
        QRectF(at.left() + static_cast<double>(position) * step, at.top(), std::max(step, 1.0), at.height()));
  }
  const QString text = readout(m_hovered);
  QFont name = font();
  name.setPixelSize(12);
  name.setWeight(QFont::DemiBold);
  painter.setFont(text.isEmpty() ? name : monoFont(12));
  painter.setPen(color(Role::Text));
  painter.drawText(QRectF(at.left(), 2, at.width(), 18), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(text.isEmpty() ? m_title : text, Qt::ElideRight,
                                                    static_cast<int>(at.width())));
}

void ShareTimeline::mouseMoveEvent(QMouseEvent* event) {
  m_hovered = positionAt(event->position().x());
  update();
}

void ShareTimeline::mousePressEvent(QMouseEvent* event) {
  const qsizetype position = positionAt(event->position().x());
  if (position >= 0) Q_EMIT chosen(position);
}

void ShareTimeline::leaveEvent(QEvent*) {
  m_hovered = -1;
  update();
}

}  // namespace orthros::widgets
