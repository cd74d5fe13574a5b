// What a newcomer does on the lessons page: types an answer, follows a task, waits for another job, turns
// pages faster than they come, changes the theme.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <atomic>

#include "app/studio/pages/lessons/question_panel.h"
#include "tests/studio/lessons_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/equation_view.h"

namespace orthros::studio {

class LessonsKeysTest : public LessonsFixture {
  Q_OBJECT
 private Q_SLOTS:
  void aNumberIsTypedAtOnce();
  void aChoiceIsTakenByReturn();
  void aQuestionKeepsItsOwnPass();
  void tasksEndByWhatTheyAskAlone();
  void textsAreThereBeforeTheEngine();
  void theLastLessonAskedForIsShown();
  void sizesOutliveTheTheme();
  void theWallShowsAnswersLarge();
  void theCardSaysThatThePictureMoved();
  void theCardSaysWhatItLacks();
  void noEquationIsCut();
  void longPromptsKeepTheirWordsApart();

 private:
  int cards() const { return static_cast<int>(page()->lesson().cards.size()); }
  QWidget* field() const { return find<QLineEdit>("lessonNumber"); }
  QString task() const { return find<QLabel>("lessonTask")->text(); }
};

void LessonsKeysTest::aNumberIsTypedAtOnce() {
  open();
  page()->goTo(cards() - 1);
  page()->setFocus();
  key(Qt::Key_Space);
  QVERIFY(page()->isQuestion());
  QVERIFY(field() != nullptr);
  QCOMPARE(QApplication::focusWidget(), field());
  // Space goes on while nothing is written, and back again; another page and back.
  key(Qt::Key_Space);
  QCOMPARE(page()->item(), cards() + 1);
  page()->setFocus();
  QTest::mouseClick(find<QPushButton>("lessonBack"), Qt::LeftButton);
  QCOMPARE(QApplication::focusWidget(), field());
  m_window->showPage(QStringLiteral("models"));
  m_window->showPage(QStringLiteral("lessons"));
  QCOMPARE(QApplication::focusWidget(), field());
  const StageSpot before = page()->spot();
  // From a button of the question a digit finds its field as well.
  find<QPushButton>("lessonCheck")->setFocus();
  key(Qt::Key_1);
  QCOMPARE(QApplication::focusWidget(), field());
  QCOMPARE(static_cast<QLineEdit*>(field())->text(), QStringLiteral("1"));
  QCOMPARE(page()->spot(), before);
  key(Qt::Key_Return);
  QVERIFY(find<QLabel>("lessonVerdict")->text().startsWith(QStringLiteral("✓")));
  QCOMPARE(QApplication::focusWidget(), page());
  QCOMPARE(find<QLabel>("lessonPlace")->text(), QStringLiteral("Question 1 of 3 · 1 right"));
}

void LessonsKeysTest::aChoiceIsTakenByReturn() {
  open();
  page()->goTo(cards() + 1);
  const auto* first = find<QRadioButton>("lessonChoice0");
  QCOMPARE(QApplication::focusWidget(), first);
  QVERIFY(!first->isChecked());
  key(Qt::Key_Return);
  QVERIFY(first->isChecked());
  QVERIFY(find<QLabel>("lessonVerdict")->text().startsWith(QStringLiteral("✓")));
  // Positions leave the keys to the page; the first Tab finds them.
  key(Qt::Key_Space);
  QCOMPARE(page()->item(), cards() + 2);
  QCOMPARE(QApplication::focusWidget(), page());
  key(Qt::Key_Tab);
  QCOMPARE(QApplication::focusWidget(), find<QPushButton>("lessonPosition1"));
}

void LessonsKeysTest::aQuestionKeepsItsOwnPass() {
  open();
  for (const int question : {0, 1, 2}) {
    page()->goTo(cards() + question);
    const PassSetting own = page()->lesson().questions[static_cast<size_t>(question)].setting;
    QVERIFY(own.regime != Regime::pt);
    page()->setFocus(Qt::MouseFocusReason);
    for (const int code : {Qt::Key_1, Qt::Key_4, Qt::Key_O, Qt::Key_S}) key(code);
    QCOMPARE(page()->spot().setting, own);
    QVERIFY(!find<QPushButton>("lessonRegime0")->isEnabled());
  }
  page()->goTo(0);
  page()->setFocus();
  key(Qt::Key_1);
  QCOMPARE(page()->spot().setting.regime, Regime::pt);
}

void LessonsKeysTest::tasksEndByWhatTheyAskAlone() {
  open(6);
  page()->goTo(1);  // "Press ↑ until the window holds key 2"
  page()->setFocus();
  const auto isDone = [this] { return task().startsWith(QStringLiteral("✓")); };
  key(Qt::Key_Down);  // token 12 is the last
  QVERIFY(!isDone());
  while (page()->spot().row > 5) {
    key(Qt::Key_Up);
    QVERIFY(!isDone());
  }
  key(Qt::Key_Up);
  QCOMPARE(page()->spot().row, 4);
  QVERIFY(isDone());
  open(1);
  page()->goTo(2);  // "Press O, and O again"
  key(Qt::Key_O);
  QVERIFY(!isDone());
  key(Qt::Key_O);
  QVERIFY(isDone());
}

void LessonsKeysTest::textsAreThereBeforeTheEngine() {
  std::atomic<bool> goOn = false;
  m_workspace->engine().start<void>(
      QStringLiteral("Needle in a haystack"),
      [&goOn](JobContext& context) -> Result<void> {
        while (!goOn && !context.stop().stop_requested()) QThread::msleep(5);
        return {};
      },
      this, [](Result<void>&) {});
  m_window->showPage(QStringLiteral("lessons"));
  QTRY_COMPARE_WITH_TIMEOUT(page()->lesson().number, 1, kPatience);
  QVERIFY(!page()->isReady());
  const auto* idea = find<QLabel>("lessonIdea");
  const auto* waiting = find<QLabel>("lessonWaiting");
  QVERIFY(idea->text().startsWith(QStringLiteral("Every token has a row")));
  QVERIFY2(waiting->isVisible() && waiting->text().contains(QStringLiteral("Needle in a haystack")),
           qPrintable(waiting->text()));
  picture(m_window.get(), "lessons-waiting");
  // The reader goes on meanwhile: to another card, a question, another lesson.
  key(Qt::Key_Space);
  QCOMPARE(page()->item(), 1);
  page()->goTo(cards());
  QCOMPARE(QApplication::focusWidget(), field());
  QTest::keyClicks(field(), QStringLiteral("1"));
  key(Qt::Key_Return);
  QVERIFY(!find<QLabel>("lessonVerdict")->text().contains(QStringLiteral("✓")));
  key(Qt::Key_PageDown);
  QCOMPARE(page()->lesson().number, 2);
  QVERIFY(idea->text().startsWith(QStringLiteral("The shelf holds")));
  goOn = true;
  QTRY_VERIFY_WITH_TIMEOUT(page()->isReady(), kPatience);
  QCOMPARE(page()->lesson().number, 2);
  QVERIFY(!waiting->isVisible());
  QCOMPARE(find<widgets::LessonStage>("lessonStage")->data().tokens.size(), 8);
  // What is typed while the passes come is not lost when they do.
  key(Qt::Key_PageUp);
  QVERIFY(!page()->isReady());
  QTest::keyClicks(field(), QStringLiteral("1"));
  QTRY_VERIFY_WITH_TIMEOUT(page()->isReady(), kPatience);
  QCOMPARE(static_cast<QLineEdit*>(field())->text(), QStringLiteral("1"));
  QCOMPARE(QApplication::focusWidget(), field());
}

void LessonsKeysTest::theLastLessonAskedForIsShown() {
  open();
  QSignalSpy ready(page(), &LessonsPage::ready);
  for (int i = 0; i < 4; ++i) key(Qt::Key_PageDown);
  key(Qt::Key_PageUp);
  QCOMPARE(page()->lesson().number, 4);
  QTRY_VERIFY_WITH_TIMEOUT(ready.size() >= 1 && m_workspace->engine().isIdle(), kPatience);
  QCOMPARE(ready.size(), 1);  // nobody waits for those between
  QCOMPARE(page()->lesson().number, 4);
  QCOMPARE(find<QLabel>("lessonTitle")->text(), QStringLiteral("Four regimes, one picture"));
}

void LessonsKeysTest::sizesOutliveTheTheme() {
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Light);
  open();
  const char* const names[] = {"lessonTitle", "lessonIdea", "lessonTask", "lessonPlace"};
  QList<QFont> before;
  for (const char* name : names) before.append(find<QLabel>(name)->font());
  QCOMPARE(before[1].pixelSize(), 16);
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Dark);
  QCoreApplication::processEvents();
  picture(m_window.get(), "lessons-after-dark");
  for (qsizetype i = 0; i < before.size(); ++i) {
    const QFont after = find<QLabel>(names[i])->font();
    QCOMPARE(after.pixelSize(), before[i].pixelSize());
    QCOMPARE(after.weight(), before[i].weight());
  }
  widgets::ThemeHub::instance().apply(widgets::ThemeMode::Light);
}

void LessonsKeysTest::theWallShowsAnswersLarge() {
  open();
  page()->goTo(cards() + 1);
  const int plain = find<QRadioButton>("lessonChoice0")->font().pixelSize();
  const int check = find<QPushButton>("lessonCheck")->font().pixelSize();
  QVERIFY(!find<QLabel>("lessonLeave")->isVisible());
  page()->setPresenting(true, /*fullScreen=*/false);
  QCOMPARE(find<QRadioButton>("lessonChoice0")->font().pixelSize(), qRound(1.6 * plain));
  QCOMPARE(find<QPushButton>("lessonCheck")->font().pixelSize(), qRound(1.6 * check));
  QVERIFY(find<QLabel>("lessonLeave")->isVisible());
  picture(m_window.get(), "lessons-wall-choice");
  for (const int question : {0, 2}) {  // those that come later as well
    page()->goTo(cards() + question);
    picture(m_window.get(), question == 0 ? "lessons-wall-number" : "lessons-wall-positions");
  }
  QCOMPARE(find<QPushButton>("lessonPosition1")->font().pixelSize(), qRound(1.6 * plain));
  QVERIFY(page()->escape());
}

void LessonsKeysTest::theCardSaysThatThePictureMoved() {
  open();
  page()->goTo(5);  // x reads its window: step 6
  auto* back = find<QPushButton>("lessonReturn");
  QVERIFY(!back->isVisible());
  key(Qt::Key_Right);
  QVERIFY(back->isVisible());
  QCOMPARE(find<QLabel>("lessonMoved")->text(), QStringLiteral("The picture is at layer 1, step 7."));
  picture(m_window.get(), "lessons-moved");
  QTest::mouseClick(back, Qt::LeftButton);
  QCOMPARE(page()->spot().moment, (Moment{0, LessonStep::window}));
  QVERIFY(!back->isVisible());
  key(Qt::Key_Left);
  QVERIFY(back->isVisible());
  key(Qt::Key_Home);
  QVERIFY(!back->isVisible());
}

void LessonsKeysTest::theCardSaysWhatItLacks() {
  open(6);
  const auto* lacks = find<QLabel>("lessonNothingMore");
  for (const int lesson : {4, 6}) {
    open(lesson);
    for (int card = 0; card < cards(); ++card) {
      page()->goTo(card);
      QString before;
      for (int depth = 0; depth < 3; ++depth) {
        QTest::mouseClick(m_window->findChild<QPushButton*>(QStringLiteral("lessonDepth%1").arg(depth)),
                          Qt::LeftButton);
        QString now;
        for (const char* name : {"lessonIdea", "lessonShapes", "lessonNumbers"})
          now += find<QLabel>(name)->isVisible() ? find<QLabel>(name)->text() : QString();
        QCOMPARE(lacks->isVisible(), now == before);  // as good as a change: it says why there is none
        before = now;
      }
    }
  }
  page()->goTo(cards());
  QVERIFY(!find<QPushButton>("lessonDepth1")->isEnabled());
}

// Nothing of any step, nor of how its numbers were made, reaches the edge of the view.
void LessonsKeysTest::noEquationIsCut() {
  open(2);
  auto* stage = find<widgets::LessonStage>("lessonStage");
  auto* view = find<widgets::EquationView>("lessonEquation");
  int stories = 0;
  for (const bool scaleOffset : {true, false}) {
    for (int64_t index = 0; index < moment_count(2); ++index) {
      StageSpot spot = page()->spot();
      spot.moment = moment_at(index, 2);
      spot.setting.scale_offset = scaleOffset;
      page()->setSpot(spot);
      for (const bool isOutput : {false, true}) {
        const QRectF cell = stage->cellRect(isOutput, 11);
        QTest::mouseMove(stage, cell.topLeft().toPoint() + QPoint(2, 2));
        stories += view->story().isEmpty() ? 0 : 1;
        const QImage image = view->grab().toImage();
        if (index == 2 && isOutput) picture(m_window.get(), "lessons-story");
        for (int y = 0; y < image.height(); ++y)
          QVERIFY2(image.pixel(image.width() - 1, y) == image.pixel(image.width() - 1, 0),
                   qPrintable(QString::number(index) + u' ' + view->story().operands));
      }
    }
  }
  QVERIFY(stories > 60);
}

void LessonsKeysTest::longPromptsKeepTheirWordsApart() {
  for (const auto mode : {widgets::ThemeMode::Dark, widgets::ThemeMode::Light}) {
    widgets::ThemeHub::instance().apply(mode);
    const bool isDark = mode == widgets::ThemeMode::Dark;
    open(4);
    page()->goTo(1);
    auto* stage = find<widgets::LessonStage>("lessonStage");
    QCOMPARE(stage->data().tokens.size(), 16);
    picture(m_window.get(), isDark ? "lessons-sixteen-dark" : "lessons-sixteen-light");
    open(6);
    page()->goTo(4);
    picture(m_window.get(), isDark ? "lessons-end-dark" : "lessons-end-light");
    page()->goTo(1);
    QTest::mouseClick(find<QPushButton>("lessonDepth2"), Qt::LeftButton);
    picture(m_window.get(), isDark ? "lessons-lacks-dark" : "lessons-lacks-light");
  }
}

ORTHROS_QT_TEST(LessonsKeysTest);

}  // namespace orthros::studio

#include "lessons_keys_test.moc"
