#include "app/studio/pages/models/next_steps.h"

#include <QGridLayout>

#include "widgets/controls.h"

namespace orthros::studio {

NextSteps::NextSteps(const QList<Page*>& pages, QWidget* parent) : QFrame(parent) {
  setProperty("panel", true);
  setObjectName(QStringLiteral("nextSteps"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(16, 12, 16, 16);
  grid->setHorizontalSpacing(16);
  grid->setVerticalSpacing(8);
  grid->setColumnMinimumWidth(0, 132);
  grid->setColumnStretch(1, 1);
  grid->addWidget(widgets::makeLabel(tr("What to do with it"), "section", this), 0, 0, 1, 2);
  for (Page* page : pages) {
    auto* button = widgets::makeButton(page->title(), page->iconName(), "plain", this);
    button->setObjectName(QStringLiteral("next-") + page->name());
    button->setAccessibleDescription(page->purpose());
    QLabel* purpose = widgets::makeLabel(page->purpose(), "muted", this);
    purpose->setWordWrap(true);
    const int row = grid->rowCount();
    grid->addWidget(button, row, 0);
    grid->addWidget(purpose, row, 1);
    connect(button, &QPushButton::clicked, this, [this, name = page->name()] { Q_EMIT pageRequested(name); });
  }
}

}  // namespace orthros::studio
