// What stands around the cells of a needle map: axes, the lines of window and reach, the legend.
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/needle_map.h"

namespace orthros::widgets {
namespace {

constexpr double kRight = 6;

QFont sized(QFont font, int pixels) {
  font.setPixelSize(pixels);
  return font;
}

}  // namespace

void NeedleMap::paintAxes(QPainter& painter) const {
  painter.setFont(sized(font(), 11));
  painter.setPen(color(Role::Muted));
  const QFontMetricsF metrics(painter.font());
  constexpr double kLeft = NeedleGrid::kLeft;
  double free = -1;  // nothing is written over what is there
  for (qsizetype depth = 0; depth < m_data.depths.size(); ++depth) {
    const QRectF box = cellRect({0, depth});
    if (box.center().y() - 7 < free) continue;
    painter.drawText(QRectF(0, box.center().y() - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     QStringLiteral("%1 %").arg(std::round(m_data.depths[depth] * 1000) / 10));
    free = box.center().y() + 7;
  }
  const QRectF foot = cellRect({0, m_data.depths.size()});
  if (foot.top() - 1 > free - 6)
    painter.drawText(QRectF(0, foot.center().y() - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     tr("all"));
  // From the longest down: where lengths crowd at the left the right one of them is told.
  double taken = width() + 1.0;
  for (qsizetype length = m_data.lengths.size(); length >= 0; --length) {
    const QRectF box = cellRect({length, m_data.depths.size()});
    const QString text = length == m_data.lengths.size() ? tr("all") : tokensText(m_data.lengths[length]);
    const double half = metrics.horizontalAdvance(text) / 2 + 3;
    if (box.center().x() + half > taken) continue;
    painter.drawText(QRectF(box.center().x() - half, box.bottom() + 2, 2 * half, 14), Qt::AlignCenter, text);
    taken = box.center().x() - half;
  }
  const QString names = m_style.trueToScale ? tr("needle's depth ↓   context, tokens, to scale →")
                                            : tr("needle's depth ↓   context, tokens →");
  painter.drawText(QRectF(kLeft, foot.bottom() + 16, width() - kLeft - kRight, 14),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(names, Qt::ElideRight, width() - kLeft - kRight));
}

// Below the line the needle is within so many tokens of the end.
void NeedleMap::paintReach(QPainter& painter) const {
  if (!m_style.fromEnd || m_data.isDifference) return;
  const std::pair<qint64, Qt::PenStyle> lines[] = {{m_data.window, Qt::SolidLine},
                                                   {m_data.reach, Qt::DashLine}};
  for (const auto& [tokens, dash] : lines) {
    if (tokens <= 0) continue;
    QPainterPath path;
    std::optional<double> before;
    for (qsizetype length = 0; length < m_data.lengths.size(); ++length) {
      const std::optional<double> y = m_grid.heightOf(static_cast<double>(tokens), length, m_data);
      const QRectF box = cellRect({length, 0});
      if (y) {
        if (before) {
          path.lineTo(box.left(), *y);
        } else {
          path.moveTo(box.left(), *y);
        }
        path.lineTo(box.right(), *y);
      }
      before = y;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(Role::Surface), 4, Qt::SolidLine, Qt::FlatCap));
    painter.drawPath(path);
    painter.setPen(QPen(color(Role::Text), 1.6, dash, Qt::FlatCap));
    painter.drawPath(path);
  }
}

void NeedleMap::paintLegend(QPainter& painter) const {
  const double y = height() - 15;
  painter.setFont(sized(font(), 11));
  const QFontMetricsF metrics(painter.font());
  double x = NeedleGrid::kLeft;
  const auto write = [&](const QString& text) {
    painter.setPen(color(Role::Muted));
    const double room = width() - x;
    painter.drawText(QRectF(x, y - 3, room, 14), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(text, Qt::ElideRight, room));
    x += metrics.horizontalAdvance(text) + 6;
  };
  constexpr int kSteps = 60;
  write(m_data.isDifference ? QStringLiteral("−1") : QStringLiteral("0"));
  for (int i = 0; i < kSteps; ++i)
    painter.fillRect(QRectF(x + i * 1.2, y, 1.7, 8), colorAt(static_cast<double>(i) / (kSteps - 1)));
  x += kSteps * 1.2 + 6;
  write(m_data.isDifference                          ? tr("+1 difference")
        : measure() == NeedleMeasure::Attention      ? tr("1 attention, √")
        : measure() == NeedleMeasure::LogProbability ? tr("1 probability; nats")
                                                     : tr("1 found"));
  if (m_style.fromEnd && m_data.window > 0) {
    write(QStringLiteral("— ") + tr("window %1").arg(tokensText(m_data.window)));
    write(QStringLiteral("- - ") + tr("reach %1").arg(tokensText(m_data.reach)));
  }
  const auto any = [this](auto is) { return std::ranges::any_of(m_data.cells, is); };
  if (any([](const NeedleCell& cell) { return cell.isUnsure(); })) write(tr("pale: n < 5"));
  if (any([](const NeedleCell& cell) { return cell.cut > 0; })) write(tr("• cut"));
}

// Of the length that is looked at, else of the longest.
void NeedleMap::paintFromEnd(QPainter& painter) const {
  if (!m_style.fromEnd || m_data.isDifference) return;
  const qsizetype longest = m_data.lengths.size() - 1;
  const qsizetype length = m_marked.isValid() && m_marked.length <= longest ? m_marked.length : longest;
  painter.setFont(sized(font(), 11));
  painter.setPen(color(Role::Muted));
  const double x = cellRect({longest + 1, 0}).right() + 4;
  double free = -1;
  for (qsizetype depth = 0; depth < m_data.depths.size(); ++depth) {
    const double y = cellRect({0, depth}).center().y();
    if (y - 7 < free) continue;
    painter.drawText(QRectF(x, y - 8, width() - x, 16), Qt::AlignLeft | Qt::AlignVCenter,
                     QString::number(std::llround(m_data.fromEnd(length, depth))));
    free = y + 7;
  }
  const QRectF foot = cellRect({0, m_data.depths.size()});
  painter.drawText(QRectF(x, foot.center().y() - 14, width() - x, 28), Qt::AlignLeft | Qt::AlignVCenter,
                   tr("to end\nof %1").arg(tokensText(m_data.lengths[length])));
}

}  // namespace orthros::widgets
