// NeedleMap: retrieval by depth of the needle (down) and context length (across) as a picture. Colour limits
// are fixed, 0 to 1 (a difference: -1 to 1, diverging), so that pictures of different runs can be compared;
// margins by length and by depth stand apart. A cell without a result says why by its hatch, the running one
// has an outline. Hover and arrow keys answer with the exact values. Units: tokens, shares. Threads: GUI
// thread.
#pragma once

#include <QList>
#include <QWidget>
#include <cmath>
#include <limits>
#include <vector>

#include "widgets/theme.h"

namespace orthros::widgets {

struct NeedleCell {
  enum class State { Pending, Running, Done, OutOfMemory, Timeout, Failed, Skipped };
  State state = State::Pending;
  qint64 hits = 0, trials = 0;  // of a difference: hits of A alone minus those of B alone, pairs
  double value = std::numeric_limits<double>::quiet_NaN();  // share of hits, or difference of shares
  double low = 0, high = 1;                                 // its 95 % interval
  double depthLow = -1, depthHigh = -1;                     // where needles were placed; -1: nowhere
  double mass = std::numeric_limits<double>::quiet_NaN();   // attention on the needle, mean over heads
  double uniform = 0;                                       // what it were if attention were even
  qint64 cut = 0;                                           // replies ended by the budget without a value
  QString error;

  bool hasValue() const { return !std::isnan(value); }
};

/// A cell, or a margin: length == lengths.size() is over all lengths, depth == depths.size() over all depths.
struct NeedleIndex {
  qsizetype length = -1, depth = -1;
  bool isValid() const { return length >= 0; }
  bool operator==(const NeedleIndex&) const = default;
};

struct NeedleMapData {
  QString title;
  QString architecture;  // key of the mark's colour; empty: no mark
  bool isDifference = false;
  QList<qint64> lengths;          // tokens, ascending
  QList<double> depths;           // 0: first, 1: last before the question
  std::vector<NeedleCell> cells;  // [length][depth]
  std::vector<NeedleCell> byLength, byDepth;
  NeedleCell all;

  const NeedleCell* at(NeedleIndex index) const;  // null: no such cell
};

/// "512", "4K", "1M"
QString tokensText(qint64 tokens);

class NeedleMap : public QWidget {
  Q_OBJECT
 public:
  explicit NeedleMap(QWidget* parent = nullptr);
  /// The cell that is looked at stays the same where the axes do.
  void setData(const NeedleMapData& data);
  const NeedleMapData& data() const { return m_data; }
  /// The same cell, looked at in the map beside.
  void setMarked(NeedleIndex index);
  NeedleIndex marked() const { return m_marked; }
  QRectF cellRect(NeedleIndex index) const;
  NeedleIndex cellAt(const QPointF& point) const;
  /// Everything that is known of a cell, in one line.
  QString readout(NeedleIndex index) const;
  /// What a cell says by itself: "4/5", "+0.40", "OOM", or nothing.
  QString cellText(const NeedleCell& cell) const;
  QSize minimumSizeHint() const override { return {190, 180}; }

 Q_SIGNALS:
  void hovered(NeedleIndex index);  // not valid: the pointer left
  void chosen(NeedleIndex index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  void lookAt(NeedleIndex index);
  QColor colorOf(double value) const;
  void paintCell(QPainter& painter, const NeedleCell& cell, const QRectF& box) const;
  void paintAxes(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;

  NeedleMapData m_data;
  NeedleIndex m_marked;
};

}  // namespace orthros::widgets
