// TrainingPlots: loss, learning rate, gradient norm and tokens/s over steps, one above the other on one axis
// of steps (two by two where there is little height); one training live, or several compared. A step that is
// looked at in one plot is looked at in all.
#pragma once

#include <QWidget>
#include <array>

#include "app/studio/pages/training/training_run.h"
#include "widgets/curve_plot.h"

class QGridLayout;

namespace orthros::studio {

class TrainingPlots : public QWidget {
  Q_OBJECT
 public:
  explicit TrainingPlots(QWidget* parent = nullptr);
  void setRuns(const QList<TrainingCurves>& runs);
  const QList<TrainingCurves>& runs() const { return m_runs; }
  /// More of the first run.
  void append(const std::vector<TrainingPoint>& points);
  void setLogLoss(bool log);
  /// The four plots' readouts of the step that is looked at, or nothing.
  QString readout() const;
  widgets::CurvePlot* plot(int which) const { return m_plots[static_cast<size_t>(which)]; }

 Q_SIGNALS:
  void readoutChanged();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void showCurves();
  void arrange();
  void lookAt(widgets::CurveIndex index);

  QList<TrainingCurves> m_runs;
  std::array<widgets::CurvePlot*, 4> m_plots{};
  QGridLayout* m_grid;
  int m_columns = 0;
  bool m_logLoss = true;
};

/// At most `most` points: means of neighbours, at their last step.
std::vector<TrainingPoint> thinned(const std::vector<TrainingPoint>& points, size_t most);

}  // namespace orthros::studio
