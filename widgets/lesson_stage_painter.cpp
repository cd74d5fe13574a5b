#include "widgets/lesson_stage_painter.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/format.h"
#include "widgets/formula.h"

namespace orthros::widgets {
namespace {

constexpr double kFaint = 0.35;
constexpr double kOneLine = 0.8;  // of the title's size: smaller, it goes into two

}  // namespace

StagePainter::StagePainter(const LessonStage& stage, QPainter& painter)
    : m_stage(stage), m_data(stage.m_data), m_painter(painter), m_unit(stage.m_unit) {}

void StagePainter::paint() {
  m_painter.setRenderHint(QPainter::Antialiasing);
  paintHeader();
  paintFocus();
  paintLane(false);
  paintLane(true);
  paintReads(false);  // behind the weights, which they do not pass through
  paintReads(true);
  paintFlow(false);
  paintFlow(true);
  paintWeights();
  paintShelf();
  paintWindowBracket();
  paintMoves();
  paintLabels();
  paintGuesses();
}

QFont StagePainter::font(double units, int weight) const {
  QFont font = m_stage.font();
  font.setPixelSize(std::max(9, qRound(units * m_unit)));
  font.setWeight(static_cast<QFont::Weight>(weight));
  return font;
}

QFont StagePainter::mono(double units, int weight) const {
  QFont font = monoFont(std::max(9, qRound(units * m_unit)));
  font.setWeight(static_cast<QFont::Weight>(weight));
  return font;
}

QColor StagePainter::quiet() const {
  return color(m_stage.m_isPresenting ? Role::Text : Role::Muted);
}

QColor StagePainter::hue(bool isOutput) const {
  return color(isOutput ? Role::Output : Role::Accent);
}

QColor StagePainter::soft(bool isOutput) const {
  return color(isOutput ? Role::OutputSoft : Role::AccentSoft);
}

bool StagePainter::isHighlit(const QString& name) const {
  return m_stage.m_lit.isEmpty() ? m_data.highlight.contains(name) : m_stage.m_lit == name;
}

double StagePainter::shown(StageData::Move move) const {
  return m_data.move == move ? m_stage.m_progress : -1;
}

void StagePainter::paintHeader() {
  const QRectF& area = m_stage.m_guesses;
  m_painter.setPen(color(Role::Text));
  // The right half is for what is predicted.
  const double share = m_data.guesses.empty() ? 1.0 : 0.5;
  const QRectF line(m_stage.m_lanes.left(), area.top(), share * m_stage.m_lanes.width(), area.height());
  // Smaller where it would not fit; then in two lines, smaller again where these do not do.
  const double wide = QFontMetricsF(font(1.25, QFont::DemiBold)).horizontalAdvance(m_data.stepTitle);
  const double ofLine = line.width() / std::max(1.0, wide);
  const double fits = ofLine >= kOneLine ? std::min(1.0, ofLine) : std::clamp(1.7 * ofLine, 0.5, kOneLine);
  m_painter.setFont(font(1.25 * fits, QFont::DemiBold));
  m_painter.drawText(line.adjusted(0, -0.5 * m_unit, 0, 0.5 * m_unit),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, m_data.stepTitle);
}

void StagePainter::paintFocus() {
  const QRectF cell = m_stage.cellRect(false, m_data.row);
  const double wide = m_stage.m_column;
  const QRectF band(cell.center().x() - wide / 2, m_stage.m_outputLane.top() - 0.3 * m_unit, wide,
                    m_stage.m_labels.bottom() - m_stage.m_outputLane.top() + 0.3 * m_unit);
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(color(Role::Raised));
  m_painter.drawRoundedRect(band, 6, 6);
}

double StagePainter::laneScale(bool isOutput) const {
  double most = 0;
  for (const StageCell& cell : isOutput ? m_data.output : m_data.base) {
    for (const float value : cell.values) most = std::max(most, std::abs(static_cast<double>(value)));
  }
  return most;
}

void StagePainter::paintLane(bool isOutput) {
  const QRectF& lane = isOutput ? m_stage.m_outputLane : m_stage.m_baseLane;
  const bool dropped = !isOutput && m_data.isBaseDropped;
  const double gone = dropped ? (m_data.move == StageData::Move::Drop ? m_stage.m_progress : 1.0) : 0.0;
  const bool lit = isHighlit(isOutput ? QStringLiteral("x'") : QStringLiteral("x"));
  QColor ground = soft(isOutput);
  ground.setAlphaF(static_cast<float>(lit ? 1.0 : 0.45));
  m_painter.setPen(lit ? QPen(hue(isOutput), 2) : QPen(Qt::NoPen));
  m_painter.setBrush(ground);
  m_painter.setOpacity(1 - 0.7 * gone);
  const QRectF plate(m_stage.m_lanes.left(), lane.top(), lane.right() - m_stage.m_lanes.left() + 0.4 * m_unit,
                     lane.height());
  m_painter.drawRoundedRect(plate, 8, 8);
  const double size = 2.4 * m_unit;
  const Formula name(isOutput ? QStringLiteral("\\s{x'}{x'}") : QStringLiteral("\\s{x}{x}"), size);
  name.draw(m_painter, {(plate.left() + lane.left() - name.width()) / 2, plate.center().y() + 0.25 * size},
            hue(isOutput));
  m_painter.setOpacity(1);
  const auto& cells = isOutput ? m_data.output : m_data.base;
  const auto& before = isOutput ? m_stage.m_before.output : m_stage.m_before.base;
  for (size_t i = 0; i < cells.size(); ++i) {
    const QRectF box = m_stage.cellRect(isOutput, static_cast<int>(i));
    double opacity = 1;
    // What a move brings is there when it has arrived.
    if (isOutput && m_data.move == StageData::Move::Copy) opacity = m_stage.m_progress >= 1 ? 1 : 0;
    if (dropped && i < before.size() && m_stage.m_progress < 1 && m_data.move == StageData::Move::Drop)
      paintCell(box, before[i], isOutput, 1 - gone);
    const bool changes = m_stage.m_progress < 1 && i < before.size() && before[i].values != cells[i].values;
    if (changes && opacity > 0 && !dropped) {
      paintCell(box, before[i], isOutput, 1);
      opacity = m_stage.m_progress;
    }
    paintCell(box, cells[i], isOutput, dropped ? kFaint : opacity);
    const StageTarget& pointed = m_stage.m_pointed;
    const bool isPointed = pointed.position == static_cast<int>(i) &&
                           pointed.kind == (isOutput ? StageTarget::Kind::Output : StageTarget::Kind::Base);
    const bool isFocus = static_cast<int>(i) == m_data.row;
    if (cells[i].values.empty() || !(isPointed || isFocus)) continue;
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(isPointed ? color(Role::Text) : hue(isOutput), 2));
    m_painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 4, 4);
    if (!isPointed || pointed.column < 0) continue;
    const double side = box.width() / kNumbersOfLine;
    const double tall =
        box.height() / std::max(1.0, std::ceil(static_cast<double>(cells[i].values.size()) / kNumbersOfLine));
    m_painter.drawRect(QRectF(box.left() + pointed.column % kNumbersOfLine * side,
                              box.top() + pointed.column / kNumbersOfLine * tall, side, tall));
  }
  if (isOutput || !m_data.isBaseUnused || dropped) return;
  const QString text = LessonStage::tr("not used by the model: nothing reads it");
  m_painter.setFont(font(1.0));
  const double wide = QFontMetricsF(m_painter.font()).horizontalAdvance(text) + 1.6 * m_unit;
  const QRectF chip(lane.center().x() - wide / 2, lane.center().y() - m_unit, wide, 2 * m_unit);
  m_painter.setPen(QPen(color(Role::Line), 1));
  m_painter.setBrush(color(Role::Surface));
  m_painter.drawRoundedRect(chip, 6, 6);
  m_painter.setPen(quiet());
  m_painter.drawText(chip, Qt::AlignCenter, text);
}

void StagePainter::paintCell(const QRectF& box, const StageCell& cell, bool isOutput, double opacity) {
  if (opacity <= 0) return;
  m_painter.setOpacity(opacity);
  if (cell.values.empty()) {
    QPen pen(color(cell.isUnused ? Role::Muted : Role::FieldLine), 1, Qt::DashLine);
    m_painter.setPen(pen);
    m_painter.setBrush(cell.isUnused ? QBrush(color(Role::Line), Qt::BDiagPattern) : QBrush(Qt::NoBrush));
    m_painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    m_painter.setOpacity(1);
    return;
  }
  const double scale = std::max(1e-12, laneScale(isOutput));
  const auto count = static_cast<int>(cell.values.size());
  const int lines = (count + kNumbersOfLine - 1) / kNumbersOfLine;
  const double side = box.width() / kNumbersOfLine, tall = box.height() / lines;
  m_painter.setPen(Qt::NoPen);
  m_painter.setRenderHint(QPainter::Antialiasing, false);
  for (int i = 0; i < count; ++i) {
    // Root of the size, so that small numbers have a colour as well; the middle of the ramp is zero.
    const double value = cell.values[static_cast<size_t>(i)] / scale;
    const double place = 0.5 + 0.5 * std::copysign(std::sqrt(std::min(1.0, std::abs(value))), value);
    m_painter.setBrush(theme().ramp(isOutput ? Ramp::Output : Ramp::Base, place));
    m_painter.drawRect(
        QRectF(box.left() + i % kNumbersOfLine * side, box.top() + i / kNumbersOfLine * tall, side, tall));
  }
  m_painter.setRenderHint(QPainter::Antialiasing);
  m_painter.setOpacity(1);
}

// Rows at work stand in touch with the weights.
void StagePainter::paintFlow(bool isOutput) {
  if (!(isOutput ? m_data.outputWorks : m_data.baseWorks) || m_data.lit.isEmpty()) return;
  const auto& cells = isOutput ? m_data.output : m_data.base;
  m_painter.setPen(QPen(hue(isOutput), std::max(1.5, 0.14 * m_unit), Qt::SolidLine, Qt::RoundCap));
  for (size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].values.empty()) continue;
    const QRectF box = m_stage.cellRect(isOutput, static_cast<int>(i));
    const double from = isOutput ? box.bottom() + 3 : box.top() - 3;
    const double to = isOutput ? m_stage.m_weights.top() : m_stage.m_weights.bottom();
    m_painter.drawLine(QPointF(box.center().x(), from), QPointF(box.center().x(), to));
  }
}

void StagePainter::paintMoves() {
  const double p = m_stage.m_progress;
  if (p >= 1) return;
  const auto travel = [&](const QRectF& from, const QRectF& to, const StageCell& cell, bool isOutput) {
    const QRectF at(from.left() + (to.left() - from.left()) * p, from.top() + (to.top() - from.top()) * p,
                    from.width() + (to.width() - from.width()) * p,
                    from.height() + (to.height() - from.height()) * p);
    paintCell(at, cell, isOutput, 1);
  };
  for (size_t i = 0; i < m_data.output.size(); ++i) {
    const auto at = static_cast<int>(i);
    if (m_data.move == StageData::Move::Copy && !m_data.output[i].values.empty())
      travel(m_stage.cellRect(false, at), m_stage.cellRect(true, at), m_data.output[i], true);
    if (m_data.move == StageData::Move::Store && !m_data.base[i].values.empty()) {
      QRectF place = m_stage.slotRect(at);
      place.setWidth(std::min(place.width(), place.height()));
      travel(m_stage.cellRect(false, at), place, m_data.base[i], false);
    }
  }
}

void StagePainter::paintLabels() {
  const QRectF& area = m_stage.m_labels;
  // As large as the longest word allows; in two lines a word has the room of two.
  const double room = m_stage.wordRect(0).width();
  double widest = 1;
  for (const QString& token : m_data.tokens)
    widest = std::max(widest, QFontMetricsF(font(1.05, QFont::DemiBold)).horizontalAdvance(token));
  const double size = 1.05 * std::clamp(room / widest, 0.5, 1.0);
  const QFontMetricsF metrics(font(size, QFont::DemiBold));
  if (isHighlit(QStringLiteral("tokens"))) {
    m_painter.setPen(QPen(color(Role::Accent), 2));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRoundedRect(area.adjusted(0, -2, 0, 2), 6, 6);
  }
  for (int i = 0; i < m_data.tokens.size(); ++i) {
    const QRectF box(area.left() + i * m_stage.m_column, area.top(), m_stage.m_column, area.height());
    const bool focus = i == m_data.row;
    m_painter.setFont(font(size, focus ? QFont::DemiBold : QFont::Normal));
    m_painter.setPen(color(Role::Text));
    m_painter.drawText(m_stage.wordRect(i), Qt::AlignCenter | Qt::TextDontClip,
                       metrics.elidedText(m_data.tokens[i], Qt::ElideRight, room + 3));
    m_painter.setFont(mono(0.85));
    m_painter.setPen(focus ? color(Role::Text) : quiet());
    m_painter.drawText(QRectF(box.left(), box.bottom() - 1.4 * m_unit, box.width(), 1.3 * m_unit),
                       Qt::AlignCenter, QString::number(i + 1));
  }
}

void StagePainter::paintGuesses() {
  if (m_data.guesses.empty()) return;
  const QRectF& area = m_stage.m_guesses;
  double right = area.right() + 0.4 * m_unit;
  for (size_t i = 0; i < m_data.guesses.size(); ++i) {
    const StageGuess& guess = m_data.guesses[i];
    const bool first = i == 0;
    const QString text = guess.text + QStringLiteral("  ") + formatPercent(guess.probability);
    const QFont own = font(first ? 1.15 : 0.95, first ? QFont::DemiBold : QFont::Normal);
    const double wide = QFontMetricsF(own).horizontalAdvance(text) + 1.4 * m_unit;
    const QRectF chip(right - wide, area.top() + 0.15 * m_unit, wide, area.height() - 0.3 * m_unit);
    if (chip.left() < area.left() + 0.5 * area.width()) break;
    m_painter.setPen(first ? QPen(hue(true), 1.5) : QPen(color(Role::Line), 1));
    m_painter.setBrush(first ? soft(true) : color(Role::Surface));
    m_painter.drawRoundedRect(chip, 6, 6);
    m_painter.setPen(first ? color(Role::Text) : quiet());
    m_painter.setFont(own);
    m_painter.drawText(chip, Qt::AlignCenter, text);
    right = chip.left() - 0.5 * m_unit;
  }
}

}  // namespace orthros::widgets
