#include "app/studio/pages/latency/latency_form.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>

#include "app/studio/pages/latency/latency_presets.h"
#include "app/studio/pages/niah/niah_input.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/icon.h"

namespace orthros::studio {
namespace {

constexpr LatencyMode kModes[] = {LatencyMode::prefill, LatencyMode::in_out, LatencyMode::decode_at_depth,
                                  LatencyMode::grid};
constexpr int64_t kMaxSamplesOfMin = 2;  // samples at most, of samples at least
constexpr double kCellSeconds = 120;

// Until the interval is narrow, but no more than twice the pairs that were asked for.
int64_t mostSamples(int64_t pairs) {
  return std::max<int64_t>(pairs, pairs * kMaxSamplesOfMin);
}

}  // namespace

LatencyMode LatencyForm::mode() const {
  return kModes[std::max(0, m_mode->currentIndex())];
}

void LatencyForm::setMode(LatencyMode mode) {
  for (int i = 0; i < static_cast<int>(std::size(kModes)); ++i) {
    if (kModes[i] == mode) m_mode->setCurrentIndex(i);
  }
}

void LatencyForm::addArm() {
  if (m_arms.size() >= kMostNiahArms || m_model->currentIndex() < 0) return;
  LatencyArmChoice choice;
  choice.arm.model = m_model->currentData().toULongLong();
  const int reading = m_reading->currentIndex();
  if (reading == 1) choice.arm.architecture = Architecture::transformer;
  if (reading >= 2) {
    choice.arm.architecture = reading == 2 ? Architecture::swa : Architecture::orthros;
    choice.arm.window = m_window->value();
    choice.arm.sinks = m_sinks->value();
  }
  if (m_dtype->currentIndex() > 0)
    choice.dtype = m_dtype->currentIndex() == 1 ? ScalarType::float32 : ScalarType::bfloat16;
  setArms(m_arms + QList<LatencyArmChoice>{choice});
}

void LatencyForm::takeWindow() {
  const OpenedModel* model = m_library.find(m_model->currentData().toULongLong());
  if (model == nullptr || !model->model) return;
  const WindowSpec window = window_for(model->model->config(), {}, {});
  m_window->setValue(static_cast<int>(window.window));
  m_sinks->setValue(static_cast<int>(window.sinks));
}

void LatencyForm::setArms(const QList<LatencyArmChoice>& arms) {
  m_armsChosen = true;
  takeArms(arms);
}

void LatencyForm::takeArms(const QList<LatencyArmChoice>& arms) {
  m_arms = arms;
  showArms();
  if (m_preset->currentIndex() != kOwnLatencyPreset) applyPreset();  // the longest context may be another
  refresh();
}

void LatencyForm::showArms() {
  while (QLayoutItem* item = m_chips->takeAt(0)) {
    item->widget()->setObjectName({});  // the next one takes its name before it is gone
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  for (qsizetype i = 0; i < m_arms.size(); ++i) {
    QString label = armLabel(m_library, m_arms[i].arm);
    if (m_arms[i].dtype) label += QStringLiteral(", ") + QLatin1String(to_string(*m_arms[i].dtype));
    auto* chip = widgets::makeButton(label, QStringLiteral("close"), "chip", this);
    chip->setObjectName(QStringLiteral("latencyArm%1").arg(i));
    chip->setLayoutDirection(Qt::RightToLeft);  // the cross stands behind the name
    chip->setToolTip(tr("Takes this arm out: %1").arg(label));
    chip->setAccessibleName(tr("Take out %1").arg(label));
    chip->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    chip->setMinimumWidth(60);
    chip->setMaximumWidth(chip->sizeHint().width());
    m_chips->addWidget(chip, 1);
    connect(chip, &QPushButton::clicked, this, [this, i] {
      QList<LatencyArmChoice> arms = m_arms;
      arms.removeAt(i);
      setArms(arms);
    });
  }
}

void LatencyForm::refreshModels() {
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
  QList<LatencyArmChoice> arms = m_arms;
  arms.removeIf([this](const LatencyArmChoice& choice) { return !sourceOf(m_library, choice.arm); });
  if (arms.isEmpty()) m_armsChosen = false;
  if (!m_armsChosen) arms = latencyArms(m_library);
  if (arms == m_arms) {
    refresh();
  } else {
    takeArms(arms);
  }
}

void LatencyForm::setPreset(const QString& name) {
  const int index = static_cast<int>(latencyPresets().indexOf(name));
  if (index >= 0) m_preset->setCurrentIndex(index);
  applyPreset();
}

void LatencyForm::applyPreset() {
  const int index = m_preset->currentIndex();
  if (index < 0 || index >= kOwnLatencyPreset) return;
  std::vector<NiahArmSource> plain;
  if (const auto arms = sources()) {
    for (const LatencyArmSource& arm : *arms) plain.push_back(arm.source);
  }
  const LatencyPreset preset = latencyPreset(index, mode(), contextLimit(plain));
  m_filling = true;
  m_lengths->setText(lengthsText(preset.lengths));
  m_outputs->setText(lengthsText(preset.outputs));
  m_batches->setText(lengthsText(preset.batches));
  m_threads->clear();
  m_pairs->setValue(preset.pairs);
  m_warmups->setValue(preset.warmups);
  m_filling = false;
  refresh();
}

void LatencyForm::becomeOwn() {
  if (m_filling) return;
  m_preset->setCurrentIndex(kOwnLatencyPreset);
  refresh();
}

void LatencyForm::setSpec(const LatencySpec& spec) {
  std::vector<int64_t> lengths, outputs, batches, threads;
  const auto add = [](std::vector<int64_t>& values, int64_t value) {
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  };
  for (const LatencyPoint& point : spec.points) {
    add(lengths, point.tokens);
    add(outputs, point.outputs);
    add(batches, point.batch);
    if (point.threads > 0) add(threads, point.threads);
  }
  for (auto* values : {&lengths, &outputs, &batches, &threads}) std::ranges::sort(*values);
  m_filling = true;
  setMode(spec.mode);
  m_preset->setCurrentIndex(kOwnLatencyPreset);
  m_lengths->setText(lengthsText(lengths));
  m_outputs->setText(lengthsText(outputs));
  m_batches->setText(lengthsText(batches));
  m_threads->setText(lengthsText(threads));
  m_pairs->setValue(static_cast<int>(spec.min_samples));
  m_warmups->setValue(static_cast<int>(spec.max_warmups));
  m_limit->setValue(static_cast<int>(spec.timeout_seconds));
  m_filling = false;
  refresh();
}

bool LatencyForm::isAsked(const QLineEdit* edit) const {
  if (edit == m_threads) return mode() == LatencyMode::grid;
  return edit == m_lengths || mode() != LatencyMode::prefill;
}

Result<std::vector<int64_t>> LatencyForm::listOf(const QLineEdit* edit, int64_t fallback) const {
  if (edit->text().trimmed().isEmpty() || !isAsked(edit)) return std::vector<int64_t>{fallback};
  return parseLengths(edit->text());
}

Result<LatencySpec> LatencyForm::spec() const {
  LatencySpec spec;
  spec.mode = mode();
  ORTHROS_TRY(const auto lengths, parseLengths(m_lengths->text()));
  ORTHROS_TRY(const auto outputs, listOf(m_outputs, 1));
  ORTHROS_TRY(const auto batches, listOf(m_batches, 1));
  ORTHROS_TRY(const auto threads, listOf(m_threads, 0));
  spec.points = latency_points(lengths, outputs, batches, threads);
  spec.min_samples = m_pairs->value();
  spec.max_samples = mostSamples(spec.min_samples);
  spec.max_warmups = m_warmups->value();
  spec.timeout_seconds = m_limit->value();
  spec.cell_seconds = kCellSeconds;
  ORTHROS_TRY_VOID(check(spec));
  return spec;
}

Result<std::vector<LatencyArmSource>> LatencyForm::sources() const {
  if (m_arms.isEmpty())
    return fail(Error{ErrorCode::invalid_argument, "no arm is chosen", "open a model and add it as an arm"});
  std::vector<LatencyArmSource> sources;
  for (const LatencyArmChoice& choice : m_arms) {
    ORTHROS_TRY(NiahArmSource source, sourceOf(m_library, choice.arm));
    sources.push_back({std::move(source), choice.dtype, m_library.loadOptions()});
  }
  return sources;
}

void LatencyForm::setRates(const MachineRates& rates) {
  m_rates = rates;
  refresh();
}

void LatencyForm::setRunning(bool running, bool paused) {
  m_running = running;
  m_paused = paused;
  refresh();
}

bool LatencyForm::canRun() const {
  return !m_running && !m_arms.isEmpty() && spec();
}

QString LatencyForm::countText() const {
  const auto asked = spec();
  if (!asked) return toQt(asked.error());
  const auto arms = sources();
  if (!arms) return tr("Open a model first");
  const LatencyEstimate estimate = estimateOf(*asked, *arms, m_rates);
  QStringList parts{tr("%n cells", nullptr, static_cast<int>(estimate.cells)),
                    tr("%1 or more pairs each, arms in turns").arg(asked->min_samples)};
  if (estimate.seconds) parts.append(tr("about %1").arg(widgets::formatSeconds(*estimate.seconds)));
  parts.append(
      tr("%1 of %2 free memory at most")
          .arg(widgets::formatBytes(estimate.peak_bytes), widgets::formatBytes(estimate.available_bytes)));
  if (!estimate.fits()) parts.append(tr("points that do not fit are recorded as out of memory"));
  return parts.join(QStringLiteral(" · "));
}

void LatencyForm::refresh() {
  if (m_filling) return;
  const bool windowed = m_reading->currentIndex() >= 2;
  m_window->setEnabled(windowed);
  m_sinks->setEnabled(windowed);
  m_add->setEnabled(m_model->count() > 0 && m_arms.size() < kMostNiahArms);
  for (QLineEdit* edit : {m_outputs, m_batches, m_threads}) {
    edit->setVisible(isAsked(edit));
    if (auto* label = findChild<QLabel*>(edit->objectName() + QStringLiteral("Label")))
      label->setVisible(isAsked(edit));
  }
  m_counts->setText(countText());
  m_run->setText(m_running ? tr("Stop") : tr("Run"));
  m_run->setIcon(
      widgets::icon(m_running ? QStringLiteral("stop") : QStringLiteral("play"), widgets::Role::OnAccent));
  m_run->setEnabled(m_running || canRun());
  m_pause->setVisible(m_running);
  m_pause->setText(m_paused ? tr("Go on") : tr("Pause"));
  Q_EMIT changed();
}

void LatencyForm::setFolded(bool folded) {
  m_details->setVisible(!folded);
  m_fold->setChecked(!folded);
}

bool LatencyForm::isFolded() const {
  return m_details->isHidden();
}

}  // namespace orthros::studio
