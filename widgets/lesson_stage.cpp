#include "widgets/lesson_stage.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/lesson_stage_painter.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

constexpr double kSmallestUnit = 10, kLargestUnit = 30, kUnitsOfHeight = 44;
constexpr double kPresenting = 1.35;  // of the type; the card and the equation grow more
constexpr double kShelfShare = 0.3;
constexpr double kLabelUnits = 1.05, kLeastLabel = 0.8;

}  // namespace

LessonStage::LessonStage(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setAccessibleName(tr("Stage: the lanes of x and x′, the shared weights and the KV shelf"));
  m_animation.setEasingCurve(QEasingCurve::InOutCubic);
  connect(&m_animation, &QVariantAnimation::valueChanged, this,
          [this](const QVariant& value) { setProgress(value.toDouble()); });
}

void LessonStage::showMoment(const StageData& data, int milliseconds) {
  m_animation.stop();
  const bool sameTokens = data.tokens == m_data.tokens;
  m_before = sameTokens ? m_data : data;
  m_data = data;
  setAccessibleDescription(data.stepTitle);
  layOut();
  if (milliseconds <= 0 || !sameTokens) {
    setProgress(1);
    return;
  }
  m_animation.setStartValue(0.0);
  m_animation.setEndValue(1.0);
  m_animation.setDuration(milliseconds);
  setProgress(0);
  m_animation.start();
}

void LessonStage::finishMove() {
  m_animation.stop();
  setProgress(1);
}

void LessonStage::setProgress(double progress) {
  m_progress = progress;
  update();
}

void LessonStage::setPresenting(bool presenting) {
  m_isPresenting = presenting;
  layOut();
  update();
}

void LessonStage::setLit(const QString& symbol) {
  if (m_lit == symbol) return;
  m_lit = symbol;
  update();
}

void LessonStage::setPointed(const StageTarget& target) {
  if (m_pointed == target) return;
  m_pointed = target;
  update();
}

// Top to bottom: what is predicted, x′, weights, x, the tokens; the shelf at the right over the whole height.
void LessonStage::layOut() {
  const double w = width(), h = height();
  const auto tokens = static_cast<double>(std::max<qsizetype>(1, m_data.tokens.size()));
  m_unit = std::clamp(std::min(h / kUnitsOfHeight, w / 47), kSmallestUnit, kLargestUnit) *
           (m_isPresenting ? kPresenting : 1);
  const double pad = m_unit;
  const double shelfWidth = std::max(11 * m_unit, kShelfShare * w);
  m_shelf = QRectF(w - shelfWidth - pad, pad, shelfWidth, h - 2 * pad);
  const double name = 3.2 * m_unit;
  const double left = pad + name, right = m_shelf.left() - 2.2 * m_unit;
  m_column = (right - left) / tokens;
  m_isStaggered = needsStagger();
  m_lines = 1;
  for (const auto* cells : {&m_data.base, &m_data.output}) {
    for (const StageCell& cell : *cells)
      m_lines =
          std::max(m_lines, (static_cast<int>(cell.values.size()) + kNumbersOfLine - 1) / kNumbersOfLine);
  }
  // Two lanes, the weights between them, a line above and two below. Whole pixels a number, so that the
  // little squares are squares.
  const double free = h - 2 * pad - 2.4 * m_unit - 3.1 * m_unit - 4 * m_unit - 8 * m_unit;
  m_number = std::floor(std::min((m_column - 0.35 * m_unit) / kNumbersOfLine, free / 2 / m_lines));
  m_number = std::clamp(m_number, 2.0, 1.6 * m_unit);
  m_guesses = QRectF(left, pad, right - left, 2.2 * m_unit);
  const double words = (m_isStaggered ? 4.1 : 2.8) * m_unit;
  m_labels = QRectF(left, h - pad - words, right - left, words);
  const double lane = m_lines * m_number + 1.2 * m_unit;
  m_outputLane = QRectF(left, m_guesses.bottom() + 0.6 * m_unit, right - left, lane);
  m_baseLane = QRectF(left, m_labels.top() - lane - 0.3 * m_unit, right - left, lane);
  const double between = m_baseLane.top() - m_outputLane.bottom();
  const double box = std::clamp(between - 2 * m_unit, 2 * m_unit, 10 * m_unit);
  m_weights = QRectF(left, m_outputLane.bottom() + (between - box) / 2, right - left, box);
  m_lanes = QRectF(pad, pad, right - pad, h - 2 * pad);
  m_slot = (m_shelf.height() - 6 * m_unit) / tokens;
}

// Below this share of their size the words would be small, and still touch.
bool LessonStage::needsStagger() const {
  const QFontMetricsF metrics(fontOf(*this, std::max(9, qRound(kLabelUnits * m_unit)), QFont::DemiBold));
  return std::ranges::any_of(m_data.tokens, [&](const QString& token) {
    return metrics.horizontalAdvance(token) * kLeastLabel > m_column - 0.4 * m_unit;
  });
}

QRectF LessonStage::cellRect(bool isOutput, int position) const {
  const QRectF& lane = isOutput ? m_outputLane : m_baseLane;
  const double wide = kNumbersOfLine * m_number, tall = m_lines * m_number;
  const double x = std::round(lane.left() + (position + 0.5) * m_column - wide / 2);
  return {x, std::round(lane.center().y() - tall / 2), wide, tall};
}

QRectF LessonStage::wordRect(int position) const {
  const double wide = m_isStaggered ? 2 * m_column - 0.15 * m_unit : m_column - 0.4 * m_unit;
  const double line = m_isStaggered && position % 2 == 1 ? 1.3 * m_unit : 0;
  return {m_labels.left() + (position + 0.5) * m_column - wide / 2, m_labels.top() + line, wide,
          1.5 * m_unit};
}

QRectF LessonStage::slotRect(int position) const {
  const double top = m_shelf.top() + 3.9 * m_unit + position * m_slot;
  const double gap = std::min(4.0, 0.12 * m_slot);
  return {m_shelf.left() + 0.6 * m_unit, top, m_shelf.width() - 1.2 * m_unit, m_slot - gap};
}

QStringList LessonStage::weightNames() {
  return StagePainter::weightNames();
}

QRectF LessonStage::weightRect(const QString& name) const {
  return StagePainter::weightRect(*this, name);
}

StageTarget LessonStage::targetAt(const QPointF& point) const {
  StageTarget target;
  const auto count = static_cast<int>(m_data.tokens.size());
  if (count == 0) return target;
  for (int position = 0; position < count; ++position) {
    for (const bool isOutput : {false, true}) {
      const QRectF cell = cellRect(isOutput, position);
      if (!cell.contains(point)) continue;
      target.kind = isOutput ? StageTarget::Kind::Output : StageTarget::Kind::Base;
      target.position = position;
      const auto& values = (isOutput ? m_data.output : m_data.base)[static_cast<size_t>(position)].values;
      const int lines = std::max(1, (static_cast<int>(values.size()) + kNumbersOfLine - 1) / kNumbersOfLine);
      const int column = std::min(static_cast<int>((point.x() - cell.left()) / cell.width() * kNumbersOfLine),
                                  kNumbersOfLine - 1);
      const int line =
          std::min(static_cast<int>((point.y() - cell.top()) / cell.height() * lines), lines - 1);
      if (!values.empty()) target.column = line * kNumbersOfLine + column;
      return target;
    }
    if (slotRect(position).contains(point)) {
      target.kind = StageTarget::Kind::Slot;
      target.position = position;
      return target;
    }
  }
  for (const QString& name : StagePainter::weightNames()) {
    if (!weightRect(name).contains(point)) continue;
    target.kind = StageTarget::Kind::Weight;
    target.weight = name;
    return target;
  }
  if (m_labels.contains(point)) {
    target.kind = StageTarget::Kind::Token;
    target.position = std::clamp(static_cast<int>((point.x() - m_labels.left()) / m_column), 0, count - 1);
    return target;
  }
  // Anywhere else in a lane is the lane.
  for (const bool isOutput : {false, true}) {
    if (!(isOutput ? m_outputLane : m_baseLane).contains(point)) continue;
    target.kind = isOutput ? StageTarget::Kind::Output : StageTarget::Kind::Base;
  }
  if (target.kind == StageTarget::Kind::None && m_shelf.contains(point))
    target.kind = StageTarget::Kind::Slot;
  return target;
}

void LessonStage::paintEvent(QPaintEvent*) {
  if (m_data.tokens.isEmpty()) return;
  QPainter painter(this);
  StagePainter(*this, painter).paint();
}

void LessonStage::resizeEvent(QResizeEvent*) {
  layOut();
}

void LessonStage::mouseMoveEvent(QMouseEvent* event) {
  const StageTarget target = targetAt(event->position());
  if (target == m_pointed) return;
  m_pointed = target;
  update();
  Q_EMIT pointedAt(target);
}

void LessonStage::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT chosen(targetAt(event->position()));
}

void LessonStage::leaveEvent(QEvent*) {
  if (m_pointed == StageTarget()) return;
  m_pointed = {};
  update();
  Q_EMIT pointedAt(m_pointed);
}

void LessonStage::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) update();
  QWidget::changeEvent(event);
}

}  // namespace orthros::widgets
