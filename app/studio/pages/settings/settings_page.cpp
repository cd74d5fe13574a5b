#include "app/studio/pages/settings/settings_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QSpinBox>
#include <QThread>
#include <QVBoxLayout>

#include "widgets/controls.h"

namespace orthros::studio {
namespace {

using widgets::makeLabel;

constexpr int kRoomForTwoColumns = 960;

QFormLayout* makeForm(QFrame* panel, const QString& title) {
  auto* outer = new QVBoxLayout(panel);
  outer->setContentsMargins(16, 12, 16, 12);
  outer->setSpacing(12);
  outer->addWidget(makeLabel(title, "section", panel));
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(24);
  form->setVerticalSpacing(8);
  form->setLabelAlignment(Qt::AlignLeft);
  outer->addLayout(form);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  return form;
}

// All forms of the page share one label column.
QLabel* makeName(const QString& text, QWidget* parent) {
  auto* name = new QLabel(text, parent);
  name->setFixedWidth(160);
  return name;
}

QLabel* makeHint(const QString& text, QWidget* parent) {
  QLabel* hint = makeLabel(text, "caption", parent);
  hint->setWordWrap(true);
  return hint;
}

}  // namespace

SettingsPage::SettingsPage(Workspace& workspace, QWidget* parent) : Page(parent), m_workspace(workspace) {
  auto* body = new QWidget(this);
  body->setObjectName(QStringLiteral("scrollBody"));
  body->setMaximumWidth(1160);
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 12, 0);
  column->setSpacing(12);
  column->addWidget(makeLabel(tr("Settings"), "title", body));
  m_columns = new QBoxLayout(QBoxLayout::LeftToRight);
  m_columns->setSpacing(12);
  auto* left = new QVBoxLayout;
  left->setSpacing(12);
  left->addWidget(makeLook());
  left->addWidget(makeData());
  left->addStretch(1);
  auto* right = new QVBoxLayout;
  right->addWidget(makeEngine());
  right->addStretch(1);
  m_columns->addLayout(left, 1);
  m_columns->addLayout(right, 1);
  column->addLayout(m_columns);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setWidget(body);
  scroll->setWidgetResizable(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(24, 20, 24, 20);
  layout->addWidget(scroll);
}

void SettingsPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  m_columns->setDirection(width() >= kRoomForTwoColumns ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

QWidget* SettingsPage::makeLook() {
  QFrame* panel = widgets::makePanel(this);
  QFormLayout* form = makeForm(panel, tr("Look"));
  auto* theme = new QComboBox(panel);
  theme->setObjectName(QStringLiteral("settingTheme"));
  theme->addItems({tr("As the system"), tr("Light"), tr("Dark")});
  theme->setCurrentIndex(static_cast<int>(m_workspace.settings().themeMode()));
  form->addRow(makeName(tr("Theme"), panel), theme);
  connect(theme, &QComboBox::currentIndexChanged, this,
          [this](int index) { m_workspace.settings().setThemeMode(static_cast<widgets::ThemeMode>(index)); });
  connect(&m_workspace.settings(), &Settings::changed, theme,
          [this, theme] { theme->setCurrentIndex(static_cast<int>(m_workspace.settings().themeMode())); });
  auto* language = new QComboBox(panel);
  language->setObjectName(QStringLiteral("settingLanguage"));
  const std::pair<QString, QString> languages[] = {{QStringLiteral("system"), tr("As the system")},
                                                   {QStringLiteral("en"), QStringLiteral("English")},
                                                   {QStringLiteral("zh_CN"), QStringLiteral("简体中文")}};
  for (const auto& [key, name] : languages) language->addItem(name, key);
  language->setCurrentIndex(std::max(0, language->findData(m_workspace.settings().language())));
  form->addRow(makeName(tr("Language"), panel), language);
  form->addRow(QString(), makeHint(tr("In force at the next start"), panel));
  connect(language, &QComboBox::currentIndexChanged, this,
          [this, language] { m_workspace.settings().setLanguage(language->currentData().toString()); });
  auto* motion = new QCheckBox(tr("Reduce motion: moves and pulses become cuts"), panel);
  motion->setObjectName(QStringLiteral("settingMotion"));
  motion->setChecked(m_workspace.settings().reducedMotion());
  form->addRow(makeName(tr("Motion"), panel), motion);
  connect(motion, &QCheckBox::toggled, &m_workspace.settings(), &Settings::setReducedMotion);
  return panel;
}

QWidget* SettingsPage::makeEngine() {
  QFrame* panel = widgets::makePanel(this);
  QFormLayout* form = makeForm(panel, tr("Engine"));
  auto* threads = new QSpinBox(panel);
  threads->setObjectName(QStringLiteral("settingThreads"));
  threads->setRange(0, 1024);
  threads->setSpecialValueText(tr("all cores (%1)").arg(QThread::idealThreadCount()));
  threads->setValue(m_workspace.settings().threads());
  form->addRow(makeName(tr("Threads"), panel), threads);
  Settings& settings = m_workspace.settings();
  auto* device = new QComboBox(panel);
  device->setObjectName(QStringLiteral("settingDevice"));
  device->addItems({QStringLiteral("cpu"), QStringLiteral("cuda")});
  device->setCurrentText(settings.device());
  device->setToolTip(
      tr("What models run on. Without the CUDA plug-in or a GPU, opening a model says which is missing."));
  connect(device, &QComboBox::currentTextChanged, &settings, &Settings::setDevice);
  form->addRow(makeName(tr("Device"), panel), device);
  const auto addTypes = [&](const char* name, const QString& title, const QString& tip,
                            const QStringList& types, const QString& now,
                            void (Settings::*set)(const QString&)) {
    auto* box = new QComboBox(panel);
    box->setObjectName(QString::fromLatin1(name));
    box->addItems(types);
    box->setCurrentText(now);
    box->setToolTip(tip);
    form->addRow(makeName(title, panel), box);
    connect(box, &QComboBox::currentTextChanged, &settings, set);
  };
  const QStringList wide{QStringLiteral("auto"), QStringLiteral("float32"), QStringLiteral("bfloat16")};
  addTypes("settingComputeType", tr("Compute type"),
           tr("Of products and sums; auto takes bfloat16 where the CPU has it"), wide, settings.computeType(),
           &Settings::setComputeType);
  addTypes("settingWeightType", tr("Weights held as"), tr("auto never goes below what the file has"),
           wide + QStringList{QStringLiteral("int8"), QStringLiteral("int4")}, settings.weightType(),
           &Settings::setWeightType);
  addTypes("settingKvType", tr("KV cache type"), tr("bfloat16 halves the cache"), wide, settings.kvType(),
           &Settings::setKvType);
  auto* tokens = new QSpinBox(panel);
  tokens->setObjectName(QStringLiteral("settingContext"));
  tokens->setRange(256, 1'048'576);
  tokens->setSingleStep(1024);
  tokens->setSuffix(QStringLiteral(" ") + tr("tokens"));
  tokens->setValue(m_workspace.settings().contextTokens());
  form->addRow(makeName(tr("Context to plan for"), panel), tokens);
  form->addRow(QString(),
               makeHint(tr("In force for models that are opened from now on. A model that does not fit with "
                           "this context is refused before it is loaded, with the numbers."),
                        panel));
  connect(threads, &QSpinBox::valueChanged, &settings, &Settings::setThreads);
  connect(tokens, &QSpinBox::valueChanged, &settings, &Settings::setContextTokens);
  return panel;
}

QWidget* SettingsPage::makeData() {
  QFrame* panel = widgets::makePanel(this);
  QFormLayout* form = makeForm(panel, tr("Data"));
  auto* folder = new QLineEdit(m_workspace.settings().dataFolder(), panel);
  folder->setObjectName(QStringLiteral("settingDataFolder"));
  folder->setReadOnly(true);
  auto* choose = widgets::makeToolButton(QStringLiteral("folder"), tr("Choose another folder"), panel);
  auto* row = new QHBoxLayout;
  row->addWidget(folder, 1);
  row->addWidget(choose);
  form->addRow(makeName(tr("Data folder"), panel), row);
  form->addRow(QString(),
               makeHint(tr("Holds runs.sqlite, with every run, and the models converted here. A change takes "
                           "effect at the next start."),
                        panel));
  connect(choose, &QToolButton::clicked, this, [this, folder] {
    const QString path = QFileDialog::getExistingDirectory(this, tr("Data folder"), folder->text());
    if (path.isEmpty()) return;
    m_workspace.settings().setDataFolder(path);
    folder->setText(path);
  });
  return panel;
}

}  // namespace orthros::studio
