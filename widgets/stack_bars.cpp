#include "widgets/stack_bars.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/format.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kHead = 22;
constexpr double kLegend = 18;
constexpr double kLeft = 8;
constexpr double kMostRow = 20;
constexpr double kLeastRow = 11;
constexpr double kValue = 62;  // room for the total behind a bar
constexpr double kSwatch = 12;

// The second part is the first one's colour, hatched: told apart without the colour.
void fill(QPainter& painter, const QRectF& box, const QColor& colour, bool second) {
  if (!second) {
    painter.fillRect(box, colour);
    return;
  }
  QColor soft = colour;
  soft.setAlphaF(0.28F);
  painter.fillRect(box, soft);
  painter.save();
  painter.setPen(QPen(colour, 1));
  painter.setBrush(Qt::NoBrush);
  if (box.width() > 1) painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
  painter.restore();
}

}  // namespace

StackBars::StackBars(QWidget* parent) : QWidget(parent) {
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

void StackBars::setData(const StackBarsData& data) {
  m_data = data;
  setAccessibleName(data.title);
  QStringList lines;
  for (size_t i = 0; i < data.bars.size(); ++i) lines.append(readout(i));
  setAccessibleDescription(lines.join(u'\n'));
  updateGeometry();
  update();
}

QSize StackBars::minimumSizeHint() const {
  const auto rows = static_cast<double>(this->rows().size());
  return {220, std::max(160, static_cast<int>(kHead + kLegend + 8 + rows * kLeastRow))};
}

double StackBars::rowHeight() const {
  size_t count = 0;
  QString group;
  for (const StackBar& bar : m_data.bars) {
    count += bar.group == group && count > 0 ? 1 : 2;
    group = bar.group;
  }
  const double room = height() - kHead - kLegend - 8;
  return count == 0 ? kMostRow : std::clamp(room / static_cast<double>(count), kLeastRow, kMostRow);
}

std::vector<StackBars::Row> StackBars::rows() const {
  std::vector<Row> rows;
  const double high = rowHeight();
  double top = kHead + kLegend + 2;
  for (size_t i = 0; i < m_data.bars.size(); ++i) {
    if (i == 0 || m_data.bars[i].group != m_data.bars[i - 1].group) {
      rows.push_back({top, true, i});
      top += high;
    }
    rows.push_back({top, false, i});
    top += high;
  }
  return rows;
}

double StackBars::labelWidth() const {
  const QFontMetricsF metrics(fontOf(*this, 11));
  double wide = 0;
  for (const StackBar& bar : m_data.bars) wide = std::max(wide, metrics.horizontalAdvance(bar.label));
  return std::min(wide + 8, width() * 0.35);
}

double StackBars::scale() const {
  double most = 0;
  for (const StackBar& bar : m_data.bars) most = std::max(most, bar.first + bar.second);
  const double room = std::max(1.0, width() - 2 * kLeft - labelWidth() - kValue);
  return most > 0 ? room / most : 0;
}

QRectF StackBars::barRect(size_t index) const {
  for (const Row& row : rows()) {
    if (row.isGroup || row.bar != index) continue;
    const StackBar& bar = m_data.bars[index];
    const double high = rowHeight();
    return {kLeft + labelWidth(), row.top + 1.5, (bar.first + bar.second) * scale(), high - 3};
  }
  return {};
}

QString StackBars::readout(size_t index) const {
  const StackBar& bar = m_data.bars[index];
  const double all = bar.first + bar.second;
  QStringList parts{bar.group, bar.label};
  if (all > 0) {
    parts.append(tr("%1 %2").arg(formatNumber(all), m_data.axis));
    parts.append(
        tr("%1 %2 %3 (%4)")
            .arg(m_data.firstName, formatNumber(bar.first), m_data.axis, formatPercent(bar.first / all)));
    parts.append(tr("%1 %2 %3").arg(m_data.secondName, formatNumber(bar.second), m_data.axis));
  }
  parts.append(bar.note);
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

bool StackBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (size_t i = 0; i < m_data.bars.size(); ++i) {
    const QRectF bar = barRect(i);
    if (help->pos().y() < bar.top() || help->pos().y() > bar.bottom()) continue;
    QToolTip::showText(help->globalPos(), readout(i), this);
    return true;
  }
  QToolTip::hideText();
  return true;
}

void StackBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(fontOf(*this, 13, QFont::DemiBold));
  painter.setPen(color(Role::Text));
  painter.drawText(QRectF(kLeft, 0, width() - kLeft, kHead), Qt::AlignLeft | Qt::AlignVCenter, m_data.title);
  const double after = kLeft + painter.fontMetrics().horizontalAdvance(m_data.title) + 10;
  painter.setFont(fontOf(*this, 11));
  painter.setPen(color(Role::Muted));
  painter.drawText(QRectF(after, 1, width() - after, kHead), Qt::AlignLeft | Qt::AlignVCenter, m_data.axis);
  if (m_data.bars.empty()) {
    painter.setFont(fontOf(*this, 12));
    painter.drawText(QRectF(rect()).adjusted(16, kHead, -16, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     m_data.empty);
    return;
  }
  double x = kLeft;
  for (const bool second : {false, true}) {
    const QString name = second ? m_data.secondName : m_data.firstName;
    fill(painter, {x, kHead + 3, kSwatch, kSwatch}, color(Role::Muted), second);
    painter.setPen(color(Role::Text));
    painter.drawText(QRectF(x + kSwatch + 6, kHead, 200, kLegend), Qt::AlignLeft | Qt::AlignVCenter, name);
    x += kSwatch + 6 + painter.fontMetrics().horizontalAdvance(name) + 16;
  }
  const double high = rowHeight();
  const QFont small = fontOf(*this, std::min(11, static_cast<int>(high)));
  for (const Row& row : rows()) {
    const StackBar& bar = m_data.bars[row.bar];
    painter.setFont(small);
    if (row.isGroup) {
      painter.setPen(color(Role::Muted));
      painter.drawText(QRectF(kLeft, row.top, width() - kLeft, high), Qt::AlignLeft | Qt::AlignBottom,
                       bar.group);
      continue;
    }
    const QRectF box = barRect(row.bar);
    const double names = labelWidth();
    painter.setPen(color(Role::Text));
    painter.drawText(
        QRectF(kLeft, row.top, names - 6, high), Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(bar.label, Qt::ElideRight, static_cast<int>(names - 6)));
    const double all = bar.first + bar.second;
    if (!(all > 0)) {
      painter.setPen(color(Role::Muted));
      painter.drawText(QRectF(box.left(), row.top, width() - box.left() - kLeft, high),
                       Qt::AlignLeft | Qt::AlignVCenter, bar.note);
      continue;
    }
    const QColor colour = theme().architecture(bar.architecture);
    const QRectF first(box.left(), box.top(), bar.first * scale(), box.height());
    fill(painter, first, colour, false);
    fill(painter, {first.right(), box.top(), box.right() - first.right(), box.height()}, colour, true);
    const QString share = QStringLiteral("%1 %").arg(std::lround(bar.first / all * 100));
    if (first.width() > painter.fontMetrics().horizontalAdvance(share) + 8) {
      painter.setPen(theme().textOn(colour));
      painter.drawText(first.adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, share);
    }
    painter.setPen(color(Role::Text));
    painter.drawText(QRectF(box.right() + 5, row.top, kValue, high), Qt::AlignLeft | Qt::AlignVCenter,
                     formatNumber(all));
  }
}

}  // namespace orthros::widgets
