// RowPlot: both streams' rows of one position on one shared key axis: output x′ above it, base x below. The
// window and the sinks are drawn; a bar is the heaviest key of its pixel. Hover answers with the exact
// weights. Units: weights in 0..1; the scale is log2 from 2^-16 to 1, or linear to the heaviest.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "widgets/attention_measures.h"

namespace orthros::widgets {

struct RowView {
  std::vector<float> base, output;  // over keys 0..T-1; output empty: one stream
  RowParts parts;
  QStringList tokens;                     // visible text of each key
  bool baseUsed = true, baseKept = true;  // not kept: base is all 0
};

class RowPlot : public QWidget {
  Q_OBJECT
 public:
  explicit RowPlot(QWidget* parent = nullptr);
  void setView(const RowView& view);
  void setLogScale(bool log);
  void setMarked(qsizetype key);
  /// Where a weight ends, 0..1 of the lane's height.
  double heightOf(double weight) const;
  qsizetype keyAt(double x) const;
  QSize minimumSizeHint() const override { return {320, 180}; }

 Q_SIGNALS:
  void keyHovered(qsizetype key);  // -1: none

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void paintLane(QPainter& painter, const std::vector<float>& row, bool up) const;
  void paintGround(QPainter& painter) const;
  void paintCursor(QPainter& painter) const;
  double xOf(double key) const;
  double axisY() const;
  double laneHeight() const;

  RowView m_view;
  bool m_log = true;
  double m_most = 1;
  qsizetype m_hovered = -1;
};

}  // namespace orthros::widgets
