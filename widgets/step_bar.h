// StepBar: all moments of a pass in one line, by layer; the present one is filled. Click or drag goes there.
// Threads: GUI thread.
#pragma once

#include <QStringList>
#include <QWidget>

namespace orthros::widgets {

class StepBar : public QWidget {
  Q_OBJECT
 public:
  explicit StepBar(QWidget* parent = nullptr);
  /// `names` of the steps of a layer, then of the end.
  void setSteps(int layers, const QStringList& ofLayer, const QStringList& ofEnd);
  void setCurrent(int index);
  int current() const { return m_current; }
  QRectF stepRect(int index) const;
  QSize sizeHint() const override { return {480, 34}; }

 Q_SIGNALS:
  void chosen(int index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int count() const {
    return m_layers * static_cast<int>(m_ofLayer.size()) + static_cast<int>(m_ofEnd.size());
  }
  int indexAt(double x) const;
  QString name(int index) const;

  int m_layers = 1, m_current = 0;
  QStringList m_ofLayer, m_ofEnd;
};

}  // namespace orthros::widgets
