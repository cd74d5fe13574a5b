// How the pair view is drawn.
#include <QPainter>
#include <cmath>

#include "widgets/cell_marks.h"
#include "widgets/format.h"
#include "widgets/pair_raster.h"
#include "widgets/pair_view.h"
#include "widgets/ramp_legend.h"

namespace orthros::widgets {
namespace {

// 1, 2, 5, 10, ...: the least of them that is at least `wanted`.
qint64 niceStep(double wanted) {
  qint64 power = 1;
  while (true) {
    for (const qint64 unit : {1, 2, 5}) {
      if (static_cast<double>(unit * power) >= wanted) return unit * power;
    }
    power *= 10;
  }
}

QFont captionFont(const QFont& base) {
  QFont font = base;
  font.setPixelSize(11);
  return font;
}

Ramp rampOf(bool output, bool isDifference) {
  return isDifference ? Ramp::Difference : output ? Ramp::Output : Ramp::Base;
}

constexpr double kTextCell = 14;
constexpr double kLabelLeft = 84;

}  // namespace

PairColors PairView::rasterColors(bool output) const {
  PairColors colors;
  for (int i = 0; i < kLutSize; ++i)
    colors.lut[static_cast<size_t>(i)] =
        theme().ramp(rampOf(output, m_data->isDifference), static_cast<double>(i) / (kLutSize - 1)).rgb();
  colors.ground = color(Role::Surface).rgb();
  colors.missing = color(Role::Line).rgb();
  colors.absent = color(Role::FieldLine).rgb();
  return colors;
}

const QImage& PairView::imageOf(bool output, double scale) {
  Cached& cached = m_cache[output ? 1 : 0];
  const QRectF area = areaOf(output);
  const QSize size = (pane(output).size() * scale).toSize();
  if (cached.valid && cached.area == area && cached.image.size() == size) return cached.image;
  cached.image = pairRaster(
      {m_data.get(), output, area, size,
       isBinned(output) ? m_style : WeightStyle{m_style.mode, false, m_style.lane}, this->scale(output)},
      rasterColors(output));
  cached.area = area;
  cached.valid = true;
  return cached.image;
}

void PairView::paintPane(QPainter& painter, bool output) {
  const QRectF at = pane(output);
  const double scale = std::max(1.0, painter.device()->devicePixelRatioF());
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.drawImage(at, imageOf(output, scale));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.save();
  painter.setClipRect(at);
  paintEdges(painter, output);
  paintLane(painter, output);
  paintCursor(painter, output);
  painter.restore();
  if (isBinned(output)) paintBinnedCorner(painter, at);
  painter.setPen(QPen(color(Role::FieldLine), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(at.adjusted(-0.5, -0.5, 0.5, 0.5));
  QFont name = font();
  name.setPixelSize(12);
  name.setWeight(QFont::DemiBold);
  painter.setFont(name);
  painter.setPen(color(output ? Role::Output : Role::Accent));
  const QString window = m_data->window == 0 ? tr("base rows x")
                         : m_data->sinks > 0 ? tr("x: sinks, last %1").arg(m_data->window)
                                             : tr("x: last %1 keys").arg(m_data->window);
  const QString whole =
      m_data->differenceName.isEmpty() ? tr("output rows x′: every key") : m_data->differenceName;
  const QString text = output ? whole : window;
  painter.drawText(QRectF(at.left(), 2, at.width(), 18), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(at.width())));
}

// Where the support ends: the causal edge, the window's edge, the sinks.
void PairView::paintEdges(QPainter& painter, bool output) const {
  const QRectF at = pane(output);
  const QRectF area = areaOf(output);
  const auto point = [&](double column, double position) {
    return QPointF(at.left() + (column - area.left()) / area.width() * at.width(),
                   at.top() + (position - area.top()) / area.height() * at.height());
  };
  const auto draw = [&](QPointF from, QPointF to) {  // SVG knows no clipping
    if (const auto line = clipped({from, to}, at)) painter.drawLine(*line);
  };
  const auto keys = static_cast<double>(m_data->keys);
  const auto window = static_cast<double>(m_data->window);
  if (output || m_data->window == 0) {
    painter.setPen(QPen(color(Role::FieldLine), 1));
    draw(point(0, 0), point(keys, keys));
    if (m_data->window == 0 || window >= keys) return;
    painter.setPen(QPen(color(Role::Accent), 1.2, Qt::DashLine));
    draw(point(0, window - 1), point(keys - window + 1, keys));
    return;
  }
  if (m_data->sinks == 0) return;
  const auto sinks = static_cast<double>(m_data->sinks);
  painter.setPen(QPen(color(Role::FieldLine), 1.5));
  draw(point(sinks, 0), point(sinks, keys));
}

void PairView::paintCursor(QPainter& painter, bool output) const {
  const QRectF at = pane(output);
  const QRectF area = areaOf(output);
  const double high = at.height() / area.height();
  const double wide = at.width() / area.width();
  const auto rowRect = [&](qint64 position) {
    const double top = at.top() + (static_cast<double>(position) - area.top()) * high;
    return QRectF(at.left(), top, at.width(), std::max(high, 1.0));
  };
  const auto frame = [&](const QRectF& rect) {
    const QRectF inside = rect & at;
    if (!inside.isEmpty()) painter.drawRect(inside);
  };
  std::vector<qint64> pins = m_morePins;
  if (m_pinned >= 0) pins.push_back(m_pinned);
  for (const qint64 pin : pins) {
    painter.setPen(QPen(color(Role::Text), 1, pin == m_pinned ? Qt::DashLine : Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    const QRectF row = rowRect(pin);
    for (const QLineF& edge :
         {QLineF(row.bottomLeft(), row.bottomRight()), QLineF(row.topLeft(), row.topRight())}) {
      if (edge.y1() == row.top() && row.height() <= 3) continue;
      if (const auto line = clipped(edge, at)) painter.drawLine(*line);
    }
  }
  if (m_position < 0) return;
  painter.setPen(QPen(color(Role::Text), 1));
  painter.setBrush(Qt::NoBrush);
  frame(rowRect(m_position));
  if (m_key < 0) return;
  const qint64 column = output || m_data->window == 0 ? m_key : m_data->bandColumn(m_position, m_key);
  if (column < 0) return;
  const double left = at.left() + (static_cast<double>(column) - area.left()) * wide;
  if (output) frame(QRectF(left, at.top(), std::max(wide, 1.0), at.height()));
  painter.setPen(QPen(color(Role::Text), 2));
  frame(QRectF(left, rowRect(m_position).top(), std::max(wide, 3.0), std::max(high, 3.0)));
}

void PairView::paintPositions(QPainter& painter) const {
  const QRectF at = pane(false);
  const double high = positionHeight();
  const bool text = high >= kTextCell;
  const qint64 step = text ? 1 : niceStep(28 / high);
  const auto first = static_cast<qint64>(std::ceil(m_shown.top() / static_cast<double>(step))) * step;
  painter.setFont(text ? monoFont(11) : captionFont(font()));
  for (qint64 position = first; position < m_data->keys; position += step) {
    const double y = at.top() + (static_cast<double>(position) + 0.5 - m_shown.top()) * high;
    if (y > at.bottom()) break;
    const QRectF box(0, y - 8, kLabelLeft - 4, 16);
    const bool marked = position == m_position || position == m_pinned;
    painter.setPen(color(marked ? Role::Text : Role::Muted));
    QString label = QString::number(position);
    if (text) label = m_data->tokens.value(position) + u' ' + label;
    painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(label, Qt::ElideLeft, static_cast<int>(box.width())));
  }
  painter.setFont(captionFont(font()));
  painter.setPen(color(Role::Muted));
  painter.drawText(QRectF(0, 2, kLabelLeft - 4, 18), Qt::AlignRight | Qt::AlignVCenter, tr("asks (query) ↓"));
}

void PairView::paintKeys(QPainter& painter) const {
  const QRectF at = pane(hasOutput());
  const double wide = keyWidth();
  const bool text = wide >= kTextCell;
  const qint64 step = text ? 1 : niceStep(44 / wide);
  const auto first = static_cast<qint64>(std::ceil(m_shown.left() / static_cast<double>(step))) * step;
  painter.setFont(text ? monoFont(11) : captionFont(font()));
  double axis = at.bottom() + 2;
  for (qint64 key = first; key < m_data->keys; key += step) {
    const double x = at.left() + (static_cast<double>(key) + 0.5 - m_shown.left()) * wide;
    if (x > at.right()) break;
    painter.setPen(color(key == m_key ? Role::Text : Role::Muted));
    if (text) {
      painter.save();
      painter.translate(x, at.bottom() + 4);
      painter.rotate(90);
      painter.drawText(QRectF(0, -8, 60, 16), Qt::AlignLeft | Qt::AlignVCenter,
                       painter.fontMetrics().elidedText(m_data->tokens.value(key), Qt::ElideRight, 60));
      painter.restore();
    } else {
      painter.drawText(QRectF(x - 30, axis, 60, 14), Qt::AlignCenter, QString::number(key));
    }
  }
  if (text) axis += 62;
  painter.setFont(captionFont(font()));
  painter.setPen(color(Role::Muted));
  const QString name = tr("is read (key) →");
  painter.drawText(QRectF(at.left(), axis + 14, at.width(), 16), Qt::AlignCenter, name);
  const double room = at.center().x() - painter.fontMetrics().horizontalAdvance(name) / 2.0 - kLabelLeft - 16;
  painter.drawText(QRectF(kLabelLeft + 4, axis + 14, room, 16), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(scaleNote(), Qt::ElideRight, static_cast<int>(room)));
  if (!hasOutput() || !hasBase() || m_data->window == 0) return;
  const QRectF band = pane(false);
  painter.drawText(QRectF(band.left(), band.bottom() + 2, band.width(), 14), Qt::AlignLeft, tr("oldest"));
  painter.drawText(QRectF(band.left(), band.bottom() + 2, band.width(), 14), Qt::AlignRight, tr("itself"));
}

// A bracket over each lane key's column: its cells keep their colour at the end of the range.
void PairView::paintLane(QPainter& painter, bool output) const {
  if (!hasLane()) return;
  const QRectF at = pane(output);
  const QRectF area = areaOf(output);
  const double wide = at.width() / area.width();
  for (const LaneKey& one : m_data->facts->lane) {
    const bool isBand = !output && m_data->window > 0;
    if (isBand && one.key >= m_data->sinks) continue;  // moves through the band
    const double left = at.left() + (static_cast<double>(one.key) - area.left()) * wide;
    const QRectF column = QRectF(left, at.top(), std::max(wide, 2.0), at.height()) & at;
    if (column.isEmpty()) continue;
    painter.fillRect(QRectF(column.left(), at.top(), column.width(), 3), color(Role::Warn));
    painter.fillRect(QRectF(column.left(), at.bottom() - 3, column.width(), 3), color(Role::Warn));
  }
}

// What the ramps of the legend mean.
QString PairView::scaleNote() const {
  QString note = scaleName(scale(hasOutput()).mode);
  const bool binned = (hasOutput() && isBinned(true)) || (hasBase() && isBinned(false));
  if (binned) note += m_style.sums ? tr(", bins: sum") : tr(", bins: heaviest");
  if (!m_data->isDifference) note += tr(", tick: uniform row");
  return note;
}

void PairView::paintLegend(QPainter& painter) const {
  painter.setFont(captionFont(font()));
  double x = kLabelLeft + 4;
  const double y = height() - 14.0;
  for (const bool output : {false, true}) {
    if (!(output ? hasOutput() : hasBase())) continue;
    RampLegend legend{output ? QStringLiteral("x′") : QStringLiteral("x"),
                      rampOf(output, m_data->isDifference),
                      scale(output),
                      {},
                      {}};
    if (m_data->isDifference) {
      legend.name = tr("A − B");
      legend.tick = 0.5;
      legend.tickText = QStringLiteral("0");
    } else if (!(m_style.sums && isBinned(output))) {
      std::tie(legend.tick, legend.tickText) = uniformTick(output);
    }
    x = paintRampLegend(painter, x, y, legend);
    if (m_data->isDifference) break;
  }
  if (hasOutput() && m_data->outputFrom > 0) paintAbsentLegend(painter, x, y);
  paintBanner(painter, y - 6);
}

void PairView::paintAbsentLegend(QPainter& painter, double x, double y) const {
  const QRect swatch(qRound(x), qRound(y) - 2, 20, 12);
  painter.setPen(QPen(color(Role::FieldLine), 1));
  painter.drawRect(QRectF(swatch).adjusted(-0.5, -0.5, 0.5, 0.5));
  for (int row = 0; row < swatch.height(); ++row) {
    for (int column = 0; column < swatch.width(); ++column) {
      if (isAbsentDot(column, row))
        painter.fillRect(swatch.left() + column, swatch.top() + row, 1, 1, color(Role::FieldLine));
    }
  }
  painter.setPen(color(Role::Muted));
  const QRectF room(x + 26, y - 4, std::max(0.0, width() - x - 30), 16);
  painter.drawText(
      room, Qt::AlignLeft | Qt::AlignVCenter,
      painter.fontMetrics().elidedText(tr("no x′ here"), Qt::ElideRight, static_cast<int>(room.width())));
}

void PairView::paintReadout(QPainter& painter) const {
  if (m_position < 0) return;
  painter.setFont(monoFont(12));
  const QString text = readout(m_position, m_key) + m_binText;
  const double wide = std::min(painter.fontMetrics().horizontalAdvance(text) + 16.0, width() - 8.0);
  const QRectF all = hasOutput() ? pane(true) : pane(false);
  const double y = all.top() + (static_cast<double>(m_position) - m_shown.top()) * positionHeight();
  const double top = y - 28 > all.top() ? y - 28 : std::min(y + positionHeight() + 6, all.bottom() - 24);
  const QRectF box(width() - kLabelLeft / 8 - wide, top, wide, 22);
  painter.setPen(color(Role::FieldLine));
  painter.setBrush(color(Role::Surface));
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(color(Role::Text));
  painter.drawText(box.adjusted(8, 0, -8, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(text, Qt::ElideMiddle, static_cast<int>(wide) - 16));
}

void PairView::paintEvent(QPaintEvent*) {
  if (!m_data || m_data->positions.empty()) return;
  QPainter painter(this);
  if (hasBase()) paintPane(painter, false);
  if (hasOutput()) paintPane(painter, true);
  paintPositions(painter);
  paintKeys(painter);
  paintLegend(painter);
  if (hasMap()) paintMap(painter);
  // Where the shown part lies in the whole.
  const auto keys = static_cast<double>(m_data->keys);
  if (m_shown.height() < keys || m_shown.width() < keys) {
    const QRectF at = pane(hasOutput());
    painter.fillRect(QRectF(at.right() + 3, at.top() + m_shown.top() / keys * at.height(), 4,
                            std::max(4.0, m_shown.height() / keys * at.height())),
                     color(Role::FieldLine));
    painter.fillRect(QRectF(at.left() + m_shown.left() / keys * at.width(), at.top() - 5,
                            std::max(4.0, m_shown.width() / keys * at.width()), 4),
                     color(Role::FieldLine));
  }
  paintReadout(painter);
}

}  // namespace orthros::widgets
