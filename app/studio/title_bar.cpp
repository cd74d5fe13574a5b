#include "app/studio/title_bar.h"

#include <QHBoxLayout>
#include <QMenu>

#include "app/studio/sample_models.h"
#include "widgets/controls.h"
#include "widgets/icon.h"

namespace orthros::studio {

TitleBar::TitleBar(Workspace& workspace, QWidget* parent)
    : QWidget(parent),
      m_workspace(workspace),
      m_model(widgets::makeButton({}, QStringLiteral("down"), "chip", this)),
      m_architecture(widgets::makeLabel({}, "muted", this)),
      m_backend(widgets::makeLabel({}, "caption", this)),
      m_search(widgets::makeButton(tr("Search or run a command"), QStringLiteral("search"), "search", this)) {
  setObjectName(QStringLiteral("titleBar"));
  setAttribute(Qt::WA_StyledBackground);
  setFixedHeight(48);
  m_model->setObjectName(QStringLiteral("currentModel"));
  m_model->setLayoutDirection(Qt::RightToLeft);
  m_model->setToolTip(tr("The model that the pages work on"));
  m_search->setObjectName(QStringLiteral("search"));
  m_search->setMinimumWidth(260);
  m_search->setText(tr("Search or run a command") + QStringLiteral("      Ctrl+K"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(16, 0, 12, 0);
  layout->setSpacing(12);
  layout->addWidget(m_model);
  layout->addWidget(m_architecture);
  layout->addStretch(1);
  layout->addWidget(m_backend);
  layout->addWidget(m_search);
  connect(m_model, &QPushButton::clicked, this, &TitleBar::openMenu);
  connect(m_search, &QPushButton::clicked, this, &TitleBar::searchRequested);
  connect(&workspace.library(), &ModelLibrary::changed, this, &TitleBar::refresh);
  connect(&workspace, &Workspace::currentModelChanged, this, &TitleBar::refresh);
  refresh();
}

void TitleBar::refresh() {
  const OpenedModel* model = m_workspace.currentModel();
  m_model->setText(model == nullptr ? tr("No model") : model->name());
  m_architecture->setText(model == nullptr ? QString() : model->facts.architectureText);
  m_backend->setText(model == nullptr ? QString() : tr("cpu · %1").arg(model->computeType));
  m_backend->setToolTip(model == nullptr ? QString() : tr("Weights held as %1").arg(model->heldAs));
}

void TitleBar::openMenu() {
  QMenu menu(this);
  for (const OpenedModel& model : m_workspace.library().models()) {
    if (model.state != OpenedModel::State::Ready) continue;
    QAction* action = menu.addAction(model.name());
    connect(action, &QAction::triggered, this, [this, id = model.id] { m_workspace.setCurrentModel(id); });
  }
  if (!menu.isEmpty()) menu.addSeparator();
  const QList<SampleModel> samples = sampleModels();
  if (!samples.isEmpty()) {
    QMenu* sampleMenu = menu.addMenu(tr("Samples"));
    for (const SampleModel& sample : samples) {
      QAction* action = sampleMenu->addAction(QStringLiteral("%1 – %2").arg(sample.name, sample.about));
      connect(action, &QAction::triggered, this,
              [this, path = sample.path] { m_workspace.library().open(path); });
    }
  }
  connect(menu.addAction(tr("Open a model…")), &QAction::triggered, this, &TitleBar::openRequested);
  menu.exec(m_model->mapToGlobal(QPoint(0, m_model->height() + 4)));
}

}  // namespace orthros::studio
