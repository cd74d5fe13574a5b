#include "app/studio/pages/attention/top_keys.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <cmath>

#include "widgets/format.h"
#include "widgets/theme.h"
#include "widgets/token_units.h"

namespace orthros::studio {
namespace {

using widgets::Role;

constexpr int kRow = 22;
constexpr int kHead = 22;

}  // namespace

TopKeys::TopKeys(QWidget* parent) : QAbstractScrollArea(parent) {
  setObjectName(QStringLiteral("topKeys"));
  setAccessibleName(tr("Heaviest keys"));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setAutoFillBackground(false);
  verticalScrollBar()->setSingleStep(kRow);
  connect(&widgets::ThemeHub::instance(), &widgets::ThemeHub::changed, viewport(),
          qOverload<>(&QWidget::update));
}

void TopKeys::setRows(const std::vector<TopKeyRow>& rows, bool hasOutput) {
  m_rows = rows;
  m_hasOutput = hasOutput;
  QStringList lines;
  for (const TopKeyRow& row : rows)
    lines.append(tr("key %1 %2: x %3, x′ %4")
                     .arg(row.key)
                     .arg(row.token, widgets::formatNumber(row.base), widgets::formatNumber(row.output)));
  setAccessibleDescription(lines.join(u'\n'));
  verticalScrollBar()->setValue(0);
  setRange();
  viewport()->update();
}

void TopKeys::setRange() {
  const int room = std::max(0, viewport()->height() - kHead);
  const int high = kRow * static_cast<int>(m_rows.size());
  verticalScrollBar()->setPageStep(room);
  verticalScrollBar()->setRange(0, std::max(0, high - room));
}

void TopKeys::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  setRange();
}

int TopKeys::barWidth() const {
  return std::clamp((viewport()->width() - 130) / 2, 64, 220);
}

qsizetype TopKeys::rowAt(const QPoint& point) const {
  const qsizetype row = (point.y() - kHead + verticalScrollBar()->value()) / kRow;
  return point.y() < kHead || row >= std::ssize(m_rows) ? -1 : row;
}

void TopKeys::paintHead(QPainter& painter) const {
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  painter.setPen(widgets::color(Role::Muted));
  const int right = viewport()->width();
  const int bar = barWidth();
  painter.drawText(QRect(0, 0, 40, kHead), Qt::AlignVCenter | Qt::AlignRight, tr("key"));
  painter.drawText(QRect(50, 0, 80, kHead), Qt::AlignVCenter, tr("token"));
  if (m_hasOutput)
    painter.drawText(QRect(right - 2 * (bar + 8), 0, bar, kHead), Qt::AlignVCenter, QStringLiteral("x′"));
  painter.drawText(QRect(right - bar, 0, bar, kHead), Qt::AlignVCenter, QStringLiteral("x"));
}

void TopKeys::paintCell(QPainter& painter, const QRect& at, double weight, bool isOutput) const {
  const QRectF bar(at.left(), at.top() + 17, at.width(), 3);
  painter.fillRect(bar, widgets::color(Role::Raised));
  if (weight > 0)
    painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * weight, 3),
                     widgets::color(isOutput ? Role::Output : Role::Accent));
  painter.setPen(widgets::color(weight > 0 ? Role::Text : Role::Muted));
  painter.drawText(QRect(at.left(), at.top(), at.width(), 17), Qt::AlignVCenter,
                   weight > 0           ? widgets::formatNumber(weight)
                   : std::isnan(weight) ? tr("not kept")
                                        : tr("unseen"));
}

void TopKeys::paintRow(QPainter& painter, const TopKeyRow& row, int y) const {
  const int right = viewport()->width();
  const int bar = barWidth();
  painter.setPen(widgets::color(Role::Muted));
  painter.drawText(QRect(0, y, 40, kRow - 2), Qt::AlignVCenter | Qt::AlignRight, QString::number(row.key));
  painter.setPen(widgets::color(Role::Text));
  const int room = right - 2 * (bar + 8) - 56;
  painter.drawText(QRect(50, y, room, kRow - 2), Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(row.token, Qt::ElideRight, room));
  if (m_hasOutput) paintCell(painter, QRect(right - 2 * (bar + 8), y, bar, kRow), row.output, true);
  paintCell(painter, QRect(right - bar, y, bar, kRow), row.base, false);
}

void TopKeys::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  paintHead(painter);
  painter.setClipRect(QRect(0, kHead, viewport()->width(), viewport()->height() - kHead));
  painter.setFont(widgets::monoFont(12));
  const int from = verticalScrollBar()->value();
  for (size_t i = 0; i < m_rows.size(); ++i) {
    const int y = kHead + static_cast<int>(i) * kRow - from;
    if (y + kRow > kHead && y < viewport()->height()) paintRow(painter, m_rows[i], y);
  }
  if (!hasFocus()) return;
  painter.setClipping(false);
  painter.setPen(QPen(widgets::color(Role::Accent), 2));
  painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
}

bool TopKeys::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const qsizetype index = rowAt(help->pos());
  if (index < 0) {
    QToolTip::hideText();
    return true;
  }
  const TopKeyRow& row = m_rows[static_cast<size_t>(index)];
  QToolTip::showText(help->globalPos(), widgets::plainTip({tr("key %1").arg(row.key), row.token}), this);
  return true;
}

}  // namespace orthros::studio
