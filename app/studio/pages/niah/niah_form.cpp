#include "app/studio/pages/niah/niah_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/studio/pages/niah/niah_input.h"
#include "app/studio/pages/niah/niah_runs.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/icon.h"

namespace orthros::studio {
namespace {

using widgets::makeLabel;

constexpr const char* kPresets[] = {"smoke", "quick", "paper-like", "publication"};
constexpr NeedleVariant kVariants[] = {NeedleVariant::word_number, NeedleVariant::passkey,
                                       NeedleVariant::uuid,        NeedleVariant::key_value,
                                       NeedleVariant::multi_key,   NeedleVariant::multi_value,
                                       NeedleVariant::multi_query, NeedleVariant::k_needles};
constexpr int kOwnPreset = 4;
constexpr int kMostTrials = 10'000;

QSpinBox* makeSpin(int low, int high, int value, const char* name, const QString& prefix, const QString& tip,
                   QWidget* parent) {
  auto* spin = new QSpinBox(parent);
  spin->setRange(low, high);
  spin->setValue(value);
  spin->setPrefix(prefix);
  spin->setObjectName(QString::fromLatin1(name));
  spin->setToolTip(tip);
  return spin;
}

bool hasNames(NeedleVariant variant) {
  return variant != NeedleVariant::passkey && variant != NeedleVariant::key_value;
}

}  // namespace

NiahForm::NiahForm(const ModelLibrary& library, QWidget* parent)
    : QWidget(parent),
      m_library(library),
      m_chips(new QHBoxLayout),
      m_model(new QComboBox(this)),
      m_reading(new QComboBox(this)),
      m_add(widgets::makeButton(tr("Add arm"), QStringLiteral("plus"), "plain", this)),
      m_preset(new QComboBox(this)),
      m_variant(new QComboBox(this)),
      m_names(new QComboBox(this)),
      m_lengths(new QLineEdit(this)),
      m_depths(new QLineEdit(this)),
      m_controls(new QCheckBox(tr("controls"), this)),
      m_counts(makeLabel({}, "caption", this)),
      m_run(widgets::makeButton(tr("Run"), QStringLiteral("play"), "primary", this)) {
  m_window = makeSpin(1, 1'000'000, 128, "niahWindow", tr("window "),
                      tr("Keys a row of the base stream reads"), this);
  m_sinks = makeSpin(0, 4096, 0, "niahSinks", tr("sinks "),
                     tr("First keys that stay visible besides the window"), this);
  m_trials = makeSpin(1, kMostTrials, 1, "niahTrials", tr("trials "),
                      tr("Trials of each cell, each with a haystack and a needle of its own"), this);
  m_seed = makeSpin(0, 2'000'000'000, 42, "niahSeed", tr("seed "),
                    tr("The same seed gives the same prompts on every machine"), this);
  m_counts->setObjectName(QStringLiteral("niahCounts"));
  m_run->setObjectName(QStringLiteral("niahRun"));
  m_run->setToolTip(tr("Asks every arm on the same prompts, shortest first (Ctrl+Return)"));
  m_run->setMinimumWidth(112);
  m_controls->setObjectName(QStringLiteral("niahControls"));
  m_controls->setToolTip(
      tr("Also asks without a needle (should find none) and with nothing but the needle (should find all)"));
  m_controls->setChecked(true);
  auto* caption = makeLabel(tr("Arms"), "strong", this);
  auto* arms = new QHBoxLayout;
  arms->setSpacing(8);
  m_chips->setSpacing(8);
  arms->addWidget(caption);
  arms->addLayout(m_chips);
  arms->addStretch(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addLayout(arms);
  layout->addWidget(makeArmRow());
  layout->addWidget(makeTaskRow());
  layout->addWidget(m_counts);
  connect(m_run, &QPushButton::clicked, this, [this] {
    if (m_running) {
      Q_EMIT stopRequested();
    } else {
      Q_EMIT runRequested();
    }
  });
  setPreset(QStringLiteral("smoke"));
  refreshModels();
}

QWidget* NiahForm::makeArmRow() {
  auto* row = new QWidget(this);
  m_model->setObjectName(QStringLiteral("niahModel"));
  m_model->setAccessibleName(tr("Model of the arm to add"));
  m_model->setMinimumWidth(150);
  m_reading->setObjectName(QStringLiteral("niahReading"));
  m_reading->setAccessibleName(tr("How the arm to add reads the weights"));
  m_reading->addItems({tr("as it is"), tr("as Transformer"), tr("as SWA"), tr("as Orthros")});
  m_add->setObjectName(QStringLiteral("niahAddArm"));
  m_add->setToolTip(tr("Up to four arms read the same prompts"));
  m_preset->setObjectName(QStringLiteral("niahPreset"));
  m_preset->setAccessibleName(tr("Preset"));
  m_preset->setToolTip(tr("Lengths, depths and trials at once"));
  m_preset->addItems({tr("Smoke: 3 × 3 × 1"), tr("Quick: 6 × 6 × 5"), tr("Paper-like: 8 × 11 × 10"),
                      tr("Publication: 8 × 11 × 20"), tr("Own")});
  m_variant->setObjectName(QStringLiteral("niahVariant"));
  m_variant->setAccessibleName(tr("Kind of needle"));
  m_variant->setToolTip(tr("What is hidden and asked for"));
  for (const NeedleVariant variant : kVariants) m_variant->addItem(toQt(to_string(variant)));
  m_names->setObjectName(QStringLiteral("niahNames"));
  m_names->setAccessibleName(tr("Names"));
  m_names->setToolTip(tr("Held-out names are in no training data: they ask whether names are matched"));
  m_names->addItems({tr("common names"), tr("held-out names")});
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_model, m_reading, m_window, m_sinks, m_add})
    layout->addWidget(widget);
  layout->addStretch(1);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_preset, m_variant, m_names})
    layout->addWidget(widget);
  connect(m_add, &QPushButton::clicked, this, &NiahForm::addArm);
  connect(m_model, &QComboBox::currentIndexChanged, this, &NiahForm::takeWindow);
  connect(m_reading, &QComboBox::currentIndexChanged, this, &NiahForm::refresh);
  connect(m_preset, &QComboBox::activated, this, &NiahForm::applyPreset);
  connect(m_variant, &QComboBox::currentIndexChanged, this, &NiahForm::refresh);
  connect(m_names, &QComboBox::currentIndexChanged, this, &NiahForm::refresh);
  return row;
}

QWidget* NiahForm::makeTaskRow() {
  auto* row = new QWidget(this);
  const auto labelled = [row](const QString& text, QWidget* buddy) {
    auto* label = makeLabel(text, "caption", row);
    label->setBuddy(buddy);
    return label;
  };
  m_lengths->setObjectName(QStringLiteral("niahLengths"));
  m_lengths->setToolTip(tr("Tokens fed to the model, all of them counted: 256, 512, 1K"));
  m_lengths->setAccessibleName(tr("Lengths"));
  m_depths->setObjectName(QStringLiteral("niahDepths"));
  m_depths->setToolTip(tr("A number of depths, or depths in percent: 0, 50, 100. 0 is first, 100 last."));
  m_depths->setAccessibleName(tr("Depths"));
  m_depths->setMaximumWidth(120);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(labelled(tr("Lengths"), m_lengths));
  layout->addWidget(m_lengths, 1);
  layout->addWidget(labelled(tr("Depths"), m_depths));
  layout->addWidget(m_depths);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_trials, m_seed, m_controls})
    layout->addWidget(widget);
  layout->addWidget(m_run);
  for (QLineEdit* edit : {m_lengths, m_depths})
    connect(edit, &QLineEdit::textChanged, this, &NiahForm::becomeOwn);
  connect(m_trials, &QSpinBox::valueChanged, this, &NiahForm::becomeOwn);
  connect(m_seed, &QSpinBox::valueChanged, this, &NiahForm::refresh);
  connect(m_controls, &QCheckBox::toggled, this, &NiahForm::refresh);
  return row;
}

void NiahForm::addArm() {
  if (m_arms.size() >= kMostNiahArms || m_model->currentIndex() < 0) return;
  NiahArmChoice arm;
  arm.model = m_model->currentData().toULongLong();
  const int reading = m_reading->currentIndex();
  if (reading == 1) arm.architecture = Architecture::transformer;
  if (reading >= 2) {
    arm.architecture = reading == 2 ? Architecture::swa : Architecture::orthros;
    arm.window = m_window->value();
    arm.sinks = m_sinks->value();
  }
  m_armsChosen = true;
  setArms(m_arms + QList<NiahArmChoice>{arm});
}

void NiahForm::takeWindow() {
  const OpenedModel* model = m_library.find(m_model->currentData().toULongLong());
  if (model == nullptr || !model->model) return;
  const WindowSpec window = window_for(model->model->config(), {}, {});
  m_window->setValue(static_cast<int>(window.window));
  m_sinks->setValue(static_cast<int>(window.sinks));
}

void NiahForm::setArms(const QList<NiahArmChoice>& arms) {
  m_arms = arms;
  showArms();
  if (m_preset->currentIndex() != kOwnPreset) applyPreset();  // the longest context may be another
  refresh();
}

void NiahForm::showArms() {
  while (QLayoutItem* item = m_chips->takeAt(0)) {
    item->widget()->setObjectName({});  // the next one takes its name before it is gone
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  for (qsizetype i = 0; i < m_arms.size(); ++i) {
    const QString label = armLabel(m_library, m_arms[i]);
    auto* chip = widgets::makeButton(label, QStringLiteral("close"), "chip", this);
    chip->setObjectName(QStringLiteral("niahArm%1").arg(i));
    chip->setLayoutDirection(Qt::RightToLeft);  // the cross stands behind the name
    chip->setToolTip(tr("Takes this arm out"));
    chip->setAccessibleName(tr("Take out %1").arg(label));
    m_chips->addWidget(chip);
    connect(chip, &QPushButton::clicked, this, [this, i] {
      QList<NiahArmChoice> arms = m_arms;
      arms.removeAt(i);
      m_armsChosen = true;
      setArms(arms);
    });
  }
}

void NiahForm::refreshModels() {
  const QVariant chosen = m_model->currentData();
  {
    const QSignalBlocker quiet(m_model);
    m_model->clear();
    for (const OpenedModel& model : m_library.models()) {
      if (model.state == OpenedModel::State::Ready) m_model->addItem(model.name(), model.id);
    }
    const int index = m_model->findData(chosen);
    m_model->setCurrentIndex(index < 0 ? m_model->count() - 1 : index);
  }
  if (m_model->currentData() != chosen) takeWindow();
  QList<NiahArmChoice> arms = m_arms;
  arms.removeIf([this](const NiahArmChoice& arm) { return !sourceOf(m_library, arm); });
  if (arms.isEmpty()) m_armsChosen = false;
  if (!m_armsChosen) arms = defaultArms(m_library);
  if (arms == m_arms) {
    refresh();
  } else {
    setArms(arms);
  }
}

void NiahForm::setPreset(const QString& name) {
  for (int i = 0; i < kOwnPreset; ++i) {
    if (name == QLatin1String(kPresets[i])) m_preset->setCurrentIndex(i);
  }
  applyPreset();
}

void NiahForm::applyPreset() {
  const int index = m_preset->currentIndex();
  if (index < 0 || index >= kOwnPreset) return;
  const auto arms = sources();
  const auto spec = niah_preset(kPresets[index], contextLimit(arms ? *arms : std::vector<NiahArmSource>()));
  if (!spec) return;
  m_filling = true;
  m_lengths->setText(lengthsText(spec->lengths));
  m_depths->setText(depthsText(spec->depths_ppm));
  m_trials->setValue(static_cast<int>(spec->trials));
  m_filling = false;
  refresh();
}

void NiahForm::becomeOwn() {
  if (m_filling) return;
  m_preset->setCurrentIndex(kOwnPreset);
  refresh();
}

void NiahForm::setSpec(const NiahSpec& spec) {
  m_filling = true;
  m_preset->setCurrentIndex(kOwnPreset);
  m_lengths->setText(lengthsText(spec.lengths));
  m_depths->setText(depthsText(spec.depths_ppm));
  m_trials->setValue(static_cast<int>(spec.trials));
  m_seed->setValue(static_cast<int>(std::min<uint64_t>(spec.seed, 2'000'000'000)));
  m_controls->setChecked(spec.controls);
  for (int i = 0; i < static_cast<int>(std::size(kVariants)); ++i) {
    if (kVariants[i] == spec.task.variant) m_variant->setCurrentIndex(i);
  }
  m_names->setCurrentIndex(spec.task.names == NeedleNames::held_out ? 1 : 0);
  m_filling = false;
  refresh();
}

Result<NiahSpec> NiahForm::spec() const {
  NiahSpec spec;
  ORTHROS_TRY(spec.lengths, parseLengths(m_lengths->text()));
  spec.task.variant = kVariants[std::max(0, m_variant->currentIndex())];
  if (spec.task.variant == NeedleVariant::k_needles) {
    spec.depths_ppm = {500'000};  // evenly spread, whatever is asked
  } else {
    ORTHROS_TRY(spec.depths_ppm, parseDepths(m_depths->text()));
  }
  spec.task.names = hasNames(spec.task.variant) && m_names->currentIndex() == 1 ? NeedleNames::held_out
                                                                                : NeedleNames::common;
  spec.trials = m_trials->value();
  spec.seed = static_cast<uint64_t>(m_seed->value());
  spec.controls = m_controls->isChecked();
  ORTHROS_TRY_VOID(check(spec));
  return spec;
}

Result<std::vector<NiahArmSource>> NiahForm::sources() const {
  if (m_arms.isEmpty())
    return fail(Error{ErrorCode::invalid_argument, "no arm is chosen", "open a model and add it as an arm"});
  std::vector<NiahArmSource> sources;
  for (const NiahArmChoice& arm : m_arms) {
    ORTHROS_TRY(NiahArmSource source, sourceOf(m_library, arm));
    sources.push_back(std::move(source));
  }
  return sources;
}

void NiahForm::setRunning(bool running) {
  m_running = running;
  refresh();
}

bool NiahForm::canRun() const {
  return !m_running && !m_arms.isEmpty() && spec();
}

void NiahForm::refresh() {
  if (m_filling) return;
  const bool windowed = m_reading->currentIndex() >= 2;
  m_window->setEnabled(windowed);
  m_sinks->setEnabled(windowed);
  m_add->setEnabled(m_model->count() > 0 && m_arms.size() < kMostNiahArms);
  const NeedleVariant variant = kVariants[std::max(0, m_variant->currentIndex())];
  m_names->setEnabled(hasNames(variant));
  m_depths->setEnabled(variant != NeedleVariant::k_needles);
  const auto asked = spec();
  if (!asked) {
    m_counts->setText(toQt(asked.error()));
  } else {
    const NiahCount count = countOf(*asked);
    const qint64 arms = m_arms.size();
    m_counts->setText(arms == 0 ? tr("Open a model first")
                                : tr("%1 cells, %2 controls · %3 trials on %4 arms · %5 prompt tokens")
                                      .arg(count.cells)
                                      .arg(count.controls)
                                      .arg(widgets::formatCount(count.trials * arms))
                                      .arg(arms)
                                      .arg(widgets::formatCount(count.tokens * arms)));
  }
  m_run->setText(m_running ? tr("Stop") : tr("Run"));
  m_run->setIcon(
      widgets::icon(m_running ? QStringLiteral("stop") : QStringLiteral("play"), widgets::Role::OnAccent));
  m_run->setEnabled(m_running || canRun());
  Q_EMIT changed();
}

}  // namespace orthros::studio
