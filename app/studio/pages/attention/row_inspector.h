// RowInspector: one head at one position in numbers: where both rows' mass goes, the heaviest keys, and
// whether the head's rows hold invariants 1 and 8.
#pragma once

#include <QFrame>

#include "app/studio/pages/attention/pins.h"

class QLabel;

namespace orthros::widgets {
class MassBar;
}  // namespace orthros::widgets

namespace orthros::studio {

class TopKeys;

class RowInspector : public QFrame {
  Q_OBJECT
 public:
  explicit RowInspector(QWidget* parent = nullptr);
  void setRow(const AttentionCapture& capture, int layer, int head, const Pins& pins);
  QString title() const;

 private:
  void showChecks(const AttentionCapture& capture, int layer, int head);
  void showMasses(const AttentionCapture& capture, int layer, int head, const Pins& pins);
  void showLabel(const AttentionCapture& capture, int layer, int head, const Pins& pins);

  QLabel* m_title;
  QLabel* m_query;
  QLabel* m_said;
  QLabel* m_label;
  QLabel* m_lamp;
  QLabel* m_checkTitle;
  QLabel* m_check;
  widgets::MassBar* m_outputMass;
  widgets::MassBar* m_baseMass;
  TopKeys* m_top;
};

}  // namespace orthros::studio
