// The shared weights and the shelf of a LessonStage.
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/format.h"
#include "widgets/formula.h"
#include "widgets/lesson_stage_painter.h"

namespace orthros::widgets {
namespace {

struct Pill {
  const char* name;
  const char* markup;
  double left, right;  // of the box's width
  double top, bottom;  // of the box's height
};

// α′ β′ stand on the side of x′, α β on the side of x; all else serves both.
constexpr Pill kPills[] = {{"norm", "\\rm{norm}", 0.00, 0.135, 0.30, 0.72},
                           {"W_K", "W_K", 0.155, 0.275, 0.30, 0.72},
                           {"W_V", "W_V", 0.285, 0.405, 0.30, 0.72},
                           {"W_Q", "W_Q", 0.425, 0.575, 0.36, 0.66},
                           {"alpha'", "\\alpha' \\, \\beta'", 0.425, 0.575, 0.05, 0.32},
                           {"alpha", "\\alpha \\, \\beta", 0.425, 0.575, 0.70, 0.97},
                           {"W_O", "W_O", 0.595, 0.715, 0.30, 0.72},
                           {"FFN", "\\rm{FFN}", 0.725, 0.855, 0.30, 0.72},
                           {"head", "\\rm{head}", 0.865, 1.0, 0.30, 0.72}};

}  // namespace

const QStringList& StagePainter::weightNames() {
  static const QStringList names = [] {
    QStringList all;
    for (const Pill& pill : kPills) all.append(QLatin1String(pill.name));
    return all;
  }();
  return names;
}

QRectF StagePainter::weightRect(const LessonStage& stage, const QString& name) {
  const QRectF box = stage.m_weights.adjusted(0.6 * stage.m_unit, 0.2 * stage.m_unit, -0.6 * stage.m_unit,
                                              -0.2 * stage.m_unit);
  for (const Pill& pill : kPills) {
    if (name != QLatin1String(pill.name)) continue;
    return {box.left() + pill.left * box.width(), box.top() + pill.top * box.height(),
            (pill.right - pill.left) * box.width(), (pill.bottom - pill.top) * box.height()};
  }
  return {};
}

void StagePainter::paintWeights() {
  const QRectF box = m_stage.m_weights;
  m_painter.setPen(QPen(color(Role::Line), 1));
  m_painter.setBrush(color(Role::Surface));
  m_painter.drawRoundedRect(box, 8, 8);
  m_painter.setFont(font(0.85));
  m_painter.setPen(quiet());
  const double line = 0.28 * box.height();
  const double room = 0.4 * box.width() - m_unit;
  if (line >= 1.1 * m_unit &&
      m_painter.fontMetrics().horizontalAdvance(LessonStage::tr("shared weights")) < room) {
    m_painter.drawText(QRectF(box.left() + 0.8 * m_unit, box.top() + 0.1 * m_unit, 0.42 * box.width(), line),
                       Qt::AlignLeft | Qt::AlignVCenter, LessonStage::tr("shared weights"));
  }
  for (const QString& name : weightNames()) paintPill(name);
}

// One size for all of them, the largest that fits everywhere.
double StagePainter::pillSize() const {
  double size = 1.4 * m_unit;
  for (const Pill& pill : kPills) {
    const QRectF box = weightRect(m_stage, QLatin1String(pill.name));
    size = std::min(size, 0.62 * box.height());
    const Formula formula(QLatin1String(pill.markup), size);
    const double room = box.width() - 0.35 * m_unit;
    if (formula.width() > room) size *= room / formula.width();
  }
  return size;
}

void StagePainter::paintPill(const QString& name) {
  const QRectF box = weightRect(m_stage, name);
  const bool works = m_data.lit.contains(name);
  const bool pointed =
      m_stage.m_pointed.kind == StageTarget::Kind::Weight && m_stage.m_pointed.weight == name;
  const bool lit = isHighlit(name) || pointed;
  QColor line = color(lit ? Role::Text : Role::Line);
  QBrush ground(color(Role::Raised));
  if (works) {
    const bool both = m_data.baseWorks && m_data.outputWorks;
    if (both) {
      QLinearGradient split(box.topLeft(), box.bottomLeft());
      split.setColorAt(0.0, soft(true));
      split.setColorAt(0.499, soft(true));
      split.setColorAt(0.501, soft(false));
      split.setColorAt(1.0, soft(false));
      ground = split;
      line = color(Role::Text);
    } else {
      ground = soft(m_data.outputWorks);
      line = hue(m_data.outputWorks);
    }
  }
  m_painter.setPen(QPen(line, works || lit ? 2 : 1));
  m_painter.setBrush(ground);
  m_painter.drawRoundedRect(box, 6, 6);
  const QString markup = QLatin1String(std::ranges::find_if(kPills, [&](const Pill& pill) {
                                         return name == QLatin1String(pill.name);
                                       })->markup);
  const double size = pillSize();
  const Formula formula(markup, size);
  // All on one line of writing, whatever hangs below it.
  formula.draw(m_painter, {box.center().x() - formula.width() / 2, box.center().y() + 0.3 * size},
               works || lit ? color(Role::Text) : quiet());
}

void StagePainter::paintShelf() {
  const QRectF& shelf = m_stage.m_shelf;
  const bool lit = isHighlit(QStringLiteral("shelf"));
  m_painter.setPen(QPen(color(lit ? Role::Accent : Role::Line), lit ? 2 : 1));
  m_painter.setBrush(color(Role::Surface));
  m_painter.drawRoundedRect(shelf, 8, 8);
  const QRectF head(shelf.left() + 0.8 * m_unit, shelf.top() + 0.4 * m_unit, shelf.width() - 1.6 * m_unit,
                    1.6 * m_unit);
  m_painter.setPen(color(Role::Text));
  m_painter.setFont(font(1.15, QFont::DemiBold));
  m_painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, LessonStage::tr("KV shelf"));
  const double title = m_painter.fontMetrics().horizontalAdvance(LessonStage::tr("KV shelf")) + m_unit;
  m_painter.setFont(font(0.85));
  m_painter.setPen(quiet());
  const QString note = LessonStage::tr("only x writes here");
  if (title + m_painter.fontMetrics().horizontalAdvance(note) < head.width())
    m_painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, note);
  m_painter.drawText(head.translated(0, 1.45 * m_unit), Qt::AlignLeft | Qt::AlignVCenter,
                     LessonStage::tr("layer %1 · head %2").arg(m_data.layer + 1).arg(m_data.head + 1));
  paintLegend(head.translated(0, 1.45 * m_unit));
  for (int i = 0; i < static_cast<int>(m_data.shelf.size()); ++i) paintSlot(i);
  const QRectF foot(shelf.left() + 0.8 * m_unit, shelf.bottom() - 1.8 * m_unit, shelf.width() - 1.6 * m_unit,
                    1.5 * m_unit);
  m_painter.setFont(mono(0.82));
  m_painter.setPen(quiet());
  m_painter.drawText(foot, Qt::AlignLeft | Qt::AlignVCenter,
                     QStringLiteral("sha256 ") + m_data.hash.left(12));
}

// Whose weights the bars are, once there are any.
void StagePainter::paintLegend(const QRectF& line) {
  double right = line.right();
  for (const bool isOutput : {false, true}) {
    const bool any = std::ranges::any_of(
        m_data.shelf, [&](const StageSlot& slot) { return !std::isnan(isOutput ? slot.output : slot.base); });
    if (!any) continue;
    const Formula name(isOutput ? QStringLiteral("x'") : QStringLiteral("x"), 1.15 * m_unit);
    name.draw(m_painter, {right - name.width(), line.center().y() + 0.35 * m_unit}, color(Role::Text));
    right -= name.width() + 0.3 * m_unit;
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(hue(isOutput));
    m_painter.drawRoundedRect(
        QRectF(right - 1.2 * m_unit, line.center().y() - 0.25 * m_unit, 1.2 * m_unit, 0.5 * m_unit), 2, 2);
    right -= 1.9 * m_unit;
  }
}

void StagePainter::paintSlot(int position) {
  const StageSlot& slot = m_data.shelf[static_cast<size_t>(position)];
  const QRectF box = m_stage.slotRect(position);
  const bool pointed =
      m_stage.m_pointed.kind == StageTarget::Kind::Slot && m_stage.m_pointed.position == position;
  const double stored = shown(StageData::Move::Store);
  const bool filled = slot.isFilled && (stored < 0 || stored >= 1 ||
                                        m_data.base[static_cast<size_t>(position)].values.empty());
  m_painter.setBrush(filled ? QBrush(color(Role::Raised)) : QBrush(Qt::NoBrush));
  m_painter.setPen(pointed  ? QPen(color(Role::Text), 2)
                   : filled ? QPen(Qt::NoPen)
                            : QPen(color(Role::FieldLine), 1, Qt::DashLine));
  m_painter.drawRoundedRect(box, 4, 4);
  const double number = 1.6 * m_unit;
  m_painter.setFont(mono(0.85));
  m_painter.setPen(quiet());
  m_painter.drawText(QRectF(box.left(), box.top(), number, box.height()), Qt::AlignCenter,
                     QString::number(position + 1));
  const double side = std::min(box.height() - 6, 3.2 * m_unit);
  const QRectF tile(box.left() + number + 0.1 * m_unit, box.center().y() - side / 2, side / 2, side);
  if (filled && side >= 8) paintTile(tile, slot.key);
  m_painter.setFont(font(1.0));
  m_painter.setPen(filled ? color(Role::Text) : quiet());
  const double name = tile.right() + 0.4 * m_unit;
  double widest = 0;
  for (const QString& token : m_data.tokens)
    widest = std::max(widest, m_painter.fontMetrics().horizontalAdvance(token) + 0.4 * m_unit);
  const double bars =
      std::clamp(name + widest, box.left() + 0.45 * box.width(), box.left() + 0.66 * box.width());
  m_painter.drawText(
      QRectF(name, box.top(), bars - name, box.height()), Qt::AlignLeft | Qt::AlignVCenter,
      QFontMetricsF(m_painter.font()).elidedText(m_data.tokens[position], Qt::ElideRight, bars - name));
  const double tall = std::min((box.height() - 4) / 2, 1.5 * m_unit);
  const QRectF area(bars, box.center().y() - tall, box.right() - bars - 0.3 * m_unit, 2 * tall);
  const bool both = !std::isnan(slot.output) && !std::isnan(slot.base);
  if (!std::isnan(slot.output))
    paintBar({area.left(), both ? area.top() : area.top() + tall / 2, area.width(), tall}, slot.output, true);
  if (!std::isnan(slot.base))
    paintBar({area.left(), both ? area.center().y() : area.top() + tall / 2, area.width(), tall}, slot.base,
             false);
}

// The key as it lies there, in small.
void StagePainter::paintTile(const QRectF& tile, const std::vector<float>& key) {
  if (key.empty()) return;
  const auto lines = (static_cast<int>(key.size()) + kNumbersOfLine - 1) / kNumbersOfLine;
  double most = 1e-12;
  for (const StageSlot& one : m_data.shelf) {
    for (const float value : one.key) most = std::max(most, std::abs(static_cast<double>(value)));
  }
  const double wide = tile.width() / kNumbersOfLine, tall = tile.height() / lines;
  m_painter.setRenderHint(QPainter::Antialiasing, false);
  m_painter.setPen(Qt::NoPen);
  for (int i = 0; i < static_cast<int>(key.size()); ++i) {
    const double value = key[static_cast<size_t>(i)] / most;
    m_painter.setBrush(
        theme().ramp(Ramp::Base, 0.5 + 0.5 * std::copysign(std::sqrt(std::abs(value)), value)));
    m_painter.drawRect(
        QRectF(tile.left() + i % kNumbersOfLine * wide, tile.top() + i / kNumbersOfLine * tall, wide, tall));
  }
  m_painter.setRenderHint(QPainter::Antialiasing);
}

void StagePainter::paintBar(const QRectF& area, double weight, bool isOutput) {
  const double text = 3.1 * m_unit;
  const QRectF bar(area.left(), area.top() + 1, std::max(4.0, area.width() - text),
                   std::max(3.0, area.height() - 2));
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(soft(isOutput));
  m_painter.drawRoundedRect(bar, 2, 2);
  QRectF part = bar;
  part.setWidth(weight * bar.width());
  m_painter.setBrush(hue(isOutput));
  m_painter.drawRoundedRect(part, 2, 2);
  m_painter.setPen(color(Role::Text));
  QFont own = mono(0.82);
  own.setPixelSize(std::clamp(qRound(area.height() - 1), 8, own.pixelSize()));
  m_painter.setFont(own);
  // One place after four digits is enough beside a bar; pointing shows all of it.
  m_painter.drawText(
      QRectF(bar.right(), area.top(), text, area.height()), Qt::AlignRight | Qt::AlignVCenter,
      weight > 0 && weight < 0.0005 ? QStringLiteral("<.001") : QString::number(weight, 'f', 3));
}

void StagePainter::paintWindowBracket() {
  int first = -1, last = -1;
  for (int i = 0; i < static_cast<int>(m_data.shelf.size()); ++i) {
    if (!m_data.shelf[static_cast<size_t>(i)].isInWindow) continue;
    if (first < 0) first = i;
    last = i;
  }
  if (first < 0) return;
  const QRectF top = m_stage.slotRect(first), bottom = m_stage.slotRect(last);
  const double x = top.left() - 0.25 * m_unit;
  m_painter.setPen(QPen(hue(false), std::max(2.0, 0.25 * m_unit), Qt::SolidLine, Qt::FlatCap));
  m_painter.drawLine(QPointF(x, top.top()), QPointF(x, bottom.bottom()));
  if (!isHighlit(QStringLiteral("window"))) return;
  // Along the bracket, in the gap before the shelf.
  const Formula label(QStringLiteral("w = %1").arg(m_data.window), 1.15 * m_unit);
  m_painter.save();
  m_painter.translate(m_stage.m_shelf.left() - 1.05 * m_unit, (top.top() + bottom.bottom()) / 2);
  m_painter.rotate(-90);
  const QRectF box(-label.width() / 2 - 0.4 * m_unit, -0.8 * m_unit, label.width() + 0.8 * m_unit,
                   1.6 * m_unit);
  m_painter.setPen(QPen(hue(false), 1.5));
  m_painter.setBrush(color(Role::Surface));
  m_painter.drawRoundedRect(box, 5, 5);
  label.draw(m_painter, {box.left() + 0.4 * m_unit, 0.38 * m_unit}, color(Role::Text));
  m_painter.restore();
}

void StagePainter::paintReads(bool isOutput) {
  const double p = shown(isOutput ? StageData::Move::ReadOutput : StageData::Move::ReadBase);
  if (p < 0) return;
  const QRectF cell = m_stage.cellRect(isOutput, m_data.row);
  const bool filled =
      !(isOutput ? m_data.output : m_data.base)[static_cast<size_t>(m_data.row)].values.empty();
  if (!filled) return;
  // Out of the lane on its free side, then over to the shelf.
  const QPointF from(cell.center().x(), isOutput ? cell.bottom() + 4 : cell.top() - 4);
  for (int i = 0; i < static_cast<int>(m_data.shelf.size()); ++i) {
    const StageSlot& slot = m_data.shelf[static_cast<size_t>(i)];
    const double weight = isOutput ? slot.output : slot.base;
    if (std::isnan(weight) || (!isOutput && !slot.isInWindow)) continue;
    const QRectF place = m_stage.slotRect(i);
    const QPointF to(m_stage.m_shelf.left() - 2, place.center().y());
    QPainterPath path(from);
    const double reach = std::max(2.5 * m_unit, 0.5 * (to.x() - from.x()));
    // A place beside the lane is reached without a hook.
    const double away = std::clamp((isOutput ? 1 : -1) * (to.y() - from.y()), 0.6 * m_unit, 2.2 * m_unit);
    path.cubicTo(QPointF(from.x(), from.y() + (isOutput ? away : -away)), QPointF(to.x() - reach, to.y()),
                 to);
    QColor ink = hue(isOutput);
    ink.setAlphaF(static_cast<float>(0.25 + 0.75 * std::sqrt(weight)));
    QPen pen(ink, 1 + 0.42 * m_unit * std::sqrt(weight));
    pen.setCapStyle(Qt::RoundCap);
    m_painter.setBrush(Qt::NoBrush);
    if (p < 1) {
      // The values come from the shelf: the line grows from there.
      QPainterPath grown(to);
      constexpr int kPieces = 24;
      for (int k = 1; k <= kPieces; ++k) grown.lineTo(path.pointAtPercent(1 - p * k / kPieces));
      path = grown;
    }
    m_painter.setPen(pen);
    m_painter.drawPath(path);
  }
}

}  // namespace orthros::widgets
