// NeedleMap: retrieval by depth of the needle (down) and context length (across) as a picture. Colour limits
// are fixed, 0 to 1 (a difference: -1 to 1, diverging), so that pictures of different runs can be compared;
// margins by length and by depth stand apart. A cell without a result says why by its hatch, the running one
// has an outline that breathes unless motion is reduced, one of few trials is pale, one with cut replies has
// a dot. Hover and arrow keys answer with the exact values. Units: tokens, shares, nats. Threads: GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QPixmap>
#include <QWidget>

#include "widgets/needle_data.h"
#include "widgets/needle_grid.h"
#include "widgets/theme.h"

class QTimer;

namespace orthros::widgets {

class NeedleMap : public QWidget {
  Q_OBJECT
 public:
  explicit NeedleMap(QWidget* parent = nullptr);
  /// The cell that is looked at stays the same where the axes do.
  void setData(const NeedleMapData& data);
  const NeedleMapData& data() const { return m_data; }
  void setStyle(const NeedleStyle& style);
  const NeedleStyle& style() const { return m_style; }
  /// The same cell, looked at in the map beside.
  void setMarked(NeedleIndex index);
  NeedleIndex marked() const { return m_marked; }
  QRectF cellRect(NeedleIndex index) const { return m_grid.cell(index); }
  NeedleIndex cellAt(const QPointF& point) const;
  /// Everything that is known of a cell, in one line.
  QString readout(NeedleIndex index) const;
  /// What a cell says by itself: "4/5", "+0.40", "OOM", or nothing.
  QString cellText(const NeedleCell& cell) const;
  /// Its colour, pale for few trials; the ground's where there is no value.
  QColor cellColor(const NeedleCell& cell) const;
  /// An outline breathes: something runs, is seen, and motion is allowed.
  bool isPulsing() const;
  QSize minimumSizeHint() const override { return {190, 180}; }

 Q_SIGNALS:
  void hovered(NeedleIndex index);  // not valid: the pointer left
  void chosen(NeedleIndex index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  struct CellFont;
  void lookAt(NeedleIndex index);
  void relayout();
  void updatePulse();
  NeedleMeasure measure() const { return m_data.isDifference ? NeedleMeasure::Found : m_style.measure; }
  double shown(const NeedleCell& cell) const;
  QColor colorAt(double position) const;
  /// Everything but what moves: kept as a pixmap, so that pointing at cells costs one copy.
  void paintStill(QPainter& painter) const;
  void paintCells(QPainter& painter) const;
  void paintCell(QPainter& painter, const NeedleCell& cell, const QRectF& box,
                 const std::vector<CellFont>& fonts) const;
  void paintTitle(QPainter& painter) const;
  void paintAxes(QPainter& painter) const;
  void paintReach(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;
  void paintFromEnd(QPainter& painter) const;
  void paintRunning(QPainter& painter) const;
  void paintMark(QPainter& painter) const;

  NeedleMapData m_data;
  NeedleStyle m_style;
  NeedleGrid m_grid;
  NeedleIndex m_marked;
  QPixmap m_still;
  QTimer* m_pulse;
  QElapsedTimer m_sincePulse;
};

}  // namespace orthros::widgets
