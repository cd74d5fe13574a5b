#include "widgets/head_atlas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>
#include <numeric>

#include "widgets/cell_marks.h"
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
  sortHeads();
  update();
}

// Strongest first; what was not captured comes last.
void HeadAtlas::sortHeads() {
  const auto heads = static_cast<int>(m_view.layers) * m_view.heads;
  m_headAt.resize(static_cast<size_t>(heads));
  std::iota(m_headAt.begin(), m_headAt.end(), 0);
  const auto sort = [this](auto begin, auto end) {
    std::stable_sort(begin, end, [this](int a, int b) {
      const float one = ranked()[static_cast<size_t>(a)];
      const float two = ranked()[static_cast<size_t>(b)];
      return std::isnan(two) ? !std::isnan(one) : one > two;
    });
  };
  if (m_view.order == AtlasOrder::Global) sort(m_headAt.begin(), m_headAt.end());
  for (int layer = 0; layer < m_view.layers && m_view.order == AtlasOrder::WithinLayer; ++layer) {
    const auto begin = m_headAt.begin() + static_cast<std::ptrdiff_t>(layer) * m_view.heads;
    sort(begin, begin + m_view.heads);
  }
  m_slotOf.resize(m_headAt.size());
  for (int slot = 0; slot < heads; ++slot)
    m_slotOf[static_cast<size_t>(m_headAt[static_cast<size_t>(slot)])] = slot;
}

void HeadAtlas::select(int layer, int head) {
  if (m_view.layers == 0) return;
  m_layer = std::clamp(layer, 0, m_view.layers - 1);
  m_head = std::clamp(head, 0, m_view.heads - 1);
  setAccessibleDescription(headName(index()));
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

QRectF HeadAtlas::slotRect(int slot) const {
  const int row = slot / m_view.heads;
  const int column = slot % m_view.heads;
  const int perGroup = std::max(1, m_view.headsPerGroup);
  const bool grouped = m_view.order == AtlasOrder::ByIndex;
  const int groups = grouped ? (m_view.heads + perGroup - 1) / perGroup : 1;
  const double wide = (width() - kLeft - 4 - kGroupGap * (groups - 1)) / m_view.heads;
  const double high = (height() - kTop - kFoot) / m_view.layers;
  const double left = kLeft + column * wide + (grouped ? column / perGroup : 0) * kGroupGap;
  return {left, kTop + row * high, wide - 1, high - 1};
}

QRectF HeadAtlas::cellRect(int layer, int head) const {
  return slotRect(m_slotOf[static_cast<size_t>(layer * m_view.heads + head)]);
}

bool HeadAtlas::cellAt(const QPointF& point, int* layer, int* head) const {
  for (int slot = 0; slot < static_cast<int>(m_headAt.size()); ++slot) {
    if (!slotRect(slot).adjusted(0, 0, 1, 1).contains(point)) continue;
    *layer = m_headAt[static_cast<size_t>(slot)] / m_view.heads;
    *head = m_headAt[static_cast<size_t>(slot)] % m_view.heads;
    return true;
  }
  return false;
}

namespace {

// On a plate of its own: a cell has two colours.
void paintLetter(QPainter& painter, const QRectF& cell, const QString& letter) {
  if (letter.isEmpty() || cell.height() < 8) return;
  painter.setFont(monoFont(static_cast<int>(std::clamp(cell.height() - 1, 8.0, 12.0))));
  const QRectF plate(cell.center().x() - 5, cell.top() + 1, 10, cell.height() - 2);
  painter.fillRect(plate, color(Role::Surface));
  painter.setPen(color(Role::Text));
  painter.drawText(plate, Qt::AlignCenter, letter);
}

}  // namespace

void HeadAtlas::paintCell(QPainter& painter, int layer, int head) const {
  const QRectF cell = cellRect(layer, head);
  const auto index = static_cast<size_t>(layer * m_view.heads + head);
  painter.setPen(Qt::NoPen);
  const float base = m_view.base[index];
  const float output = m_view.output.empty() ? base : m_view.output[index];
  const QPolygonF lower({cell.topLeft(), cell.bottomRight(), cell.bottomLeft()});
  const QPolygonF upper({cell.topLeft(), cell.topRight(), cell.bottomRight()});
  const auto half = [&](const QPolygonF& part, Ramp ramp, float value) {
    if (std::isnan(value)) return fillHatched(painter, part, color(Role::FieldLine), 4);
    painter.setBrush(theme().ramp(ramp, value / m_most));
    painter.drawPolygon(part);
  };
  if (m_view.output.empty() || (std::isnan(base) && std::isnan(output))) {
    if (std::isnan(base)) {
      fillHatched(painter, cell, color(Role::FieldLine), 4);
    } else {
      painter.fillRect(cell, theme().ramp(Ramp::Base, base / m_most));
    }
  } else {
    if (!std::isnan(base)) painter.fillRect(cell, theme().ramp(Ramp::Base, base / m_most));  // no seam
    if (std::isnan(base)) half(lower, Ramp::Base, base);
    half(upper, Ramp::Output, output);
  }
  paintLetter(painter, cell, m_view.letters.value(static_cast<qsizetype>(index)));
  if (layer == m_layer && head == m_head) {
    painter.setPen(QPen(color(Role::Text), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cell.adjusted(0, 0, 0, 0));
  }
}

// Heads that share one key-value head stand under one bracket.
void HeadAtlas::paintBrackets(QPainter& painter) const {
  painter.setPen(QPen(color(Role::FieldLine), 1));
  for (int head = 0; head < m_view.heads && m_view.headsPerGroup > 1; head += m_view.headsPerGroup) {
    const int last = std::min(head + m_view.headsPerGroup, m_view.heads) - 1;
    const double left = slotRect(head).left();
    const double right = slotRect(last).right();
    painter.drawPolyline(QPolygonF({{left, 22}, {left, 19}, {right, 19}, {right, 22}}));
  }
}

void HeadAtlas::paintAxes(QPainter& painter) const {
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  painter.setPen(color(Role::Muted));
  const double high = slotRect(0).height() + 1;
  const int rowStep = high < 12 ? 5 : 1;
  const bool byRank = m_view.order == AtlasOrder::Global;
  for (int row = 0; row < m_view.layers; row += rowStep)
    painter.drawText(QRectF(0, slotRect(row * m_view.heads).center().y() - 8, kLeft - 6, 16),
                     Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(byRank ? row * m_view.heads + 1 : row));
  if (m_view.order == AtlasOrder::ByIndex) {
    const int headStep = slotRect(0).width() < 16 ? 4 : 1;
    for (int head = 0; head < m_view.heads; head += headStep)
      painter.drawText(QRectF(slotRect(head).center().x() - 14, 0, 28, 16), Qt::AlignCenter,
                       QString::number(head));
    paintBrackets(painter);
  } else {
    painter.drawText(
        QRectF(kLeft, 0, width() - kLeft - 4, 16), Qt::AlignLeft | Qt::AlignVCenter,
        byRank ? tr("rank of all heads, strongest first") : tr("strongest head of each layer first"));
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

QString HeadAtlas::headName(int index) const {
  const auto at = static_cast<size_t>(index);
  const auto number = [](float value) {
    return std::isnan(value) ? tr("not captured") : formatNumber(value);
  };
  QString text = tr("layer %1, head %2, KV head %3\nx: %4")
                     .arg(index / m_view.heads)
                     .arg(index % m_view.heads)
                     .arg(index % m_view.heads / std::max(1, m_view.headsPerGroup))
                     .arg(number(m_view.base[at]));
  if (!m_view.output.empty()) text += tr("\nx′: %1").arg(number(m_view.output[at]));
  const QString note = m_view.notes.value(index);
  return note.isEmpty() ? text : text + u'\n' + note;
}

// In the grid as it is shown.
void HeadAtlas::moveBy(int rows, int columns) {
  if (m_layer < 0 || m_headAt.empty()) return;
  const int slot = m_slotOf[static_cast<size_t>(index())];
  const int row = std::clamp(slot / m_view.heads + rows, 0, m_view.layers - 1);
  const int column = std::clamp(slot % m_view.heads + columns, 0, m_view.heads - 1);
  const int head = m_headAt[static_cast<size_t>(row * m_view.heads + column)];
  select(head / m_view.heads, head % m_view.heads);
}

void HeadAtlas::mousePressEvent(QMouseEvent* event) {
  int layer = 0;
  int head = 0;
  if (m_view.layers > 0 && cellAt(event->position(), &layer, &head)) select(layer, head);
}

void HeadAtlas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
      moveBy(-1, 0);
      break;
    case Qt::Key_Down:
      moveBy(1, 0);
      break;
    case Qt::Key_Left:
      moveBy(0, -1);
      break;
    case Qt::Key_Right:
      moveBy(0, 1);
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
  const QString text = headName(layer * m_view.heads + head);
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

}  // namespace orthros::widgets
