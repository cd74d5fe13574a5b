#include "widgets/row_plot.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <cmath>

#include "widgets/format.h"
#include "widgets/theme.h"
#include "widgets/token_text.h"

namespace orthros::widgets {
RowPlot::RowPlot(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Attention rows of both streams"));
  connect(&ThemeHub::instance(), &ThemeHub::changed, this, qOverload<>(&QWidget::update));
}

void RowPlot::setView(const RowView& view) {
  m_view = view;
  for (const bool output : {false, true}) {
    Facts& facts = m_facts[output ? 1 : 0];
    facts = {};
    facts.most[0] = facts.most[1] = 0;
    const auto count = static_cast<qsizetype>(row(output).size());
    const RowParts& parts = view.parts;
    for (qsizetype key = 0; key < count; ++key) {
      const bool seen = output || parts.window == 0 || key >= count - parts.window || key < parts.sinks;
      const float weight = row(output)[static_cast<size_t>(key)];
      if (seen || weight > 0) facts.weights.push_back(weight);
      facts.most[0] = std::max<double>(facts.most[0], weight);
      if (std::ranges::find(view.lane, key) == view.lane.end())
        facts.most[1] = std::max<double>(facts.most[1], weight);
    }
    facts.visible = std::max<double>(1, static_cast<double>(facts.weights.size()));
  }
  m_hovered = -1;
  sortForRanks();
  update();
}

void RowPlot::setStyle(const WeightStyle& style) {
  m_style = style;
  sortForRanks();
  update();
}

void RowPlot::sortForRanks() {
  if (m_style.mode != ScaleMode::Rank) return;
  for (Facts& facts : m_facts) std::ranges::sort(facts.weights);
}

double RowPlot::rankOf(float weight, bool output) const {
  const std::vector<float>& weights = m_facts[output ? 1 : 0].weights;
  const auto [low, high] = std::ranges::equal_range(weights, weight);
  return (static_cast<double>(low - weights.begin()) + static_cast<double>(high - low) / 2) /
         std::max<double>(1, static_cast<double>(weights.size()));
}

void RowPlot::setStreams(bool base, bool output) {
  m_showBase = base;
  m_showOutput = output;
  update();
}

WeightScale RowPlot::scale(bool output) const {
  const int lane = m_style.lane ? 1 : 0;
  const Facts& own = m_facts[output ? 1 : 0];
  // One end for both lanes, so that equal heights are equal weights.
  double heaviest = std::max(m_facts[0].most[lane], m_facts[1].most[lane]);
  if (heaviest <= 0) heaviest = 1;
  WeightScale scale;
  scale.mode = m_style.mode;
  if (m_style.sums && isBinned()) {
    if (scale.mode == ScaleMode::RowMax) scale.mode = ScaleMode::Linear;
    if (scale.mode == ScaleMode::Rank) scale.mode = ScaleMode::Log;
    heaviest = std::max(heaviest, 1.0);
  }
  if (scale.mode == ScaleMode::Linear) scale.most = heaviest;
  if (scale.mode == ScaleMode::Log)
    scale.most =
        m_style.lane ? std::clamp(heaviest, std::exp2(kLog2Floor + 1), 1.0) : std::max(1.0, heaviest);
  if (scale.mode == ScaleMode::Lift)
    scale.liftBits = std::max(1.0, std::ceil(std::log2(std::max(2.0, own.most[lane] * own.visible)) - 1e-6));
  return scale;
}

RowContext RowPlot::contextOf(bool output) const {
  const Facts& own = m_facts[output ? 1 : 0];
  return {own.visible, own.most[m_style.lane ? 1 : 0], 0};
}

double RowPlot::heightOf(double weight, bool output) const {
  RowContext context = contextOf(output);
  const WeightScale of = scale(output);
  if (of.mode == ScaleMode::Rank) context.rank = rankOf(static_cast<float>(weight), output);
  return of.place(weight, context);
}

std::pair<double, QString> RowPlot::uniformTick(bool output) const {
  const double visible = m_facts[output ? 1 : 0].visible;
  return {heightOf(static_cast<float>(1 / visible), output),
          m_style.mode == ScaleMode::Lift ? tr("1 (uniform)") : tr("1/%1 (uniform)").arg(qRound64(visible))};
}

bool RowPlot::isBinned() const {
  return static_cast<double>(m_view.base.size()) > width() - kLeft - kRight;
}

double RowPlot::laneHeight() const {
  const double room = height() - kTop - kBottom - kAxis;
  return showsOutput() && showsBase() ? room / 2 : room;
}

double RowPlot::axisY() const {
  return showsOutput() ? kTop + laneHeight() : kTop;
}

double RowPlot::laneStart(bool up) const {
  return up ? axisY() : axisY() + kAxis;
}

double RowPlot::xOf(double key) const {
  return kLeft + key / static_cast<double>(m_view.base.size()) * (width() - kLeft - kRight);
}

qsizetype RowPlot::keyAt(double x) const {
  if (m_view.base.empty() || x < kLeft || x >= width() - kRight) return -1;
  const double share = (x - kLeft) / (width() - kLeft - kRight);
  return static_cast<qsizetype>(share * static_cast<double>(m_view.base.size()));
}

void RowPlot::setMarked(qsizetype key) {
  m_hovered = key < static_cast<qsizetype>(m_view.base.size()) ? key : -1;
  update();
}

void RowPlot::mouseMoveEvent(QMouseEvent* event) {
  const qsizetype key = keyAt(event->position().x());
  if (key == m_hovered) return;
  m_hovered = key;
  update();
  Q_EMIT keyHovered(key);
}

void RowPlot::keyPressEvent(QKeyEvent* event) {
  const int direction = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
  const auto last = static_cast<qsizetype>(m_view.base.size()) - 1;
  if (direction == 0 || last < 0) return QWidget::keyPressEvent(event);
  qsizetype key = m_hovered < 0 ? last : m_hovered;
  if ((event->modifiers() & Qt::ControlModifier) != 0) {
    do {
      key += direction;
    } while (key > 0 && key < last && !startsParagraph(m_view.tokens, key));
  } else {
    key += direction * ((event->modifiers() & Qt::ShiftModifier) != 0 ? 10 : 1);
  }
  m_hovered = std::clamp<qsizetype>(key, 0, last);
  setAccessibleDescription(readout(m_hovered));
  update();
  Q_EMIT keyHovered(m_hovered);
}

void RowPlot::leaveEvent(QEvent*) {
  m_hovered = -1;
  update();
  Q_EMIT keyHovered(-1);
}

QString RowPlot::readout(qsizetype key) const {
  if (key < 0 || key >= static_cast<qsizetype>(m_view.base.size())) return {};
  const auto index = static_cast<size_t>(key);
  QString text =
      tr("key %1  %2   x %3").arg(key).arg(m_view.tokens.value(key), formatNumber(m_view.base[index]));
  if (!m_view.output.empty()) text += tr("   x′ %1").arg(formatNumber(m_view.output[index]));
  return text;
}

}  // namespace orthros::widgets
