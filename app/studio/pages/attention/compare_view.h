// CompareView: A and B, each a head of a capture, and A − B row by row. A stays where it was set, B follows
// the selection, so that two heads, two windows or two models over the same tokens can be compared.
#pragma once

#include <QWidget>

#include "app/studio/pages/attention/attention_capture.h"

class QLabel;
class QPushButton;

namespace orthros::widgets {
class ElidedLabel;
class PairView;
}  // namespace orthros::widgets

namespace orthros::studio {

class CompareView : public QWidget {
  Q_OBJECT
 public:
  explicit CompareView(QWidget* parent = nullptr);
  void setCurrent(const CapturePointer& capture, int layer, int head);
  void setA();
  bool hasA() const { return m_a.capture != nullptr; }
  QString name() const;
  widgets::PairView* pairView() const { return m_pair; }

 private:
  struct Side {
    CapturePointer capture;
    int layer = 0, head = 0;
    QString text() const;
  };
  void refresh();

  Side m_a, m_b;
  widgets::ElidedLabel* m_aLabel;
  widgets::ElidedLabel* m_bLabel;
  QLabel* m_note;
  QPushButton* m_set;
  widgets::PairView* m_pair;
};

}  // namespace orthros::studio
