// StepTimeline: the steps of a recorded decode on one axis: how long each took and how much of that was the
// recording, entropy, mass beyond the window, and whether its invariants held (a tick, or a cross that is
// taller and has another colour). Hover answers with the numbers, a click or Left and Right choose a step.
// Units: ms; shares and entropy in 0..1. The prompt's own step is not decode: its time is left out.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

namespace orthros::widgets {

struct StepPoint {
  qint64 position = 0;
  QString token;           // that was read
  bool isPrefill = false;  // the prompt's last token: its time is that of the prompt
  double ms = 0, recordMs = 0;
  double entropy = 0, beyond = 0;
  double sumError = 0, outputError = 0;
  qint64 outside = 0, rows = 0, outputRows = 0;
  bool holds = true;
};

struct StepSeries {
  QString title;
  std::vector<StepPoint> points;  // by position, without a gap
};

class StepTimeline : public QWidget {
  Q_OBJECT
 public:
  explicit StepTimeline(QWidget* parent = nullptr);
  void setSeries(StepSeries series);
  const StepSeries& series() const { return m_series; }
  void setMarked(qint64 position);
  qint64 positionAt(double x) const;  // -1: none
  QString readout(qint64 position) const;
  QSize minimumSizeHint() const override { return {240, 180}; }

 Q_SIGNALS:
  void chosen(qint64 position);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QRectF field() const;
  double xOf(size_t index) const;
  double step() const;
  void paintTimes(QPainter& painter, const QRectF& lane) const;
  void paintShares(QPainter& painter, const QRectF& lane, double StepPoint::*value, bool filled) const;
  void paintMarks(QPainter& painter, const QRectF& lane) const;
  void paintFrame(QPainter& painter, const QRectF& lane, const QString& name, const QString& top) const;

  StepSeries m_series;
  double m_mostMs = 1;
  qint64 m_hovered = -1, m_marked = -1;
};

}  // namespace orthros::widgets
