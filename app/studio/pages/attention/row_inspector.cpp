#include "app/studio/pages/attention/row_inspector.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <limits>

#include "app/studio/pages/attention/query_panel.h"
#include "app/studio/pages/attention/top_keys.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/head_label.h"
#include "widgets/icon.h"
#include "widgets/mass_bar.h"

namespace orthros::studio {
namespace {

constexpr qsizetype kTopKeys = 32;

}  // namespace

RowInspector::RowInspector(QWidget* parent)
    : QFrame(parent),
      m_title(widgets::makeLabel({}, "section", this)),
      m_query(widgets::makeLabel({}, "muted", this)),
      m_said(widgets::makeLabel({}, "plain", this)),
      m_label(widgets::makeLabel({}, "caption", this)),
      m_lamp(new QLabel(this)),
      m_checkTitle(widgets::makeLabel({}, "strong", this)),
      m_check(widgets::makeLabel({}, "caption", this)),
      m_outputMass(new widgets::MassBar(true, this)),
      m_baseMass(new widgets::MassBar(false, this)),
      m_main(widgets::makeLabel({}, "caption", this)),
      m_top(new TopKeys(this)),
      m_queries(new QueryPanel(this)),
      m_sides(new QButtonGroup(this)),
      m_stack(new QStackedWidget(this)) {
  setProperty("panel", true);
  setFixedWidth(308);
  m_title->setObjectName(QStringLiteral("inspectorTitle"));
  m_query->setObjectName(QStringLiteral("inspectorQuery"));
  m_said->setObjectName(QStringLiteral("inspectorSaid"));
  m_check->setObjectName(QStringLiteral("inspectorCheck"));
  m_checkTitle->setObjectName(QStringLiteral("inspectorLamp"));
  m_query->setTextFormat(Qt::PlainText);  // a token may look like markup
  m_said->setWordWrap(true);
  m_label->setObjectName(QStringLiteral("inspectorLabel"));
  m_label->setWordWrap(true);
  m_check->setWordWrap(true);
  auto* lamp = new QHBoxLayout;
  lamp->setSpacing(6);
  lamp->addWidget(m_lamp);
  lamp->addWidget(m_checkTitle, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(14, 12, 14, 10);
  layout->setSpacing(6);
  layout->addLayout(makeHead());
  layout->addWidget(m_query);
  m_stack->addWidget(makeKeys());
  m_stack->addWidget(m_queries);
  layout->addWidget(m_stack, 1);
  layout->addWidget(widgets::makeLine(Qt::Horizontal, this));
  layout->addLayout(lamp);
  layout->addWidget(m_check);
}

QLayout* RowInspector::makeHead() {
  auto* head = new QHBoxLayout;
  head->setSpacing(4);
  head->addWidget(m_title, 1);
  const std::tuple<const char*, QString, QString> sides[] = {
      {"inspectorKeys", tr("Keys"), tr("Where the rows' weight goes (Q)")},
      {"inspectorQueries", tr("Query"), tr("The query before and after scale-offset (Q)")}};
  for (const auto& [name, text, tip] : sides) {
    QPushButton* button = widgets::makeButton(text, {}, "toggle", this);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(tip);
    button->setCheckable(true);
    m_sides->addButton(button, static_cast<int>(m_sides->buttons().size()));
    head->addWidget(button);
  }
  m_sides->button(Keys)->setChecked(true);
  connect(m_sides, &QButtonGroup::idClicked, m_stack, &QStackedWidget::setCurrentIndex);
  return head;
}

QWidget* RowInspector::makeKeys() {
  auto* page = new QWidget(this);
  m_main->setObjectName(QStringLiteral("inspectorMain"));
  m_main->setWordWrap(true);
  m_main->setToolTip(
      tr("The smallest set of keys whose weights add up to 70 % of the row, at most %1, and what is left. "
         "Those of x′ have a corner in the strip above.")
          .arg(widgets::kMainKeys));
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(m_said);
  layout->addWidget(m_label);
  layout->addSpacing(2);
  layout->addWidget(m_outputMass);
  layout->addWidget(m_baseMass);
  layout->addWidget(m_main);
  layout->addWidget(m_top, 1);
  return page;
}

void RowInspector::setSide(Side side) {
  m_sides->button(side)->setChecked(true);
  m_stack->setCurrentIndex(side);
}

RowInspector::Side RowInspector::side() const {
  return static_cast<Side>(m_stack->currentIndex());
}

QString RowInspector::title() const {
  return m_title->text();
}

void RowInspector::setRow(const AttentionCapture& capture, int layer, int head, const Pins& pins) {
  const AttentionRecord& record = capture.record;
  m_title->setText(tr("Layer %1, head %2").arg(layer).arg(head));
  const QString group = tr("KV head %1").arg(head / std::max(1, capture.headsPerGroup));
  const QString asks = pins.isCombined()
                           ? pinsText(pins)
                           : tr("query %1  %2").arg(pins.current).arg(capture.tokens.value(pins.current));
  QString text = asks + QStringLiteral("   ·   ") + group;
  const auto index = static_cast<size_t>(pins.current);
  if (!pins.isCombined() && pins.hasOutput() && index < capture.predictions.size() &&
      capture.predictions[index].probability >= 0) {
    const widgets::PredictedToken& next = capture.predictions[index];
    text += u'\n' + tr("predicts %1 with %2").arg(next.text, widgets::formatNumber(next.probability));
  }
  m_query->setText(text);
  const std::vector<float> base = rowOf(capture, StreamKind::base, layer, head, pins);
  const std::vector<float> output =
      record.has_output ? rowOf(capture, StreamKind::output, layer, head, pins) : std::vector<float>();
  showMasses(capture, layer, head, pins);
  showLabel(capture, layer, head, pins);
  const std::vector<float>& strong = output.empty() ? base : output;
  std::vector<TopKeyRow> rows;
  for (const qsizetype key : widgets::heaviestKeys(strong, kTopKeys)) {
    const auto at = static_cast<size_t>(key);
    rows.push_back({key, capture.tokens.value(key),
                    base.empty() ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(base[at]),
                    output.empty() ? 0.0 : static_cast<double>(output[at])});
  }
  m_top->setRows(rows, record.has_output && !pins.asking(StreamKind::output).empty());
  showMain(capture, layer, pins, output, base);
  m_queries->setRow(capture, layer, head, pins);
  showChecks(capture, layer, head);
}

// How few keys hold 70 % of each row.
void RowInspector::showMain(const AttentionCapture& capture, int layer, const Pins& pins,
                            const std::vector<float>& output, const std::vector<float>& base) {
  QStringList lines;
  const auto add = [&](StreamKind stream, const std::vector<float>& row) {
    const widgets::KeySet set = widgets::keysReaching(row);
    if (set.keys.empty()) return;
    const std::vector<qint64> asked = pins.asking(stream);
    const bool isExact = std::ranges::all_of(
        asked, [&](qint64 position) { return capture.record.is_exact(stream, layer, position); });
    const auto keys = [](qsizetype count) { return count == 1 ? tr("1 key") : tr("%1 keys").arg(count); };
    lines.append(tr("%1: %2 reach %3, rest %4 %5")
                     .arg(stream == StreamKind::output ? QStringLiteral("x′") : QStringLiteral("x"),
                          keys(std::ssize(set.keys)),
                          set.reached ? QStringLiteral("70 %") : widgets::formatPercent(set.mass),
                          widgets::formatPercent(std::max(0.0, 1 - set.mass)),
                          isExact ? tr("on %1").arg(keys(set.others)) : tr("in the kept bins")));
  };
  add(StreamKind::output, output);
  add(StreamKind::base, base);
  m_main->setText(lines.join(u'\n'));
  m_main->setVisible(!lines.isEmpty());
}

void RowInspector::showMasses(const AttentionCapture& capture, int layer, int head, const Pins& pins) {
  const widgets::RowMeasures base = measuresOf(capture, StreamKind::base, layer, head, pins);
  const widgets::RowMeasures output = capture.record.has_output
                                          ? measuresOf(capture, StreamKind::output, layer, head, pins)
                                          : widgets::RowMeasures();
  m_baseMass->setVisible(base.support > 0);
  m_outputMass->setVisible(output.support > 0);
  m_baseMass->setMeasures(base);
  m_outputMass->setMeasures(output);
  if (base.support == 0 && output.support == 0) {
    m_said->setText(tr("This row was not captured. Take level C3, or C2 with this layer, and look again."));
  } else if (capture.record.has_output && pins.asking(StreamKind::output).empty()) {
    m_said->setText(
        tr("This token has no output copy x′ in this regime: x alone reads here, and nothing is "
           "predicted."));
  } else if (output.support == 0) {
    m_said->setText({});
  } else {
    m_said->setText(output.beyond > 0 ? tr("x′ puts %1 of its weight on keys that x cannot see.")
                                            .arg(widgets::formatPercent(output.beyond))
                                      : tr("x′ reads no key that x could not see."));
  }
}

// What the row of the current query mostly does, with the number and the threshold that say so.
void RowInspector::showLabel(const AttentionCapture& capture, int layer, int head, const Pins& pins) {
  const bool hasOutput = capture.record.has_output && pins.hasOutput();
  const StreamKind stream = hasOutput ? StreamKind::output : StreamKind::base;
  const widgets::RowMeasures row = measureAt(capture, stream, layer, head, pins.current);
  m_label->setVisible(row.support > 0 && !pins.isCombined());
  const widgets::HeadLabel label = widgets::labelOf(row);
  m_label->setText(label.kind == widgets::HeadLabel::Kind::None
                       ? tr("label: unlabelled, below every threshold")
                       : tr("label: %1, %2 (threshold %3)")
                             .arg(widgets::labelName(label.kind), widgets::formatNumber(label.score),
                                  widgets::formatNumber(widgets::labelThreshold(label.kind))));
  m_label->setToolTip(widgets::labelRules());
}

void RowInspector::showChecks(const AttentionCapture& capture, int layer, int head) {
  const AttentionRecord& record = capture.record;
  RowErrorsOfHead worst = record.errors(StreamKind::base, layer, head);
  bool holds = capture.holds(StreamKind::base, layer, head);
  if (record.has_output) {
    const RowErrorsOfHead& other = record.errors(StreamKind::output, layer, head);
    worst.sum = std::max(worst.sum, other.sum);
    worst.output = std::max(worst.output, other.output);
    worst.outside += other.outside;
    worst.rows += other.rows;
    holds = holds && capture.holds(StreamKind::output, layer, head);
  }
  m_lamp->setPixmap(widgets::iconPixmap(holds ? QStringLiteral("good") : QStringLiteral("bad"),
                                        holds ? widgets::Role::Good : widgets::Role::Bad, 16,
                                        devicePixelRatioF()));
  m_checkTitle->setText(holds ? tr("Invariants hold in %1 rows").arg(worst.rows)
                              : tr("An invariant is broken in these %1 rows").arg(worst.rows));
  m_check->setText(
      tr("rows sum to 1 ± %1\nrow · V = o ± %2 (%3: at most %4)\nweights outside the support: %5%6")
          .arg(widgets::formatNumber(worst.sum), widgets::formatNumber(worst.output),
               capture.bfloat16 ? QStringLiteral("bfloat16") : QStringLiteral("float32"),
               widgets::formatNumber(capture.tolerance()))
          .arg(worst.outside)
          .arg(record.last_base_used || layer + 1 < record.layers
                   ? QString()
                   : u'\n' + tr("x of the last layer: not used by the model")));
  m_check->setToolTip(
      tr("All captured rows of this head, both streams: double-precision sum of each row; each row times V "
         "against the engine's own attention output o, relative where the largest |o| is above 1; x reads "
         "the sinks and the last w keys alone, x′ keys 0 to its "
         "own."));
}

}  // namespace orthros::studio
