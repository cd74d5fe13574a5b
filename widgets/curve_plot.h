// CurvePlot: measured curves over one pair of axes, linear or logarithmic: points with whiskers, each
// architecture by colour, mark and dash; models dotted, reported values hollow. The axes always hold every
// point. Points can be appended while a run goes on. Hover and arrow keys answer with the exact values.
// Drawn as vectors, on the screen and into a picture. Units: those of the axes. Threads: GUI thread.
#pragma once

#include <QWidget>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

class QCPPainter;
class QCustomPlot;

namespace orthros::widgets {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

enum class CurveKind {
  Measured,  // points with marks, joined
  Expected,  // what should come out: a thin line
  Model,     // fitted or extrapolated: dotted, no marks
  Reported,  // by somebody else: hollow marks, dashed
};

struct CurvePoint {
  double x = 0, y = kNoValue;              // without y: why there is none stands in the note
  double low = kNoValue, high = kNoValue;  // its 95 % interval; NaN: none
  QString note;                            // what else is known of it
};

struct Curve {
  QString label;
  QString architecture;  // key of the theme
  int variant = 0;       // 0, 1, ... among curves of one architecture
  CurveKind kind = CurveKind::Measured;
  bool isDense = false;  // many points: a solid line with a mark here and there
  std::vector<CurvePoint> points;
  std::optional<QString> legend = {};  // instead of the label; empty: the legend leaves it out
};

/// A line across the plot at one value.
struct CurveGuide {
  Qt::Orientation orientation = Qt::Horizontal;
  double at = 0;
  QString label;
};

struct CurveAxis {
  QString label;  // "prefill, ms"
  QString unit;   // "ms"; what the readout puts behind a value
  bool isLog = false;
  bool isTokens = false;        // ticks at powers of two: 512, 1K
  std::optional<double> holds;  // the axis holds this value too: 0, or 1 for ratios
};

struct CurvePlotData {
  QString title;
  CurveAxis x, y;
  std::vector<Curve> curves;
  std::vector<CurveGuide> guides;
  QString empty;  // what stands there while there is no point
};

/// One point of one curve.
struct CurveIndex {
  qsizetype curve = -1, point = -1;
  bool isValid() const { return curve >= 0; }
  bool operator==(const CurveIndex&) const = default;
};

class CurvePlot : public QWidget {
  Q_OBJECT
 public:
  explicit CurvePlot(QWidget* parent = nullptr);
  ~CurvePlot() override;
  void setData(const CurvePlotData& data);
  const CurvePlotData& data() const { return m_data; }
  /// At the end of a curve; nothing else is made anew.
  void append(qsizetype curve, const CurvePoint& point);
  void setLog(Qt::Orientation axis, bool log);
  /// The axis of the values stands at least so far from the left edge: plots above each other get one.
  void setLeastLeft(int pixels);
  double axisLeft() const;  // pixels from the left edge
  /// The point that is looked at; not valid: none.
  void setMarked(CurveIndex index);
  CurveIndex marked() const { return m_marked; }
  /// Where a point is drawn; a null point where there is none.
  QPointF position(CurveIndex index) const;
  CurveIndex pointAt(const QPointF& position) const;
  /// Everything that is known of a point, in one line.
  QString readout(CurveIndex index) const;
  /// What the axis holds, and the text of its tick marks from low to high.
  std::pair<double, double> range(Qt::Orientation axis) const;
  QStringList tickTexts(Qt::Orientation axis) const;
  QSize minimumSizeHint() const override { return {220, 160}; }
  QSize sizeHint() const override { return {360, 180}; }

 Q_SIGNALS:
  void hovered(CurveIndex index);  // not valid: the pointer left

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  struct LegendEntry;
  void build();
  void layOut();
  void applyTheme();
  void fitAxes();
  void spaceMarks();
  double headHeight() const;
  std::vector<LegendEntry> legend() const;
  const CurvePoint* at(CurveIndex index) const;
  void paintHead(QCPPainter& painter) const;
  void paintMissing(QCPPainter& painter) const;
  void paintMarked(QCPPainter& painter) const;

  CurvePlotData m_data;
  CurveIndex m_marked;
  // Lays out and draws the axes and curves; never shown itself.
  std::unique_ptr<QCustomPlot> m_plot;
};

}  // namespace orthros::widgets
