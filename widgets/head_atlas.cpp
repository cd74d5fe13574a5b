#include "widgets/head_atlas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <cmath>

#include "widgets/format.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kLeft = 28;
constexpr double kTop = 26;
constexpr double kFoot = 40;
constexpr double kGroupGap = 4;

}  // namespace

HeadAtlas::HeadAtlas(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Head atlas: layers down, heads across"));
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

void HeadAtlas::setView(const AtlasView& view) {
  m_view = view;
  m_most = 0;
  for (const std::vector<float>* values : {&view.base, &view.output}) {
    for (const float value : *values) {
      if (!std::isnan(value)) m_most = std::max<double>(m_most, value);
    }
  }
  if (m_most <= 0) m_most = 1;
  update();
}

void HeadAtlas::select(int layer, int head) {
  if (m_view.layers == 0) return;
  m_layer = std::clamp(layer, 0, m_view.layers - 1);
  m_head = std::clamp(head, 0, m_view.heads - 1);
  setAccessibleDescription(tr("layer %1, head %2").arg(m_layer).arg(m_head));
  update();
  Q_EMIT selected(m_layer, m_head);
}

void HeadAtlas::selectNextStrongest() {
  if (m_view.layers == 0) return;
  const std::vector<float>& values = ranked();
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(values.size()); ++i) {
    if (!std::isnan(values[static_cast<size_t>(i)])) order.push_back(i);
  }
  if (order.empty()) return;
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](int i) { return values[static_cast<size_t>(i)]; });
  const auto found = std::ranges::find(order, m_layer * m_view.heads + m_head);
  // From a head that was not come to this way, the strongest comes first.
  const bool walking = m_walked == m_layer * m_view.heads + m_head && found != order.end();
  const int next = walking && found + 1 != order.end() ? *(found + 1) : order.front();
  m_walked = next;
  select(next / m_view.heads, next % m_view.heads);
}

int HeadAtlas::rank() const {
  const std::vector<float>& values = ranked();
  const int index = m_layer * m_view.heads + m_head;
  if (m_layer < 0 || std::isnan(values[static_cast<size_t>(index)])) return 0;
  const float own = values[static_cast<size_t>(index)];
  return 1 + static_cast<int>(std::ranges::count_if(values, [own](float value) { return value > own; }));
}

QRectF HeadAtlas::cellRect(int layer, int head) const {
  const int groups = (m_view.heads + m_view.headsPerGroup - 1) / std::max(1, m_view.headsPerGroup);
  const double wide = (width() - kLeft - 4 - kGroupGap * (groups - 1)) / m_view.heads;
  const double high = (height() - kTop - kFoot) / m_view.layers;
  const double left = kLeft + head * wide + (head / std::max(1, m_view.headsPerGroup)) * kGroupGap;
  return {left, kTop + layer * high, wide - 1, high - 1};
}

bool HeadAtlas::cellAt(const QPointF& point, int* layer, int* head) const {
  for (int l = 0; l < m_view.layers; ++l) {
    const QRectF first = cellRect(l, 0);
    if (point.y() < first.top() || point.y() > first.bottom() + 1) continue;
    for (int h = 0; h < m_view.heads; ++h) {
      if (!cellRect(l, h).adjusted(0, 0, 1, 1).contains(point)) continue;
      *layer = l;
      *head = h;
      return true;
    }
  }
  return false;
}

void HeadAtlas::paintCell(QPainter& painter, int layer, int head) const {
  const QRectF cell = cellRect(layer, head);
  const auto index = static_cast<size_t>(layer * m_view.heads + head);
  painter.setPen(Qt::NoPen);
  const auto missing = QBrush(color(Role::FieldLine), Qt::BDiagPattern);
  const float base = m_view.base[index];
  painter.fillRect(cell, std::isnan(base) ? missing : QBrush(theme().ramp(Ramp::Base, base / m_most)));
  if (!m_view.output.empty() && !std::isnan(m_view.output[index])) {
    QPainterPath upper;
    upper.addPolygon(QPolygonF({cell.topLeft(), cell.topRight(), cell.bottomRight()}));
    painter.fillPath(upper, theme().ramp(Ramp::Output, m_view.output[index] / m_most));
  }
  if (layer == m_layer && head == m_head) {
    painter.setPen(QPen(color(Role::Text), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cell.adjusted(0, 0, 0, 0));
  }
}

void HeadAtlas::paintAxes(QPainter& painter) const {
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  painter.setPen(color(Role::Muted));
  const double high = cellRect(0, 0).height() + 1;
  const int layerStep = high < 12 ? 5 : 1;
  for (int layer = 0; layer < m_view.layers; layer += layerStep)
    painter.drawText(QRectF(0, cellRect(layer, 0).center().y() - 8, kLeft - 6, 16),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(layer));
  const int headStep = cellRect(0, 0).width() < 16 ? 4 : 1;
  for (int head = 0; head < m_view.heads; head += headStep)
    painter.drawText(QRectF(cellRect(0, head).center().x() - 14, 0, 28, 16), Qt::AlignCenter,
                     QString::number(head));
  // Heads that share one key-value head stand under one bracket.
  painter.setPen(QPen(color(Role::FieldLine), 1));
  for (int head = 0; head < m_view.heads && m_view.headsPerGroup > 1; head += m_view.headsPerGroup) {
    const int last = std::min(head + m_view.headsPerGroup, m_view.heads) - 1;
    const double left = cellRect(0, head).left();
    const double right = cellRect(0, last).right();
    painter.drawPolyline(QPolygonF({{left, 22}, {left, 19}, {right, 19}, {right, 22}}));
  }
  // Both ramps with their ends.
  const double y = height() - 14;
  painter.setPen(color(Role::Muted));
  painter.drawText(QRectF(0, y - 24, width() - 4.0, 16), Qt::AlignLeft | Qt::AlignVCenter, m_view.measure);
  const double half = (width() - 4.0) / 2 - 8;
  const auto legend = [&](double left, Ramp ramp, const QString& name) {
    painter.drawText(QRectF(left, y - 2, 16, 12), Qt::AlignLeft | Qt::AlignVCenter, name);
    for (int i = 0; i < 40; ++i)
      painter.fillRect(QRectF(left + 18 + i * (half - 70) / 40, y, (half - 70) / 40 + 1, 8),
                       theme().ramp(ramp, i / 39.0));
    painter.drawText(QRectF(left + half - 48, y - 2, 56, 12), Qt::AlignLeft | Qt::AlignVCenter,
                     formatNumber(m_most));
  };
  legend(0, Ramp::Base, QStringLiteral("x"));
  if (!m_view.output.empty()) legend(half + 16, Ramp::Output, QStringLiteral("x′"));
}

void HeadAtlas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (m_view.layers == 0) return;
  for (int layer = 0; layer < m_view.layers; ++layer) {
    for (int head = 0; head < m_view.heads; ++head) paintCell(painter, layer, head);
  }
  if (m_layer >= 0) paintCell(painter, m_layer, m_head);  // its frame lies over its neighbours
  paintAxes(painter);
}

void HeadAtlas::mousePressEvent(QMouseEvent* event) {
  int layer = 0;
  int head = 0;
  if (m_view.layers > 0 && cellAt(event->position(), &layer, &head)) select(layer, head);
}

void HeadAtlas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
      select(m_layer - 1, m_head);
      break;
    case Qt::Key_Down:
      select(m_layer + 1, m_head);
      break;
    case Qt::Key_Left:
      select(m_layer, m_head - 1);
      break;
    case Qt::Key_Right:
      select(m_layer, m_head + 1);
      break;
    case Qt::Key_N:
      selectNextStrongest();
      break;
    default:
      QWidget::keyPressEvent(event);
  }
}

bool HeadAtlas::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  int layer = 0;
  int head = 0;
  if (m_view.layers == 0 || !cellAt(help->pos(), &layer, &head)) {
    QToolTip::hideText();
    return true;
  }
  const auto index = static_cast<size_t>(layer * m_view.heads + head);
  QString text = tr("layer %1, head %2\nx: %3").arg(layer).arg(head).arg(formatNumber(m_view.base[index]));
  if (!m_view.output.empty()) text += tr("\nx′: %1").arg(formatNumber(m_view.output[index]));
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

}  // namespace orthros::widgets
