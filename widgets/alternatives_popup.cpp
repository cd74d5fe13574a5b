#include "widgets/alternatives_popup.h"

#include <QMouseEvent>
#include <QPainter>

#include "widgets/format.h"
#include "widgets/theme.h"
#include "widgets/token_text.h"

namespace orthros::widgets {
namespace {

constexpr int kWide = 300;
constexpr int kHead = 44;
constexpr int kRow = 22;
constexpr int kPad = 12;

}  // namespace

AlternativesPopup::AlternativesPopup(QWidget* window) : QWidget(window) {
  setObjectName(QStringLiteral("alternativesPopup"));
  setMouseTracking(true);
  setCursor(Qt::PointingHandCursor);
  hide();
}

void AlternativesPopup::setChip(const TokenChip& chip) {
  m_chip = chip;
  m_hovered = -1;
  resize(kWide, kHead + kRow * static_cast<int>(chip.alternatives.size()) + kPad);
  update();
}

void AlternativesPopup::place(const QRect& anchor) {
  const QRect room = parentWidget()->rect().adjusted(8, 8, -8, -8);
  QPoint corner(anchor.left(), anchor.bottom() + 6);
  if (corner.y() + height() > room.bottom()) corner.setY(anchor.top() - 6 - height());
  corner.setX(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())));
  corner.setY(std::max(corner.y(), room.top()));
  move(corner);
  show();
  raise();
}

int AlternativesPopup::rowAt(const QPoint& point) const {
  const int row = (point.y() - kHead) / kRow;
  return point.y() < kHead || row >= m_chip.alternatives.size() ? -1 : row;
}

void AlternativesPopup::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(color(Role::FieldLine));
  painter.setBrush(color(Role::Surface));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
  painter.setFont(monoFont(13));
  painter.setPen(color(Role::Text));
  painter.drawText(QRect(kPad, 6, kWide - 2 * kPad, 20), Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(visibleToken(m_chip.bytes), Qt::ElideRight, 150));
  painter.drawText(QRect(kPad, 6, kWide - 2 * kPad, 20), Qt::AlignRight | Qt::AlignVCenter,
                   QStringLiteral("p = %1").arg(formatNumber(m_chip.probability)));
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  painter.setPen(color(Role::Muted));
  painter.drawText(QRect(kPad, 24, kWide - 2 * kPad, 16), Qt::AlignLeft | Qt::AlignVCenter,
                   tr("id %1 · after %2").arg(m_chip.id).arg(formatMilliseconds(m_chip.elapsedMs)));
  painter.drawText(QRect(kPad, 24, kWide - 2 * kPad, 16), Qt::AlignRight | Qt::AlignVCenter,
                   tr("click: go on from it"));
  for (int i = 0; i < m_chip.alternatives.size(); ++i) {
    const TokenAlternative& other = m_chip.alternatives[i];
    const QRect row(4, kHead + i * kRow, kWide - 8, kRow);
    if (i == m_hovered) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(color(Role::Raised));
      painter.drawRoundedRect(row, 4, 4);
    }
    const bool taken = other.id == m_chip.id;
    painter.setFont(monoFont(12));
    painter.setPen(color(taken ? Role::Accent : Role::Text));
    const QString name = (taken ? QStringLiteral("▸ ") : QStringLiteral("  ")) + visibleToken(other.bytes);
    painter.drawText(QRect(kPad - 2, row.top(), 128, kRow), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(name, Qt::ElideRight, 126));
    painter.fillRect(QRectF(146, row.center().y() - 2, 80, 5), color(Role::Raised));
    painter.fillRect(QRectF(146, row.center().y() - 2, std::max(1.0, 80 * other.probability), 5),
                     color(taken ? Role::Accent : Role::Muted));
    painter.setPen(color(Role::Text));
    painter.drawText(QRect(226, row.top(), kWide - 226 - kPad, kRow), Qt::AlignVCenter | Qt::AlignRight,
                     formatNumber(other.probability));
  }
}

void AlternativesPopup::mouseMoveEvent(QMouseEvent* event) {
  m_hovered = rowAt(event->pos());
  update();
}

void AlternativesPopup::mousePressEvent(QMouseEvent* event) {
  const int row = rowAt(event->pos());
  if (row >= 0) Q_EMIT chosen(m_chip.alternatives[row].id);
}

}  // namespace orthros::widgets
