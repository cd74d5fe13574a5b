// LatencyPanels: the figure of a run: one big plot of the chosen quantity, and beside it speed-up, memory,
// the roofline, and where the time of a reply goes; below it what follows from them, and the paper's protocol
// where its points are shown. Threads: GUI thread.
#pragma once

#include <QWidget>

#include "app/studio/pages/latency/latency_curves.h"

class QGridLayout;
class QLabel;

namespace orthros::widgets {
class FactStrip;
}

namespace orthros::studio {

class LatencyPanels : public QWidget {
  Q_OBJECT
 public:
  explicit LatencyPanels(QWidget* parent = nullptr);
  void show(const LatencyView& view, const LatencyLook& look);
  widgets::CurvePlot* main() const { return m_main; }
  widgets::CurvePlot* speedUp() const { return m_speedUp; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();

  widgets::CurvePlot* m_main;
  widgets::CurvePlot* m_speedUp;
  widgets::CurvePlot* m_memory;
  widgets::CurvePlot* m_roofline;
  widgets::StackBars* m_stack;  // of runs that generate
  widgets::CurvePlot* m_other;  // another quantity, of those that do not
  widgets::FactStrip* m_facts;
  QLabel* m_paper;
  QGridLayout* m_grid;
  int m_columns = 0;
};

}  // namespace orthros::studio
