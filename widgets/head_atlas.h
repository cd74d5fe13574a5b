// HeadAtlas: all heads of all layers as one grid: layers down, heads across in their key-value groups. A cell
// is cut by a diagonal: base stream x lower left, output stream x′ upper right. Click or arrow keys choose a
// head. Units: values in 0..1.
#pragma once

#include <QWidget>
#include <vector>

namespace orthros::widgets {

struct AtlasView {
  int layers = 0, heads = 0, headsPerGroup = 1;
  std::vector<float> base, output;  // [layers, heads]; output empty: one stream
  QString measure;                  // "mass beyond the window"
};

class HeadAtlas : public QWidget {
  Q_OBJECT
 public:
  explicit HeadAtlas(QWidget* parent = nullptr);
  void setView(const AtlasView& view);
  void select(int layer, int head);
  int layer() const { return m_layer; }
  int head() const { return m_head; }
  QRectF cellRect(int layer, int head) const;
  QSize minimumSizeHint() const override { return {220, 200}; }

 Q_SIGNALS:
  void selected(int layer, int head);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  bool cellAt(const QPointF& point, int* layer, int* head) const;
  void paintCell(QPainter& painter, int layer, int head) const;
  void paintAxes(QPainter& painter) const;

  AtlasView m_view;
  double m_most = 1;  // value at the end of the ramps
  int m_layer = -1, m_head = -1;
};

}  // namespace orthros::widgets
