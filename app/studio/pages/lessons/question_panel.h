// QuestionPanel: one question of a lesson, answered by clicking positions, writing a number or choosing;
// graded from the engine's passes, not from stored answers. Threads: GUI thread.
#pragma once

#include <QWidget>
#include <functional>
#include <optional>

#include "engine/lessons/lesson.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace orthros::studio {

class QuestionPanel : public QWidget {
  Q_OBJECT
 public:
  explicit QuestionPanel(QWidget* parent = nullptr);
  /// `grader` gives right or wrong, and the right answer as text.
  using Grader = std::function<Result<bool>(const QuantityValue&)>;
  void ask(const LessonQuestion& question, const QString& text, const QString& why, int positions,
           bool chinese, Grader grader);
  /// Another item comes: what was written for this one goes.
  void forget();
  /// A click on the stage.
  void togglePosition(int position);
  /// Type this many times its size.
  void setZoom(double zoom);
  bool isSolved() const { return m_isSolved; }
  /// The focus to the field, the first choice or the first position.
  void focusAnswer();
  /// Begins a number, or goes on with it; false where `text` is none.
  bool write(const QString& text);
  /// Not answered yet, and by keys: these go where the answer is.
  bool wantsFocus() const { return !m_isSolved && m_kind != AnswerKind::positions; }

 Q_SIGNALS:
  void solved();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void clear();
  void restyleTexts();
  void makeNumber();
  void makePositions(int count);
  void makeChoices(const LessonQuestion& question, bool chinese);
  std::optional<QuantityValue> answer() const;
  void check();
  void say(const char* kind, const QString& text);

  QLabel* m_text;
  QVBoxLayout* m_answers;
  QWidget* m_body = nullptr;
  QList<QPushButton*> m_positions;    // no group: each is a stop of Tab
  QButtonGroup* m_buttons = nullptr;  // of choices
  QLineEdit* m_number = nullptr;
  QPushButton* m_check;
  QLabel* m_verdict;
  AnswerKind m_kind = AnswerKind::number;
  std::vector<std::string> m_choices;
  QString m_why;
  Grader m_grader;
  bool m_isSolved = false;
  double m_zoom = 1;
};

}  // namespace orthros::studio
