// RegimeBar: chooses the regime whose x′ rows are shown, and where an answer begins.
#pragma once

#include <QWidget>

#include "app/studio/pages/attention/regime_choice.h"

class QComboBox;
class QSpinBox;

namespace orthros::studio {

class RegimeBar : public QWidget {
  Q_OBJECT
 public:
  explicit RegimeBar(QWidget* parent = nullptr);
  /// What is chosen, within the tokens of the capture; one stream: nothing to choose.
  void setChoice(const AttentionCapture& capture, const RegimeChoice& choice);

 Q_SIGNALS:
  void regimeChosen(orthros::Regime regime);
  void splitChosen(qint64 position);

 private:
  QComboBox* m_regime;
  QSpinBox* m_split;
};

}  // namespace orthros::studio
