#include "widgets/needle_map.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QTimer>
#include <algorithm>

#include "widgets/format.h"
#include "widgets/motion.h"

namespace orthros::widgets {
namespace {

using State = NeedleCell::State;

constexpr int kPulseEveryMs = 50;

QString share(double value) {
  return formatPercent(value);
}

QString signedNumber(double value) {
  return (value > 0   ? QStringLiteral("+")
          : value < 0 ? QStringLiteral("−")
                      : QString()) +
         QString::number(std::abs(value), 'f', 2);
}

// Two digits that say something: no "0.00" for 0.004.
QString shortNumber(double value) {
  return (value < 0 ? QStringLiteral("−") : QString()) + QString::number(std::abs(value), 'g', 2);
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

}  // namespace

NeedleMap::NeedleMap(QWidget* parent) : QWidget(parent), m_pulse(new QTimer(this)) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  m_pulse->setInterval(kPulseEveryMs);
  m_sincePulse.start();
  connect(m_pulse, &QTimer::timeout, this, qOverload<>(&QWidget::update));
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, &NeedleMap::relayout);
}

void NeedleMap::setData(const NeedleMapData& data) {
  if (data.lengths != m_data.lengths || data.depths != m_data.depths) m_marked = {};
  m_data = data;
  setAccessibleName(data.title);
  setAccessibleDescription(readout(m_marked));
  relayout();
  updatePulse();
}

void NeedleMap::setStyle(const NeedleStyle& style) {
  if (style == m_style) return;
  m_style = style;
  relayout();
}

void NeedleMap::relayout() {
  m_grid = NeedleGrid(m_data, m_style, size());
  m_still = {};
  update();
}

void NeedleMap::setMarked(NeedleIndex index) {
  if (m_marked == index) return;
  m_marked = index;
  setAccessibleDescription(readout(index));
  update();
}

NeedleIndex NeedleMap::cellAt(const QPointF& point) const {
  const NeedleIndex index = m_grid.at(point);
  return m_data.at(index) == nullptr ? NeedleIndex{} : index;
}

QString NeedleMap::cellText(const NeedleCell& cell) const {
  if (cell.state == State::OutOfMemory) return QStringLiteral("OOM");
  if (cell.state == State::Timeout) return QStringLiteral("T/O");
  if (cell.state == State::Failed) return QStringLiteral("!");
  const double value = shown(cell);
  if (std::isnan(value)) return {};
  if (measure() != NeedleMeasure::Found) return shortNumber(value);
  return m_data.isDifference ? signedNumber(value) : QStringLiteral("%1/%2").arg(cell.hits).arg(cell.trials);
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
  if (std::isfinite(cell->fromEnd))
    parts.append(tr("%1 tokens from the end").arg(formatCount(std::llround(cell->fromEnd))));
  if (std::isfinite(cell->mass))
    parts.append(tr("attention on the needle %1, even would be %2")
                     .arg(formatNumber(cell->mass), formatNumber(cell->uniform)));
  if (std::isfinite(cell->logProbability))
    parts.append(tr("right answer %1 nats an id").arg(formatNumber(cell->logProbability)));
  if (cell->cut > 0) parts.append(tr("%1 cut by the budget").arg(cell->cut));
  if (!cell->error.isEmpty()) parts.append(cell->error);
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

bool NeedleMap::isPulsing() const {
  return m_pulse->isActive();
}

void NeedleMap::updatePulse() {
  const bool running =
      std::ranges::any_of(m_data.cells, [](const NeedleCell& cell) { return cell.state == State::Running; });
  const bool wanted = running && isVisible() && !isMotionReduced();
  if (wanted == m_pulse->isActive()) return;
  if (wanted) {
    m_sincePulse.restart();
    m_pulse->start();
  } else {
    m_pulse->stop();
  }
}

void NeedleMap::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  relayout();
}

void NeedleMap::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  updatePulse();
}

void NeedleMap::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  m_pulse->stop();
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
