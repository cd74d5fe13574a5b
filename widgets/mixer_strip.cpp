#include "widgets/mixer_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/theme.h"

namespace orthros::widgets {

MixerStrip::MixerStrip(QWidget* parent) : QWidget(parent) {
  setFixedHeight(18);
  setAccessibleName(tr("Layers"));
}

void MixerStrip::setTicks(const QList<MixerTick>& ticks) {
  m_ticks = ticks;
  QStringList lines;
  for (const MixerTick& tick : ticks) lines.append(tick.text);
  setAccessibleDescription(lines.join(u'\n'));
  update();
}

QRectF MixerStrip::tickRect(qsizetype index) const {
  const double wide = static_cast<double>(width() + 2) / static_cast<double>(m_ticks.size());
  const double gap = wide > 6 ? 2 : 1;
  return {static_cast<double>(index) * wide, 0, wide - gap, static_cast<double>(height())};
}

void MixerStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  for (qsizetype i = 0; i < m_ticks.size(); ++i) {
    QRectF tick = tickRect(i);
    painter.setBrush(theme().architecture(m_ticks[i].architecture));
    // A shape of its own as well as a colour: a window layer is half as high.
    if (m_ticks[i].architecture == u"swa") tick.setTop(height() / 2.0);
    painter.drawRoundedRect(tick, 2, 2);
    if (m_ticks[i].architecture == u"orthros") {  // two streams: a cut between them
      painter.setBrush(color(Role::Surface));
      painter.drawRect(QRectF(tick.left(), height() / 2.0 - 1, tick.width(), 2));
    }
  }
}

bool MixerStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (qsizetype i = 0; i < m_ticks.size(); ++i) {
    if (tickRect(i).contains(help->pos())) QToolTip::showText(help->globalPos(), m_ticks[i].text, this);
  }
  return true;
}

}  // namespace orthros::widgets
