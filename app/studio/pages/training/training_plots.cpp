#include "app/studio/pages/training/training_plots.h"

#include <QGridLayout>
#include <QHash>
#include <algorithm>
#include <cmath>

#include "widgets/format.h"
#include "widgets/theme.h"

namespace orthros::studio {
namespace {

using widgets::CurvePlot;

constexpr size_t kMostPoints = 1000;   // a curve with more is thinned: no screen shows them
constexpr int kLeastHeight = 4 * 116;  // of four plots one above the other

struct Quantity {
  QString title, label, unit;
  double TrainingPoint::*value;
};

std::array<Quantity, 4> quantities() {
  return {{{TrainingPlots::tr("Loss"), TrainingPlots::tr("nats"), TrainingPlots::tr("nats"),
            &TrainingPoint::loss},
           {TrainingPlots::tr("Learning rate"), QString(), {}, &TrainingPoint::rate},
           {TrainingPlots::tr("Gradient norm"), QString(), {}, &TrainingPoint::norm},
           {TrainingPlots::tr("Speed"), TrainingPlots::tr("tok/s"), TrainingPlots::tr("tok/s"),
            &TrainingPoint::tokensPerSecond}}};
}

widgets::CurvePoint pointOf(const TrainingPoint& point, double TrainingPoint::*value) {
  const double y = point.*value;
  widgets::CurvePoint drawn;
  drawn.x = static_cast<double>(point.step);
  if (std::isfinite(y)) drawn.y = y;
  return drawn;
}

}  // namespace

std::vector<TrainingPoint> thinned(const std::vector<TrainingPoint>& points, size_t most) {
  if (points.size() <= most) return points;
  std::vector<TrainingPoint> means;
  for (size_t bucket = 0; bucket < most; ++bucket) {
    const size_t begin = bucket * points.size() / most, end = (bucket + 1) * points.size() / most;
    TrainingPoint mean;
    mean.step = points[end - 1].step;
    const auto share = 1.0 / static_cast<double>(end - begin);
    for (size_t i = begin; i < end; ++i) {
      mean.loss += share * points[i].loss;
      mean.rate += share * points[i].rate;
      mean.norm += share * points[i].norm;
      mean.tokensPerSecond += share * points[i].tokensPerSecond;
    }
    means.push_back(mean);
  }
  return means;
}

TrainingPlots::TrainingPlots(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
  setObjectName(QStringLiteral("trainingPlots"));
  m_grid->setContentsMargins(0, 0, 0, 0);
  m_grid->setSpacing(4);
  static constexpr const char* kNames[] = {"trainingLoss", "trainingRate", "trainingNorm", "trainingSpeed"};
  // One step stands in one line over all plots: room for the widest number that their axes show.
  const int axisLeft =
      QFontMetrics(widgets::fontOf(*this, 11)).horizontalAdvance(widgets::formatCount(1'000'000)) + 16;
  for (size_t i = 0; i < m_plots.size(); ++i) {
    m_plots[i] = new CurvePlot(this);
    m_plots[i]->setObjectName(QString::fromLatin1(kNames[i]));
    m_plots[i]->setAccessibleName(quantities()[i].title);
    m_plots[i]->setMinimumHeight(100);
    m_plots[i]->setLeastLeft(axisLeft);
    connect(m_plots[i], &CurvePlot::hovered, this, &TrainingPlots::lookAt);
  }
  arrange();
}

void TrainingPlots::setRuns(const QList<TrainingCurves>& runs) {
  m_runs = runs;
  showCurves();
}

void TrainingPlots::append(const std::vector<TrainingPoint>& points) {
  if (m_runs.isEmpty() || points.empty()) return;
  TrainingCurves& run = m_runs.front();
  run.points.insert(run.points.end(), points.begin(), points.end());
  if (run.points.size() > kMostPoints) {
    showCurves();
    return;
  }
  for (size_t i = 0; i < m_plots.size(); ++i) {
    for (const TrainingPoint& point : points) m_plots[i]->append(0, pointOf(point, quantities()[i].value));
  }
}

void TrainingPlots::setLogLoss(bool log) {
  m_logLoss = log;
  m_plots[0]->setLog(Qt::Vertical, log);
}

void TrainingPlots::showCurves() {
  const auto all = quantities();
  for (size_t i = 0; i < m_plots.size(); ++i) {
    widgets::CurvePlotData data;
    data.title = all[i].title;
    data.x.unit = tr("step");
    if (i + static_cast<size_t>(m_columns) >= m_plots.size()) data.x.label = tr("step");
    data.y.label = all[i].label;
    data.y.unit = all[i].unit;
    data.y.isLog = i == 0 && m_logLoss;
    data.empty = tr("No step yet");
    QHash<QString, int> variants;
    for (const TrainingCurves& run : m_runs) {
      widgets::Curve curve;
      // One curve is named by the page; of several the first plot says which is which.
      if (m_runs.size() > 1 && i == 0) curve.label = run.name + u' ' + run.created.right(5);
      curve.architecture = run.architecture;
      curve.variant = variants[run.architecture]++;
      curve.isDense = true;
      for (const TrainingPoint& point : thinned(run.points, kMostPoints))
        curve.points.push_back(pointOf(point, all[i].value));
      data.curves.push_back(std::move(curve));
    }
    m_plots[i]->setData(data);
  }
}

void TrainingPlots::lookAt(widgets::CurveIndex index) {
  for (CurvePlot* plot : m_plots) plot->setMarked(index);
  Q_EMIT readoutChanged();
}

QString TrainingPlots::readout() const {
  QStringList parts;
  for (const CurvePlot* plot : m_plots) {
    const QString text = plot->readout(plot->marked());
    if (!text.isEmpty()) parts.append(text);
  }
  return parts.join(QStringLiteral("   "));
}

void TrainingPlots::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void TrainingPlots::arrange() {
  const int columns = height() >= kLeastHeight ? 1 : 2;
  if (columns == m_columns) return;
  m_columns = columns;
  showCurves();  // the lowest ones name the axis
  for (int i = 0; i < 4; ++i) {
    m_grid->removeWidget(m_plots[static_cast<size_t>(i)]);
    m_grid->addWidget(m_plots[static_cast<size_t>(i)], i / columns, i % columns);
  }
  for (int row = 0; row < 4; ++row) m_grid->setRowStretch(row, row < 4 / columns ? 1 : 0);
}

}  // namespace orthros::studio
