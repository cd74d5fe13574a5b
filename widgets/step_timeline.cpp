#include "widgets/step_timeline.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/format.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kLeft = 48;
constexpr double kRight = 12;
constexpr double kTop = 26;
constexpr double kBottom = 22;
constexpr double kGap = 20;  // room for a lane's name
constexpr double kMarks = 14;

// One digit and zeros, not below the value: an axis's end.
double roundUp(double value) {
  if (!(value > 0)) return 1;
  const double unit = std::pow(10.0, std::floor(std::log10(value)));
  return std::ceil(value / unit) * unit;
}

}  // namespace

StepTimeline::StepTimeline(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

void StepTimeline::setSeries(StepSeries series) {
  m_series = std::move(series);
  double most = 0;
  for (const StepPoint& point : m_series.points) {
    if (!point.isPrefill) most = std::max(most, point.ms);
  }
  m_mostMs = roundUp(most);
  setAccessibleName(m_series.title);
  setAccessibleDescription(m_series.points.empty() ? QString() : readout(m_series.points.back().position));
  update();
}

void StepTimeline::setMarked(qint64 position) {
  m_marked = position;
  update();
}

QRectF StepTimeline::field() const {
  return {kLeft, kTop, std::max(1.0, width() - kLeft - kRight), std::max(1.0, height() - kTop - kBottom)};
}

double StepTimeline::step() const {
  return field().width() / static_cast<double>(std::max<size_t>(1, m_series.points.size()));
}

double StepTimeline::xOf(size_t index) const {
  return kLeft + static_cast<double>(index) * step();
}

qint64 StepTimeline::positionAt(double x) const {
  const QRectF at = field();
  if (m_series.points.empty() || x < at.left() || x >= at.right()) return -1;
  return m_series.points.front().position + static_cast<qint64>((x - at.left()) / step());
}

QString StepTimeline::readout(qint64 position) const {
  if (m_series.points.empty()) return {};
  const qint64 index = position - m_series.points.front().position;
  if (index < 0 || index >= std::ssize(m_series.points)) return {};
  const StepPoint& point = m_series.points[static_cast<size_t>(index)];
  const QString time = point.isPrefill ? tr("prompt, %1 ms").arg(formatNumber(point.ms))
                                       : tr("step %1, %2 ms (%3 ms recording)")
                                             .arg(index)
                                             .arg(formatNumber(point.ms), formatNumber(point.recordMs));
  return tr("query %1 %2   %3   entropy %4   beyond %5   %6: sum ± %7, o ± %8 in %9 rows")
      .arg(position)
      .arg(point.token, time, formatNumber(point.entropy), formatPercent(point.beyond),
           point.holds ? tr("invariants hold") : tr("invariant broken"), formatNumber(point.sumError),
           formatNumber(point.outputError))
      .arg(point.outputRows);
}

void StepTimeline::paintFrame(QPainter& painter, const QRectF& lane, const QString& name,
                              const QString& top) const {
  painter.fillRect(lane, color(Role::Raised));
  painter.setPen(color(Role::Muted));
  painter.drawText(QRectF(lane.left(), lane.top() - 17, lane.width(), 15), Qt::AlignLeft | Qt::AlignVCenter,
                   name);
  if (top.isEmpty()) return;
  painter.drawText(QRectF(0, lane.top() - 7, kLeft - 6, 14), Qt::AlignRight | Qt::AlignVCenter, top);
  painter.drawText(QRectF(0, lane.bottom() - 7, kLeft - 6, 14), Qt::AlignRight | Qt::AlignVCenter,
                   QStringLiteral("0"));
}

void StepTimeline::paintTimes(QPainter& painter, const QRectF& lane) const {
  const double wide = step();
  const double gap = wide > 5 ? 1 : 0;
  for (size_t i = 0; i < m_series.points.size(); ++i) {
    const StepPoint& point = m_series.points[i];
    if (point.isPrefill) {
      painter.fillRect(QRectF(xOf(i), lane.top(), wide - gap, lane.height()),
                       QBrush(color(Role::Line), Qt::BDiagPattern));
      continue;
    }
    const auto bar = [&](double ms, Role role) {
      const double high = std::min(1.0, ms / m_mostMs) * lane.height();
      painter.fillRect(QRectF(xOf(i), lane.bottom() - high, std::max(wide - gap, 0.75), high), color(role));
    };
    bar(point.ms, Role::Muted);
    bar(point.recordMs, Role::Text);
  }
}

void StepTimeline::paintShares(QPainter& painter, const QRectF& lane, double StepPoint::*value,
                               bool filled) const {
  QPolygonF line;
  for (size_t i = 0; i < m_series.points.size(); ++i) {
    const double share = std::clamp(m_series.points[i].*value, 0.0, 1.0);
    line.append({xOf(i) + step() / 2, lane.bottom() - share * lane.height()});
  }
  if (line.isEmpty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  if (filled) {
    QPolygonF area = line;
    area.append({line.last().x(), lane.bottom()});
    area.prepend({line.first().x(), lane.bottom()});
    QColor light = color(Role::Output);
    light.setAlphaF(0.35F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(light);
    painter.drawPolygon(area);
  }
  painter.setPen(QPen(color(Role::Output), 1.5, filled ? Qt::SolidLine : Qt::DashLine));
  painter.setBrush(Qt::NoBrush);
  if (line.size() == 1) {
    painter.drawEllipse(line.first(), 2, 2);
  } else {
    painter.drawPolyline(line);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void StepTimeline::paintMarks(QPainter& painter, const QRectF& lane) const {
  for (size_t i = 0; i < m_series.points.size(); ++i) {
    const double x = xOf(i) + step() / 2;
    if (m_series.points[i].holds) {
      painter.fillRect(QRectF(x - 0.5, lane.center().y() - 2, std::clamp(step() - 2, 1.0, 4.0), 4),
                       color(Role::Good));
    } else {
      painter.setPen(QPen(color(Role::Bad), 2));
      painter.drawLine(QPointF(x - 3, lane.top() + 2), QPointF(x + 3, lane.bottom() - 2));
      painter.drawLine(QPointF(x + 3, lane.top() + 2), QPointF(x - 3, lane.bottom() - 2));
    }
  }
}

void StepTimeline::paintEvent(QPaintEvent*) {
  if (m_series.points.empty()) return;
  QPainter painter(this);
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  const QRectF at = field();
  const double high = std::max(12.0, (at.height() - 4 * kGap - kMarks) / 3);
  double y = at.top() + kGap;
  const auto next = [&](double height) {
    const QRectF lane(at.left(), y, at.width(), height);
    y += height + kGap;
    return lane;
  };
  const QRectF times = next(high);
  paintFrame(painter, times, tr("time of the step, ms; dark: recording it"), formatNumber(m_mostMs));
  paintTimes(painter, times);
  const QRectF beyond = next(high);
  paintFrame(painter, beyond, tr("mass beyond the window"), QStringLiteral("1"));
  paintShares(painter, beyond, &StepPoint::beyond, true);
  const QRectF entropy = next(high);
  paintFrame(painter, entropy, tr("entropy / ln(support)"), QStringLiteral("1"));
  paintShares(painter, entropy, &StepPoint::entropy, false);
  const QRectF marks = next(kMarks);
  const auto broken = std::ranges::count_if(m_series.points, [](const StepPoint& one) { return !one.holds; });
  paintFrame(
      painter, marks,
      broken == 0
          ? tr("invariants: held in all %1 steps").arg(m_series.points.size())
          : tr("invariants: broken in %1 of %2 steps (crosses)").arg(broken).arg(m_series.points.size()),
      {});
  paintMarks(painter, marks);
  painter.setPen(color(Role::Muted));
  const QRectF foot(at.left(), marks.bottom() + 3, at.width(), 14);
  painter.drawText(foot, Qt::AlignHCenter, tr("query (position) →"));
  painter.drawText(foot, Qt::AlignLeft, QString::number(m_series.points.front().position));
  painter.drawText(foot, Qt::AlignRight, QString::number(m_series.points.back().position));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color(Role::Text), 1.5));
  for (const qint64 position : {m_marked, m_hovered}) {
    const qint64 index = position - m_series.points.front().position;
    if (position < 0 || index < 0 || index >= std::ssize(m_series.points)) continue;
    painter.drawRect(QRectF(xOf(static_cast<size_t>(index)), times.top(), std::max(step(), 1.0),
                            marks.bottom() - times.top()));
  }
  const QString text = readout(m_hovered);
  QFont name = font();
  name.setPixelSize(12);
  name.setWeight(QFont::DemiBold);
  painter.setFont(text.isEmpty() ? name : monoFont(12));
  painter.drawText(QRectF(at.left(), 2, at.width(), 18), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(text.isEmpty() ? m_series.title : text, Qt::ElideRight,
                                                    static_cast<int>(at.width())));
}

void StepTimeline::mouseMoveEvent(QMouseEvent* event) {
  m_hovered = positionAt(event->position().x());
  update();
}

void StepTimeline::mousePressEvent(QMouseEvent* event) {
  const qint64 position = positionAt(event->position().x());
  if (position >= 0) Q_EMIT chosen(position);
}

void StepTimeline::keyPressEvent(QKeyEvent* event) {
  const bool back = event->key() == Qt::Key_Left;
  if (m_series.points.empty() || (!back && event->key() != Qt::Key_Right)) {
    QWidget::keyPressEvent(event);
    return;
  }
  const qint64 first = m_series.points.front().position;
  const qint64 from = m_marked < 0 ? m_series.points.back().position : m_marked;
  Q_EMIT chosen(std::clamp(from + (back ? -1 : 1), first, first + std::ssize(m_series.points) - 1));
}

void StepTimeline::leaveEvent(QEvent*) {
  m_hovered = -1;
  update();
}

}  // namespace orthros::widgets
