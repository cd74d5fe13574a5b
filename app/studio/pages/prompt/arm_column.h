// ArmColumn: one arm's answer as chips, with what it cost.
#pragma once

#include <QFrame>

#include "app/studio/pages/prompt/prompt_types.h"

class QLabel;

namespace orthros::widgets {
class ElidedLabel;
}

namespace orthros::studio {

class ArmColumn : public QFrame {
  Q_OBJECT
 public:
  explicit ArmColumn(QWidget* parent = nullptr);
  void setArm(const QString& key, const QString& label, const QString& detail);
  void setState(const QString& state);
  /// How this output stands to the first column's; empty: no line.
  void setComparison(const QString& text);
  QString label() const;
  void setFigures(const ArmFigures& figures);
  void clearFigures();
  widgets::TokenChips* chips() const { return m_chips; }
  QString key() const { return m_key; }

 private:
  void paintDot();

  QString m_key;
  QLabel* m_dot;
  QLabel* m_label;
  QLabel* m_state;
  widgets::ElidedLabel* m_comparison;
  widgets::ElidedLabel* m_detail;
  widgets::TokenChips* m_chips;
  QList<QLabel*> m_figures;
};

}  // namespace orthros::studio
