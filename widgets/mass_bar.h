// MassBar: where one row's weight goes: sinks, window, beyond the window. Shapes differ as well as colours:
// beyond is hatched. Units: shares in 0..1.
#pragma once

#include <QWidget>

#include "widgets/attention_measures.h"

namespace orthros::widgets {

class MassBar : public QWidget {
  Q_OBJECT
 public:
  /// `isOutput`: x′ (orange) or x (blue).
  explicit MassBar(bool isOutput, QWidget* parent = nullptr);
  void setMeasures(const RowMeasures& measures);
  QSize sizeHint() const override { return {240, 34}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool m_isOutput;
  RowMeasures m_measures;
};

}  // namespace orthros::widgets
