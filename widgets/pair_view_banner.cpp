// The sink lane's banner in the pair view: in as many lines as its keys take.
#include <QPainter>

#include "widgets/format.h"
#include "widgets/pair_view.h"

namespace orthros::widgets {
namespace {

constexpr double kLeft = 88;  // under the panes
constexpr double kRight = 12;
constexpr double kLine = 16;
constexpr double kSides = 12;  // of the text within its strip
const QString kBetween = QStringLiteral("  ·  ");

}  // namespace

// What the lane is, then each of its keys with its weights in the row that is spoken of.
QStringList PairView::laneParts() const {
  if (!hasLane()) return {};
  const qsizetype row = contextRow(false);
  const qint64 position = m_data->positions[static_cast<size_t>(row)];
  QStringList parts{tr("Sink lane, left out of the colour range (query %1):").arg(position)};
  for (const LaneKey& one : m_data->facts->lane) {
    if (one.key > position) continue;
    QString text = tr("key %1 %2").arg(one.key).arg(m_data->tokens.value(one.key));
    const qint64 column = m_data->bandColumn(position, one.key);
    if (!m_data->base.isEmpty())
      text += tr("  x %1").arg(column < 0 ? tr("unseen") : formatNumber(m_data->base.at(row, column)));
    if (m_data->hasOutputAt(position))
      text += tr("  x′ %1").arg(formatNumber(m_data->at(true, row, one.key)));
    parts.append(text);
  }
  return parts;
}

QString PairView::laneBanner() const {
  const QStringList parts = laneParts();
  return parts.isEmpty() ? QString() : parts.front() + QStringLiteral("  ") + parts.mid(1).join(kBetween);
}

QRectF PairView::bannerStrip(double bottom) const {
  const double high = kLine * static_cast<double>(bannerLines().size()) + 2;
  return {kLeft, bottom - high, width() - kLeft - kRight, high};
}

// Broken between keys; a key that is wider than the view loses its middle.
const QStringList& PairView::bannerLines() const {
  if (m_banner.width == width()) return m_banner.lines;
  m_banner = {width(), {}};
  QFont caption = font();
  caption.setPixelSize(11);
  const QFontMetrics metrics(caption);
  const int room = static_cast<int>(width() - kLeft - kRight - kSides);
  QStringList parts = laneParts();
  if (!parts.isEmpty() && metrics.horizontalAdvance(parts.front()) > room)
    parts.front() =
        tr("Sink lane (query %1):").arg(m_data->positions[static_cast<size_t>(contextRow(false))]);
  QString between;  // the title, then the first key, then the others
  for (const QString& part : parts) {
    const QString joined = m_banner.lines.isEmpty() ? part : m_banner.lines.back() + between + part;
    between = between.isNull() ? QStringLiteral("  ") : kBetween;
    if (m_banner.lines.isEmpty() || metrics.horizontalAdvance(joined) > room) {
      m_banner.lines.append(metrics.elidedText(part, Qt::ElideMiddle, room));
    } else {
      m_banner.lines.back() = joined;
    }
  }
  return m_banner.lines;
}

void PairView::paintBanner(QPainter& painter, double bottom) const {
  if (bannerLines().isEmpty()) return;
  const QRectF strip = bannerStrip(bottom);
  painter.fillRect(strip, color(Role::WarnSoft));
  painter.setPen(color(Role::Text));
  double top = strip.top() + 1;
  for (const QString& line : bannerLines()) {
    painter.drawText(QRectF(strip.left() + kSides / 2, top, strip.width() - kSides, kLine),
                     Qt::AlignLeft | Qt::AlignVCenter, line);
    top += kLine;
  }
}

}  // namespace orthros::widgets
