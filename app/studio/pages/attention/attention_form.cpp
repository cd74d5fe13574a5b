#include "app/studio/pages/attention/attention_form.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QSpinBox>

#include "app/studio/example_text.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/icon.h"
#include "widgets/plain_text.h"

namespace orthros::studio {
namespace {

QString levelText(int index) {
  switch (index) {
    case 0:
      return AttentionForm::tr("Capture: as much as is quick");
    case 1:
      return AttentionForm::tr("C0  shares of every row");
    case 2:
      return AttentionForm::tr("C1  the last token, all heads");
    case 3:
      return AttentionForm::tr("C2  every row of this layer");
    default:
      return AttentionForm::tr("C3  every row of every head");
  }
}

}  // namespace

AttentionForm::AttentionForm(QWidget* parent)
    : QWidget(parent),
      m_text(new widgets::PlainText(this)),
      m_window(new QSpinBox(this)),
      m_sinks(new QSpinBox(this)),
      m_level(new QComboBox(this)),
      m_look(widgets::makeButton(tr("Look"), QStringLiteral("attention"), "primary", this)) {
  m_text->setObjectName(QStringLiteral("attentionText"));
  m_text->setFont(widgets::monoFont(12));
  m_text->setPlainText(exampleText());
  m_text->setTabChangesFocus(true);
  m_text->setAccessibleName(tr("Prompt"));
  m_look->setObjectName(QStringLiteral("attentionLook"));
  m_look->setToolTip(tr("Reads the prompt once and keeps the rows of attention (Ctrl+Return)"));
  m_look->setMinimumWidth(92);
  m_window->setObjectName(QStringLiteral("attentionWindow"));
  m_sinks->setObjectName(QStringLiteral("attentionSinks"));
  m_window->setRange(1, 1'000'000);
  m_window->setValue(32);
  m_window->setPrefix(tr("window "));
  m_window->setToolTip(tr("Keys a base row reads, its own included: [t − w + 1, t]"));
  m_sinks->setRange(0, 4096);
  m_sinks->setValue(4);
  m_sinks->setPrefix(tr("sinks "));
  m_sinks->setToolTip(tr("First keys that stay visible besides the window"));
  m_level->setObjectName(QStringLiteral("attentionLevel"));
  m_level->setToolTip(tr("How much is kept, and the memory it takes"));
  for (int i = 0; i < 5; ++i) m_level->addItem(levelText(i));
  m_level->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_level->setMinimumContentsLength(10);
  m_level->setMaximumWidth(320);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  m_window->setFixedWidth(132);
  m_sinks->setFixedWidth(104);
  layout->addWidget(m_window);
  layout->addWidget(m_sinks);
  layout->addWidget(m_level, 100);
  layout->addWidget(m_look);
  layout->addStretch(1);
  connect(m_look, &QPushButton::clicked, this, &AttentionForm::lookRequested);
  connect(m_text, &QPlainTextEdit::textChanged, this, &AttentionForm::changed);
  connect(m_window, &QSpinBox::valueChanged, this, &AttentionForm::changed);
  connect(m_sinks, &QSpinBox::valueChanged, this, &AttentionForm::changed);
}

QString AttentionForm::text() const {
  return m_text->toPlainText();
}

void AttentionForm::setText(const QString& text) {
  m_text->setPlainText(text);
}

WindowSpec AttentionForm::window() const {
  return {m_window->value(), m_sinks->value()};
}

void AttentionForm::setWindow(const WindowSpec& window) {
  m_window->setValue(static_cast<int>(window.window));
  m_sinks->setValue(static_cast<int>(window.sinks));
}

std::optional<CaptureLevel> AttentionForm::level() const {
  if (m_level->currentIndex() == 0) return {};
  return static_cast<CaptureLevel>(m_level->currentIndex() - 1);
}

void AttentionForm::setLevel(std::optional<CaptureLevel> level) {
  m_level->setCurrentIndex(level ? static_cast<int>(*level) + 1 : 0);
}

void AttentionForm::setEstimate(const CaptureEstimate& estimate) {
  for (int i = 0; i < static_cast<int>(estimate.bytes.size()); ++i) {
    const qint64 bytes = estimate.bytes[static_cast<size_t>(i)];
    const QString size = widgets::formatBytes(bytes);
    m_level->setItemText(i + 1, bytes > kCaptureBudget ? tr("%1 · %2, too much").arg(levelText(i + 1), size)
                                                       : tr("%1 · %2").arg(levelText(i + 1), size));
  }
}

void AttentionForm::setState(bool running, bool ready) {
  m_look->setText(running ? tr("Stop") : tr("Look"));
  m_look->setIcon(
      widgets::icon(running ? QStringLiteral("stop") : QStringLiteral("attention"), widgets::Role::OnAccent));
  m_look->setEnabled(running || (ready && !text().isEmpty()));
}

}  // namespace orthros::studio
