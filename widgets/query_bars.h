// QueryBars: one head's query of one position before and after scale-offset, a lane for each stream: filled
// bars after it, dashes across before it, all on one axis. Hover and arrow keys (Shift: by 10) give the full
// floats; Ctrl+C copies them all. Units: as the engine's vectors, none. Threads: GUI.
#pragma once

#include <QWidget>
#include <span>
#include <vector>

namespace orthros::widgets {

struct QueryLane {
  bool isOutput = false;
  std::vector<float> before, after;  // [head_dim]
};

/// Lengths of both vectors and the cosine of their angle; NaN where one is 0.
struct QueryFacts {
  double before = 0, after = 0, cosine = 0;
};
QueryFacts queryFacts(std::span<const float> before, std::span<const float> after);

class QueryBars : public QWidget {
  Q_OBJECT
 public:
  explicit QueryBars(QWidget* parent = nullptr);
  /// From top to bottom, all of one length.
  void setLanes(std::vector<QueryLane> lanes);
  const std::vector<QueryLane>& lanes() const { return m_lanes; }
  /// Ends of the axis: ± this.
  double limit() const { return m_limit; }
  qsizetype dimension() const { return m_dimension; }
  void setDimension(qsizetype dimension);
  qsizetype dimensionAt(double x) const;
  /// "|q| 3.214 → 4.021, cosine 0.9812".
  QString summary(size_t lane) const;
  /// The full floats of the chosen dimension.
  QString readout(size_t lane) const;
  /// Tab-separated with a line of names: stream, dimension, before, after.
  QString table() const;
  QSize minimumSizeHint() const override { return {220, 120}; }
  QSize sizeHint() const override { return {280, 260}; }

 Q_SIGNALS:
  void dimensionChanged(qsizetype dimension);  // -1: none

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void paintLane(QPainter& painter, size_t lane, const QRectF& at) const;
  void paintNames(QPainter& painter) const;
  double stepWidth() const;
  qsizetype count() const {
    return m_lanes.empty() ? 0 : static_cast<qsizetype>(m_lanes.front().after.size());
  }

  std::vector<QueryLane> m_lanes;
  double m_limit = 1;
  qsizetype m_dimension = -1;
};

}  // namespace orthros::widgets
