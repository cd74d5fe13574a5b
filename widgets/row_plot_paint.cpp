// How the row plot is drawn.
#include <QPainter>
#include <cmath>

#include "widgets/cell_marks.h"
#include "widgets/format.h"
#include "widgets/row_plot.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

QFont captionFont(const QFont& base) {
  QFont font = base;
  font.setPixelSize(11);
  return font;
}

}  // namespace

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
  painter.setFont(captionFont(font()));
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
  QString note = scaleName(scale(showsOutput()).mode);
  if (isBinned()) note += m_style.sums ? tr(", bins: sum") : tr(", bins: heaviest");
  painter.drawText(QRectF(kLeft, 2, 200, 16), Qt::AlignLeft | Qt::AlignVCenter, note);
  paintNamed(painter, kLeft + painter.fontMetrics().horizontalAdvance(note) + 12);
}

// `free`: from here on nothing else stands above the lanes.
void RowPlot::paintNamed(QPainter& painter, double free) const {
  const RowView::Named& named = m_view.named;
  if (named.end <= named.begin) return;
  const double left = xOf(static_cast<double>(named.begin));
  const double right = std::max(left + 2, xOf(static_cast<double>(named.end)));
  painter.fillRect(QRectF(QPointF(left, kTop), QPointF(right, height() - kBottom)), color(Role::WarnSoft));
  painter.setPen(QPen(color(Role::Warn), 1));
  painter.drawLine(QPointF(left, kTop - 1), QPointF(right, kTop - 1));
  const QRectF label(std::max(left, free), 2, 200, 16);
  if (label.left() > right)
    painter.drawLine(QPointF(right, kTop - 1), QPointF(label.left() - 3, label.center().y()));
  painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, named.name);
}

// Lines at values that are printed.
void RowPlot::paintTicks(QPainter& painter, bool up) const {
  const double start = laneStart(up);
  const double direction = up ? -1 : 1;
  const WeightScale of = scale(up);
  const auto line = [&](double place) { return std::round(start + direction * place * laneHeight()) + 0.5; };
  double labelled = -100;
  const auto tick = [&](double place, const QString& text) {
    const double y = line(place);
    painter.setPen(QPen(color(Role::Line), 1));
    painter.drawLine(QPointF(kLeft, y), QPointF(width() - kRight, y));
    if (std::abs(y - labelled) < 14) return;
    labelled = y;
    painter.setPen(color(Role::Muted));
    painter.drawText(QRectF(0, y - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter, text);
  };
  painter.setFont(captionFont(font()));
  tick(1, of.highEnd());
  switch (of.mode) {
    case ScaleMode::Log:
      for (const int below : {16, 256, 4096}) {
        if (1.0 / below < of.most) tick(of.place(1.0 / below, {}), QStringLiteral("1/%1").arg(below));
      }
      break;
    case ScaleMode::Lift: {
      RowContext one;
      for (double lift = std::exp2(of.liftBits - std::max(2.0, std::round(of.liftBits / 2)));
           lift > std::exp2(-of.liftBits); lift /= std::exp2(std::max(2.0, std::round(of.liftBits / 2))))
        tick(of.place(lift, one),
             lift >= 1 ? formatNumber(lift) : QStringLiteral("1/%1").arg(qRound64(1 / lift)));
      break;
    }
    case ScaleMode::Linear:
      tick(0.5, formatNumber(of.most / 2));
      break;
    case ScaleMode::RowMax:
    case ScaleMode::Rank:
      tick(0.5, QStringLiteral("0.5"));
      break;
  }
}

// Over the bars: where those of a row of equal weights would end.
void RowPlot::paintUniform(QPainter& painter, bool up) const {
  if (m_style.sums && isBinned()) return;
  painter.setFont(captionFont(font()));
  const auto [place, text] = uniformTick(up);
  const double y = std::round(laneStart(up) + (up ? -1 : 1) * place * laneHeight()) + 0.5;
  painter.setPen(QPen(color(Role::Muted), 1, Qt::DotLine));
  painter.drawLine(QPointF(kLeft, y), QPointF(width() - kRight, y));
  const double wide = painter.fontMetrics().horizontalAdvance(text) + 6;
  const QRectF label(width() - kRight - wide, up ? y - 15 : y + 1, wide, 14);
  painter.fillRect(label, color(Role::Surface));
  painter.setPen(color(Role::Muted));
  painter.drawText(label, Qt::AlignCenter, text);
}

void RowPlot::paintLane(QPainter& painter, bool up) const {
  const std::vector<float>& weights = row(up);
  const double start = laneStart(up);
  const auto room = static_cast<qsizetype>(width() - kLeft - kRight);
  const auto count = static_cast<qsizetype>(weights.size());
  const qsizetype most = std::min(count, std::max<qsizetype>(room, 1));
  const std::vector<float> bins = m_style.sums ? sumBins(weights, most) : maxBins(weights, most);
  const WeightScale of = scale(up);
  RowContext context = contextOf(up);
  if (m_style.sums && isBinned()) context.visible *= static_cast<double>(most) / static_cast<double>(count);
  const double step = static_cast<double>(room) / static_cast<double>(bins.size());
  const double gap = step > 3 ? 1 : 0;
  for (size_t i = 0; i < bins.size(); ++i) {
    if (of.mode == ScaleMode::Rank) context.rank = rankOf(bins[i], up);
    const double tall = of.place(bins[i], context) * laneHeight();
    if (tall <= 0) continue;
    const double y = up ? start - tall : start;
    painter.fillRect(QRectF(kLeft + static_cast<double>(i) * step, y, std::max(1.0, step - gap), tall),
                     color(up ? Role::Output : Role::Accent));
  }
}

// At the lane's far end, beside the bar and within the view; below those that are in its way.
QRectF RowPlot::labelBeside(const QRectF& bar, double room, bool up,
                            const std::vector<QRectF>& others) const {
  constexpr double kHigh = 16;
  const double left = std::max(kLeft, std::min(bar.right() + 2, width() - kRight - room));
  QRectF label(left, up ? kTop + 1 : laneStart(up) + laneHeight() - kHigh - 1, room, kHigh);
  const auto isFree = [&] {
    return std::ranges::none_of(others, [&](const QRectF& other) { return other.intersects(label); });
  };
  while (!isFree()) label.translate(0, up ? kHigh + 1 : -kHigh - 1);
  return label;
}

// Lane keys: hatched over, their value printed beside the bar's end.
void RowPlot::paintSinks(QPainter& painter, bool up) const {
  if (!m_style.lane) return;
  painter.setFont(captionFont(font()));
  std::vector<QRectF> labels;
  QStringList texts;
  for (const qsizetype key : m_view.lane) {
    if (key >= static_cast<qsizetype>(row(up).size())) continue;
    const double weight = row(up)[static_cast<size_t>(key)];
    const double tall = heightOf(weight, up) * laneHeight();
    const double wide = std::max(3.0, xOf(1) - xOf(0));
    const QRectF bar(xOf(static_cast<double>(key)), up ? laneStart(up) - tall : laneStart(up), wide, tall);
    painter.fillRect(bar, color(Role::Surface));
    fillHatched(painter, bar, color(up ? Role::Output : Role::Accent), 4);
    painter.setPen(QPen(color(up ? Role::Output : Role::Accent), 1));
    painter.drawRect(bar);
    const QString text = tr("sink %1: %2").arg(key).arg(weight > 0 ? formatNumber(weight) : tr("unseen"));
    const double room = painter.fontMetrics().horizontalAdvance(text) + 8;
    labels.push_back(labelBeside(bar, room, up, labels));
    texts.append(text);
  }
  painter.setPen(color(Role::Text));
  for (size_t i = 0; i < labels.size(); ++i) {  // over the bars of later keys
    painter.fillRect(labels[i], color(Role::WarnSoft));
    painter.drawText(labels[i], Qt::AlignCenter, texts[static_cast<qsizetype>(i)]);
  }
}

void RowPlot::paintCursor(QPainter& painter) const {
  const double x = xOf(static_cast<double>(m_hovered) + 0.5);
  painter.setPen(QPen(color(Role::Text), 1));
  painter.drawLine(QPointF(x, kTop), QPointF(x, height() - kBottom));
  const QString text = readout(m_hovered);
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
  for (const bool up : {true, false}) {
    if (!(up ? showsOutput() : showsBase())) continue;
    paintTicks(painter, up);
    paintLane(painter, up);
    paintSinks(painter, up);
    paintUniform(painter, up);
    if (isBinned())
      paintBinnedCorner(painter, QRectF(kLeft, up ? laneStart(up) - laneHeight() : laneStart(up),
                                        width() - kLeft - kRight, laneHeight()));
  }
  QFont name = font();
  name.setWeight(QFont::DemiBold);
  painter.setFont(name);
  double x = kLeft + 2;
  const auto label = [&](Role role, const QString& text) {
    painter.setPen(color(role));
    painter.drawText(QRectF(x, axisY() - 1, width() - x, kAxis), Qt::AlignLeft | Qt::AlignVCenter, text);
    x += painter.fontMetrics().horizontalAdvance(text) + 18;
  };
  if (showsOutput()) label(Role::Output, tr("↑ output stream x′"));
  if (showsBase()) {
    label(Role::Accent, !m_view.baseKept  ? tr("base stream x: not captured")
                        : m_view.baseUsed ? tr("↓ base stream x")
                                          : tr("↓ base stream x (not used in the last layer)"));
  }
  if (!m_view.lanes.isEmpty()) label(Role::Text, m_view.lanes);
  if (m_hovered >= 0) paintCursor(painter);
}

}  // namespace orthros::widgets
