#include "app/studio/pages/attention/regime_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSpinBox>

#include "widgets/controls.h"

namespace orthros::studio {

RegimeBar::RegimeBar(QWidget* parent)
    : QWidget(parent), m_regime(new QComboBox(this)), m_split(new QSpinBox(this)) {
  m_regime->setObjectName(QStringLiteral("attentionRegime"));
  m_regime->setAccessibleName(tr("Regime: at which tokens x′ exists"));
  const std::pair<QString, QString> regimes[] = {
      {tr("Pre-training"), tr("x′ at every token (1)")},
      {tr("SFT"), tr("x′ where a token of the answer is predicted (2)")},
      {tr("Prefill"), tr("x′ at the last token alone (3)")},
      {tr("Decode"), tr("Prefill of the prompt, then one x′ a new token (4)")}};
  QStringList lines{
      tr("Regime: at which tokens an output copy x′ exists, and so which rows of x′ there are.")};
  for (const auto& [name, tip] : regimes) {
    m_regime->addItem(name);
    m_regime->setItemData(m_regime->count() - 1, tip, Qt::ToolTipRole);
    lines.append(QStringLiteral("%1: %2").arg(name, tip));
  }
  lines.append(
      tr("x′ never writes a key or value: its row at a token is the same numbers in every regime, "
         "and x is the same bit for bit."));
  m_regime->setToolTip(lines.join(u'\n'));
  m_split->setObjectName(QStringLiteral("attentionSplit"));
  m_split->setAccessibleName(tr("First token with an x′"));
  m_split->setPrefix(QStringLiteral("≥ "));
  m_split->setToolTip(tr(
      "x′ at this token and after it: the prompt's last token predicts the first of the answer (Shift+S: the "
      "pinned token)"));
  m_split->setKeyboardTracking(false);
  m_split->setFixedWidth(96);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(m_regime);
  layout->addWidget(m_split);
  m_split->hide();
  setEnabled(false);
  connect(m_regime, &QComboBox::activated, this,
          [this](int index) { Q_EMIT regimeChosen(static_cast<Regime>(index)); });
  connect(m_split, &QSpinBox::valueChanged, this, [this](int value) { Q_EMIT splitChosen(value); });
}

void RegimeBar::setChoice(const AttentionCapture& capture, const RegimeChoice& choice) {
  setEnabled(capture.record.has_output);
  m_regime->setCurrentIndex(static_cast<int>(choice.regime));
  const QSignalBlocker quiet(m_split);
  m_split->setRange(0, static_cast<int>(capture.lastPosition()));
  m_split->setValue(static_cast<int>(splitOf(capture, choice)));
  m_split->setVisible(canSplit(capture, choice));
}

}  // namespace orthros::studio
