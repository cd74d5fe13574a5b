// The Training page's parts: the list on the left, the head, plots, what is known of the choice, answers.
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/studio/pages/training/answer_list.h"
#include "app/studio/pages/training/training_page.h"
#include "app/studio/pages/training/training_plots.h"
#include "widgets/controls.h"

namespace orthros::studio {
namespace {

constexpr int kMostSteps = 10'000'000;
constexpr int kWide = 1080;  // pixels: what the model answers has room beside the plots

QTreeWidgetItem* makeGroup(QTreeWidget* tree, const QString& title) {
  auto* group = new QTreeWidgetItem(tree, {title});
  group->setFlags(Qt::ItemIsEnabled);
  group->setFirstColumnSpanned(true);
  group->setExpanded(true);
  QFont strong = tree->font();
  strong.setWeight(QFont::DemiBold);
  group->setFont(0, strong);
  return group;
}

}  // namespace

TrainingPage::TrainingPage(Workspace& workspace, QWidget* parent)
    : Page(parent),
      m_workspace(workspace),
      m_about(new widgets::ElidedLabel("muted", this)),
      m_notice(new widgets::Notice(this)),
      m_start(widgets::makeButton(tr("Train"), QStringLiteral("play"), "primary", this)),
      m_openModel(widgets::makeButton(tr("Open the model"), QStringLiteral("models"), "plain", this)),
      m_log(widgets::makeButton(tr("Log loss"), {}, "toggle", this)),
      m_export(widgets::makeButton(tr("Export…"), QStringLiteral("export"), "plain", this)) {
  m_notice->setObjectName(QStringLiteral("trainingNotice"));
  auto* right = new QVBoxLayout;
  right->setSpacing(8);
  right->addWidget(makeHead());
  right->addWidget(m_notice);
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(makeContent(), 1);
  row->addWidget(makeSide());
  right->addLayout(row, 1);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(16, 12, 16, 10);
  layout->setSpacing(12);
  layout->addWidget(makeList());
  layout->addLayout(right, 1);
  connect(m_notice, &widgets::Notice::actionRequested, this, &TrainingPage::openModel);
  connect(&workspace, &Workspace::runKept, this, [this] {
    if (isVisible()) list();
  });
  connect(&workspace.settings(), &Settings::changed, this, [this] {
    if (isVisible()) list();
  });
  makeActions();
  refresh();
}

QWidget* TrainingPage::makeList() {
  auto* panel = widgets::makePanel(this);
  panel->setFixedWidth(248);
  m_tree = new QTreeWidget(panel);
  m_tree->setObjectName(QStringLiteral("trainingList"));
  m_tree->setAccessibleName(tr("Recipes and trainings"));
  m_tree->setColumnCount(2);
  m_tree->setHeaderHidden(true);
  m_tree->setRootIsDecorated(false);
  m_tree->setItemsExpandable(false);
  m_tree->setIndentation(8);
  m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_tree->setUniformRowHeights(true);
  m_tree->setAllColumnsShowFocus(true);
  m_tree->setTextElideMode(Qt::ElideRight);
  m_tree->header()->setStretchLastSection(false);
  m_tree->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  m_tree->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  m_tree->setStyleSheet(QStringLiteral("QTreeView { border: none; } QTreeView::item { padding: 4px 2px; }"));
  m_recipeGroup = makeGroup(m_tree, tr("Recipes"));
  m_folderGroup = makeGroup(m_tree, tr("Can go on"));
  m_keptGroup = makeGroup(m_tree, tr("Kept"));
  auto* other = widgets::makeButton(tr("Other recipe…"), QStringLiteral("folder"), "plain", panel);
  other->setObjectName(QStringLiteral("trainingOther"));
  other->setToolTip(tr("A recipe file (.json) of your own"));
  auto* hint = widgets::makeLabel(tr("With Ctrl or Shift several kept ones are compared."), "caption", panel);
  hint->setWordWrap(true);
  hint->setContentsMargins(4, 0, 4, 0);
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(8, 8, 8, 12);
  layout->setSpacing(8);
  layout->addWidget(m_tree, 1);
  layout->addWidget(other);
  layout->addWidget(hint);
  connect(other, &QPushButton::clicked, this, &TrainingPage::chooseRecipe);
  connect(m_tree, &QTreeWidget::itemSelectionChanged, this, &TrainingPage::choiceChanged);
  return panel;
}

QWidget* TrainingPage::makeHead() {
  auto* head = new QWidget(this);
  m_about->setObjectName(QStringLiteral("trainingAbout"));
  m_start->setObjectName(QStringLiteral("trainingStart"));
  m_start->setToolTip(tr("Trains, goes on, or stops with a checkpoint (Ctrl+Return)"));
  m_openModel->setObjectName(QStringLiteral("trainingOpenModel"));
  m_openModel->setToolTip(tr("The trained model, on the Models page (O)"));
  m_log->setObjectName(QStringLiteral("trainingLog"));
  m_log->setToolTip(tr("Loss on a logarithmic axis (L)"));
  m_log->setCheckable(true);
  m_log->setChecked(true);
  m_export->setObjectName(QStringLiteral("trainingExport"));
  m_export->setToolTip(tr("The plots as a picture, or their points (E)"));
  auto* menu = new QMenu(m_export);
  const std::pair<const char*, QString> kinds[] = {{"svg", tr("Picture as SVG…")},
                                                   {"pdf", tr("Picture as PDF…")},
                                                   {"png", tr("Picture as PNG…")},
                                                   {"csv", tr("Points as CSV…")}};
  for (const auto& [suffix, text] : kinds) {
    QAction* action = menu->addAction(text);
    connect(action, &QAction::triggered, this,
            [this, kind = QString::fromLatin1(suffix)] { chooseExport(kind); });
  }
  m_export->setMenu(menu);
  m_plan = new QWidget(head);
  m_output = new QLineEdit(m_plan);
  m_output->setObjectName(QStringLiteral("trainingOutput"));
  m_output->setAccessibleName(tr("Folder"));
  m_output->setToolTip(tr("Checkpoints and the finished model are written here"));
  m_choose = widgets::makeButton({}, QStringLiteral("folder"), "plain", m_plan);
  m_choose->setAccessibleName(tr("Choose the folder"));
  m_choose->setToolTip(tr("Choose the folder"));
  m_steps = new QSpinBox(m_plan);
  m_steps->setObjectName(QStringLiteral("trainingSteps"));
  m_steps->setAccessibleName(tr("Steps at most"));
  m_steps->setRange(0, kMostSteps);
  m_steps->setSingleStep(100);
  m_steps->setSpecialValueText(tr("all steps"));
  m_steps->setSuffix(tr(" steps"));
  m_steps->setToolTip(tr("Stops after so many steps of this start, with a checkpoint; 0: goes to the end"));
  auto* plan = new QHBoxLayout(m_plan);
  plan->setContentsMargins(0, 0, 0, 0);
  plan->setSpacing(8);
  plan->addWidget(widgets::makeLabel(tr("into"), "muted", m_plan));
  plan->addWidget(m_output, 1);
  plan->addWidget(m_choose);
  auto* top = new QHBoxLayout;
  top->setSpacing(8);
  top->addWidget(m_start);
  top->addWidget(m_steps);
  top->addWidget(m_plan, 1);
  top->addStretch(0);
  top->addWidget(m_openModel);
  top->addWidget(m_log);
  top->addWidget(m_export);
  auto* layout = new QVBoxLayout(head);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addLayout(top);
  layout->addWidget(m_about);
  connect(m_start, &QPushButton::clicked, this, [this] {
    if (isRunning()) {
      m_job->stop();
    } else {
      start();
    }
  });
  connect(m_openModel, &QPushButton::clicked, this, &TrainingPage::openModel);
  connect(m_choose, &QPushButton::clicked, this, &TrainingPage::chooseOutput);
  connect(m_log, &QPushButton::toggled, this, [this](bool log) { m_plots->setLogLoss(log); });
  return head;
}

QWidget* TrainingPage::makeContent() {
  m_stack = new QStackedWidget(this);
  auto* empty = widgets::makePanel(m_stack);
  empty->setObjectName(QStringLiteral("trainingEmpty"));
  auto* text = widgets::makeLabel(
      tr("A recipe says which model is trained on which task. Choose one on the left and press Train: loss, "
         "learning rate, gradient norm and speed are drawn while it learns, with some of its answers. Stop "
         "it "
         "at any time; it goes on where it was. The lesson recipe takes a few minutes."),
      "muted", empty);
  text->setWordWrap(true);
  text->setAlignment(Qt::AlignCenter);
  text->setMinimumWidth(240);
  text->setFixedWidth(460);
  auto* middle = new QHBoxLayout;  // no alignment: it would cut what wraps
  middle->addStretch(1);
  middle->addWidget(text, 4);
  middle->addStretch(1);
  auto* go = widgets::makeButton(tr("Train the lesson model"), QStringLiteral("training"), "primary", empty);
  go->setObjectName(QStringLiteral("trainingEmptyStart"));
  connect(go, &QPushButton::clicked, this, [this] {
    for (qsizetype i = 0; i < m_recipes.size(); ++i) {
      if (m_recipes[i].name == u"lesson") m_tree->setCurrentItem(m_recipeGroup->child(static_cast<int>(i)));
    }
    start();
  });
  connect(this, &TrainingPage::listed, go, [this, go] {
    go->setVisible(std::ranges::any_of(
        m_recipes, [](const TrainingRecipe& recipe) { return recipe.name == u"lesson"; }));
  });
  auto* column = new QVBoxLayout(empty);
  column->setSpacing(12);
  column->addStretch(1);
  column->addWidget(widgets::makeLabel(tr("No training yet"), "section", empty), 0, Qt::AlignHCenter);
  column->addLayout(middle);
  column->addWidget(go, 0, Qt::AlignHCenter);
  column->addStretch(2);
  auto* content = widgets::makePanel(m_stack);
  m_plots = new TrainingPlots(content);
  m_readout = widgets::makeLabel({}, "caption", content);
  m_readout->setObjectName(QStringLiteral("trainingReadout"));
  m_readout->setWordWrap(true);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(6);
  layout->addWidget(m_plots, 1);
  layout->addWidget(widgets::makeLine(Qt::Horizontal, content));
  layout->addWidget(m_readout);
  const auto readOut = [this] {
    const QString text = m_plots->readout();
    m_readout->setText(text.isEmpty() ? tr("Point at a curve, or walk along it with the arrow keys.") : text);
  };
  connect(m_plots, &TrainingPlots::readoutChanged, this, readOut);
  readOut();
  m_stack->addWidget(empty);
  m_stack->addWidget(content);
  return m_stack;
}

QWidget* TrainingPage::makeSide() {
  m_side = widgets::makePanel(this);
  m_side->setFixedWidth(272);
  m_facts = widgets::makeLabel({}, "muted", m_side);
  m_facts->setObjectName(QStringLiteral("trainingFacts"));
  m_facts->setWordWrap(true);
  m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_answers = new AnswerList(m_side);
  auto* layout = new QVBoxLayout(m_side);
  layout->setContentsMargins(16, 12, 12, 12);
  layout->setSpacing(12);
  layout->addWidget(m_facts);
  layout->addWidget(widgets::makeLine(Qt::Horizontal, m_side));
  layout->addWidget(m_answers, 1);
  return m_side;
}

void TrainingPage::makeActions() {
  addKey("training-open-model", tr("Training: open the trained model"), "O", [this] { openModel(); });
  addKey("training-log", tr("Training: loss on a logarithmic axis"), "L", [this] { m_log->toggle(); });
  addKey("training-recipe", tr("Training: choose a recipe file"), "", [this] { chooseRecipe(); });
  addKey("training-export", tr("Training: export the plots as SVG"), "E", [this] {
    if (m_export->isEnabled()) chooseExport(QStringLiteral("svg"));
  });
  addKey("training-export-points", tr("Training: export the points as CSV"), "", [this] {
    if (m_export->isEnabled()) chooseExport(QStringLiteral("csv"));
  });
}

void TrainingPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  m_side->setVisible(width() >= kWide);
}

}  // namespace orthros::studio
