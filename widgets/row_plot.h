// RowPlot: both streams' rows of one position on one shared key axis: output x′ above it, base x below. The
// window and the sinks are drawn; a bar is the heaviest key of its pixel, or the sum of all. Hover and arrow
// keys (Shift: by 10, Ctrl: by paragraph) answer with the exact weights. Units: weights in 0..1, or their
// sums over several queries; bars as the style's scale says.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "widgets/attention_measures.h"
#include "widgets/weight_scale.h"

namespace orthros::widgets {

struct RowView {
  std::vector<float> base, output;  // over keys 0..T-1; output empty: one stream
  RowParts parts;
  QStringList tokens;                     // visible text of each key
  bool baseUsed = true, baseKept = true;  // not kept: base is all 0
  std::vector<qsizetype> lane;            // keys of the sink lane
  QString lanes = {};                     // "mean of 3 queries"; empty: one query
  struct Named {
    qsizetype begin = 0, end = 0;
    QString name;
  } named = {};  // keys [begin, end) that are pointed out; empty: none
};

class RowPlot : public QWidget {
  Q_OBJECT
 public:
  explicit RowPlot(QWidget* parent = nullptr);
  void setView(const RowView& view);
  void setStyle(const WeightStyle& style);
  void setStreams(bool base, bool output);
  void setMarked(qsizetype key);
  /// Where a weight ends, 0..1 of the lane's height.
  double heightOf(double weight, bool output = true) const;
  WeightScale scale(bool output) const;
  std::pair<double, QString> uniformTick(bool output) const;
  qsizetype keyAt(double x) const;
  QString readout(qsizetype key) const;
  QSize minimumSizeHint() const override { return {320, 180}; }

 Q_SIGNALS:
  void keyHovered(qsizetype key);  // -1: none

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  static constexpr double kLeft = 52, kRight = 12, kTop = 22, kBottom = 22;
  static constexpr double kAxis = 18;  // between the lanes

  void paintLane(QPainter& painter, bool up) const;
  void paintTicks(QPainter& painter, bool up) const;
  void paintSinks(QPainter& painter, bool up) const;
  QRectF labelBeside(const QRectF& bar, double room, bool up, const std::vector<QRectF>& others) const;
  void paintUniform(QPainter& painter, bool up) const;
  void paintGround(QPainter& painter) const;
  void paintNamed(QPainter& painter, double free) const;
  void paintCursor(QPainter& painter) const;
  double xOf(double key) const;
  double axisY() const;
  double laneHeight() const;
  double laneStart(bool up) const;
  bool isBinned() const;
  bool showsOutput() const { return m_showOutput && !m_view.output.empty(); }
  bool showsBase() const { return m_showBase || m_view.output.empty(); }
  const std::vector<float>& row(bool output) const { return output ? m_view.output : m_view.base; }
  RowContext contextOf(bool output) const;
  void sortForRanks();
  double rankOf(float weight, bool output) const;

  /// Of one row: visible keys, heaviest weight of all keys and without the lane's, weights by size.
  struct Facts {
    double visible = 1;
    double most[2] = {1, 1};
    std::vector<float> weights;  // visible ones; ascending while ranks are shown
  };
  RowView m_view;
  WeightStyle m_style;
  bool m_showBase = true, m_showOutput = true;
  Facts m_facts[2];  // base, output
  qsizetype m_hovered = -1;
};

}  // namespace orthros::widgets
