#include "app/studio/pages/attention/top_keys.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "widgets/format.h"
#include "widgets/theme.h"
#include "widgets/token_units.h"

namespace orthros::studio {
namespace {

constexpr int kRow = 22;
constexpr int kHead = 22;

}  // namespace

TopKeys::TopKeys(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Heaviest keys"));
  setMinimumWidth(240);
  connect(&widgets::ThemeHub::instance(), &widgets::ThemeHub::changed, this, qOverload<>(&QWidget::update));
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
  update();
}

void TopKeys::paintEvent(QPaintEvent*) {
  using widgets::Role;
  QPainter painter(this);
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  painter.setPen(widgets::color(Role::Muted));
  const int right = width();
  const int bar = std::clamp((right - 130) / 2, 64, 220);
  painter.drawText(QRect(0, 0, 40, kHead), Qt::AlignVCenter | Qt::AlignRight, tr("key"));
  painter.drawText(QRect(50, 0, 80, kHead), Qt::AlignVCenter, tr("token"));
  if (m_hasOutput)
    painter.drawText(QRect(right - 2 * (bar + 8), 0, bar, kHead), Qt::AlignVCenter, QStringLiteral("x′"));
  painter.drawText(QRect(right - bar, 0, bar, kHead), Qt::AlignVCenter, QStringLiteral("x"));
  const int lines = std::min<int>(static_cast<int>(m_rows.size()), (height() - kHead) / kRow);
  painter.setFont(widgets::monoFont(12));
  const auto cell = [&](int left, int y, double weight, Role role) {
    painter.fillRect(QRectF(left, y + 17, bar, 3), widgets::color(Role::Raised));
    if (weight > 0) painter.fillRect(QRectF(left, y + 17, bar * weight, 3), widgets::color(role));
    painter.setPen(widgets::color(weight > 0 ? Role::Text : Role::Muted));
    painter.drawText(QRect(left, y, bar, 17), Qt::AlignVCenter,
                     weight > 0           ? widgets::formatNumber(weight)
                     : std::isnan(weight) ? tr("not kept")
                                          : tr("unseen"));
  };
  for (int i = 0; i < lines; ++i) {
    const TopKeyRow& row = m_rows[static_cast<size_t>(i)];
    const int y = kHead + i * kRow;
    painter.setPen(widgets::color(Role::Muted));
    painter.drawText(QRect(0, y, 40, kRow - 2), Qt::AlignVCenter | Qt::AlignRight, QString::number(row.key));
    painter.setPen(widgets::color(Role::Text));
    const int room = right - 2 * (bar + 8) - 56;
    painter.drawText(QRect(50, y, room, kRow - 2), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(row.token, Qt::ElideRight, room));
    if (m_hasOutput) cell(right - 2 * (bar + 8), y, row.output, Role::Output);
    cell(right - bar, y, row.base, Role::Accent);
  }
}

bool TopKeys::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto index = static_cast<size_t>(std::max(0, help->pos().y() - kHead) / kRow);
  if (help->pos().y() < kHead || index >= m_rows.size()) {
    QToolTip::hideText();
    return true;
  }
  const TopKeyRow& row = m_rows[index];
  QToolTip::showText(help->globalPos(), widgets::plainTip({tr("key %1").arg(row.key), row.token}), this);
  return true;
}

}  // namespace orthros::studio
