// CardPanel: the left side of a lesson: which lesson, how deep, the card or the question, its one task, and
// the way on and back. Threads: GUI thread.
#pragma once

#include <QFrame>

#include "engine/lessons/lesson.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace orthros::studio {

class QuestionPanel;

/// A card as text, in one language, with its numbers in it.
struct CardView {
  QString idea, shapes, numbers;  // the last two empty: this card has none, or the depth leaves them out
  QString nothingMore;            // says that this card has no text of the chosen depth
  QString task;
  bool isTaskDone = false;
};

class CardPanel : public QFrame {
  Q_OBJECT
 public:
  explicit CardPanel(QWidget* parent = nullptr);
  void setLessons(const QStringList& titles, int current);
  void setDepth(LessonDepth depth);
  void setPlace(const QString& place);
  void setTitle(const QString& title, const QString& goal);
  void showCard(const CardView& card);
  QuestionPanel* showQuestion();
  QuestionPanel* question() const { return m_question; }
  /// What stands there is the card's text in plain words, for exports and readers.
  QString plainText() const;
  void setPresenting(bool presenting);
  /// The picture shows another step than the card is about; empty: it does not.
  void setMoved(const QString& where, const QString& back);
  /// Type this many times its size; the card stays a part of a page of this width.
  void setZoom(double zoom, int pageWidth);
  /// What the buttons below do: `next` is the text of the one that goes on.
  void setWays(bool hasBack, const QString& next, const QString& tip);

 Q_SIGNALS:
  void lessonChosen(int index);
  void depthChosen(LessonDepth depth);
  void backRequested();
  void returnRequested();  // of the picture, to the card's step
  void nextRequested();

 private:
  QWidget* makeCard();
  QWidget* makeMoved();
  void restyleTexts();

  QComboBox* m_lessons;
  QButtonGroup* m_depths;
  QLabel* m_title;
  QLabel* m_goal;
  QStackedWidget* m_stack;
  QLabel* m_idea = nullptr;
  QLabel* m_shapes = nullptr;
  QLabel* m_numbers = nullptr;
  QLabel* m_nothingMore = nullptr;
  QLabel* m_task = nullptr;
  QWidget* m_moved = nullptr;
  QLabel* m_where = nullptr;
  QPushButton* m_return = nullptr;
  QuestionPanel* m_question;
  QLabel* m_place;
  QLabel* m_leave;  // how to
  QPushButton* m_back;
  QPushButton* m_next;
  QWidget* m_top;
  bool m_isPresenting = false;
  double m_zoom = 1;
};

}  // namespace orthros::studio
