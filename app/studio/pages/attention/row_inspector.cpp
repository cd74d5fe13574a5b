#include "app/studio/pages/attention/row_inspector.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "app/studio/pages/attention/top_keys.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/icon.h"
#include "widgets/mass_bar.h"
#include "widgets/row_plot.h"
#include "widgets/token_heat.h"

namespace orthros::studio {
namespace {

constexpr double kTolerance = 1e-5;          // invariant 8, fp32
constexpr double kToleranceBfloat16 = 2e-2;  // o itself is rounded to bfloat16
constexpr qsizetype kTopKeys = 24;

std::vector<float> copyOf(std::span<const float> row) {
  return {row.begin(), row.end()};
}

}  // namespace

RowInspector::RowInspector(QWidget* parent)
    : QFrame(parent),
      m_title(widgets::makeLabel({}, "section", this)),
      m_lamp(new QLabel(this)),
      m_check(widgets::makeLabel({}, "caption", this)),
      m_outputMass(new widgets::MassBar(true, this)),
      m_baseMass(new widgets::MassBar(false, this)),
      m_plot(new widgets::RowPlot(this)),
      m_heat(new widgets::TokenHeat(this)),
      m_top(new TopKeys(this)) {
  setProperty("panel", true);
  m_title->setObjectName(QStringLiteral("inspectorTitle"));
  m_check->setObjectName(QStringLiteral("inspectorCheck"));
  m_plot->setObjectName(QStringLiteral("rowPlot"));
  auto* head = new QHBoxLayout;
  head->setSpacing(6);
  head->addWidget(m_lamp);
  head->addWidget(m_check, 1);
  auto* masses = new QVBoxLayout;
  masses->setSpacing(4);
  masses->addWidget(m_outputMass);
  masses->addWidget(m_baseMass);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 12, 16, 12);
  layout->setSpacing(8);
  layout->addWidget(m_title);
  layout->addLayout(head);
  layout->addLayout(masses);
  layout->addWidget(m_plot, 5);
  layout->addWidget(m_top, 3);
  connect(m_plot, &widgets::RowPlot::keyHovered, m_heat, &widgets::TokenHeat::setMarked);
  connect(m_heat, &widgets::TokenHeat::keyHovered, m_plot, &widgets::RowPlot::setMarked);
}

QString RowInspector::title() const {
  return m_title->text();
}

void RowInspector::setTokens(const QStringList& tokens) {
  m_heat->setTokens(tokens);
}

void RowInspector::setLogScale(bool log) {
  m_plot->setLogScale(log);
}

void RowInspector::setRow(const AttentionCapture& capture, int layer, int head) {
  const AttentionAtlas& atlas = capture.atlas;
  const auto index = static_cast<size_t>(layer * atlas.heads + head);
  m_title->setText(
      tr("Layer %1, head %2  ·  KV head %3").arg(layer).arg(head).arg(head / capture.headsPerGroup));
  widgets::RowView view;
  view.base = copyOf(atlas.row(StreamKind::base, layer, head));
  if (atlas.has_output()) view.output = copyOf(atlas.row(StreamKind::output, layer, head));
  view.parts = capture.parts;
  view.tokens = capture.tokens;
  view.baseUsed = atlas.last_base_used || layer + 1 < atlas.layers;
  m_plot->setView(view);
  m_heat->setRows(view.base, view.output);
  m_baseMass->setMeasures(capture.base[index]);
  m_outputMass->setVisible(atlas.has_output());
  if (atlas.has_output()) m_outputMass->setMeasures(capture.output[index]);
  const std::vector<float>& strong = view.output.empty() ? view.base : view.output;
  std::vector<TopKeyRow> rows;
  for (const qsizetype key : widgets::heaviestKeys(strong, kTopKeys)) {
    const auto at = static_cast<size_t>(key);
    rows.push_back(
        {key, capture.tokens.value(key), view.base[at], view.output.empty() ? 0 : view.output[at]});
  }
  m_top->setRows(rows, atlas.has_output());
  const double tolerance = capture.bfloat16 ? kToleranceBfloat16 : kTolerance;
  const bool holds = atlas.max_sum_error <= kTolerance && atlas.max_output_error <= tolerance;
  m_lamp->setPixmap(widgets::iconPixmap(holds ? QStringLiteral("good") : QStringLiteral("warn"),
                                        holds ? widgets::Role::Good : widgets::Role::Warn, 16,
                                        devicePixelRatioF()));
  m_check->setText(tr("rows sum to 1 ± %1  ·  row · V = o ± %2 (%3, at most %4)")
                       .arg(widgets::formatNumber(atlas.max_sum_error),
                            widgets::formatNumber(atlas.max_output_error),
                            capture.bfloat16 ? QStringLiteral("bfloat16") : QStringLiteral("float32"),
                            widgets::formatNumber(tolerance)));
  m_check->setToolTip(tr(
      "Over all heads and both streams: double-precision sum of each row, and each row times V against the "
      "engine's own attention output"));
}

}  // namespace orthros::studio
