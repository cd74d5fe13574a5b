#include "app/studio/pages/models/model_card.h"

#include <QGridLayout>
#include <QHBoxLayout>

#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/memory_bar.h"
#include "widgets/mixer_strip.h"

namespace orthros::studio {
namespace {

using widgets::makeLabel;

constexpr int kColumns = 5;

struct Figure {
  const char* name;
  const char* tip;
};

constexpr Figure kFigures[] = {
    {QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Parameters"),
     QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "All weights; tied embeddings count once")},
    {QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Layers"),
     QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Transformer blocks, one tick each above")},
    {QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Heads / KV heads"),
     QT_TRANSLATE_NOOP("orthros::studio::ModelCard",
                       "Query heads, and the key-value heads that they share in groups")},
    {QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Head size"),
     QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Numbers in one key, query or value")},
    {QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Trained context"),
     QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "max_position_embeddings of the config, in tokens")},
    {QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Weights in file"),
     QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Type of the file's tensors")},
    {QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Size on disk"),
     QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "All weight files together")},
    {QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "KV per token"),
     QT_TRANSLATE_NOOP("orthros::studio::ModelCard",
                       "2 · layers · KV heads · head size · bytes of the cache's type")},
    {QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Balance length T*"),
     QT_TRANSLATE_NOOP(
         "ModelCard",
         "Prompt length at which full attention costs as much as all matrices: T* = N_linear / (L · d_q)")},
    {QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Vocabulary"),
     QT_TRANSLATE_NOOP("orthros::studio::ModelCard", "Token ids the model knows")},
};

}  // namespace

ModelCard::ModelCard(quint64 id, QWidget* parent)
    : QFrame(parent),
      m_id(id),
      m_name(new widgets::ElidedLabel("section", this)),
      m_dot(new QLabel(this)),
      m_kind(makeLabel({}, "strong", this)),
      m_state(makeLabel({}, "chip", this)),
      m_provenance(makeLabel({}, "caption", this)),
      m_memoryText(makeLabel({}, "caption", this)),
      m_details(new QWidget(this)),
      m_strip(new widgets::MixerStrip(this)),
      m_memory(new widgets::MemoryBar(this)),
      m_notice(new widgets::Notice(this)),
      m_grid(new QGridLayout),
      m_prompt(widgets::makeButton(tr("Prompt it"), QStringLiteral("prompt"), "primary", this)),
      m_convert(widgets::makeButton(tr("Convert…"), QStringLiteral("convert"), "plain", this)) {
  setProperty("panel", true);
  setObjectName(QStringLiteral("modelCard"));
  m_name->setObjectName(QStringLiteral("cardName"));
  m_state->setObjectName(QStringLiteral("cardState"));
  m_prompt->setObjectName(QStringLiteral("cardPrompt"));
  m_convert->setObjectName(QStringLiteral("cardConvert"));
  m_notice->setObjectName(QStringLiteral("cardNotice"));
  m_memoryText->setObjectName(QStringLiteral("cardMemory"));
  auto* close =
      widgets::makeToolButton(QStringLiteral("close"), tr("Close this model and free its memory"), this);
  close->setObjectName(QStringLiteral("cardClose"));
  m_name->setMinimumWidth(80);
  m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

  auto* head = new QHBoxLayout;
  head->setSpacing(8);
  head->addWidget(m_name, 1);
  head->addWidget(m_state, 0, Qt::AlignVCenter);
  head->addWidget(m_convert);
  head->addWidget(m_prompt);
  head->addWidget(close);
  auto* kind = new QHBoxLayout;
  kind->setSpacing(6);
  kind->addWidget(m_dot);
  kind->addWidget(m_kind);
  kind->addSpacing(6);
  kind->addWidget(m_provenance, 1);
  auto* details = new QVBoxLayout(m_details);
  details->setContentsMargins(0, 0, 0, 0);
  details->setSpacing(12);
  details->addLayout(kind);
  details->addWidget(m_strip);
  details->addLayout(m_grid);
  auto* memory = new QVBoxLayout;
  memory->setSpacing(4);
  memory->addWidget(m_memory);
  memory->addWidget(m_memoryText);
  details->addLayout(memory);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 12, 12, 16);
  layout->setSpacing(12);
  layout->addLayout(head);
  layout->addWidget(m_notice);
  layout->addWidget(m_details);
  addFigures();
  connect(m_prompt, &QPushButton::clicked, this, [this] { Q_EMIT promptRequested(m_id); });
  connect(m_convert, &QPushButton::clicked, this, [this] { Q_EMIT convertRequested(m_id); });
  connect(close, &QToolButton::clicked, this, [this] { Q_EMIT closeRequested(m_id); });
  connect(m_notice, &widgets::Notice::actionRequested, this, [this] { Q_EMIT retryRequested(m_id); });
}

void ModelCard::addFigures() {
  m_grid->setHorizontalSpacing(12);
  m_grid->setVerticalSpacing(2);
  for (int i = 0; i < static_cast<int>(std::size(kFigures)); ++i) {
    const int row = i / kColumns * 3;
    auto* name = makeLabel(tr(kFigures[i].name), "caption", this);
    auto* figure = makeLabel({}, "figure", this);
    name->setToolTip(tr(kFigures[i].tip));
    figure->setToolTip(tr(kFigures[i].tip));
    figure->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_grid->addWidget(name, row, i % kColumns);
    m_grid->addWidget(figure, row + 1, i % kColumns);
    m_grid->setColumnStretch(i % kColumns, 1);
    m_grid->setRowMinimumHeight(row + 2, 6);
    m_figures.append(figure);
  }
}

void ModelCard::setFigures(const ModelFacts& facts) {
  using namespace widgets;
  const QString texts[] = {formatShort(static_cast<double>(facts.parameters)),
                           formatCount(facts.layers),
                           QStringLiteral("%1 / %2").arg(facts.heads).arg(facts.kvHeads),
                           formatCount(facts.headDim),
                           formatCount(facts.maxPositions),
                           facts.dtype,
                           formatBytes(facts.fileBytes),
                           formatBytes(facts.kvBytesPerToken),
                           formatCount(static_cast<qint64>(facts.balanceTokens)),
                           formatCount(facts.vocabulary)};
  for (qsizetype i = 0; i < m_figures.size(); ++i) m_figures[i]->setText(texts[i]);
}

void ModelCard::setModel(const OpenedModel& model, bool isCurrent) {
  const bool ready = model.state == OpenedModel::State::Ready;
  m_name->setWhole(model.name());
  m_name->setToolTip(model.path);
  m_prompt->setVisible(ready);
  m_convert->setVisible(ready);
  m_details->setVisible(model.hasFacts());
  showState(model);
  setProperty("current", isCurrent && ready);
  if (!model.hasFacts()) return;
  const ModelFacts& facts = model.facts;
  const QColor dot = widgets::theme().architecture(facts.architecture);
  m_dot->setFixedSize(10, 10);
  m_dot->setStyleSheet(QStringLiteral("background:%1; border-radius:5px;").arg(dot.name()));
  m_kind->setText(facts.architectureText);
  QStringList origin{facts.family, facts.format, facts.provenance};
  if (!facts.tokenizerProblem.isEmpty()) origin.append(tr("takes ids only: no tokenizer"));
  m_provenance->setText(origin.join(QStringLiteral("  ·  ")));
  m_provenance->setToolTip(facts.tokenizerProblem.isEmpty() ? facts.path : facts.tokenizerProblem);
  m_strip->setTicks(facts.mixers);
  setFigures(facts);
  m_memory->setPlan(facts.plan);
  const QString verdict = facts.plan.fits()
                              ? tr("of %1 free").arg(widgets::formatBytes(facts.plan.availableBytes))
                              : tr("but %1 free").arg(widgets::formatBytes(facts.plan.availableBytes));
  m_memoryText->setText(
      tr("%1 needed with %2 tokens of context, %3: weights %4, KV cache %5, activations %6")
          .arg(widgets::formatBytes(facts.plan.totalBytes()), widgets::formatCount(facts.planTokens), verdict,
               widgets::formatBytes(facts.plan.weightsBytes), widgets::formatBytes(facts.plan.kvBytes),
               widgets::formatBytes(facts.plan.activationBytes)));
}

void ModelCard::showState(const OpenedModel& model) {
  using Kind = widgets::Notice::Kind;
  switch (model.state) {
    case OpenedModel::State::Reading:
      m_state->setText(tr("Reading…"));
      break;
    case OpenedModel::State::Loading:
      m_state->setText(tr("Loading…"));
      break;
    case OpenedModel::State::Ready:
      m_state->setText(tr("Ready, held as %1").arg(model.heldAs));
      break;
    case OpenedModel::State::Refused:
      m_state->setText(tr("Does not fit"));
      break;
    case OpenedModel::State::Failed:
      m_state->setText(tr("Not opened"));
      break;
    case OpenedModel::State::Stopped:
      m_state->setText(tr("Stopped"));
      break;
  }
  if (model.state == OpenedModel::State::Failed) {
    m_notice->show(Kind::Bad, model.problem, tr("Try again"));
  } else if (model.state == OpenedModel::State::Refused) {
    m_notice->show(Kind::Warn, model.problem, tr("Try again"));
  } else if (model.state == OpenedModel::State::Stopped) {
    m_notice->show(Kind::Info, tr("Loading was stopped."), tr("Load it"));
  } else {
    m_notice->hide();
  }
}

}  // namespace orthros::studio
