#include "widgets/needle_map.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/format.h"

namespace orthros::widgets {
namespace {

using State = NeedleCell::State;

constexpr double kLeft = 44;
constexpr double kRight = 6;
constexpr double kTop = 26;
constexpr double kBottom = 52;  // lengths, names of the axes, legend
constexpr double kMarginGap = 5;
constexpr double kHatchStep = 6;
constexpr double kLeastTextWidth = 12;
constexpr double kLeastTextHeight = 12;
constexpr qint64 kKibi = 1024;
constexpr qint64 kMebi = kKibi * kKibi;

QString share(double value) {
  return formatPercent(value);
}

QString signedNumber(double value) {
  return (value > 0   ? QStringLiteral("+")
          : value < 0 ? QStringLiteral("−")
                      : QString()) +
         QString::number(std::abs(value), 'f', 2);
}

QString stateText(State state) {
  switch (state) {
    case State::Pending:
      return NeedleMap::tr("not run yet");
    case State::Running:
      return NeedleMap::tr("running");
    case State::OutOfMemory:
      return NeedleMap::tr("out of memory");
    case State::Timeout:
      return NeedleMap::tr("out of time");
    case State::Failed:
      return NeedleMap::tr("failed");
    case State::Skipped:
      return NeedleMap::tr("left out");
    case State::Done:
      break;
  }
  return {};
}

bool isMissing(State state) {
  return state == State::OutOfMemory || state == State::Timeout || state == State::Failed ||
         state == State::Skipped;
}

// Lines, not a pattern brush: SVG files have no such brush. Both ways where something went wrong.
void paintHatch(QPainter& painter, const QRectF& box, bool crossed) {
  const double size = box.width() + box.height();
  for (double at = kHatchStep; at < size; at += kHatchStep) {
    const double right = std::min(at, box.width());
    const double down = std::min(at, box.height());
    painter.drawLine(QPointF(box.left() + right, box.top() + at - right),
                     QPointF(box.left() + at - down, box.top() + down));
    if (!crossed) continue;
    painter.drawLine(QPointF(box.right() - right, box.top() + at - right),
                     QPointF(box.right() - at + down, box.top() + down));
  }
}

}  // namespace

const NeedleCell* NeedleMapData::at(NeedleIndex index) const {
  if (index.length < 0 || index.depth < 0 || index.length > lengths.size() || index.depth > depths.size())
    return nullptr;
  const auto l = static_cast<size_t>(index.length);
  const auto d = static_cast<size_t>(index.depth);
  const auto rows = static_cast<size_t>(depths.size());
  const bool allLengths = index.length == lengths.size();
  const bool allDepths = index.depth == depths.size();
  if (allLengths && allDepths) return &all;
  if (allLengths) return d < byDepth.size() ? &byDepth[d] : nullptr;
  if (allDepths) return l < byLength.size() ? &byLength[l] : nullptr;
  return l * rows + d < cells.size() ? &cells[l * rows + d] : nullptr;
}

QString tokensText(qint64 tokens) {
  if (tokens >= kMebi && tokens % kMebi == 0) return QStringLiteral("%1M").arg(tokens / kMebi);
  if (tokens >= kKibi && tokens % kKibi == 0) return QStringLiteral("%1K").arg(tokens / kKibi);
  return QString::number(tokens);
}

NeedleMap::NeedleMap(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

void NeedleMap::setData(const NeedleMapData& data) {
  if (data.lengths != m_data.lengths || data.depths != m_data.depths) m_marked = {};
  m_data = data;
  setAccessibleName(data.title);
  setAccessibleDescription(readout(m_marked));
  update();
}

void NeedleMap::setMarked(NeedleIndex index) {
  if (m_marked == index) return;
  m_marked = index;
  setAccessibleDescription(readout(index));
  update();
}

QRectF NeedleMap::cellRect(NeedleIndex index) const {
  const auto columns = static_cast<double>(std::max<qsizetype>(1, m_data.lengths.size()));
  const auto rows = static_cast<double>(std::max<qsizetype>(1, m_data.depths.size()));
  const double wide = std::max(1.0, width() - kLeft - kRight - kMarginGap);
  const double high = std::max(1.0, height() - kTop - kBottom - kMarginGap);
  const double marginWide = std::clamp(wide / (columns + 1), 12.0, 52.0);
  const double marginHigh = std::clamp(high / (rows + 1), 10.0, 28.0);
  const double cellWide = std::max(1.0, (wide - marginWide) / columns);
  const double cellHigh = std::max(1.0, (high - marginHigh) / rows);
  const bool allLengths = index.length == m_data.lengths.size();
  const bool allDepths = index.depth == m_data.depths.size();
  return {kLeft + static_cast<double>(index.length) * cellWide + (allLengths ? kMarginGap : 0),
          kTop + static_cast<double>(index.depth) * cellHigh + (allDepths ? kMarginGap : 0),
          allLengths ? marginWide : cellWide, allDepths ? marginHigh : cellHigh};
}

NeedleIndex NeedleMap::cellAt(const QPointF& point) const {
  for (qsizetype length = 0; length <= m_data.lengths.size(); ++length) {
    const QRectF column = cellRect({length, 0});
    if (point.x() < column.left() || point.x() >= column.right()) continue;
    for (qsizetype depth = 0; depth <= m_data.depths.size(); ++depth) {
      if (cellRect({length, depth}).contains(point) && m_data.at({length, depth}) != nullptr)
        return {length, depth};
    }
  }
  return {};
}

QString NeedleMap::cellText(const NeedleCell& cell) const {
  if (cell.state == State::OutOfMemory) return QStringLiteral("OOM");
  if (cell.state == State::Timeout) return QStringLiteral("T/O");
  if (cell.state == State::Failed) return QStringLiteral("!");
  if (!cell.hasValue()) return {};
  return m_data.isDifference ? signedNumber(cell.value)
                             : QStringLiteral("%1/%2").arg(cell.hits).arg(cell.trials);
}

QString NeedleMap::readout(NeedleIndex index) const {
  const NeedleCell* cell = m_data.at(index);
  if (cell == nullptr) return {};
  QStringList parts;
  const QString length = index.length == m_data.lengths.size()
                             ? tr("all lengths")
                             : tr("%1 tokens").arg(formatCount(m_data.lengths[index.length]));
  const QString depth = index.depth == m_data.depths.size()
                            ? tr("all depths")
                            : tr("depth %1").arg(share(m_data.depths[index.depth]));
  parts.append(tr("%1, %2").arg(length, depth));
  if (!cell->hasValue()) {
    parts.append(stateText(cell->state));
  } else if (m_data.isDifference) {
    parts.append(tr("difference %1 (95 %: %2 to %3) over %4 pairs")
                     .arg(signedNumber(cell->value), signedNumber(cell->low), signedNumber(cell->high))
                     .arg(cell->trials));
  } else {
    parts.append(tr("%1 of %2 found, %3 (95 %: %4 to %5)")
                     .arg(cell->hits)
                     .arg(cell->trials)
                     .arg(share(cell->value), share(cell->low), share(cell->high)));
    if (cell->state != State::Done) parts.append(stateText(cell->state));
  }
  if (cell->depthLow >= 0)
    parts.append(cell->depthLow == cell->depthHigh
                     ? tr("placed at %1").arg(share(cell->depthLow))
                     : tr("placed at %1 to %2").arg(share(cell->depthLow), share(cell->depthHigh)));
  if (std::isfinite(cell->mass))
    parts.append(tr("attention on the needle %1, even would be %2")
                     .arg(formatNumber(cell->mass), formatNumber(cell->uniform)));
  if (cell->cut > 0) parts.append(tr("%1 cut by the budget").arg(cell->cut));
  if (!cell->error.isEmpty()) parts.append(cell->error);
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

QColor NeedleMap::colorOf(double value) const {
  return m_data.isDifference ? theme().ramp(Ramp::Difference, (value + 1) / 2)
                             : theme().ramp(Ramp::Accuracy, value);
}

void NeedleMap::paintCell(QPainter& painter, const NeedleCell& cell, const QRectF& box) const {
  const QColor fill = cell.hasValue() ? colorOf(cell.value) : color(Role::Raised);
  painter.fillRect(box, fill);
  if (isMissing(cell.state)) {
    painter.setPen(QPen(color(Role::FieldLine), 1));
    paintHatch(painter, box, cell.state != State::Skipped);
  }
  // A large map has no room for texts: they are not even measured.
  const QString text =
      box.width() > kLeastTextWidth && box.height() > kLeastTextHeight ? cellText(cell) : QString();
  for (const int size : {11, 9}) {
    if (text.isEmpty()) break;
    const QFont mono = monoFont(size);
    const QFontMetricsF metrics(mono);
    if (metrics.horizontalAdvance(text) + 4 > box.width()) continue;
    painter.setFont(mono);
    if (isMissing(cell.state)) {  // readable over the hatch
      const QSizeF room(metrics.horizontalAdvance(text) + 6, metrics.height());
      painter.fillRect(QRectF(box.center() - QPointF(room.width() / 2, room.height() / 2), room),
                       color(Role::Surface));
      painter.setPen(color(Role::Bad));
    } else {
      painter.setPen(theme().textOn(fill));
    }
    painter.drawText(box, Qt::AlignCenter, text);
    break;
  }
  if (cell.state != State::Running) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color(Role::Surface), 4));
  painter.drawRect(box.adjusted(2, 2, -2, -2));
  painter.setPen(QPen(color(Role::Accent), 2));
  painter.drawRect(box.adjusted(1, 1, -1, -1));
}

void NeedleMap::paintAxes(QPainter& painter) const {
  QFont caption = font();
  caption.setPixelSize(11);
  painter.setFont(caption);
  painter.setPen(color(Role::Muted));
  const QFontMetricsF metrics(caption);
  double free = -1;  // nothing is written over what is there
  for (qsizetype depth = 0; depth < m_data.depths.size(); ++depth) {
    const QRectF box = cellRect({0, depth});
    if (box.center().y() - 7 < free) continue;
    painter.drawText(QRectF(0, box.center().y() - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     QStringLiteral("%1 %").arg(std::round(m_data.depths[depth] * 1000) / 10));
    free = box.center().y() + 7;
  }
  const QRectF foot = cellRect({0, m_data.depths.size()});
  if (foot.top() - 1 > free - 6)
    painter.drawText(QRectF(0, foot.center().y() - 8, kLeft - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     tr("all"));
  free = -1;
  for (qsizetype length = 0; length <= m_data.lengths.size(); ++length) {
    const QRectF box = cellRect({length, m_data.depths.size()});
    const QString text = length == m_data.lengths.size() ? tr("all") : tokensText(m_data.lengths[length]);
    const double half = metrics.horizontalAdvance(text) / 2 + 3;
    if (box.center().x() - half < free) continue;
    painter.drawText(QRectF(box.center().x() - half, box.bottom() + 2, 2 * half, 14), Qt::AlignCenter, text);
    free = box.center().x() + half;
  }
  painter.drawText(QRectF(kLeft, foot.bottom() + 16, width() - kLeft - kRight, 14),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(tr("needle's depth ↓   context, tokens →"), Qt::ElideRight,
                                      width() - kLeft - kRight));
}

void NeedleMap::paintLegend(QPainter& painter) const {
  const double y = height() - 15;
  const auto write = [&painter, y](double x, const QString& text) {
    painter.drawText(QRectF(x, y - 3, 200, 14), Qt::AlignLeft | Qt::AlignVCenter, text);
    return x + QFontMetricsF(painter.font()).horizontalAdvance(text) + 6;
  };
  constexpr int kSteps = 60;
  const double low = m_data.isDifference ? -1 : 0;
  double x = write(kLeft, m_data.isDifference ? QStringLiteral("−1") : QStringLiteral("0"));
  for (int i = 0; i < kSteps; ++i)
    painter.fillRect(QRectF(x + i * 1.2, y, 1.7, 8), colorOf(low + (1 - low) * i / (kSteps - 1)));
  x += kSteps * 1.2 + 6;
  painter.setPen(color(Role::Muted));
  write(x, m_data.isDifference ? tr("+1 difference") : tr("1 found"));
}

void NeedleMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QFont title = font();
  title.setPixelSize(12);
  title.setWeight(QFont::DemiBold);
  painter.setFont(title);
  double x = 2;
  if (!m_data.architecture.isEmpty()) {
    painter.fillRect(QRectF(x, 5, 4, 14), theme().architecture(m_data.architecture));
    x += 10;
  }
  painter.setPen(color(Role::Text));
  painter.drawText(
      QRectF(x, 2, width() - x, 20), Qt::AlignLeft | Qt::AlignVCenter,
      painter.fontMetrics().elidedText(m_data.title, Qt::ElideMiddle, static_cast<int>(width() - x)));
  if (m_data.lengths.isEmpty() || m_data.depths.isEmpty()) return;
  const QRectF sample = cellRect({0, 0});
  const double gap = sample.width() > 6 && sample.height() > 6 ? 1 : 0;
  for (qsizetype length = 0; length <= m_data.lengths.size(); ++length) {
    for (qsizetype depth = 0; depth <= m_data.depths.size(); ++depth) {
      const NeedleCell* cell = m_data.at({length, depth});
      if (cell != nullptr) paintCell(painter, *cell, cellRect({length, depth}).adjusted(0, 0, -gap, -gap));
    }
  }
  paintAxes(painter);
  paintLegend(painter);
  if (m_data.at(m_marked) == nullptr) return;
  const QRectF box = cellRect(m_marked);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color(Role::Surface), 1));
  painter.drawRect(box.adjusted(2.5, 2.5, -3.5, -3.5));
  painter.setPen(QPen(hasFocus() ? color(Role::Accent) : color(Role::Text), 2));
  painter.drawRect(box.adjusted(0.5, 0.5, -1.5, -1.5));
}

void NeedleMap::lookAt(NeedleIndex index) {
  if (m_marked == index) return;
  setMarked(index);
  Q_EMIT hovered(index);
}

void NeedleMap::mouseMoveEvent(QMouseEvent* event) {
  lookAt(cellAt(event->position()));
}

void NeedleMap::mousePressEvent(QMouseEvent* event) {
  const NeedleIndex index = cellAt(event->position());
  if (!index.isValid()) return;
  lookAt(index);
  Q_EMIT chosen(index);
}

void NeedleMap::keyPressEvent(QKeyEvent* event) {
  const auto move = [this](qsizetype lengths, qsizetype depths) {
    if (m_data.cells.empty()) return;
    const NeedleIndex from = m_data.at(m_marked) == nullptr ? NeedleIndex{0, 0} : m_marked;
    const NeedleIndex to{std::clamp<qsizetype>(from.length + lengths, 0, m_data.lengths.size()),
                         std::clamp<qsizetype>(from.depth + depths, 0, m_data.depths.size())};
    if (m_data.at(to) != nullptr) lookAt(to);
  };
  switch (event->key()) {
    case Qt::Key_Up:
      return move(0, -1);
    case Qt::Key_Down:
      return move(0, 1);
    case Qt::Key_Left:
      return move(-1, 0);
    case Qt::Key_Right:
      return move(1, 0);
    case Qt::Key_Space:
    case Qt::Key_Return:
      if (m_marked.isValid() && event->modifiers() == Qt::NoModifier) {
        Q_EMIT chosen(m_marked);
        return;
      }
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void NeedleMap::leaveEvent(QEvent*) {
  lookAt({});
}

void NeedleMap::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  // The arrow keys begin somewhere that is seen.
  if (event->reason() != Qt::MouseFocusReason && !m_marked.isValid() && !m_data.cells.empty()) lookAt({0, 0});
  update();
}

}  // namespace orthros::widgets
