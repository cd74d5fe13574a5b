// RowInspector: one head at one position in numbers: where both rows' mass goes, the keys that hold most of
// it, the heaviest keys, or the queries before and after scale-offset; and whether the head's rows hold
// invariants 1 and 8.
#pragma once

#include <QFrame>

#include "app/studio/pages/attention/pins.h"

class QButtonGroup;
class QLabel;
class QStackedWidget;

namespace orthros::widgets {
class MassBar;
}  // namespace orthros::widgets

namespace orthros::studio {

class QueryPanel;
class TopKeys;

class RowInspector : public QFrame {
  Q_OBJECT
 public:
  explicit RowInspector(QWidget* parent = nullptr);
  void setRow(const AttentionCapture& capture, int layer, int head, const Pins& pins);
  QString title() const;
  enum Side { Keys, Query };
  void setSide(Side side);
  Side side() const;

 private:
  QLayout* makeHead();
  QWidget* makeKeys();
  void showMain(const AttentionCapture& capture, int layer, const Pins& pins,
                const std::vector<float>& output, const std::vector<float>& base);
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
  QLabel* m_main;
  TopKeys* m_top;
  QueryPanel* m_queries;
  QButtonGroup* m_sides;
  QStackedWidget* m_stack;
};

}  // namespace orthros::studio
