#include "app/studio/pages/prompt/prompt_form.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/studio/pages/prompt/seed_box.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/icon.h"
#include "widgets/plain_text.h"

namespace orthros::studio {
namespace {

using widgets::makeLabel;

constexpr const char* kArmKeys[] = {"transformer", "swa", "orthros"};
constexpr Architecture kArmKinds[] = {Architecture::transformer, Architecture::swa, Architecture::orthros};

template <class Spin, class Number>
Spin* makeSpin(Number low, Number high, Number value, const char* name, const QString& tip, QWidget* parent) {
  auto* spin = new Spin(parent);
  spin->setRange(low, high);
  spin->setValue(value);
  spin->setObjectName(QString::fromLatin1(name));
  spin->setToolTip(tip);
  spin->setMinimumWidth(96);
  return spin;
}

}  // namespace

PromptForm::PromptForm(QWidget* parent) : QWidget(parent) {
  m_text = new widgets::PlainText(this);
  m_text->setObjectName(QStringLiteral("promptText"));
  setFocusProxy(m_text);  // what is typed first is the prompt
  m_text->setPlaceholderText(tr("What should the model read?"));
  m_text->setAccessibleName(tr("Prompt"));
  m_text->setFont(widgets::monoFont());
  m_text->setMinimumHeight(96);
  m_text->setTabChangesFocus(true);
  m_system = new QLineEdit(this);
  m_system->setObjectName(QStringLiteral("promptSystem"));
  m_system->setPlaceholderText(tr("System prompt (optional)"));
  m_run = widgets::makeButton(tr("Run"), QStringLiteral("play"), "primary", this);
  m_run->setObjectName(QStringLiteral("promptRun"));
  m_run->setToolTip(tr("Feeds the same ids to every arm (Ctrl+Return)"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(12);
  layout->addWidget(makeMode());
  layout->addWidget(m_system);
  layout->addWidget(m_text, 1);
  layout->addWidget(m_run);
  layout->addWidget(makeArms());
  layout->addWidget(makeSampling());
  connect(m_run, &QPushButton::clicked, this, [this] {
    if (m_running) {
      Q_EMIT stopRequested();
    } else {
      Q_EMIT runRequested();
    }
  });
  connect(m_text, &QPlainTextEdit::textChanged, this, &PromptForm::refresh);
  refresh();
}

QWidget* PromptForm::makeMode() {
  auto* bar = new QWidget(this);
  m_promptMode = widgets::makeButton(tr("Prompt"), {}, "toggle", bar);
  m_chatMode = widgets::makeButton(tr("Chat"), {}, "toggle", bar);
  m_newChat = widgets::makeButton(tr("New chat"), QStringLiteral("plus"), "plain", bar);
  m_promptMode->setObjectName(QStringLiteral("modePrompt"));
  m_chatMode->setObjectName(QStringLiteral("modeChat"));
  m_newChat->setObjectName(QStringLiteral("newChat"));
  m_promptMode->setToolTip(tr("The text as it is, continued"));
  m_chatMode->setToolTip(tr("The text as a user's turn in the model's own chat template; turns add up"));
  auto* group = new QButtonGroup(this);
  for (QPushButton* button : {m_promptMode, m_chatMode}) {
    button->setCheckable(true);
    group->addButton(button);
  }
  m_promptMode->setChecked(true);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(m_promptMode);
  layout->addWidget(m_chatMode);
  layout->addStretch(1);
  layout->addWidget(m_newChat);
  connect(group, &QButtonGroup::idToggled, this, &PromptForm::refresh);
  connect(m_newChat, &QPushButton::clicked, this, &PromptForm::newChatRequested);
  return bar;
}

QWidget* PromptForm::makeArms() {
  auto* panel = widgets::makePanel(this);
  const QString names[] = {tr("Transformer"), tr("Sliding window"), tr("Orthros")};
  const QString tips[] = {tr("Every token reads all before it"),
                          tr("Every token reads the window and the sinks alone"),
                          tr("The base stream reads the window; the output stream reads everything")};
  auto* grid = new QGridLayout(panel);
  grid->setContentsMargins(16, 12, 16, 12);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(8);
  grid->addWidget(makeLabel(tr("Run the same weights as"), "caption", panel), 0, 0, 1, 2);
  for (int i = 0; i < 3; ++i) {
    m_armBoxes[i] = new QCheckBox(names[i], panel);
    m_armBoxes[i]->setObjectName(QStringLiteral("arm-") + QLatin1String(kArmKeys[i]));
    m_armBoxes[i]->setToolTip(tips[i]);
    m_armBoxes[i]->setChecked(i != 1);
    grid->addWidget(m_armBoxes[i], 1 + i, 0);
    connect(m_armBoxes[i], &QCheckBox::toggled, this, &PromptForm::refresh);
    connect(m_armBoxes[i], &QCheckBox::toggled, this, &PromptForm::armsChanged);
  }
  m_window = makeSpin<QSpinBox>(1, 1'000'000, 128, "armWindow", tr("Keys a base row reads, its own included"),
                                panel);
  m_sinks = makeSpin<QSpinBox>(0, 4096, 4, "armSinks", tr("First keys that stay visible besides"), panel);
  m_window->setPrefix(QStringLiteral("w "));
  m_sinks->setPrefix(QStringLiteral("s "));
  grid->addWidget(m_window, 2, 1);
  grid->addWidget(m_sinks, 3, 1);
  grid->setColumnStretch(0, 1);
  for (QSpinBox* spin : {m_window, m_sinks})
    connect(spin, &QSpinBox::valueChanged, this, &PromptForm::armsChanged);
  return panel;
}

QWidget* PromptForm::makeSampling() {
  auto* panel = widgets::makePanel(this);
  auto* grid = new QGridLayout(panel);
  grid->setContentsMargins(16, 12, 16, 12);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(4);
  m_maxTokens = makeSpin<QSpinBox>(1, 1'000'000, 64, "maxTokens", tr("New tokens at most"), panel);
  m_temperature =
      makeSpin<QDoubleSpinBox>(0.0, 10.0, 0.0, "temperature",
                               tr("0 takes the most probable token; else logits are divided by it"), panel);
  m_temperature->setSingleStep(0.1);
  m_topK = makeSpin<QSpinBox>(0, 1'000'000, 0, "topK", tr("Keep the k best tokens; 0 keeps all"), panel);
  m_topP = makeSpin<QDoubleSpinBox>(0.0, 1.0, 1.0, "topP",
                                    tr("Keep the smallest set with this probability; 1 keeps all"), panel);
  m_minP = makeSpin<QDoubleSpinBox>(0.0, 1.0, 0.0, "minP",
                                    tr("Drop tokens below this share of the best; 0 keeps all"), panel);
  for (QDoubleSpinBox* spin : {m_topP, m_minP}) spin->setSingleStep(0.05);
  m_seed = new SeedBox(panel);
  m_seed->setObjectName(QStringLiteral("seed"));
  m_seed->setToolTip(tr("The same seed gives the same tokens on every machine"));
  m_seed->setMinimumWidth(96);
  const std::pair<QString, QWidget*> fields[] = {
      {tr("New tokens"), m_maxTokens}, {tr("Temperature"), m_temperature},
      {tr("Top k"), m_topK},           {tr("Top p"), m_topP},
      {tr("Min p"), m_minP},           {tr("Seed"), m_seed}};
  for (int i = 0; i < 6; ++i) {
    auto* name = makeLabel(fields[i].first, "caption", panel);
    name->setBuddy(fields[i].second);
    grid->addWidget(name, i / 2 * 2, i % 2);
    grid->addWidget(fields[i].second, i / 2 * 2 + 1, i % 2);
  }
  m_stop = new QLineEdit(panel);
  m_stop->setObjectName(QStringLiteral("stopStrings"));
  m_stop->setPlaceholderText(tr("Stop strings, split by |"));
  m_stop->setToolTip(tr("Text that ends the answer and is not part of it; \\n is a new line"));
  grid->setRowMinimumHeight(6, 4);
  grid->addWidget(m_stop, 7, 0, 1, 2);
  return panel;
}

PromptSpec PromptForm::spec() const {
  PromptSpec spec;
  spec.text = m_text->toPlainText();
  spec.chat = m_chatMode->isChecked();
  spec.system = spec.chat ? m_system->text() : QString();
  const WindowSpec window{m_window->value(), m_sinks->value()};
  for (size_t i = 0; i < std::size(kArmKeys); ++i) {
    if (!m_armBoxes[i]->isChecked()) continue;
    PromptArm arm{QString::fromLatin1(kArmKeys[i]), m_armBoxes[i]->text(), kArmKinds[i], window};
    if (arm.architecture != Architecture::transformer)
      arm.label += QStringLiteral(" w%1 s%2").arg(window.window).arg(window.sinks);
    spec.arms.push_back(arm);
  }
  spec.request.max_tokens = m_maxTokens->value();
  spec.request.sampling = {m_temperature->value(), m_topK->value(), m_topP->value(), m_minP->value(),
                           m_seed->value()};
  for (const QString& stop : m_stop->text().split(u'|', Qt::SkipEmptyParts))
    spec.request.stop.push_back(toStd(QString(stop).replace(QStringLiteral("\\n"), QStringLiteral("\n"))));
  return spec;
}

void PromptForm::setText(const QString& text) {
  m_text->setPlainText(text);
}

void PromptForm::setRun(const QString& text, bool chat, const QStringList& arms, const WindowSpec& window,
                        const GenerateRequest& request) {
  m_text->setPlainText(text);
  (chat && m_chatMode->isEnabled() ? m_chatMode : m_promptMode)->setChecked(true);
  for (size_t i = 0; i < std::size(kArmKeys); ++i)
    m_armBoxes[i]->setChecked(arms.contains(QLatin1String(kArmKeys[i])));
  if (!window.is_full()) setWindow(window);
  m_maxTokens->setValue(static_cast<int>(request.max_tokens));
  m_temperature->setValue(static_cast<double>(request.sampling.temperature));
  m_topK->setValue(static_cast<int>(request.sampling.top_k));
  m_topP->setValue(static_cast<double>(request.sampling.top_p));
  m_minP->setValue(static_cast<double>(request.sampling.min_p));
  m_seed->setValue(request.sampling.seed);
  QStringList stops;
  for (const std::string& stop : request.stop)
    stops.append(toQt(stop).replace(QStringLiteral("\n"), QStringLiteral("\\n")));
  m_stop->setText(stops.join(u'|'));
}

void PromptForm::setWindow(const WindowSpec& window) {
  m_window->setValue(static_cast<int>(window.window));
  m_sinks->setValue(static_cast<int>(window.sinks));
}

void PromptForm::setChatAvailable(bool available) {
  m_chatMode->setEnabled(available);
  m_chatMode->setToolTip(available
                             ? tr("The text as a user's turn in the model's own chat template; turns add up")
                             : tr("This model has no chat template"));
  if (!available) m_promptMode->setChecked(true);
  refresh();
}

void PromptForm::setRunning(bool running) {
  m_running = running;
  refresh();
}

void PromptForm::setModelThere(bool there) {
  m_modelThere = there;
  refresh();
}

void PromptForm::refresh() {
  if (m_run == nullptr || m_seed == nullptr || m_text == nullptr) return;  // while being built
  const bool chat = m_chatMode->isChecked();
  m_system->setVisible(chat);
  m_newChat->setVisible(chat);
  const bool anyArm = std::ranges::any_of(m_armBoxes, [](const QCheckBox* box) { return box->isChecked(); });
  const bool window = m_armBoxes[1]->isChecked() || m_armBoxes[2]->isChecked();
  m_window->setEnabled(window);
  m_sinks->setEnabled(window);
  m_run->setText(m_running ? tr("Stop") : chat ? tr("Send") : tr("Run"));
  m_run->setIcon(
      widgets::icon(m_running ? QStringLiteral("stop") : QStringLiteral("play"), widgets::Role::OnAccent));
  m_run->setEnabled(m_running || (m_modelThere && anyArm && !m_text->toPlainText().isEmpty()));
}

}  // namespace orthros::studio
