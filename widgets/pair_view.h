// PairView: all captured rows of one head: left the base band unrolled (sinks, then offsets w-1 .. 0), right
// the output rows over all keys; queries down, keys across, one vertical axis. Wheel zooms at the pointer
// (Shift: queries alone, Ctrl: keys alone), drag pans, a click pins a row, arrows move the cursor (Shift: by
// 10, Ctrl: by paragraph), Home shows everything; of what is larger than the view a mini-map shows and moves
// the part. Hover answers from the data at hand. Units: weights in 0..1 (differences -1..1), coloured as the
// style says.
#pragma once

#include <QImage>
#include <QWidget>

#include "widgets/pair_data.h"
#include "widgets/theme.h"
#include "widgets/weight_scale.h"

namespace orthros::widgets {

struct PairColors;

class PairView : public QWidget {
  Q_OBJECT
 public:
  explicit PairView(QWidget* parent = nullptr);
  void setData(std::shared_ptr<const PairData> data);
  const PairData* data() const { return m_data.get(); }
  void setStyle(const WeightStyle& style);
  /// Both streams, or one pane alone where the head has both.
  enum class Streams { Both, Base, Output };
  void setStreams(Streams streams);
  void setPinned(qint64 position);
  qint64 pinned() const { return m_pinned; }
  /// More pinned rows, drawn like the pinned one.
  void setMorePins(const std::vector<qint64>& positions);
  void setMarked(qint64 position, qint64 key);
  qint64 cursorPosition() const { return m_position; }
  qint64 cursorKey() const { return m_key; }

  /// x: keys, y: positions that are shown.
  QRectF shown() const { return m_shown; }
  void showArea(const QRectF& area);  // kept within the data
  void fit();
  void zoomAt(const QPointF& point, double factor, bool keys, bool positions);
  QRectF pane(bool output) const;
  /// The mini-map, while less than the whole is shown, and the frame in it of what is; empty: none.
  QRectF mapRect() const;
  QRectF mapFrame() const;
  /// What lies under a point: position and key, -1 where there is none.
  std::pair<qint64, qint64> under(const QPointF& point) const;
  QString readout(qint64 position, qint64 key) const;
  /// A pixel of this pane stands for several cells.
  bool isBinned(bool output) const;
  WeightScale scale(bool output) const;
  /// Where, in the pinned row (else the last), a row of equal weights has its weight: place and text.
  std::pair<double, QString> uniformTick(bool output) const;
  /// The keys of the sink lane with their weights in the pinned row; empty while the lane is off.
  QString laneBanner() const;
  /// The same as it is drawn: whole, in lines that fit the view.
  const QStringList& bannerLines() const;
  /// All cells of the output pane below one pixel, where a pixel covers several: the heaviest and the sum.
  struct Bin {
    qint64 rows = 1, keys = 1, position = -1, key = -1;
    double sum = 0;
  };
  Bin binAt(const QPointF& point) const;
  QSize minimumSizeHint() const override { return {360, 240}; }

 Q_SIGNALS:
  void rowPinned(qint64 position);
  void hovered(qint64 position, qint64 key);  // -1: none

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Cached {
    QImage image;
    QRectF area;
    bool valid = false;
  };
  QRectF areaOf(bool output) const;
  bool hasMap() const;
  bool mapsOutput() const;
  void centreOn(const QPointF& pointInMap);
  void paintMap(QPainter& painter);
  PairColors rasterColors(bool output) const;
  const QImage& imageOf(bool output, double scale);
  void forget();
  void paintPane(QPainter& painter, bool output);
  void paintEdges(QPainter& painter, bool output) const;
  void paintPositions(QPainter& painter) const;
  void paintKeys(QPainter& painter) const;
  void paintCursor(QPainter& painter, bool output) const;
  void paintLegend(QPainter& painter) const;
  void paintAbsentLegend(QPainter& painter, double x, double y) const;
  QString scaleNote() const;
  QStringList laneParts() const;
  QRectF bannerStrip(double bottom) const;
  void paintBanner(QPainter& painter, double bottom) const;
  void paintLane(QPainter& painter, bool output) const;
  void paintReadout(QPainter& painter) const;
  void moveCursor(qint64 positions, qint64 keys);
  double positionHeight() const;
  double keyWidth() const;
  qint64 paragraphStep(qint64 from, int direction) const;
  qsizetype contextRow(bool output) const;
  bool hasLane() const { return m_data && m_style.lane && m_data->facts && !m_data->facts->lane.empty(); }
  bool hasOutput() const {
    return m_data && !m_data->output.isEmpty() && (m_streams != Streams::Base || m_data->base.isEmpty());
  }
  bool hasBase() const {
    return m_data && !m_data->base.isEmpty() && (m_streams != Streams::Output || m_data->output.isEmpty());
  }

  std::shared_ptr<const PairData> m_data;
  QRectF m_shown;
  Cached m_cache[2], m_map;
  struct Banner {
    int width = -1;  // of the view it was broken for
    QStringList lines;
  };
  mutable Banner m_banner;
  WeightStyle m_style;
  Streams m_streams = Streams::Both;
  std::vector<qint64> m_morePins;
  QString m_binText;
  qint64 m_pinned = -1, m_position = -1, m_key = -1;
  QPointF m_dragFrom;
  bool m_dragged = false, m_pressed = false, m_pressedMap = false;
};

}  // namespace orthros::widgets
