#include "widgets/step_bar.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kGroupGap = 10;  // between layers
constexpr double kTop = 15, kTall = 12;

}  // namespace

StepBar::StepBar(QWidget* parent) : QWidget(parent) {
  setFixedHeight(34);
  setCursor(Qt::PointingHandCursor);
  setAccessibleName(tr("Steps of the pass"));
}

void StepBar::setSteps(int layers, const QStringList& ofLayer, const QStringList& ofEnd) {
  m_layers = layers;
  m_ofLayer = ofLayer;
  m_ofEnd = ofEnd;
  update();
}

void StepBar::setCurrent(int index) {
  m_current = index;
  setAccessibleDescription(name(index));
  update();
}

QRectF StepBar::stepRect(int index) const {
  if (count() == 0) return {};
  const auto each = static_cast<int>(m_ofLayer.size());
  const double wide = (width() - kGroupGap * m_layers) / count();
  const int group = std::min(index / each, m_layers);
  return {index * wide + group * kGroupGap + 1, kTop, wide - 2, kTall};
}

int StepBar::indexAt(double x) const {
  for (int i = 0; i < count(); ++i) {
    if (x < stepRect(i).right() + 1) return i;
  }
  return count() - 1;
}

QString StepBar::name(int index) const {
  const auto each = static_cast<int>(m_ofLayer.size());
  if (each == 0) return {};
  const int layer = index / each;
  return layer < m_layers ? tr("layer %1, step %2: %3")
                                .arg(layer + 1)
                                .arg(index % each + 1)
                                .arg(m_ofLayer.value(index % each))
                          : tr("end: %1").arg(m_ofEnd.value(index - m_layers * each));
}

void StepBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  const auto each = static_cast<int>(m_ofLayer.size());
  for (int layer = 0; layer <= m_layers && count() > 0; ++layer) {
    painter.setPen(color(Role::Muted));
    const QRectF first = stepRect(layer * each);
    const int last = layer < m_layers ? (layer + 1) * each - 1 : count() - 1;
    painter.drawText(QRectF(first.left(), 0, stepRect(last).right() - first.left(), 14),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     layer < m_layers ? tr("layer %1").arg(layer + 1) : tr("end"));
  }
  painter.setPen(Qt::NoPen);
  for (int i = 0; i < count(); ++i) {
    painter.setBrush(color(i == m_current ? Role::Accent : i < m_current ? Role::FieldLine : Role::Line));
    painter.drawRoundedRect(stepRect(i), 3, 3);
  }
}

void StepBar::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT chosen(indexAt(event->position().x()));
}

void StepBar::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton) && indexAt(event->position().x()) != m_current)
    Q_EMIT chosen(indexAt(event->position().x()));
}

bool StepBar::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), name(indexAt(help->pos().x())), this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace orthros::widgets
