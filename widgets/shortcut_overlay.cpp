#include "widgets/shortcut_overlay.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>

#include "widgets/theme.h"

namespace orthros::widgets {

ShortcutOverlay::ShortcutOverlay(QWidget* window) : QWidget(window) {
  setObjectName(QStringLiteral("shortcutOverlay"));
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Keyboard shortcuts"));
  hide();
}

void ShortcutOverlay::open(const QList<QAction*>& actions, const QList<ShortcutRow>& more) {
  m_rows.clear();
  for (const QAction* action : actions) {
    if (!action->shortcut().isEmpty() && action->isVisible())
      m_rows.append(
          {action->shortcut().toString(QKeySequence::NativeText), QString(action->text()).remove(u'&')});
  }
  m_rows += more;
  QStringList lines;
  for (const ShortcutRow& row : m_rows) lines.append(row.keys + u' ' + row.what);
  setAccessibleDescription(lines.join(u'\n'));
  setGeometry(parentWidget()->rect());
  show();
  raise();
  setFocus();
}

void ShortcutOverlay::paintEvent(QPaintEvent*) {
  constexpr int kColumn = 400;
  constexpr int kHead = 88;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QColor veil = color(Role::Window);
  veil.setAlphaF(0.8F);
  painter.fillRect(rect(), veil);
  // As many columns as the rows need, and as fit; then lower rows.
  constexpr int kTallest = 30;
  constexpr int kLowest = 18;
  const auto count = static_cast<int>(m_rows.size());
  const int room = std::max(kTallest, height() - kHead - 32);
  const int wanted = std::max(count > 9 ? 2 : 1, (count * kTallest + room - 1) / room);
  const int columns = std::clamp(wanted, 1, std::max(1, (width() - 64) / kColumn));
  const int lines = (count + columns - 1) / columns;
  const int rowHeight = std::clamp(room / std::max(1, lines), kLowest, kTallest);
  QRect sheet(0, 0, columns * kColumn + 48, lines * rowHeight + kHead);
  sheet.moveCenter(rect().center());
  painter.setPen(color(Role::Line));
  painter.setBrush(color(Role::Surface));
  painter.drawRoundedRect(QRectF(sheet).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
  QFont title = font();
  title.setPixelSize(16);
  title.setWeight(QFont::DemiBold);
  painter.setFont(title);
  painter.setPen(color(Role::Text));
  painter.drawText(sheet.adjusted(24, 20, 0, 0), tr("Keyboard"));
  for (int i = 0; i < m_rows.size(); ++i) {
    const QRect row(sheet.left() + 24 + (i / lines) * kColumn, sheet.top() + 60 + (i % lines) * rowHeight,
                    kColumn, rowHeight);
    painter.setFont(monoFont(12));
    const int wide = painter.fontMetrics().horizontalAdvance(m_rows[i].keys) + 16;
    const double inset = rowHeight >= 26 ? 4.5 : 1.5;
    const QRectF key(row.left() + 0.5, row.top() + inset, wide, rowHeight - 2 * inset);
    painter.setPen(color(Role::Line));
    painter.setBrush(color(Role::Raised));
    painter.drawRoundedRect(key, 4, 4);
    painter.setPen(color(Role::Text));
    painter.drawText(key, Qt::AlignCenter, m_rows[i].keys);
    painter.setFont(font());
    painter.drawText(row.adjusted(118, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft, m_rows[i].what);
  }
}

void ShortcutOverlay::keyPressEvent(QKeyEvent*) {
  hide();
}

void ShortcutOverlay::mousePressEvent(QMouseEvent*) {
  hide();
}

}  // namespace orthros::widgets
