#include "widgets/pair_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <cmath>

#include "widgets/format.h"
#include "widgets/pair_raster.h"

namespace orthros::widgets {
namespace {

constexpr double kLeft = 88;
constexpr double kRight = 12;
constexpr double kTop = 24;
constexpr double kGap = 14;
constexpr double kBottom = 58;
constexpr double kMapRoom = 28;   // more at the bottom, for the mini-map in the corner
constexpr double kKeyText = 62;   // more at the bottom when keys have room for their tokens
constexpr double kTextCell = 14;  // pixels a token needs
constexpr double kBandShare = 0.28;
constexpr double kFewest = 6;  // keys or positions that fill a pane

}  // namespace

PairView::PairView(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("All rows of one head: base band left, output rows right"));
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, [this] { forget(); });
}

void PairView::setData(std::shared_ptr<const PairData> data) {
  const bool same = m_data && data && m_data->keys == data->keys;
  m_data = std::move(data);
  if (m_data && !m_data->facts) {  // of a test; a page's data comes with them
    auto whole = std::make_shared<PairData>(*m_data);
    whole->facts = factsOf(*m_data);
    m_data = std::move(whole);
  }
  if (!same) {
    m_position = m_key = -1;
    m_pinned = -1;
    fit();
  }
  forget();
}

void PairView::forget() {
  m_cache[0].valid = m_cache[1].valid = m_map.valid = false;
  m_banner.width = -1;
  update();
}

void PairView::setStyle(const WeightStyle& style) {
  m_style = style;
  forget();
}

void PairView::setStreams(Streams streams) {
  m_streams = streams;
  forget();
}

void PairView::setMorePins(const std::vector<qint64>& positions) {
  m_morePins = positions;
  update();
}

void PairView::setPinned(qint64 position) {
  m_pinned = position;
  m_banner.width = -1;
  update();
}

void PairView::setMarked(qint64 position, qint64 key) {
  m_position = position;
  m_key = key;
  m_binText.clear();
  if (m_data && position >= 0) setAccessibleDescription(readout(position, key));
  update();
}

void PairView::fit() {
  if (m_data) m_shown = QRectF(0, 0, static_cast<double>(m_data->keys), static_cast<double>(m_data->keys));
  forget();
}

void PairView::showArea(const QRectF& area) {
  if (!m_data) return;
  const auto keys = static_cast<double>(m_data->keys);
  const double wide = std::clamp(area.width(), std::min(kFewest, keys), keys);
  const double high = std::clamp(area.height(), std::min(kFewest, keys), keys);
  m_shown =
      QRectF(std::clamp(area.left(), 0.0, keys - wide), std::clamp(area.top(), 0.0, keys - high), wide, high);
  m_cache[0].valid = m_cache[1].valid = false;
  update();
}

void PairView::zoomAt(const QPointF& point, double factor, bool keys, bool positions) {
  const bool inOutput = hasOutput() && pane(true).contains(point);
  const QRectF at = pane(inOutput);
  QRectF area = m_shown;
  if (positions) {
    const double share = std::clamp((point.y() - at.top()) / at.height(), 0.0, 1.0);
    const double high = area.height() / factor;
    area = QRectF(area.left(), area.top() + share * (area.height() - high), area.width(), high);
  }
  if (keys) {
    const double share = inOutput ? std::clamp((point.x() - at.left()) / at.width(), 0.0, 1.0) : 0.5;
    const double wide = area.width() / factor;
    area = QRectF(area.left() + share * (area.width() - wide), area.top(), wide, area.height());
  }
  showArea(area);
  // The panes may have another size now; what lies under the point stays there.
  const QRectF now = pane(inOutput);
  const QPointF moved(inOutput ? (point.x() - at.left()) * (1 / at.width() - 1 / now.width()) : 0.0,
                      (point.y() - at.top()) * (1 / at.height() - 1 / now.height()));
  if (!moved.isNull())
    showArea(m_shown.translated(moved.x() * m_shown.width(), moved.y() * m_shown.height()));
}

double PairView::positionHeight() const {
  return pane(false).height() / m_shown.height();
}

double PairView::keyWidth() const {
  const double wide = width() - kLeft - kRight;
  return (hasOutput() && hasBase() ? wide * (1 - kBandShare) - kGap : wide) / m_shown.width();
}

QRectF PairView::pane(bool output) const {
  const double wide = width() - kLeft - kRight;
  const bool hasText = m_data && !m_shown.isEmpty() && keyWidth() >= kTextCell;
  const double below = (hasText ? kKeyText : 0) + (hasLane() ? bannerStrip(0).height() + 4 : 0);
  const double bottom = kBottom + std::max(below, hasMap() ? kMapRoom : 0.0);
  const double high = std::max(20.0, height() - kTop - bottom);
  if (!hasOutput() || !hasBase()) return {kLeft, kTop, wide, high};
  const double band = wide * kBandShare;
  return output ? QRectF(kLeft + band + kGap, kTop, wide - band - kGap, high)
                : QRectF(kLeft, kTop, band, high);
}

QRectF PairView::areaOf(bool output) const {
  // A base matrix over all keys (no window) is panned like the output's.
  if (output || m_data->window == 0) return m_shown;
  return {0, m_shown.top(), static_cast<double>(m_data->base.columns()), m_shown.height()};
}

std::pair<qint64, qint64> PairView::under(const QPointF& point) const {
  if (!m_data) return {-1, -1};
  for (const bool output : {false, true}) {
    const QRectF at = pane(output);
    if (!(output ? hasOutput() : hasBase()) || !at.contains(point)) continue;
    const QRectF area = areaOf(output);
    const auto position =
        static_cast<qint64>(area.top() + (point.y() - at.top()) / at.height() * area.height());
    const auto column =
        static_cast<qint64>(area.left() + (point.x() - at.left()) / at.width() * area.width());
    const bool isKey = output || m_data->window == 0;
    const qint64 key = isKey ? (column <= position ? column : -1) : m_data->bandKey(position, column);
    return {std::min(position, m_data->keys - 1), key};
  }
  return {-1, -1};
}

void PairView::mouseMoveEvent(QMouseEvent* event) {
  if (!m_data) return;
  if (m_pressedMap) return centreOn(event->position());
  if (m_pressed && (event->buttons() & Qt::LeftButton) != 0) {
    const QPointF moved = event->position() - m_dragFrom;
    if (m_dragged || moved.manhattanLength() > 4) {
      m_dragged = true;
      showArea(m_shown.translated(-moved.x() / keyWidth(), -moved.y() / positionHeight()));
      m_dragFrom = event->position();
    }
    return;
  }
  auto [position, key] = under(event->position());
  // Where a pixel covers many cells, the heaviest of them answers.
  const Bin bin = binAt(event->position());
  if (bin.position >= 0) {
    position = bin.position;
    key = bin.key;
  }
  if (position == m_position && key == m_key) return;
  setMarked(position, key);
  if (bin.position >= 0)
    m_binText = tr("   heaviest of %1 × %2, sum %3").arg(bin.rows).arg(bin.keys).arg(formatNumber(bin.sum));
  Q_EMIT hovered(position, key);
}

void PairView::mousePressEvent(QMouseEvent* event) {
  m_pressedMap = event->button() == Qt::LeftButton && mapRect().contains(event->position());
  if (m_pressedMap) return centreOn(event->position());
  m_pressed = event->button() == Qt::LeftButton;
  m_dragged = false;
  m_dragFrom = event->position();
}

void PairView::mouseReleaseEvent(QMouseEvent* event) {
  m_pressedMap = false;
  if (m_pressed && !m_dragged) {
    const auto [position, key] = under(event->position());
    if (position >= 0) Q_EMIT rowPinned(position);
  }
  m_pressed = false;
}

void PairView::wheelEvent(QWheelEvent* event) {
  // Ctrl and Shift turn the wheel sideways on some platforms.
  const int delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  const bool keys = (event->modifiers() & Qt::ShiftModifier) == 0;
  const bool positions = (event->modifiers() & Qt::ControlModifier) == 0;
  zoomAt(event->position(), std::pow(1.25, delta / 120.0), keys, positions);
  event->accept();
}

void PairView::moveCursor(qint64 positions, qint64 keys) {
  if (!m_data) return;
  const qint64 last = m_data->keys - 1;
  const qint64 from = m_position >= 0 ? m_position : m_pinned >= 0 ? m_pinned : last;
  const qint64 position = std::clamp<qint64>(from + positions, 0, last);
  const qint64 key = std::clamp<qint64>((m_key >= 0 ? m_key : position) + keys, 0, position);
  setMarked(position, key);
  QRectF area = m_shown;
  area.moveTop(std::clamp(area.top(), static_cast<double>(position) + 1 - area.height(),
                          static_cast<double>(position)));
  area.moveLeft(
      std::clamp(area.left(), static_cast<double>(key) + 1 - area.width(), static_cast<double>(key)));
  showArea(area);
  Q_EMIT hovered(position, key);
}

void PairView::keyPressEvent(QKeyEvent* event) {
  const qint64 step = (event->modifiers() & Qt::ShiftModifier) != 0 ? 10 : 1;
  const bool byParagraph = (event->modifiers() & Qt::ControlModifier) != 0;
  if (m_data && byParagraph) {
    const qint64 position = m_position >= 0 ? m_position : m_pinned >= 0 ? m_pinned : m_data->keys - 1;
    const qint64 key = m_key >= 0 ? m_key : position;
    if (event->key() == Qt::Key_Up) return moveCursor(paragraphStep(position, -1), 0);
    if (event->key() == Qt::Key_Down) return moveCursor(paragraphStep(position, 1), 0);
    if (event->key() == Qt::Key_Left) return moveCursor(0, paragraphStep(key, -1));
    if (event->key() == Qt::Key_Right) return moveCursor(0, paragraphStep(key, 1));
  }
  switch (event->key()) {
    case Qt::Key_Up:
      moveCursor(-step, 0);
      break;
    case Qt::Key_Down:
      moveCursor(step, 0);
      break;
    case Qt::Key_Left:
      moveCursor(0, -step);
      break;
    case Qt::Key_Right:
      moveCursor(0, step);
      break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      zoomAt(pane(hasOutput()).center(), 1.5, true, true);
      break;
    case Qt::Key_Minus:
      zoomAt(pane(hasOutput()).center(), 1 / 1.5, true, true);
      break;
    case Qt::Key_Home:
      fit();
      break;
    case Qt::Key_Space:
      if (m_position >= 0) Q_EMIT rowPinned(m_position);
      break;
    default:
      QWidget::keyPressEvent(event);
  }
}

void PairView::leaveEvent(QEvent*) {
  setMarked(-1, -1);
  Q_EMIT hovered(-1, -1);
}

}  // namespace orthros::widgets
