#include "app/studio/pages/niah/niah_column.h"

#include <QLabel>
#include <QVBoxLayout>

#include "widgets/controls.h"

namespace orthros::studio {

NiahColumn::NiahColumn(QWidget* parent)
    : QWidget(parent), m_map(new widgets::NeedleMap(this)), m_note(widgets::makeLabel({}, "caption", this)) {
  m_note->setObjectName(QStringLiteral("niahNote"));
  m_note->setWordWrap(true);
  m_note->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_note->setMinimumHeight(4 * m_note->fontMetrics().height());  // maps side by side stay equally high
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(m_map, 1);
  layout->addWidget(m_note);
}

void NiahColumn::show(const widgets::NeedleMapData& data, const QString& note) {
  m_map->setData(data);
  m_note->setText(note);
  QWidget::show();
}

QString NiahColumn::note() const {
  return m_note->text();
}

}  // namespace orthros::studio
