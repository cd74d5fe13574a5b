// The NIAH form's fields and where they stand.
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/studio/pages/niah/niah_form.h"
#include "app/studio/pages/niah/niah_form_choices.h"
#include "app/studio/text.h"
#include "widgets/controls.h"
#include "widgets/flow_layout.h"
#include "widgets/icon.h"

namespace orthros::studio {
namespace {

using widgets::makeLabel;

constexpr int kMostTrials = 10'000;
constexpr int kGap = 8;

QSpinBox* makeSpin(int low, int high, int value, const char* name, const QString& prefix, const QString& tip,
                   QWidget* parent) {
  auto* spin = new QSpinBox(parent);
  spin->setRange(low, high);
  spin->setValue(value);
  spin->setPrefix(prefix);
  spin->setObjectName(QString::fromLatin1(name));
  spin->setToolTip(tip);
  spin->setAccessibleName(prefix.trimmed());
  return spin;
}

void name(QWidget* widget, const char* object, const QString& accessible, const QString& tip = {}) {
  widget->setObjectName(QString::fromLatin1(object));
  if (!accessible.isEmpty()) widget->setAccessibleName(accessible);
  if (!tip.isEmpty()) widget->setToolTip(tip);
}

QWidget* makeRow(std::initializer_list<QWidget*> widgets, QWidget* parent) {
  auto* row = new QWidget(parent);
  auto* layout = new widgets::FlowLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGap);
  for (QWidget* widget : widgets) layout->addWidget(widget);
  return row;
}

// A field with its name before it, that stay together.
QWidget* labelled(const QString& text, QWidget* field, QWidget* parent) {
  auto* both = new QWidget(parent);
  auto* label = makeLabel(text, "caption", both);
  label->setBuddy(field);
  auto* layout = new QHBoxLayout(both);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addWidget(label);
  layout->addWidget(field);
  return both;
}

}  // namespace

NiahForm::NiahForm(const ModelLibrary& library, QWidget* parent)
    : QWidget(parent),
      m_library(library),
      m_chips(nullptr),
      m_fold(widgets::makeToolButton(QStringLiteral("up"), tr("Fold the set-up away"), this)),
      m_model(new QComboBox(this)),
      m_reading(new QComboBox(this)),
      m_add(widgets::makeButton(tr("Add arm"), QStringLiteral("plus"), "plain", this)),
      m_preset(new QComboBox(this)),
      m_variant(new QComboBox(this)),
      m_names(new QComboBox(this)),
      m_haystack(new QComboBox(this)),
      m_scorer(new QComboBox(this)),
      m_lengths(new QLineEdit(this)),
      m_depths(new QLineEdit(this)),
      m_controls(new QCheckBox(tr("controls"), this)),
      m_counts(makeLabel({}, "caption", this)),
      m_estimates(makeLabel({}, "caption", this)),
      m_pause(widgets::makeButton(tr("Pause"), {}, "plain", this)),
      m_run(widgets::makeButton(tr("Run"), QStringLiteral("play"), "primary", this)) {
  makeControls();
  auto* chips = makeRow({makeLabel(tr("Arms"), "strong", this)}, this);
  m_chips = chips->layout();
  auto* head = new QHBoxLayout;
  head->setSpacing(kGap);
  head->addWidget(chips, 1);
  head->addWidget(m_fold, 0, Qt::AlignTop);
  m_rows = {makeArmRow(), makeTaskRow(), makeGridRow()};
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGap);
  layout->addLayout(head);
  for (QWidget* row : m_rows) layout->addWidget(row);
  layout->addWidget(makeFoot());
  setPreset(QStringLiteral("smoke"));
  refreshModels();
}

void NiahForm::makeControls() {
  m_window = makeSpin(1, 1'000'000, 128, "niahWindow", tr("window "),
                      tr("Keys a row of the base stream reads"), this);
  m_sinks = makeSpin(0, 4096, 0, "niahSinks", tr("sinks "),
                     tr("First keys that stay visible besides the window"), this);
  m_trials = makeSpin(1, kMostTrials, 1, "niahTrials", tr("trials "),
                      tr("Trials of each cell, each with a haystack and a needle of its own"), this);
  m_seed = makeSpin(0, 2'000'000'000, 42, "niahSeed", tr("seed "),
                    tr("The same seed gives the same prompts on every machine"), this);
  m_seed->setMaximumWidth(150);
  name(m_fold, "niahFold", {});
  name(m_controls, "niahControls", {},
       tr("Also asks without a needle (should find none) and with nothing but the needle (should find all)"));
  m_controls->setChecked(true);
  connect(m_fold, &QToolButton::clicked, this, [this] { setFolded(!m_folded); });
}

QWidget* NiahForm::makeArmRow() {
  name(m_model, "niahModel", tr("Model of the arm to add"));
  m_model->setMinimumWidth(150);
  m_model->setPlaceholderText(tr("no model open"));
  m_model->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  name(m_reading, "niahReading", tr("How the arm to add reads the weights"));
  m_reading->addItems({tr("as it is"), tr("as Transformer"), tr("as SWA"), tr("as Orthros")});
  name(m_add, "niahAddArm", {}, tr("Up to four arms read the same prompts"));
  connect(m_add, &QPushButton::clicked, this, &NiahForm::addArm);
  connect(m_model, &QComboBox::currentIndexChanged, this, &NiahForm::takeWindow);
  connect(m_reading, &QComboBox::currentIndexChanged, this, &NiahForm::refresh);
  return makeRow({m_model, m_reading, m_window, m_sinks, m_add}, this);
}

QWidget* NiahForm::makeTaskRow() {
  name(m_preset, "niahPreset", tr("Preset"), tr("Lengths, depths and trials at once"));
  m_preset->addItems({tr("Smoke: 3 × 3 × 1"), tr("Quick: 6 × 6 × 5"), tr("Paper-like: 8 × 11 × 10"),
                      tr("Publication: 8 × 11 × 20"), tr("Own")});
  name(m_variant, "niahVariant", tr("Kind of needle"), tr("What is hidden and asked for"));
  for (const NeedleVariant variant : kNiahVariants) m_variant->addItem(toQt(to_string(variant)));
  name(m_names, "niahNames", tr("Names"),
       tr("Held-out names are in no training data: they ask whether names are matched"));
  m_names->addItems({tr("common names"), tr("held-out names")});
  name(m_haystack, "niahHaystack", tr("Haystack"), tr("What the needle is hidden in"));
  m_haystack->addItems({tr("filler prose"), tr("noise"), tr("key-value lines"), tr("text folder…")});
  name(m_scorer, "niahScorer", tr("Scorer"),
       tr("How an answer is judged. Others can be added later: outputs are kept."));
  for (const Scorer scorer : all_scorers()) m_scorer->addItem(toQt(to_string(scorer)));
  connect(m_preset, &QComboBox::activated, this, &NiahForm::applyPreset);
  connect(m_haystack, &QComboBox::activated, this, &NiahForm::chooseHaystack);
  for (QComboBox* box : {m_variant, m_names, m_haystack, m_scorer})
    connect(box, &QComboBox::currentIndexChanged, this, &NiahForm::refresh);
  return makeRow({m_preset, m_variant, m_names, m_haystack, labelled(tr("Scorer"), m_scorer, this)}, this);
}

QWidget* NiahForm::makeGridRow() {
  name(m_lengths, "niahLengths", tr("Lengths"),
       tr("Tokens fed to the model, all of them counted: 256, 512, 1K"));
  m_lengths->setFixedWidth(290);
  name(m_depths, "niahDepths", tr("Depths"),
       tr("A number of depths, or depths in percent: 0, 50, 100. 0 is first, 100 last."));
  m_depths->setFixedWidth(120);
  for (QLineEdit* edit : {m_lengths, m_depths})
    connect(edit, &QLineEdit::textChanged, this, &NiahForm::becomeOwn);
  connect(m_trials, &QSpinBox::valueChanged, this, &NiahForm::becomeOwn);
  connect(m_seed, &QSpinBox::valueChanged, this, &NiahForm::refresh);
  connect(m_controls, &QCheckBox::toggled, this, &NiahForm::refresh);
  return makeRow({labelled(tr("Lengths"), m_lengths, this), labelled(tr("Depths"), m_depths, this), m_trials,
                  m_seed, m_controls},
                 this);
}

QWidget* NiahForm::makeFoot() {
  auto* foot = new QWidget(this);
  name(m_counts, "niahCounts", {});
  name(m_estimates, "niahEstimates", {},
       tr("Time from the trials that are kept; where there are none, roughly from the arithmetic. Memory as "
          "the "
          "engine predicts it at the longest length."));
  for (QLabel* label : {m_counts, m_estimates}) label->setWordWrap(true);
  name(m_pause, "niahPause", {}, tr("No trial begins after the present one, until you go on (P)"));
  m_pause->setCheckable(true);
  name(m_run, "niahRun", {}, tr("Asks every arm on the same prompts, shortest first (Ctrl+Return)"));
  m_run->setMinimumWidth(112);
  connect(m_pause, &QPushButton::clicked, this, &NiahForm::pauseRequested);
  connect(m_run, &QPushButton::clicked, this, [this] {
    if (m_state != State::Idle) {
      Q_EMIT stopRequested();
    } else {
      Q_EMIT runRequested();
    }
  });
  auto* texts = new QVBoxLayout;
  texts->setSpacing(2);
  texts->addWidget(m_counts);
  texts->addWidget(m_estimates);
  auto* layout = new QHBoxLayout(foot);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kGap);
  layout->addLayout(texts, 1);
  layout->addWidget(m_pause, 0, Qt::AlignBottom);
  layout->addWidget(m_run, 0, Qt::AlignBottom);
  return foot;
}

void NiahForm::setFolded(bool folded) {
  m_folded = folded;
  for (QWidget* row : m_rows) row->setVisible(!folded);
  m_fold->setIcon(
      widgets::icon(folded ? QStringLiteral("down") : QStringLiteral("up"), widgets::Role::Muted));
  m_fold->setToolTip(folded ? tr("Show the whole set-up") : tr("Fold the set-up away"));
  m_fold->setAccessibleName(m_fold->toolTip());
}

}  // namespace orthros::studio
