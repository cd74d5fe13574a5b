// What stands where on the lessons page, beside and below, on a desk and on a wall.
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QStackedWidget>

#include "app/studio/pages/lessons/card_panel.h"
#include "app/studio/pages/lessons/lesson_text.h"
#include "app/studio/pages/lessons/lessons_page.h"
#include "widgets/controls.h"
#include "widgets/equation_view.h"
#include "widgets/step_bar.h"

namespace orthros::studio {
namespace {

constexpr int kRoomForTexts = 900;  // below that the tools need the icons' width

constexpr int kSideWidth = 270, kSideHeight = 132;
constexpr int kWidePage = 1120;  // from here on the equation stands beside the stage
constexpr double kPresenting = 1.6;
constexpr double kPresentingPage = 2.0;  // wide pages, when type is that large
constexpr double kPlainWidth = 1200, kPlainHeight = 700, kMostZoom = 1.4;
constexpr int kLowPage = 520, kLowSide = 92;  // little is left below the stage
constexpr double kLowZoom = 0.78;
constexpr double kSpeeds[] = {0.5, 1, 2, 4};

}  // namespace

QPushButton* LessonsPage::makeToggle(const char* name, const QString& text, const QString& tip) {
  auto* button = widgets::makeButton(text, {}, "toggle", this);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  button->setCheckable(true);
  button->setFocusPolicy(Qt::TabFocus);  // a click leaves Space to the cards
  return button;
}

QWidget* LessonsPage::makeTools() {
  m_tools = new QWidget(this);
  auto* row = new QHBoxLayout(m_tools);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  m_regimes = new QButtonGroup(this);
  const std::pair<QString, QString> regimes[] = {
      {tr("Pre-training"), tr("x′ at every position (1)")},
      {tr("Tuning"), tr("SFT: x′ where an answer is predicted (2)")},
      {tr("Prefill"), tr("x′ at the last token of the prompt (3)")},
      {tr("Decode"), tr("One new token: one row of x, one of x′ (4)")}};
  for (int i = 0; i < 4; ++i) {
    auto* button = makeToggle("", regimes[i].first, regimes[i].second);
    button->setObjectName(QStringLiteral("lessonRegime%1").arg(i));
    m_regimes->addButton(button, i);
    row->addWidget(button);
  }
  connect(m_regimes, &QButtonGroup::idClicked, this, [this](int id) { setRegime(static_cast<Regime>(id)); });
  row->addSpacing(2);
  m_output = makeToggle("lessonOutput", tr("Output copies"),
                        tr("Switch x′ off and on: the shelf stays as it is (O)"));
  m_scaleOffset =
      makeToggle("lessonScaleOffset", tr("Scale-offset"), tr("With and without α, β, α′, β′ (S)"));
  connect(m_output, &QPushButton::clicked, this, &LessonsPage::toggleOutput);
  connect(m_scaleOffset, &QPushButton::clicked, this, &LessonsPage::toggleScaleOffset);
  row->addWidget(m_output);
  row->addWidget(m_scaleOffset);
  // The title bar names the model that the other pages work on; lessons have their own.
  auto* model = new widgets::ElidedLabel("caption", this);
  model->setObjectName(QStringLiteral("lessonModel"));
  model->setWhole(tr("the lesson model: 2 layers, w = 4"));
  model->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  row->addWidget(model, 20);
  row->addStretch(1);
  m_yours = widgets::makeButton(tr("Your model"), QStringLiteral("models"), "plain", this);
  m_yours->setObjectName(QStringLiteral("lessonYours"));
  m_yours->setAccessibleName(tr("Your model"));
  m_yours->setToolTip(tr("The same needle on the current model, w = 128"));
  m_yours->setFocusPolicy(Qt::TabFocus);
  connect(m_yours, &QPushButton::clicked, this, &LessonsPage::askYourModel);
  row->addWidget(m_yours);
  m_speed = new QComboBox(this);
  m_speed->setObjectName(QStringLiteral("lessonSpeed"));
  m_speed->setAccessibleName(tr("Speed of moves"));
  m_speed->setToolTip(tr("Speed of moves"));
  m_speed->setFocusPolicy(Qt::TabFocus);
  for (const double speed : kSpeeds) m_speed->addItem(QStringLiteral("%1×").arg(speed), speed);
  m_speed->setCurrentIndex(std::max(0, m_speed->findData(m_progress.speed)));
  connect(m_speed, &QComboBox::activated, this, [this] {
    m_progress.speed = m_speed->currentData().toDouble();
    keep();
    setFocus();
  });
  row->addWidget(m_speed);
  m_glossaryButton = makeToggle("lessonGlossary", tr("Glossary"), tr("What the words mean (G)"));
  connect(m_glossaryButton, &QPushButton::clicked, this, &LessonsPage::showGlossary);
  row->addWidget(m_glossaryButton);
  auto* more = widgets::makeToolButton(QStringLiteral("export"), tr("Export (E)"), this);
  more->setObjectName(QStringLiteral("lessonExport"));
  more->setFocusPolicy(Qt::TabFocus);
  more->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(more);
  fillExportMenu(menu);
  more->setMenu(menu);
  row->addWidget(more);
  auto* present = widgets::makeToolButton(QStringLiteral("present"), tr("Presenter view (P or F11)"), this);
  present->setObjectName(QStringLiteral("lessonPresent"));
  present->setFocusPolicy(Qt::TabFocus);
  connect(present, &QToolButton::clicked, this, [this] { setPresenting(true); });
  row->addWidget(present);
  return m_tools;
}

QWidget* LessonsPage::makeFigure() {
  auto* panel = widgets::makePanel(this);
  m_figure = new QWidget(panel);
  m_figure->setObjectName(QStringLiteral("lessonFigure"));
  m_steps = new widgets::StepBar(this);
  m_steps->setObjectName(QStringLiteral("lessonSteps"));
  QStringList ofLayer, ofEnd;
  for (int step = 0; step < kStepsOfLayer + kStepsOfEnd; ++step)
    (step < kStepsOfLayer ? ofLayer : ofEnd).append(stepName(static_cast<LessonStep>(step)));
  m_steps->setSteps(2, ofLayer, ofEnd);
  connect(m_steps, &widgets::StepBar::chosen, this, [this](int index) {
    if (!isReady()) return;
    StageSpot spot = m_spot;
    spot.moment = moment_at(index, std::ssize(m_passes->trace(m_spot.setting).layers));
    setSpot(spot);
  });
  m_stage = new widgets::LessonStage(m_figure);
  m_stage->setObjectName(QStringLiteral("lessonStage"));
  connect(m_stage, &widgets::LessonStage::pointedAt, this, &LessonsPage::pointedAt);
  connect(m_stage, &widgets::LessonStage::chosen, this, &LessonsPage::chosen);
  m_waiting = widgets::makeLabel({}, "muted", m_stage);
  m_waiting->setObjectName(QStringLiteral("lessonWaiting"));
  m_waiting->setAlignment(Qt::AlignCenter);
  m_waiting->setWordWrap(true);
  auto* onStage = new QVBoxLayout(m_stage);
  onStage->addWidget(m_waiting);
  m_equation = new widgets::EquationView(m_figure);
  m_equation->setObjectName(QStringLiteral("lessonEquation"));
  connect(m_equation, &widgets::EquationView::symbolPointedAt, m_stage, &widgets::LessonStage::setLit);
  m_side = new QStackedWidget(m_figure);
  m_side->addWidget(m_equation);
  m_side->addWidget(makeGlossary());
  m_figureRow = new QBoxLayout(QBoxLayout::LeftToRight, m_figure);
  m_figureRow->setContentsMargins(0, 0, 0, 0);
  m_figureRow->setSpacing(12);
  m_figureRow->addWidget(m_stage, 1);
  m_figureRow->addWidget(m_side);
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins(14, 8, 14, 12);
  layout->setSpacing(6);
  layout->addWidget(m_steps);
  layout->addWidget(m_figure, 1);
  return panel;
}

QWidget* LessonsPage::makeGlossary() {
  auto* scroll = new QScrollArea(this);
  scroll->setObjectName(QStringLiteral("lessonGlossaryList"));
  scroll->setAccessibleName(tr("Glossary"));
  scroll->setWidgetResizable(true);
  auto* body = new QWidget(scroll);
  body->setObjectName(QStringLiteral("scrollBody"));
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 8, 0);
  column->setSpacing(2);
  for (const GlossaryEntry& entry : glossary()) {
    column->addWidget(widgets::makeLabel(entry.term, "strong", body));
    auto* meaning = widgets::makeLabel(entry.meaning, "muted", body);
    meaning->setWordWrap(true);
    column->addWidget(meaning);
    column->addSpacing(8);
  }
  column->addStretch(1);
  scroll->setWidget(body);
  return scroll;
}

void LessonsPage::refreshTools() {
  m_regimes->button(static_cast<int>(m_spot.setting.regime))->setChecked(true);
  m_output->setChecked(m_spot.setting.output_on);
  m_scaleOffset->setChecked(m_spot.setting.scale_offset);
  m_yours->setVisible(m_lesson.on_your_model);
  m_yours->setEnabled(m_workspace.currentModel() != nullptr && !m_readingYours);
  const bool isFree = isReady() && !isQuestion();  // a question has its own pass
  for (QAbstractButton* tool : m_regimes->buttons() + QList<QAbstractButton*>{m_output, m_scaleOffset})
    tool->setEnabled(isFree);
}

void LessonsPage::showGlossary(bool show) {
  m_side->setCurrentIndex(show ? 1 : 0);
  m_glossaryButton->setChecked(show);
}

void LessonsPage::setPresenting(bool presenting, bool fullScreen) {
  if (m_isPresenting == presenting) return;
  m_isPresenting = presenting;
  m_tools->setVisible(!presenting);
  m_steps->setVisible(!presenting);
  m_notice->hide();
  m_card->setPresenting(presenting);
  m_stage->setPresenting(presenting);
  layOut();
  if (!m_lesson.id.empty() && !isQuestion()) showCard();
  setFocus();
  Q_EMIT presentingChanged(presenting, fullScreen);
}

void LessonsPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  findChild<QLabel*>(QStringLiteral("lessonModel"))->setVisible(width() >= kRoomForTexts);
  m_yours->setText(width() < kRoomForTexts ? QString() : tr("Your model"));
  layOut();
}

void LessonsPage::layOut() {
  // Larger on a large window; on a wall as large as LOOK.md says, whatever the window.
  const double room = std::min(width() / kPlainWidth, height() / kPlainHeight);
  const double zoom = m_zoom = m_isPresenting ? kPresenting : std::clamp(room, 1.0, kMostZoom);
  const bool isLow = height() < kLowPage && !m_isPresenting;
  const bool beside = width() >= kWidePage * (m_isPresenting ? kPresentingPage : 1);
  m_card->setZoom(zoom, width());
  m_equation->setZoom(isLow ? kLowZoom : zoom);
  m_figureRow->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  m_side->setMinimumSize(0, 0);
  m_side->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
  if (beside) {
    m_side->setFixedWidth(qRound(kSideWidth * zoom));
  } else {
    m_side->setFixedHeight(isLow ? kLowSide : qRound(kSideHeight * zoom));
  }
}

}  // namespace orthros::studio
