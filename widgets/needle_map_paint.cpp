// How a needle map is drawn. On the screen what stands still is drawn once; on paper all of it are lines and
// areas.
#include <QPaintEngine>
#include <QPainter>
#include <QTimer>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "widgets/needle_map.h"
#include "widgets/oklab.h"

namespace orthros::widgets {
namespace {

using State = NeedleCell::State;

constexpr double kHatchStep = 6;
constexpr int kLeastText = 3;  // "4/5"
constexpr double kLeastTextHeight = 12;
constexpr double kVeil = 0.3;  // of the ground's colour over a cell of few trials
constexpr double kPulseMs = 1400;

bool isMissing(State state) {
  return state == State::OutOfMemory || state == State::Timeout || state == State::Failed ||
         state == State::Skipped;
}

// Lines, not a pattern brush: SVG files have no such brush. Both ways where something went wrong.
void paintHatch(QPainter& painter, const QRectF& box, bool crossed) {
  const double size = box.width() + box.height();
  for (double at = kHatchStep; at < size; at += kHatchStep) {
    const double right = std::min(at, box.width());
    const double down = std::min(at, box.height());
    painter.drawLine(QPointF(box.left() + right, box.top() + at - right),
                     QPointF(box.left() + at - down, box.top() + down));
    if (!crossed) continue;
    painter.drawLine(QPointF(box.right() - right, box.top() + at - right),
                     QPointF(box.right() - at + down, box.top() + down));
  }
}

QFont sized(QFont font, int pixels) {
  font.setPixelSize(pixels);
  return font;
}

}  // namespace

// Every digit is equally wide: a text is measured by counting.
struct NeedleMap::CellFont {
  explicit CellFont(int pixels) : font(monoFont(pixels)) {
    const QFontMetricsF metrics(font);
    advance = metrics.horizontalAdvance(u'0');
    height = metrics.height();
  }
  double widthOf(const QString& text) const { return advance * static_cast<double>(text.size()); }

  QFont font;
  double advance = 0, height = 0;
};

double NeedleMap::shown(const NeedleCell& cell) const {
  switch (measure()) {
    case NeedleMeasure::Attention:
      return cell.mass;
    case NeedleMeasure::LogProbability:
      return cell.logProbability;
    case NeedleMeasure::Found:
      break;
  }
  return cell.value;
}

QColor NeedleMap::colorAt(double position) const {
  if (m_data.isDifference) return theme().ramp(Ramp::Difference, position);
  if (measure() == NeedleMeasure::Attention) return theme().ramp(Ramp::Output, position);
  return theme().ramp(m_style.familiar ? Ramp::Familiar : Ramp::Accuracy, position);
}

// Limits are those of the measure, never of the data. A mean over heads is small where few of them look: its
// root keeps small values apart.
QColor NeedleMap::cellColor(const NeedleCell& cell) const {
  const double value = shown(cell);
  if (std::isnan(value)) return color(Role::Raised);
  const double position = m_data.isDifference                          ? (value + 1) / 2
                          : measure() == NeedleMeasure::Attention      ? std::sqrt(std::max(0.0, value))
                          : measure() == NeedleMeasure::LogProbability ? std::exp(value)
                                                                       : value;
  const QColor full = colorAt(position);
  if (!cell.isUnsure()) return full;
  return fromOklab(mix(toOklab(full), toOklab(color(Role::Surface)), kVeil));
}

void NeedleMap::paintCell(QPainter& painter, const NeedleCell& cell, const QRectF& box,
                          const std::vector<CellFont>& fonts) const {
  const QColor fill = cellColor(cell);
  painter.fillRect(box, fill);
  const bool missing = isMissing(cell.state);
  if (missing) {
    painter.setPen(QPen(color(Role::FieldLine), 1));
    paintHatch(painter, box.adjusted(0, 0, -1, -1), cell.state != State::Skipped);  // a line is a pixel wide
  }
  // A large map has no room for texts: they are not even made.
  const bool hasRoom = box.width() > kLeastText * fonts.back().advance + 4 && box.height() > kLeastTextHeight;
  const QString text = hasRoom ? cellText(cell) : QString();
  for (const CellFont& font : fonts) {
    if (text.isEmpty()) break;
    const double wide = font.widthOf(text);
    if (wide + 4 > box.width()) continue;
    painter.setFont(font.font);
    if (missing) {  // readable over the hatch
      const QSizeF room(wide + 6, font.height);
      painter.fillRect(QRectF(box.center() - QPointF(room.width() / 2, room.height() / 2), room),
                       color(Role::Surface));
      painter.setPen(color(Role::Bad));
    } else {
      painter.setPen(theme().textOn(fill));
    }
    painter.drawText(box, Qt::AlignCenter, text);
    break;
  }
  if (cell.cut == 0 || box.width() < 8 || box.height() < 8) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().textOn(fill));
  painter.drawEllipse(QPointF(box.right() - 4.5, box.top() + 4.5), 2, 2);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void NeedleMap::paintCells(QPainter& painter) const {
  std::vector<CellFont> fonts{CellFont(11), CellFont(9)};
  constexpr double kRoomy = 44;
  if (cellRect({0, 0}).height() > kRoomy && cellRect({0, 0}).width() > kRoomy)
    fonts.insert(fonts.begin(), CellFont(13));
  for (qsizetype length = 0; length <= m_data.lengths.size(); ++length) {
    for (qsizetype depth = 0; depth <= m_data.depths.size(); ++depth) {
      const NeedleCell* cell = m_data.at({length, depth});
      if (cell == nullptr) continue;
      const QRectF box = cellRect({length, depth});
      const double gap = box.width() > 6 && box.height() > 6 ? 1 : 0;
      paintCell(painter, *cell, box.adjusted(0, 0, -gap, -gap), fonts);
    }
  }
}

void NeedleMap::paintTitle(QPainter& painter) const {
  QFont title = sized(font(), 12);
  title.setWeight(QFont::DemiBold);
  painter.setFont(title);
  double x = 2;
  if (!m_data.architecture.isEmpty()) {
    painter.fillRect(QRectF(x, 5, 4, 14), theme().architecture(m_data.architecture));
    x += 10;
  }
  painter.setPen(color(Role::Text));
  painter.drawText(
      QRectF(x, 2, width() - x, 20), Qt::AlignLeft | Qt::AlignVCenter,
      painter.fontMetrics().elidedText(m_data.title, Qt::ElideMiddle, static_cast<int>(width() - x)));
}

void NeedleMap::paintRunning(QPainter& painter) const {
  double strength = 1;
  if (m_pulse->isActive()) {
    const double phase = static_cast<double>(m_sincePulse.elapsed()) / kPulseMs;
    strength = 0.6 + 0.4 * std::cos(2 * std::numbers::pi * phase);
  }
  for (qsizetype length = 0; length < m_data.lengths.size(); ++length) {
    for (qsizetype depth = 0; depth < m_data.depths.size(); ++depth) {
      const NeedleCell* cell = m_data.at({length, depth});
      if (cell == nullptr || cell->state != State::Running) continue;
      const QRectF box = cellRect({length, depth}).adjusted(0, 0, -1, -1);
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(color(Role::Surface), 4));
      painter.drawRect(box.adjusted(2, 2, -2, -2));
      QColor outline = color(Role::Accent);
      outline.setAlphaF(static_cast<float>(strength));
      painter.setPen(QPen(outline, 2));
      painter.drawRect(box.adjusted(1, 1, -1, -1));
    }
  }
}

void NeedleMap::paintMark(QPainter& painter) const {
  if (m_data.at(m_marked) == nullptr) return;
  const QRectF box = cellRect(m_marked);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color(Role::Surface), 1));
  painter.drawRect(box.adjusted(2.5, 2.5, -3.5, -3.5));
  painter.setPen(QPen(hasFocus() ? color(Role::Accent) : color(Role::Text), 2));
  painter.drawRect(box.adjusted(0.5, 0.5, -1.5, -1.5));
}

void NeedleMap::paintStill(QPainter& painter) const {
  paintTitle(painter);
  if (m_data.lengths.isEmpty() || m_data.depths.isEmpty()) return;
  paintCells(painter);
  paintAxes(painter);
  paintReach(painter);
  paintLegend(painter);
}

void NeedleMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const double scale = devicePixelRatioF();
  const bool onScreen = painter.paintEngine()->type() == QPaintEngine::Raster &&
                        qFuzzyCompare(painter.deviceTransform().m11(), scale);
  if (!onScreen) {
    paintStill(painter);
  } else {
    if (m_still.isNull() || m_still.devicePixelRatio() != scale) {
      m_still = QPixmap(size() * scale);
      m_still.setDevicePixelRatio(scale);
      m_still.fill(Qt::transparent);
      QPainter still(&m_still);
      paintStill(still);
    }
    painter.drawPixmap(0, 0, m_still);
  }
  if (m_data.lengths.isEmpty() || m_data.depths.isEmpty()) return;
  paintFromEnd(painter);
  paintRunning(painter);
  paintMark(painter);
}

}  // namespace orthros::widgets
