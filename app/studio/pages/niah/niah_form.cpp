#include "app/studio/pages/niah/niah_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "app/studio/pages/niah/niah_form_choices.h"
#include "app/studio/pages/niah/niah_input.h"
#include "app/studio/pages/niah/niah_runs.h"
#include "app/studio/text.h"
#include "engine/model/cost_model.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/icon.h"

namespace orthros::studio {
namespace {

constexpr const char* kPresets[] = {"smoke", "quick", "paper-like", "publication"};
constexpr int kOwnPreset = 4;

NeedleVariant variantAt(const QComboBox* box) {
  return kNiahVariants[std::max(0, box->currentIndex())];
}

template <class Value, size_t n>
void select(QComboBox* box, const Value (&values)[n], Value value) {
  const auto found = std::ranges::find(values, value);
  if (found != std::end(values)) box->setCurrentIndex(static_cast<int>(found - values));
}

bool hasNames(NeedleVariant variant) {
  return variant != NeedleVariant::passkey && variant != NeedleVariant::key_value;
}

}  // namespace

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
  m_armsChosen = true;
  takeArms(arms);
}

void NiahForm::takeArms(const QList<NiahArmChoice>& arms) {
  m_arms = arms;
  showArms();
  if (m_preset->currentIndex() != kOwnPreset) applyPreset();  // the longest context may be another
  refresh();
}

void NiahForm::showArms() {
  while (QLayoutItem* item = m_chips->takeAt(1)) {  // the first is the row's name
    item->widget()->setObjectName({});              // the next one takes its name before it is gone
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  for (qsizetype i = 0; i < m_arms.size(); ++i) {
    const QString label = armText(m_library, m_arms[i]);
    auto* chip = widgets::makeButton(label, QStringLiteral("close"), "chip", this);
    chip->setObjectName(QStringLiteral("niahArm%1").arg(i));
    chip->setLayoutDirection(Qt::RightToLeft);  // the cross stands behind the name
    chip->setToolTip(tr("Takes this arm out"));
    chip->setAccessibleName(tr("Take out %1").arg(label));
    m_chips->addWidget(chip);
    connect(chip, &QPushButton::clicked, this, [this, i] {
      QList<NiahArmChoice> arms = m_arms;
      arms.removeAt(i);
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
    takeArms(arms);
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
  select(m_variant, kNiahVariants, spec.task.variant);
  select(m_haystack, kNiahHaystacks, spec.task.haystack);
  m_scorer->setCurrentIndex(m_scorer->findText(toQt(to_string(spec.scorer))));
  m_names->setCurrentIndex(spec.task.names == NeedleNames::held_out ? 1 : 0);
  m_filling = false;
  refresh();
}

Result<NiahSpec> NiahForm::spec() const {
  NiahSpec spec;
  ORTHROS_TRY(spec.lengths, parseLengths(m_lengths->text()));
  spec.task.variant = variantAt(m_variant);
  if (spec.task.variant == NeedleVariant::k_needles) {
    spec.depths_ppm = {500'000};  // evenly spread, whatever is asked
  } else {
    ORTHROS_TRY(spec.depths_ppm, parseDepths(m_depths->text()));
  }
  spec.task.names = hasNames(spec.task.variant) && m_names->currentIndex() == 1 ? NeedleNames::held_out
                                                                                : NeedleNames::common;
  spec.task.haystack = kNiahHaystacks[std::max(0, m_haystack->currentIndex())];
  if (spec.task.haystack == HaystackKind::folder) {
    if (m_folder.isEmpty())
      return fail(Error{ErrorCode::invalid_argument, "no text folder is chosen",
                        "choose one in the list of haystacks"});
    spec.task.folder = toStd(m_folder);
  }
  ORTHROS_TRY(spec.scorer, parse_scorer(toStd(m_scorer->currentText())));
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

void NiahForm::setFolder(const QString& folder) {
  m_folder = folder;
  constexpr int kFolder = std::size(kNiahHaystacks) - 1;
  m_haystack->setItemText(
      kFolder, folder.isEmpty() ? tr("text folder…") : tr("folder %1…").arg(QDir(folder).dirName()));
  m_haystack->setItemData(kFolder, QDir::toNativeSeparators(folder), Qt::ToolTipRole);
  if (!folder.isEmpty()) m_haystack->setCurrentIndex(kFolder);
  refresh();
}

void NiahForm::chooseHaystack(int index) {
  if (kNiahHaystacks[index] != HaystackKind::folder) return;
  const QString folder =
      QFileDialog::getExistingDirectory(this, tr("Folder of text files to hide needles in"), m_folder);
  if (!folder.isEmpty()) {
    setFolder(folder);
  } else if (m_folder.isEmpty()) {
    m_haystack->setCurrentIndex(0);
  }
}

void NiahForm::setRates(const NiahRates& rates) {
  m_rates = rates;
  refresh();
}

void NiahForm::setState(State state) {
  if (state == m_state) return;
  m_state = state;
  refresh();
}

bool NiahForm::canRun() const {
  return m_state == State::Idle && !m_arms.isEmpty() && spec();
}

void NiahForm::refresh() {
  if (m_filling) return;
  const bool windowed = m_reading->currentIndex() >= 2;
  m_window->setEnabled(windowed);
  m_sinks->setEnabled(windowed);
  m_add->setEnabled(m_model->count() > 0 && m_arms.size() < kMostNiahArms);
  const NeedleVariant variant = variantAt(m_variant);
  m_names->setEnabled(hasNames(variant));
  m_depths->setEnabled(variant != NeedleVariant::k_needles);
  const auto asked = spec();
  m_estimates->setVisible(asked && !m_arms.isEmpty());
  if (!asked) {
    m_counts->setText(toQt(asked.error()));
  } else if (m_arms.isEmpty()) {
    m_counts->setText(tr("Open a model first"));
  } else {
    const NiahCount count = countOf(*asked);
    const qint64 arms = m_arms.size();
    m_counts->setText(tr("%1 cells, %2 controls · %3 trials on %4 arms · %5 prompt tokens")
                          .arg(count.cells)
                          .arg(count.controls)
                          .arg(widgets::formatCount(count.trials * arms))
                          .arg(arms)
                          .arg(widgets::formatCount(count.tokens * arms)));
    showEstimates(*asked);
  }
  const bool active = m_state != State::Idle;
  m_run->setText(active ? tr("Stop") : tr("Run"));
  m_run->setIcon(
      widgets::icon(active ? QStringLiteral("stop") : QStringLiteral("play"), widgets::Role::OnAccent));
  m_run->setEnabled(active || canRun());
  m_pause->setVisible(active);
  m_pause->setChecked(m_state == State::Paused);
  m_pause->setText(m_state == State::Paused ? tr("Go on") : tr("Pause"));
  Q_EMIT changed();
}

// "Transformer ≈ 12 s, 24.5 MB": each arm by what tells it apart.
void NiahForm::showEstimates(const NiahSpec& spec) {
  const qint64 available = available_memory_bytes();
  QStringList parts;
  bool tooMuch = false;
  bool guessed = false;
  double seconds = 0;
  for (const NiahArmChoice& arm : m_arms) {
    const auto source = sourceOf(m_library, arm);
    if (!source) continue;
    const QString label = armLabel(m_library, arm);
    const NiahEstimate estimate = estimateNiah(spec, *source, m_rates.value(label));
    const bool fits = estimate.newBytes <= available;
    tooMuch = tooMuch || !fits;
    guessed = guessed || !estimate.isMeasured;
    seconds += estimate.seconds;
    parts.append(tr("%1: %2, %3")
                     .arg(armText(m_library, arm), widgets::formatSeconds(estimate.seconds),
                          widgets::formatBytes(estimate.peakBytes)) +
                 (fits ? QString() : tr(" (more than is free)")));
  }
  const QString total = (guessed ? tr("roughly %1") : tr("about %1")).arg(widgets::formatSeconds(seconds));
  m_estimates->setText(
      tr("%1 · %2 free · %3").arg(total, widgets::formatBytes(available), parts.join(QStringLiteral(" · "))));
  const QString kind = tooMuch ? QStringLiteral("warning") : QStringLiteral("caption");
  if (m_estimates->property("kind") == kind) return;
  m_estimates->setProperty("kind", kind);
  widgets::restyle(m_estimates);
}

}  // namespace orthros::studio
