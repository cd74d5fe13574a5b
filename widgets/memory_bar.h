// MemoryBar: what a plan would take of the memory that is free: weights, cache, activations, and what is
// over. Units: bytes.
#pragma once

#include <QWidget>

namespace orthros::widgets {

struct MemoryView {
  qint64 weightsBytes = 0, kvBytes = 0, activationBytes = 0, availableBytes = 0;
  qint64 totalBytes() const { return weightsBytes + kvBytes + activationBytes; }
  bool fits() const { return totalBytes() <= availableBytes; }
};

class MemoryBar : public QWidget {
  Q_OBJECT
 public:
  explicit MemoryBar(QWidget* parent = nullptr);
  void setPlan(const MemoryView& plan);
  QSize sizeHint() const override { return {240, 12}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  MemoryView m_plan;
};

}  // namespace orthros::widgets
