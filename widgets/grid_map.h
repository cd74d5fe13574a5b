// GridMap: a small matrix by layer and position as a picture with axes and a legend: what the cache holds,
// who reads it, how shares go with time. Hover and arrow keys answer with the exact value; a click chooses.
// NaN is "not captured" and hatched. A pixel shows the largest value below it.
#pragma once

#include <QStringList>
#include <QWidget>
#include <limits>
#include <vector>

#include "widgets/theme.h"

namespace orthros::widgets {

/// Not there at all, as a key that a row cannot see: no colour.
constexpr float kUnseen = -std::numeric_limits<float>::infinity();

struct GridData {
  qsizetype rows = 0, columns = 0;
  std::vector<float> values;  // [rows, columns]
  Ramp ramp = Ramp::Output;
  bool isLog = false;                  // from 2^-16 to 1
  QString title, rowName, columnName;  // "layer", "key"
  QStringList columnTexts;             // token of each column, may be empty
  QString unseenText;                  // what kUnseen means here; empty: a key that the row cannot see
};

class GridMap : public QWidget {
  Q_OBJECT
 public:
  explicit GridMap(QWidget* parent = nullptr);
  void setData(const GridData& data);
  const GridData& data() const { return m_data; }
  void setMarked(qsizetype row, qsizetype column);
  QRectF field() const;
  std::pair<qsizetype, qsizetype> cellAt(const QPointF& point) const;  // -1: none
  QString readout(qsizetype row, qsizetype column) const;
  QSize minimumSizeHint() const override { return {240, 120}; }

 Q_SIGNALS:
  void chosen(qsizetype row, qsizetype column);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QColor colorOf(float value) const;
  void paintField(QPainter& painter) const;
  void paintAxes(QPainter& painter) const;

  GridData m_data;
  double m_most = 1;
  qsizetype m_row = -1, m_column = -1;              // under the pointer
  qsizetype m_markedRow = -1, m_markedColumn = -1;  // chosen
};

}  // namespace orthros::widgets
