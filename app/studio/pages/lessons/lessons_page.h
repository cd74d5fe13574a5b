// LessonsPage: the teaching mode: a card at the left, the stage in the middle, the equation with its numbers
// at the right. Every number is the engine's, from the traced passes of the lesson model. Threads: GUI
// thread.
#pragma once

#include <QPointer>
#include <optional>

#include "app/studio/page.h"
#include "app/studio/pages/attention/attention_request.h"
#include "app/studio/pages/lessons/lesson_library.h"
#include "app/studio/pages/lessons/lesson_progress.h"
#include "app/studio/pages/lessons/stage_view.h"
#include "app/studio/workspace.h"

class QBoxLayout;
class QButtonGroup;
class QComboBox;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;

namespace orthros::widgets {
class EquationView;
class Notice;
class StepBar;
}  // namespace orthros::widgets

namespace orthros::studio {

class CardPanel;

class LessonsPage : public Page {
  Q_OBJECT
 public:
  explicit LessonsPage(Workspace& workspace, QWidget* parent = nullptr);
  QString name() const override { return QStringLiteral("lessons"); }
  QString title() const override { return tr("Lessons"); }
  QString iconName() const override { return QStringLiteral("lessons"); }
  QString purpose() const override { return tr("See step by step how two streams read one shelf"); }
  void primaryAction() override { next(); }
  bool escape() override;
  void prepareForPicture() override;
  /// "LESSON[/ITEM[/presenter|numbers|glossary|step-N]]", 1-based: what the picture shows.
  void setPicture(const QString& view) { m_picture = view; }

  /// The lesson's passes are there: the stage and all numbers. List, card and question are there before.
  bool isReady() const { return m_passes != nullptr; }
  const LessonPasses* passes() const { return m_passes.get(); }
  const Lesson& lesson() const { return m_lesson; }
  LessonLibrary& library() { return m_library; }
  const StageSpot& spot() const { return m_spot; }
  int item() const { return m_item; }
  int itemCount() const { return static_cast<int>(m_lesson.cards.size() + m_lesson.questions.size()); }
  bool isQuestion() const { return m_item >= static_cast<int>(m_lesson.cards.size()); }
  const LessonProgress& progress() const { return m_progress; }
  bool isPresenting() const { return m_isPresenting; }

  /// At once with its texts; its passes follow. The last one asked for counts.
  void openLesson(int index);
  void goTo(int item);
  void setSpot(const StageSpot& spot);
  void setPresenting(bool presenting, bool fullScreen = true);
  /// .svg .png .pdf: this step. Says on the page how it went.
  void exportStep(const QString& path);
  void exportLesson(const QString& path);

 Q_SIGNALS:
  void ready();  // a lesson's passes came
  void presentingChanged(bool presenting, bool fullScreen);
  void exported();
  void attentionRequested(const AttentionRequest& request);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* makeTools();
  QWidget* makeFigure();
  QWidget* makeGlossary();
  void makeActions();
  QPushButton* makeToggle(const char* name, const QString& text, const QString& tip);
  void begin();
  void loadModel();
  void lessonsChanged();
  void showLesson(int index);
  void makePasses();
  void sayWaiting();
  void showItem();
  void showPlace();
  StageSpot spotOfItem() const;
  void sayMoved();
  void showCard();
  void askQuestion();
  void showSpot(bool cut = false);
  void showEquation();
  void refreshTools();
  void next();
  void back();
  void step(int by);
  void moveRow(int by);
  void moveHead(int by);
  void moveLayer(int by);
  void pointOn(int by);
  void movePointed(int by);
  void setRegime(Regime regime);
  void toggleOutput();
  void toggleScaleOffset();
  void setDepth(LessonDepth depth);
  void showGlossary(bool show);
  void pointedAt(const widgets::StageTarget& target);
  void chosen(const widgets::StageTarget& target);
  void did(const QString& event);
  bool asksForKeys() const;
  void tellChanges(const StageSpot& before);
  void keep();
  void fillLessons();
  void layOut();
  void askYourModel();
  void chooseExport(const QString& suffix, bool wholeLesson);
  void sayExported(const QString& path, const QString& problem);
  void fillExportMenu(QMenu* menu);
  void updateKeys();
  int moveMs() const;
  std::optional<PassSource> source() const;
  StageSpot spotOf(const Moment& moment, const PassSetting& setting, int64_t row, int64_t head) const;

  Workspace& m_workspace;
  LessonLibrary m_library;
  std::shared_ptr<const Model> m_model;
  PassesPointer m_passes;
  QPointer<Job> m_tracing;
  Lesson m_lesson;
  LessonProgress m_progress;
  QString m_picture;
  QSet<QString> m_done;  // what happened since the card came
  StageSpot m_spot;
  int m_item = 0, m_lessonIndex = -1;
  int m_asked = 0;     // passes; those of an earlier number come too late
  int m_pointer = -1;  // what the keys point at
  bool m_hasBegun = false, m_isChinese = false, m_isPresenting = false, m_isTaskDone = false;
  bool m_readingYours = false;
  double m_zoom = 1;  // of all texts

  widgets::Notice* m_notice;
  QWidget* m_tools = nullptr;
  QButtonGroup* m_regimes = nullptr;
  QPushButton* m_output = nullptr;
  QPushButton* m_scaleOffset = nullptr;
  QPushButton* m_yours = nullptr;
  QComboBox* m_speed = nullptr;
  QPushButton* m_glossaryButton = nullptr;
  CardPanel* m_card;
  QWidget* m_figure = nullptr;  // what a picture shows
  QBoxLayout* m_figureRow = nullptr;
  widgets::StepBar* m_steps = nullptr;
  widgets::LessonStage* m_stage = nullptr;
  QLabel* m_waiting = nullptr;  // on the stage
  widgets::EquationView* m_equation = nullptr;
  QStackedWidget* m_side = nullptr;
  QList<QAction*> m_spaceKeys, m_arrowKeys, m_settingKeys;
};

}  // namespace orthros::studio
