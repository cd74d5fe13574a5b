#include "app/studio/pages/attention/compare_view.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "widgets/controls.h"
#include "widgets/format.h"
#include "widgets/pair_view.h"

namespace orthros::studio {

CompareView::CompareView(QWidget* parent)
    : QWidget(parent),
      m_aLabel(new widgets::ElidedLabel("strong", this)),
      m_bLabel(new widgets::ElidedLabel("strong", this)),
      m_note(widgets::makeLabel({}, "caption", this)),
      m_set(widgets::makeButton(tr("Make this head A"), {}, "plain", this)),
      m_pair(new widgets::PairView(this)) {
  m_set->setObjectName(QStringLiteral("compareSetA"));
  m_set->setToolTip(tr("A stays; then choose another head, another window or another model: that is B"));
  m_note->setObjectName(QStringLiteral("compareNote"));
  m_note->setWordWrap(true);
  m_pair->setObjectName(QStringLiteral("comparePair"));
  auto* sides = new QVBoxLayout;
  sides->setSpacing(2);
  sides->addWidget(m_aLabel);
  sides->addWidget(m_bLabel);
  auto* top = new QHBoxLayout;
  top->addLayout(sides, 1);
  top->addWidget(m_set, 0, Qt::AlignTop);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(6);
  layout->addLayout(top);
  layout->addWidget(m_note);
  layout->addWidget(m_pair, 1);
  layout->addStretch(0);
  connect(m_set, &QPushButton::clicked, this, &CompareView::setA);
}

QString CompareView::Side::text() const {
  return tr("layer %1, head %2   w %3, %4 sinks   %5")
      .arg(layer)
      .arg(head)
      .arg(capture->record.window.window)
      .arg(capture->record.window.sinks)
      .arg(capture->modelName);
}

QString CompareView::name() const {
  return hasA() ? tr("A − B, A: %1, B: %2").arg(m_a.text(), m_b.text()) : tr("nothing to compare yet");
}

void CompareView::setCurrent(const CapturePointer& capture, int layer, int head) {
  m_b = {capture, layer, head};
  refresh();
}

void CompareView::setA() {
  m_a = m_b;
  refresh();
}

void CompareView::refresh() {
  m_aLabel->setWhole(tr("A  %1").arg(hasA() ? m_a.text() : tr("not set")));
  m_bLabel->setWhole(m_b.capture ? tr("B  %1").arg(m_b.text()) : QString());
  m_pair->setVisible(false);
  if (!hasA()) {
    m_note->setText(
        tr("Make a head A. Then choose another head in the atlas, or look again with another window or "
           "model: the picture is A − B, row by row."));
    return;
  }
  const auto difference = differenceOf(pairDataOf(m_a.capture, m_a.layer, m_a.head),
                                       pairDataOf(m_b.capture, m_b.layer, m_b.head));
  if (m_a.capture->ids != m_b.capture->ids || !difference || difference->positions.empty()) {
    m_note->setText(
        tr("A and B have different tokens or different rows: a difference would say nothing. Look at the "
           "same text with the same capture level."));
    return;
  }
  double most = 0;
  for (const widgets::MaxPyramid* matrix : {&difference->base, &difference->output}) {
    if (matrix->isEmpty()) continue;
    const auto& top = matrix->levels().back();
    for (qsizetype i = 0; i < top.rows * top.columns; ++i)
      most = std::max(most, std::abs(static_cast<double>(top.cells[i])));
  }
  m_note->setText(most == 0 ? tr("A and B are the same in every row.")
                            : tr("Largest difference of one weight: %1").arg(widgets::formatNumber(most)));
  m_pair->setData(difference);
  m_pair->setVisible(true);
}

}  // namespace orthros::studio
