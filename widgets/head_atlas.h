// HeadAtlas: all heads of all layers as one grid: layers down, heads across in their key-value groups, or
// sorted by value within each layer or all together. A cell is cut by a diagonal: base stream x lower left,
// output stream x′ upper right; it may carry a letter. Click or arrow keys choose a head; N goes to the next
// strongest. Units: values in 0..1; NaN is "not captured" and hatched.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace orthros::widgets {

enum class AtlasOrder { ByIndex, WithinLayer, Global };

struct AtlasView {
  int layers = 0, heads = 0, headsPerGroup = 1;
  std::vector<float> base, output;  // [layers, heads]; output empty: one stream
  QString measure;                  // "mass beyond the window"
  AtlasOrder order = AtlasOrder::ByIndex;
  QStringList letters, notes;  // [layers, heads]: in the cell; more of its tooltip. May be empty
};

class HeadAtlas : public QWidget {
  Q_OBJECT
 public:
  explicit HeadAtlas(QWidget* parent = nullptr);
  void setView(const AtlasView& view);
  void select(int layer, int head);
  /// The head whose value comes next below the chosen one's; after the last, the strongest. Output stream's
  /// values where there is one.
  void selectNextStrongest();
  /// 1 for the strongest; 0 when not captured.
  int rank() const;
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
  void paintBrackets(QPainter& painter) const;
  void sortHeads();
  QRectF slotRect(int slot) const;
  void moveBy(int rows, int columns);
  QString headName(int index) const;
  int index() const { return m_layer * m_view.heads + m_head; }

  const std::vector<float>& ranked() const { return m_view.output.empty() ? m_view.base : m_view.output; }

  AtlasView m_view;
  std::vector<int> m_slotOf, m_headAt;  // head index to place in the grid, and back
  double m_most = 1;                    // value at the end of the ramps
  int m_layer = -1, m_head = -1;
  int m_walked = -1;  // where selectNextStrongest came to
};

}  // namespace orthros::widgets
