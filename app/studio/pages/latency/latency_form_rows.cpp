// The rows of the latency form.
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/pages/latency/latency_form.h"
#include "widgets/controls.h"
#include "widgets/icon.h"

namespace orthros::studio {
namespace {

using widgets::makeLabel;

struct SpinSpec {
  int low, high, value;
  const char* name;
  QString prefix, tip;
};

QSpinBox* makeSpin(const SpinSpec& spec, QWidget* parent) {
  auto* spin = new QSpinBox(parent);
  spin->setRange(spec.low, spec.high);
  spin->setValue(spec.value);
  spin->setPrefix(spec.prefix);
  spin->setObjectName(QString::fromLatin1(spec.name));
  spin->setToolTip(spec.tip);
  spin->setAccessibleName(spec.tip);
  return spin;
}

QHBoxLayout* rowLayout(QWidget* row) {
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  return layout;
}

void name(QWidget* widget, const char* objectName, const QString& accessible, const QString& tip) {
  widget->setObjectName(QString::fromLatin1(objectName));
  widget->setAccessibleName(accessible);
  widget->setToolTip(tip);
}

}  // namespace

LatencyForm::LatencyForm(const ModelLibrary& library, QWidget* parent)
    : QWidget(parent),
      m_library(library),
      m_chips(new QHBoxLayout),
      m_fold(widgets::makeToolButton(QStringLiteral("settings"), tr("Show or hide what is asked"), this)),
      m_details(new QWidget(this)),
      m_model(new QComboBox(this)),
      m_reading(new QComboBox(this)),
      m_dtype(new QComboBox(this)),
      m_add(widgets::makeButton(tr("Add arm"), QStringLiteral("plus"), "plain", this)),
      m_mode(new QComboBox(this)),
      m_preset(new QComboBox(this)),
      m_lengths(new QLineEdit(this)),
      m_outputs(new QLineEdit(this)),
      m_batches(new QLineEdit(this)),
      m_threads(new QLineEdit(this)),
      m_counts(makeLabel({}, "caption", this)),
      m_pause(widgets::makeButton(tr("Pause"), {}, "plain", this)),
      m_run(widgets::makeButton(tr("Run"), QStringLiteral("play"), "primary", this)) {
  m_counts->setObjectName(QStringLiteral("latencyCounts"));
  m_counts->setWordWrap(true);
  auto* details = new QVBoxLayout(m_details);
  details->setContentsMargins(0, 0, 0, 0);
  details->setSpacing(8);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(makeTopRow());
  details->addWidget(makeArmRow());
  details->addWidget(makeProtocolRow());
  details->addWidget(makePointRow());
  layout->addWidget(m_details);
  layout->addWidget(m_counts);
  connect(m_fold, &QToolButton::toggled, this, [this](bool open) { setFolded(!open); });
  connect(m_pause, &QPushButton::clicked, this, &LatencyForm::pauseRequested);
  connect(m_run, &QPushButton::clicked, this, [this] {
    if (m_running) {
      Q_EMIT stopRequested();
    } else {
      Q_EMIT runRequested();
    }
  });
  setPreset(QStringLiteral("quick"));
  refreshModels();
}

QWidget* LatencyForm::makeTopRow() {
  auto* row = new QWidget(this);
  m_fold->setObjectName(QStringLiteral("latencyFold"));
  m_fold->setCheckable(true);
  m_fold->setChecked(true);
  m_pause->setObjectName(QStringLiteral("latencyPause"));
  m_pause->setToolTip(tr("Waits after the sample that runs; the model stays in memory (Ctrl+P)"));
  m_run->setObjectName(QStringLiteral("latencyRun"));
  m_run->setToolTip(tr("Times every arm on the same prompts, shortest first (Ctrl+Return)"));
  m_run->setMinimumWidth(112);
  m_chips->setSpacing(8);
  auto* layout = rowLayout(row);
  layout->addWidget(makeLabel(tr("Arms"), "strong", this));
  layout->addLayout(m_chips, 1);
  layout->addStretch(0);
  layout->addWidget(m_fold);
  layout->addWidget(m_pause);
  layout->addWidget(m_run);
  return row;
}

QWidget* LatencyForm::makeArmRow() {
  auto* row = new QWidget(this);
  name(m_model, "latencyModel", tr("Model of the arm to add"), tr("Open models"));
  m_model->setMinimumWidth(120);
  m_model->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_model->setMaximumWidth(260);
  name(m_reading, "latencyReading", tr("How the arm to add reads the weights"),
       tr("The same weights, read in another way"));
  m_reading->addItems({tr("as it is"), tr("as Transformer"), tr("as SWA"), tr("as Orthros")});
  m_reading->setCurrentIndex(3);
  name(m_dtype, "latencyDtype", tr("Type that the arm to add computes in"),
       tr("Another type than the model was loaded with is loaded once more for the run"));
  m_dtype->addItems({tr("as loaded"), QStringLiteral("float32"), QStringLiteral("bfloat16")});
  m_window = makeSpin(
      {1, 1'000'000, 128, "latencyWindow", tr("window "), tr("Keys a row of the base stream reads")}, this);
  m_sinks = makeSpin(
      {0, 4096, 0, "latencySinks", tr("sinks "), tr("First keys that stay visible besides the window")},
      this);
  m_add->setObjectName(QStringLiteral("latencyAddArm"));
  m_add->setToolTip(tr("Up to four arms are timed in turns; the first Transformer is the baseline"));
  auto* layout = rowLayout(row);
  for (QWidget* widget :
       std::initializer_list<QWidget*>{m_model, m_reading, m_window, m_sinks, m_dtype, m_add})
    layout->addWidget(widget);
  layout->addStretch(1);
  connect(m_add, &QPushButton::clicked, this, &LatencyForm::addArm);
  connect(m_model, &QComboBox::currentIndexChanged, this, &LatencyForm::takeWindow);
  connect(m_reading, &QComboBox::currentIndexChanged, this, &LatencyForm::refresh);
  return row;
}

QWidget* LatencyForm::makeProtocolRow() {
  auto* row = new QWidget(this);
  name(m_mode, "latencyMode", tr("Mode"), tr("What is timed"));
  m_mode->addItems({tr("Prefill sweep: T in, 1 out"), tr("In/out sweep: T in, N out"),
                    tr("Decode at depth: N steps after T"), tr("Grid of T, N, B and threads")});
  name(m_preset, "latencyPreset", tr("Preset"), tr("Points and pairs at once"));
  m_preset->addItems({tr("Smoke"), tr("Quick"), tr("Paper-like"), tr("Own")});
  m_pairs = makeSpin(
      {1, 1000, 5, "latencyPairs", tr("pairs "),
       tr("Samples of every arm in turns, A B B A; up to twice as many until medians are known within 2 %")},
      this);
  m_warmups = makeSpin(
      {0, 100, 5, "latencyWarmups", tr("warm-up "),
       tr("At most this many runs first that do not count, until two in a row differ by less than 5 %")},
      this);
  m_limit = makeSpin(
      {0, 100'000, 0, "latencyLimit", tr("limit s "), tr("Seconds that one run may take; 0: no limit")},
      this);
  auto* layout = rowLayout(row);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_mode, m_preset, m_pairs, m_warmups, m_limit})
    layout->addWidget(widget);
  layout->addStretch(1);
  connect(m_mode, &QComboBox::currentIndexChanged, this, [this] {
    if (m_filling) return;
    refresh();  // shows the fields that the preset then fills
    applyPreset();
  });
  connect(m_preset, &QComboBox::activated, this, &LatencyForm::applyPreset);
  for (QSpinBox* spin : {m_pairs, m_warmups})
    connect(spin, &QSpinBox::valueChanged, this, &LatencyForm::becomeOwn);
  connect(m_limit, &QSpinBox::valueChanged, this, &LatencyForm::refresh);
  return row;
}

QWidget* LatencyForm::makePointRow() {
  auto* row = new QWidget(this);
  auto* layout = rowLayout(row);
  const auto add = [&](QLineEdit* edit, const char* objectName, const QString& text, const QString& tip,
                       int stretch) {
    name(edit, objectName, text, tip);
    auto* label = makeLabel(text, "caption", row);
    label->setObjectName(edit->objectName() + QStringLiteral("Label"));
    label->setBuddy(edit);
    edit->setMinimumWidth(56);
    layout->addWidget(label);
    layout->addWidget(edit, stretch);
    connect(edit, &QLineEdit::textChanged, this, &LatencyForm::becomeOwn);
  };
  add(m_lengths, "latencyLengths", tr("T in"), tr("Prompt tokens: 256, 512, 1K"), 4);
  add(m_outputs, "latencyOutputs", tr("N out"),
      tr("Tokens to generate; end tokens are ignored, so that N is exact"), 2);
  add(m_batches, "latencyBatches", tr("B"), tr("Sequences at once"), 1);
  add(m_threads, "latencyThreads", tr("threads"), tr("Thread counts to compare; empty: as in the settings"),
      1);
  return row;
}

}  // namespace orthros::studio
