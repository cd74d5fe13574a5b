#include "app/studio/pages/attention/compare_view.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/pair_view.h"

namespace orthros::studio {

CompareView::CompareView(QWidget* parent)
    : QWidget(parent),
      m_against(widgets::makeButton(tr("Against the Transformer"), {}, "toggle", this)),
      m_aLabel(new widgets::ElidedLabel("strong", this)),
      m_bLabel(new widgets::ElidedLabel("strong", this)),
      m_note(widgets::makeLabel({}, "caption", this)),
      m_set(widgets::makeButton(tr("Make this head A"), {}, "plain", this)),
      m_pair(new widgets::PairView(this)) {
  m_set->setObjectName(QStringLiteral("compareSetA"));
  m_set->setToolTip(tr("A stays; then choose another head, another window or another model: that is B"));
  m_against->setObjectName(QStringLiteral("compareTransformer"));
  m_against->setCheckable(true);
  m_against->setToolTip(
      tr("x′ of this head minus the row of the same head when the same weights read the same tokens "
         "as a Transformer: one pass more"));
  m_note->setObjectName(QStringLiteral("compareNote"));
  m_note->setWordWrap(true);
  m_pair->setObjectName(QStringLiteral("comparePair"));
  auto* sides = new QVBoxLayout;
  sides->setSpacing(2);
  sides->addWidget(m_aLabel);
  sides->addWidget(m_bLabel);
  auto* top = new QHBoxLayout;
  top->addLayout(sides, 1);
  top->addWidget(m_against, 0, Qt::AlignTop);
  top->addWidget(m_set, 0, Qt::AlignTop);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addLayout(top);
  layout->addWidget(m_note);
  layout->addWidget(m_pair, 1);
  layout->addStretch(0);
  connect(m_set, &QPushButton::clicked, this, &CompareView::setA);
  connect(m_against, &QPushButton::clicked, this, &CompareView::setAgainstTransformer);
}

QString CompareView::textOf(const HeadOf& side) {
  const AttentionRecord& record = side.capture->record;
  const QString head = tr("layer %1, head %2").arg(side.layer).arg(side.head);
  const QString reading = record.window.is_full()
                              ? tr("Transformer")
                              : tr("w %1, %2 sinks").arg(record.window.window).arg(record.window.sinks);
  return QStringLiteral("%1   %2   %3").arg(head, reading, side.capture->modelName);
}

std::pair<HeadOf, HeadOf> CompareView::sides() const {
  const auto inRegime = [this](HeadOf side) {
    if (side.capture) side.outputFrom = outputFrom(*side.capture, m_regime);
    return side;
  };
  if (!isAgainstTransformer()) return {inRegime(m_a), inRegime(m_b)};
  return {inRegime(m_b), {m_transformer, m_b.layer, m_b.head}};
}

void CompareView::setRegime(const RegimeChoice& regime) {
  if (m_regime == regime) return;
  m_regime = regime;
  refresh();
}

bool CompareView::isAgainstTransformer() const {
  return m_against->isChecked();
}

QString CompareView::name() const {
  const auto [a, b] = sides();
  if (!a.capture || !b.capture) return tr("nothing to compare yet");
  return tr("A − B, A: %1, B: %2").arg(textOf(a), textOf(b));
}

void CompareView::setCurrent(const CapturePointer& capture, int layer, int head) {
  // A Transformer's capture belongs to the tokens that it read.
  if (m_transformer && capture && m_transformer->ids != capture->ids) setTransformer({});
  m_b = {capture, layer, head};
  refresh();
}

void CompareView::setA() {
  m_against->setChecked(false);
  m_a = m_b;
  refresh();
}

void CompareView::setTransformer(const CapturePointer& capture) {
  m_transformer = capture;
  if (!capture) m_against->setChecked(false);
  refresh();
}

void CompareView::setAgainstTransformer(bool on) {
  m_against->setChecked(on);
  refresh();
  if (on && m_b.capture && !m_transformer) Q_EMIT transformerWanted();
}

QString CompareView::noteOf(const Comparison& comparison) const {
  QString note;
  if (comparison.isAligned())
    note = tr("Aligned by tokens: %1 of %2 in A and of %3 in B. Weight on the others, left out: A %4, B %5 "
              "of a row. ")
               .arg(comparison.aligned)
               .arg(comparison.tokensA)
               .arg(comparison.tokensB)
               .arg(widgets::formatPercent(comparison.leftA), widgets::formatPercent(comparison.leftB));
  const widgets::PairFacts& facts = *comparison.data->facts;
  const double most = std::max(facts.base.heaviest[0], facts.output.heaviest[0]);
  return note + (most == 0 ? tr("A and B are the same in every row.")
                           : tr("Largest difference of one weight: %1").arg(widgets::formatNumber(most)));
}

void CompareView::refresh() {
  const auto [a, b] = sides();
  m_aLabel->setWhole(tr("A  %1").arg(a.capture ? textOf(a) : tr("not set")));
  m_bLabel->setWhole(b.capture ? tr("B  %1").arg(textOf(b)) : QString());
  m_pair->setVisible(false);
  if (isAgainstTransformer() && !m_transformer) {
    m_note->setText(tr("The same weights read these tokens as a Transformer…"));
    return;
  }
  if (!a.capture || !b.capture) {
    m_note->setText(tr(
        "Make a head A. Then choose another head in the atlas, or look again with another window, model or "
        "text: the picture is A − B, row by row, aligned by tokens."));
    return;
  }
  m_comparisons.start(
      m_runner, tr("Compare two heads"), [a = a, b = b] { return compareRows(a, b); },
      [this](Comparison& comparison) { show(comparison); });
}

void CompareView::show(const Comparison& comparison) {
  // A side may have gone since: then the note says so already.
  const auto [a, b] = sides();
  if (!a.capture || !b.capture) return;
  if (!comparison.data || comparison.data->positions.empty()) {
    m_note->setText(tr(
        "A and B have no captured row of the same token: a difference would say nothing. Look at texts that "
        "share tokens, with the same capture level."));
    return;
  }
  m_note->setText(noteOf(comparison));
  m_pair->setData(comparison.data);
  m_pair->setVisible(true);
}

}  // namespace orthros::studio
