#include "app/studio/pages/lessons/card_panel.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/studio/pages/lessons/question_panel.h"
#include "widgets/controls.h"

namespace orthros::studio {
namespace {

constexpr int kWidth = 300, kLeastWidth = 240;
constexpr double kPresentingWidth = 1.1, kShare = 0.34;
constexpr int kIdea = 16, kDetail = 13, kTitle = 20, kPlace = 12;  // px

QLabel* makeText(const char* name, QWidget* parent) {
  auto* label = widgets::makeLabel({}, "lesson", parent);
  label->setObjectName(QLatin1String(name));
  label->setWordWrap(true);
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  return label;
}

void setSize(QLabel* label, int pixels, int weight = QFont::Normal) {
  QFont font = label->font();
  font.setPixelSize(pixels);
  font.setWeight(static_cast<QFont::Weight>(weight));
  label->setFont(font);
}

}  // namespace

CardPanel::CardPanel(QWidget* parent)
    : QFrame(parent),
      m_lessons(new QComboBox(this)),
      m_depths(new QButtonGroup(this)),
      m_title(makeText("lessonTitle", this)),
      m_goal(makeText("lessonGoal", this)),
      m_stack(new QStackedWidget(this)),
      m_question(new QuestionPanel(this)),
      m_place(widgets::makeLabel({}, "muted", this)),
      m_back(widgets::makeButton(tr("Back"), {}, "plain", this)),
      m_next(widgets::makeButton(tr("Next"), {}, "primary", this)),
      m_top(new QWidget(this)) {
  setProperty("panel", true);
  m_lessons->setObjectName(QStringLiteral("lessonChoice"));
  m_lessons->setAccessibleName(tr("Lesson"));
  m_lessons->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_back->setObjectName(QStringLiteral("lessonBack"));
  m_next->setObjectName(QStringLiteral("lessonNext"));
  m_place->setObjectName(QStringLiteral("lessonPlace"));
  // A click leaves Space to the cards.
  for (QWidget* button : {m_back, m_next}) button->setFocusPolicy(Qt::TabFocus);
  const QString depths[] = {tr("Idea"), tr("Shapes"), tr("Numbers")};
  auto* depthRow = new QHBoxLayout;
  depthRow->setSpacing(4);
  for (int i = 0; i < 3; ++i) {
    auto* button = widgets::makeButton(depths[i], {}, "toggle", m_top);
    button->setObjectName(QStringLiteral("lessonDepth%1").arg(i));
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    m_depths->addButton(button, i);
    depthRow->addWidget(button, 1);
  }
  connect(m_depths, &QButtonGroup::idClicked, this,
          [this](int id) { Q_EMIT depthChosen(static_cast<LessonDepth>(id)); });
  auto* top = new QVBoxLayout(m_top);
  top->setContentsMargins(0, 0, 0, 0);
  top->setSpacing(8);
  top->addWidget(m_lessons);
  top->addLayout(depthRow);
  auto* scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  m_stack->setObjectName(QStringLiteral("scrollBody"));
  m_stack->addWidget(makeCard());
  m_stack->addWidget(m_question);
  scroll->setWidget(m_stack);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(m_back);
  row->addWidget(m_next, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 14, 16, 14);
  layout->setSpacing(12);
  layout->addWidget(m_top);
  layout->addWidget(m_title);
  layout->addWidget(m_goal);
  layout->addWidget(widgets::makeLine(Qt::Horizontal, this));
  layout->addWidget(scroll, 1);
  layout->addWidget(m_place);
  layout->addLayout(row);
  connect(m_lessons, &QComboBox::activated, this, &CardPanel::lessonChosen);
  connect(m_back, &QPushButton::clicked, this, &CardPanel::backRequested);
  connect(m_next, &QPushButton::clicked, this, &CardPanel::nextRequested);
  setPresenting(false);
  setFixedWidth(kWidth);
}

QWidget* CardPanel::makeCard() {
  auto* card = new QWidget(this);
  m_idea = makeText("lessonIdea", card);
  m_shapes = makeText("lessonShapes", card);
  m_numbers = makeText("lessonNumbers", card);
  m_task = makeText("lessonTask", card);
  m_task->setProperty("kind", QStringLiteral("lessonTask"));
  auto* layout = new QVBoxLayout(card);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(12);
  for (QLabel* label : {m_idea, m_shapes, m_numbers, m_task}) layout->addWidget(label);
  layout->addStretch(1);
  return card;
}

void CardPanel::setLessons(const QStringList& titles, int current) {
  const QSignalBlocker quiet(m_lessons);
  m_lessons->clear();
  m_lessons->addItems(titles);
  m_lessons->setCurrentIndex(current);
}

void CardPanel::setDepth(LessonDepth depth) {
  m_depths->button(static_cast<int>(depth))->setChecked(true);
}

void CardPanel::setPlace(int index, int count, bool isQuestion, int asked, int questions) {
  m_place->setText(isQuestion ? tr("Question %1 of %2").arg(asked).arg(questions)
                              : tr("Card %1 of %2, then %3 questions").arg(index).arg(count).arg(questions));
}

void CardPanel::setTitle(const QString& title, const QString& goal) {
  m_title->setText(title);
  m_goal->setText(goal);
  m_lessons->setToolTip(title);
}

void CardPanel::showCard(const CardView& card) {
  m_idea->setText(card.idea);
  m_shapes->setText(card.shapes);
  m_shapes->setVisible(!card.shapes.isEmpty());
  m_numbers->setText(card.numbers);
  m_numbers->setVisible(!card.numbers.isEmpty());
  m_task->setText((card.isTaskDone ? QStringLiteral("✓ ") : QStringLiteral("→ ")) + card.task);
  m_task->setProperty("done", card.isTaskDone);
  widgets::restyle(m_task);
  restyleTexts();
  m_stack->setCurrentIndex(0);
}

QuestionPanel* CardPanel::showQuestion() {
  m_stack->setCurrentIndex(1);
  return m_question;
}

QString CardPanel::plainText() const {
  QStringList parts;
  for (const QLabel* label : {m_idea, m_shapes, m_numbers, m_task}) {
    if (!label->text().isEmpty()) parts.append(label->text());
  }
  return parts.join(QStringLiteral("\n\n"));
}

void CardPanel::setEnd(bool hasBack, bool hasNext) {
  m_back->setEnabled(hasBack);
  m_next->setEnabled(hasNext);
}

void CardPanel::setPresenting(bool presenting) {
  m_isPresenting = presenting;
  m_top->setVisible(!presenting);
  m_goal->setVisible(!presenting);
  m_back->setVisible(!presenting);
  m_next->setVisible(!presenting);
}

void CardPanel::setZoom(double zoom, int pageWidth) {
  m_zoom = zoom;
  setFixedWidth(std::clamp(qRound(kShare * pageWidth), kLeastWidth,
                           qRound(kWidth * std::sqrt(zoom) * (m_isPresenting ? kPresentingWidth : 1))));
  restyleTexts();
}

void CardPanel::restyleTexts() {
  const auto size = [this](int pixels) { return qRound(pixels * m_zoom); };
  setSize(m_title, size(kTitle), QFont::DemiBold);
  setSize(m_goal, size(kDetail));
  setSize(m_idea, size(kIdea));
  setSize(m_shapes, size(kDetail));
  setSize(m_numbers, size(kDetail));
  setSize(m_task, size(kDetail), QFont::DemiBold);
  setSize(m_place, size(kPlace));
  m_question->setZoom(m_zoom);
}

}  // namespace orthros::studio
