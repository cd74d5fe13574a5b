// ShareTimeline: how one layer's weight is split at every position: sinks, window, beyond, stacked to 1.
// Shapes differ as well as colours: beyond is hatched. Hover answers with the three numbers. Units: shares in
// 0..1.
#pragma once

#include <QWidget>
#include <vector>

namespace orthros::widgets {

struct SharePoint {
  float sink = 0, window = 0, beyond = 0;
};

class ShareTimeline : public QWidget {
  Q_OBJECT
 public:
  explicit ShareTimeline(QWidget* parent = nullptr);
  void setPoints(const std::vector<SharePoint>& points, const QString& title);
  void setMarked(qsizetype position);
  qsizetype positionAt(double x) const;  // -1: none
  QString readout(qsizetype position) const;
  QSize minimumSizeHint() const override { return {240, 110}; }

 Q_SIGNALS:
  void chosen(qsizetype position);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QRectF field() const;

  std::vector<SharePoint> m_points;
  QString m_title;
  qsizetype m_hovered = -1, m_marked = -1;
};

}  // namespace orthros::widgets
