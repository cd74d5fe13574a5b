#include "app/studio/pages/niah/niah_column.h"

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/controls.h"

namespace orthros::studio {

using widgets::NeedleMap;
using widgets::NeedleMeasure;
using widgets::NeedleStyle;

NiahColumn::NiahColumn(QWidget* parent)
    : QWidget(parent),
      m_map(new NeedleMap(this)),
      m_measure(new NeedleMap(this)),
      m_note(widgets::makeLabel({}, "caption", this)) {
  m_note->setObjectName(QStringLiteral("niahNote"));
  m_note->setWordWrap(true);
  m_note->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_note->setMinimumHeight(4 * m_note->fontMetrics().height());  // maps side by side stay equally high
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(m_map, 1);
  layout->addWidget(m_measure, 1);
  layout->addWidget(m_note);
  // A difference has one map: the place of its second stays empty.
  QSizePolicy policy = m_measure->sizePolicy();
  policy.setRetainSizeWhenHidden(true);
  m_measure->setSizePolicy(policy);
  m_measure->setMaximumHeight(0);
  m_measure->hide();
  for (NeedleMap* map : {m_map, m_measure}) {
    connect(map, &NeedleMap::hovered, this, &NiahColumn::hovered);
    connect(map, &NeedleMap::chosen, this, &NiahColumn::chosen);
  }
}

void NiahColumn::show(const widgets::NeedleMapData& data, const QString& note) {
  m_map->setData(data);
  widgets::NeedleMapData second = data;
  second.title = m_measure->style().measure == NeedleMeasure::Attention ? tr("attention on the needle")
                                                                        : tr("log-probability of the answer");
  m_measure->setData(second);
  m_note->setText(note);
  QWidget::show();
}

void NiahColumn::setStyle(const NeedleStyle& style) {
  const bool second = style.measure != NeedleMeasure::Found;
  NeedleStyle found = style;
  found.measure = NeedleMeasure::Found;
  m_map->setStyle(found);
  if (second) m_measure->setStyle(style);
  m_measure->setMaximumHeight(second ? QWIDGETSIZE_MAX : 0);
  m_measure->setMinimumHeight(second ? m_measure->minimumSizeHint().height() : 0);
  m_measure->setVisible(second && !m_map->data().isDifference);
}

void NiahColumn::setMarked(widgets::NeedleIndex index) {
  m_map->setMarked(index);
  m_measure->setMarked(index);
}

QString NiahColumn::note() const {
  return m_note->text();
}

QSize NiahColumn::hint(const NeedleStyle& style) {
  constexpr int kWide = 300;
  constexpr int kHigh = 300;
  constexpr int kNote = 76;
  return {kWide, (style.measure == NeedleMeasure::Found ? kHigh : 2 * kHigh) + kNote};
}

}  // namespace orthros::studio
