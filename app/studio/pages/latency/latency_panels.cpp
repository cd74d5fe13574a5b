#include "app/studio/pages/latency/latency_panels.h"

#include <QGridLayout>
#include <QLabel>

#include "app/studio/pages/latency/latency_text.h"
#include "widgets/controls.h"
#include "widgets/fact_strip.h"

namespace orthros::studio {
namespace {

constexpr int kWide = 900;  // from here on the big plot has two columns of small ones beside it
constexpr int kLeastPanel = 170;

QStringList paperLines(const LatencyView& view, const LatencyLook& look) {
  QStringList lines;
  for (const LatencyAxis& axis :
       {LatencyAxis{look.quantity, false}, LatencyAxis{ratioQuantity(look.quantity), true}}) {
    if (const auto overlay = paperOverlay(axis, view.report.spec.mode)) lines.append(paperText(*overlay));
  }
  return lines;
}

}  // namespace

LatencyPanels::LatencyPanels(QWidget* parent)
    : QWidget(parent),
      m_main(new widgets::CurvePlot(this)),
      m_speedUp(new widgets::CurvePlot(this)),
      m_memory(new widgets::CurvePlot(this)),
      m_roofline(new widgets::CurvePlot(this)),
      m_stack(new widgets::StackBars(this)),
      m_other(new widgets::CurvePlot(this)),
      m_facts(new widgets::FactStrip(this)),
      m_paper(widgets::makeLabel({}, "caption", this)),
      m_grid(new QGridLayout(this)) {
  m_main->setObjectName(QStringLiteral("latencyMain"));
  m_speedUp->setObjectName(QStringLiteral("latencySpeedUp"));
  m_memory->setObjectName(QStringLiteral("latencyMemory"));
  m_roofline->setObjectName(QStringLiteral("latencyRoofline"));
  m_stack->setObjectName(QStringLiteral("latencyStack"));
  m_other->setObjectName(QStringLiteral("latencyOther"));
  m_facts->setObjectName(QStringLiteral("latencyFacts"));
  m_facts->setAccessibleName(tr("Where the arms overtake the baseline"));
  m_paper->setObjectName(QStringLiteral("latencyPaper"));
  m_paper->setWordWrap(true);
  m_paper->setContentsMargins(8, 0, 8, 0);  // as the plots above it begin
  m_grid->setContentsMargins(0, 0, 0, 0);
  m_grid->setHorizontalSpacing(16);
  m_grid->setVerticalSpacing(8);
  for (QWidget* panel :
       std::initializer_list<QWidget*>{m_main, m_speedUp, m_memory, m_roofline, m_stack, m_other})
    panel->setMinimumHeight(kLeastPanel);
  arrange();
}

// Wide: the big plot, then two by two. Narrow: the big plot, then pairs below it.
void LatencyPanels::arrange() {
  const int columns = width() >= kWide ? 3 : 2;
  if (columns == m_columns) return;
  m_columns = columns;
  while (QLayoutItem* item = m_grid->takeAt(0)) delete item;
  const bool wide = columns == 3;
  m_grid->addWidget(m_facts, 0, 0, 1, 4);
  m_grid->addWidget(m_main, 1, 0, wide ? 2 : 1, wide ? 2 : 4);
  m_grid->addWidget(m_speedUp, wide ? 1 : 2, wide ? 2 : 0, 1, wide ? 1 : 2);
  for (QWidget* panel : std::initializer_list<QWidget*>{m_stack, m_other})  // one of them is hidden
    m_grid->addWidget(panel, wide ? 1 : 2, wide ? 3 : 2, 1, wide ? 1 : 2);
  m_grid->addWidget(m_memory, wide ? 2 : 3, wide ? 2 : 0, 1, wide ? 1 : 2);
  m_grid->addWidget(m_roofline, wide ? 2 : 3, wide ? 3 : 2, 1, wide ? 1 : 2);
  m_grid->addWidget(m_paper, 4, 0, 1, 4);
  for (int column = 0; column < 4; ++column) m_grid->setColumnStretch(column, 1);
  for (int row = 1; row < 4; ++row) m_grid->setRowStretch(row, row < 3 || !wide ? 1 : 0);
}

void LatencyPanels::resizeEvent(QResizeEvent*) {
  arrange();
}

void LatencyPanels::show(const LatencyView& view, const LatencyLook& look) {
  m_main->setData(curveData(view, look));
  m_speedUp->setData(speedUpData(view, look));
  m_memory->setData(memoryData(view, look));
  m_roofline->setData(rooflineData(view, look));
  const bool replies = hasReplies(view);
  m_stack->setVisible(replies);
  m_other->setVisible(!replies);
  if (replies) {
    m_stack->setData(stackData(view));
  } else {
    LatencyLook other = look;
    const std::vector<TimingQuantity> quantities = quantitiesOf(view);
    other.quantity = look.quantity == quantities[0] ? quantities[1] : quantities[0];
    m_other->setData(curveData(view, other));
  }
  const auto facts = crossoverFacts(view);
  m_facts->setRows(facts);
  m_facts->setVisible(!facts.isEmpty());
  const QStringList paper = look.hasPaper ? paperLines(view, look) : QStringList();
  m_paper->setText(paper.join(u'\n'));
  m_paper->setVisible(!paper.isEmpty());
  QWidget::show();
}

}  // namespace orthros::studio
