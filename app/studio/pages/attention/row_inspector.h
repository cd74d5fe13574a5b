// RowInspector: one head at one position: both rows on a shared key axis, where their mass goes, the heaviest
// keys, the prompt tinted by them, and whether the rows hold invariant 8.
#pragma once

#include <QFrame>

#include "app/studio/pages/attention/attention_capture.h"

class QLabel;

namespace orthros::widgets {
class MassBar;
class RowPlot;
class TokenHeat;
}  // namespace orthros::widgets

namespace orthros::studio {

class TopKeys;

class RowInspector : public QFrame {
  Q_OBJECT
 public:
  explicit RowInspector(QWidget* parent = nullptr);
  void setTokens(const QStringList& tokens);
  void setRow(const AttentionCapture& capture, int layer, int head);
  void setLogScale(bool log);
  QString title() const;
  /// The prompt tinted by the rows shown; the page gives it a place.
  widgets::TokenHeat* heat() const { return m_heat; }

 private:
  QLabel* m_title;
  QLabel* m_lamp;
  QLabel* m_check;
  widgets::MassBar* m_outputMass;
  widgets::MassBar* m_baseMass;
  widgets::RowPlot* m_plot;
  widgets::TokenHeat* m_heat;
  TopKeys* m_top;
};

}  // namespace orthros::studio
