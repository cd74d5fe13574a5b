#include "app/studio/pages/lessons/card_panel.h"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStyleOptionComboBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/studio/pages/lessons/question_panel.h"
#include "widgets/controls.h"

namespace orthros::studio {
namespace {

constexpr int kWidth = 300, kLeastWidth = 240;
constexpr double kPresentingWidth = 1.1, kShare = 0.34;
constexpr int kIdea = 16, kDetail = 13, kTitle = 20, kPlace = 12, kLeave = 10;  // px
constexpr int kFieldMargin = 4, kListMargin = 24;

// Shut, a long title ends in …; open, the list is as wide as its longest.
class LessonList : public QComboBox {
 public:
  using QComboBox::QComboBox;

 protected:
  void initStyleOption(QStyleOptionComboBox* option) const override {
    QComboBox::initStyleOption(option);
    const QRect room =
        style()->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this);
    option->currentText =
        fontMetrics().elidedText(option->currentText, Qt::ElideRight, room.width() - kFieldMargin);
  }
  void showPopup() override {
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + kListMargin);
    QComboBox::showPopup();
  }
};

QLabel* makeText(const char* name, QWidget* parent) {
  auto* label = widgets::makeLabel({}, "lesson", parent);
  label->setObjectName(QLatin1String(name));
  label->setWordWrap(true);
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  return label;
}

void setSize(QWidget* label, int pixels, int weight = QFont::Normal) {
  QFont font = label->font();
  font.setPixelSize(pixels);
  font.setWeight(static_cast<QFont::Weight>(weight));
  label->setFont(font);
}

}  // namespace

CardPanel::CardPanel(QWidget* parent)
    : QFrame(parent),
      m_lessons(new LessonList(this)),
      m_depths(new QButtonGroup(this)),
      m_title(makeText("lessonTitle", this)),
      m_goal(makeText("lessonGoal", this)),
      m_stack(new QStackedWidget(this)),
      m_question(new QuestionPanel(this)),
      m_place(widgets::makeLabel({}, "muted", this)),
      m_leave(widgets::makeLabel({}, "muted", this)),
      m_back(widgets::makeButton(tr("Back"), {}, "plain", this)),
      m_next(widgets::makeButton({}, {}, "primary", this)),
      m_top(new QWidget(this)) {
  setProperty("panel", true);
  m_lessons->setObjectName(QStringLiteral("lessonChoice"));
  m_lessons->setAccessibleName(tr("Lesson"));
  m_lessons->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_back->setObjectName(QStringLiteral("lessonBack"));
  m_next->setObjectName(QStringLiteral("lessonNext"));
  m_place->setObjectName(QStringLiteral("lessonPlace"));
  m_leave->setObjectName(QStringLiteral("lessonLeave"));
  for (QLabel* label : {m_place, m_leave}) label->setWordWrap(true);
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
  layout->addWidget(makeMoved());
  layout->addWidget(m_place);
  layout->addLayout(row);
  layout->addWidget(m_leave);
  connect(m_lessons, &QComboBox::activated, this, &CardPanel::lessonChosen);
  connect(m_back, &QPushButton::clicked, this, &CardPanel::backRequested);
  connect(m_next, &QPushButton::clicked, this, &CardPanel::nextRequested);
  // A new style sheet takes back the sizes that were set here.
  connect(&widgets::ThemeHub::instance(), &widgets::ThemeHub::changed, this, &CardPanel::restyleTexts);
  setPresenting(false);
  setFixedWidth(kWidth);
}

QWidget* CardPanel::makeCard() {
  auto* card = new QWidget(this);
  m_idea = makeText("lessonIdea", card);
  m_shapes = makeText("lessonShapes", card);
  m_numbers = makeText("lessonNumbers", card);
  m_nothingMore = makeText("lessonNothingMore", card);
  m_nothingMore->setProperty("kind", QStringLiteral("muted"));
  m_task = makeText("lessonTask", card);
  m_task->setProperty("kind", QStringLiteral("lessonTask"));
  auto* layout = new QVBoxLayout(card);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(12);
  for (QLabel* label : {m_idea, m_shapes, m_numbers, m_nothingMore, m_task}) layout->addWidget(label);
  layout->addStretch(1);
  return card;
}

// The picture follows other keys than the card: where they are apart, it says so.
QWidget* CardPanel::makeMoved() {
  m_moved = new QWidget(this);
  m_where = makeText("lessonMoved", m_moved);
  m_where->setProperty("kind", QStringLiteral("muted"));
  m_return = widgets::makeButton({}, {}, "plain", m_moved);
  m_return->setObjectName(QStringLiteral("lessonReturn"));
  m_return->setFocusPolicy(Qt::TabFocus);
  connect(m_return, &QPushButton::clicked, this, &CardPanel::returnRequested);
  auto* column = new QVBoxLayout(m_moved);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(m_where);
  column->addWidget(m_return, 0, Qt::AlignLeft);
  m_moved->hide();
  return m_moved;
}

void CardPanel::setMoved(const QString& where, const QString& back) {
  m_moved->setVisible(!where.isEmpty());
  m_where->setText(where);
  m_return->setText(back);
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

void CardPanel::setPlace(const QString& place) {
  m_place->setText(place);
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
  m_nothingMore->setText(card.nothingMore);
  m_nothingMore->setVisible(!card.nothingMore.isEmpty());
  m_task->setText((card.isTaskDone ? QStringLiteral("✓ ") : QStringLiteral("→ ")) + card.task);
  m_task->setProperty("done", card.isTaskDone);
  widgets::restyle(m_task);
  restyleTexts();
  for (QAbstractButton* depth : m_depths->buttons()) depth->setEnabled(true);
  m_leave->setText(tr("Esc leaves this view, Space goes on"));
  m_stack->setCurrentIndex(0);
}

QuestionPanel* CardPanel::showQuestion() {
  for (QAbstractButton* depth : m_depths->buttons()) depth->setEnabled(false);  // a question has one
  m_leave->setText(tr("Esc leaves this view, Return checks"));
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

void CardPanel::setWays(bool hasBack, const QString& next, const QString& tip) {
  m_back->setEnabled(hasBack);
  m_next->setText(next);
  m_next->setToolTip(tip);
}

void CardPanel::setPresenting(bool presenting) {
  m_isPresenting = presenting;
  m_top->setVisible(!presenting);
  m_goal->setVisible(!presenting);
  m_back->setVisible(!presenting);
  m_next->setVisible(!presenting);
  m_leave->setVisible(presenting);
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
  setSize(m_nothingMore, size(kPlace));
  for (QWidget* label : {m_place, m_where}) setSize(label, size(kPlace));
  setSize(m_return, size(kPlace));
  setSize(m_leave, qRound(kLeave * m_zoom));
  m_question->setZoom(m_zoom);
}

}  // namespace orthros::studio
