// The lessons page in the real window: its numbers are the engine's, replay is the same both ways, it runs by
// keys alone, a broken lesson is named, exports are written.
#include "app/studio/pages/lessons/lessons_page.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QStackedWidget>

#include "app/studio/pages/lessons/card_panel.h"
#include "app/studio/pages/lessons/lesson_text.h"
#include "app/studio/pages/lessons/question_panel.h"
#include "app/studio/pages/lessons/your_model_view.h"
#include "app/studio/text.h"
#include "tests/studio/lessons_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/controls.h"
#include "widgets/equation_view.h"
#include "widgets/step_bar.h"

namespace orthros::studio {

class LessonsPageTest : public LessonsFixture {
  Q_OBJECT
 private Q_SLOTS:
  void stageShowsTheEnginesTensors();
  void replayIsTheSameBothWays();
  void everyLessonRunsByKeysAlone();
  void movesEndWhereACutDoes();
  void switchingOutputOffKeepsTheShelf();
  void pointingTellsHowANumberWasMade();
  void tasksAreDoneByDoing();
  void progressIsRemembered();
  void brokenLessonIsNamedAndReadAgain();
  void presenterViewHidesTheRest();
  void exportsAreWritten();
  void theSameOnYourModel();
  void speaksChinese();

 private:
  void answerByKeys();
  QString verdict() const { return find<QLabel>("lessonVerdict")->text(); }
};

void LessonsPageTest::stageShowsTheEnginesTensors() {
  open();
  const LessonPasses& passes = *page()->passes();
  const auto model = std::shared_ptr<const Model>(std::shared_ptr<void>(), &passes.model());
  int compared = 0;
  for (const Regime regime : {Regime::pt, Regime::sft, Regime::prefill, Regime::decode}) {
    for (const bool outputOn : {true, false}) {
      // The same pass once more, from the engine.
      PassTraceRequest request = passes.trace({regime, outputOn, true, 0}).request;
      const auto fresh = trace_pass(model, passes.config(), request);
      QVERIFY(fresh);
      QCOMPARE(fresh->shelf_sha256, passes.trace({regime, outputOn, true, 0}).shelf_sha256);
      const int64_t layers = std::ssize(fresh->layers);
      for (int64_t index = 0; index < moment_count(layers); ++index) {
        StageSpot spot{moment_at(index, layers), {regime, outputOn, true, 0}, fresh->num_tokens() - 1, 2};
        const widgets::StageData data = stageDataOf(passes, spot, {});
        for (const StreamKind kind : {StreamKind::base, StreamKind::output}) {
          const auto lane = lane_tensor(spot.moment, kind, layers);
          const auto& cells = kind == StreamKind::base ? data.base : data.output;
          for (int64_t position = 0; position < fresh->num_tokens(); ++position) {
            const std::vector<float>& shown = cells[static_cast<size_t>(position)].values;
            const StreamTrace& stream =
                fresh->layers[static_cast<size_t>(lane ? lane->layer : 0)].stream(kind);
            const int64_t row = lane ? stream.row_of(position) : -1;
            if (row < 0) {
              QVERIFY(shown.empty());
              continue;
            }
            QVERIFY(std::ranges::equal(shown, stream[lane->what].row(row)));  // difference 0
            ++compared;
          }
        }
        const LayerTrace& layer = fresh->layers[static_cast<size_t>(spot.moment.layer)];
        for (int64_t key = 0; key < fresh->num_tokens(); ++key) {
          const widgets::StageSlot& slot = data.shelf[static_cast<size_t>(key)];
          if (!slot.key.empty()) QVERIFY(std::ranges::equal(slot.key, layer.keys.row(key)));
          const auto weights = layer.output.weights_of(spot.row, spot.head, fresh->num_tokens());
          if (!std::isnan(slot.output))
            QCOMPARE(static_cast<float>(slot.output), weights[static_cast<size_t>(key)]);
        }
        QCOMPARE(data.hash, toQt(layer.shelf_sha256));
      }
    }
  }
  QVERIFY(compared > 1000);
}

void LessonsPageTest::replayIsTheSameBothWays() {
  open(3);
  auto* figure = find<QWidget>("lessonFigure");
  for (const Regime regime : {Regime::pt, Regime::decode}) {
    StageSpot spot = page()->spot();
    spot.setting.regime = regime;
    spot.moment = {};
    page()->setSpot(spot);
    const int64_t count = moment_count(2);
    std::vector<QImage> forwards;
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0) key(Qt::Key_Right);
      QCOMPARE(index_of(page()->spot().moment, 2), i);
      forwards.push_back(figure->grab().toImage());
    }
    key(Qt::Key_Right);  // there is nothing behind the end
    QCOMPARE(index_of(page()->spot().moment, 2), count - 1);
    for (int64_t i = count - 1; i >= 0; --i) {
      QCOMPARE(figure->grab().toImage(), forwards[static_cast<size_t>(i)]);
      if (i > 0) key(Qt::Key_Left);
    }
    QVERIFY(forwards[2] != forwards[6]);
  }
}

// The right answer by Tab, Space, digits and arrows.
void LessonsPageTest::answerByKeys() {
  const LessonQuestion& question =
      page()->lesson().questions[static_cast<size_t>(page()->item()) - page()->lesson().cards.size()];
  const auto value = evaluate(question.quantity, question.setting, page()->passes()->source());
  QVERIFY(value);
  const auto tabTo = [this](const QWidget* wanted) {
    page()->setFocus();
    for (int i = 0; i < 80 && QApplication::focusWidget() != wanted; ++i) key(Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), wanted);
  };
  if (question.kind == AnswerKind::positions) {
    for (const int64_t position : value->positions) {
      tabTo(page()->findChild<QPushButton*>(QStringLiteral("lessonPosition%1").arg(position)));
      key(Qt::Key_Space);
    }
  } else if (question.kind == AnswerKind::number) {
    tabTo(page()->findChild<QLineEdit*>(QStringLiteral("lessonNumber")));
    QTest::keyClicks(QApplication::focusWidget(), QString::number(value->number, 'g', 9));
  } else {
    const auto right =
        std::ranges::find(question.choices, value->text, &LessonChoice::value) - question.choices.begin();
    // One of a group is reached by Tab, the others by the arrow keys.
    tabTo(page()->findChild<QRadioButton*>(QStringLiteral("lessonChoice0")));
    key(Qt::Key_Space);
    for (int i = 0; i < right; ++i) key(Qt::Key_Down);
  }
  tabTo(find<QPushButton>("lessonCheck"));
  key(Qt::Key_Space);
  QVERIFY2(verdict().startsWith(QStringLiteral("✓")), qPrintable(verdict()));
}

void LessonsPageTest::everyLessonRunsByKeysAlone() {
  open();
  QCOMPARE(page()->library().lessons().size(), 8U);
  for (int lesson = 0; lesson < 8; ++lesson) {
    QCOMPARE(page()->lesson().number, lesson + 1);
    page()->setFocus();
    const auto cards = static_cast<int>(page()->lesson().cards.size());
    for (int item = 0; item < page()->itemCount(); ++item) {
      QCOMPARE(page()->item(), item);
      if (item >= cards) answerByKeys();
      if (item + 1 < page()->itemCount()) key(Qt::Key_Space);
    }
    QCOMPARE(page()->progress().solved.value(toQt(page()->lesson().id)).size(),
             static_cast<qsizetype>(page()->lesson().questions.size()));
    QVERIFY(find<QComboBox>("lessonChoice")->itemText(lesson).contains(QStringLiteral("✓")));
    key(Qt::Key_Space, Qt::ShiftModifier);
    QCOMPARE(page()->item(), page()->itemCount() - 2);
    // Behind the last question comes the next lesson.
    page()->goTo(page()->itemCount() - 1);
    QCOMPARE(find<QPushButton>("lessonNext")->text(),
             lesson < 7 ? QStringLiteral("Next lesson") : QStringLiteral("To the first lesson"));
    const qsizetype questions = std::ssize(page()->lesson().questions);
    QCOMPARE(find<QLabel>("lessonPlace")->text(),
             QStringLiteral("Question %1 of %1 · %1 right").arg(questions));
    if (lesson == 7) break;
    QSignalSpy ready(page(), &LessonsPage::ready);
    QTest::mouseClick(find<QPushButton>("lessonNext"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(ready.size() == 1, kPatience);
  }
}

void LessonsPageTest::movesEndWhereACutDoes() {
  open();
  auto* stage = find<widgets::LessonStage>("lessonStage");
  page()->goTo(3);
  const QImage cut = stage->grab().toImage();
  page()->goTo(2);
  m_workspace->settings().setReducedMotion(false);
  page()->goTo(3);
  QVERIFY(stage->isMoving());
  stage->setProgress(0.5);
  QVERIFY(stage->grab().toImage() != cut);
  stage->finishMove();
  QCOMPARE(stage->grab().toImage(), cut);
  QVERIFY(!stage->isMoving());
  // Nothing goes on by itself past a card.
  QTest::qWait(50);
  QCOMPARE(page()->item(), 3);
}

void LessonsPageTest::switchingOutputOffKeepsTheShelf() {
  open(1);
  auto* stage = find<widgets::LessonStage>("lessonStage");
  auto* notice = find<widgets::Notice>("lessonsNotice");
  for (const int regime : {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4}) {
    key(regime);
    const QString hash = stage->data().hash;
    QCOMPARE(hash.size(), 64);
    key(Qt::Key_O);
    QVERIFY(!page()->spot().setting.output_on);
    QCOMPARE(stage->data().hash, hash);
    QVERIFY2(notice->text().contains(QStringLiteral("the same bit for bit")), qPrintable(notice->text()));
    for (const widgets::StageCell& cell : stage->data().output) QVERIFY(cell.values.empty());
    key(Qt::Key_O);
    QVERIFY(page()->spot().setting.output_on);
  }
}

void LessonsPageTest::pointingTellsHowANumberWasMade() {
  open();
  page()->goTo(8);  // project
  auto* stage = find<widgets::LessonStage>("lessonStage");
  auto* equation = find<widgets::EquationView>("lessonEquation");
  QVERIFY(equation->story().isEmpty());
  QTest::mouseMove(stage, stage->cellRect(true, 7).center().toPoint());
  QCOMPARE(stage->pointed().kind, widgets::StageTarget::Kind::Output);
  QCOMPARE(stage->pointed().position, 7);
  QVERIFY(stage->pointed().column >= 0);
  QCOMPARE(equation->lit(), QStringLiteral("x'"));
  const float own = page()
                        ->passes()
                        ->trace(page()->spot().setting)
                        .layers[0]
                        .output[PassTensor::residual]
                        .row(0)[static_cast<size_t>(stage->pointed().column)];
  QCOMPARE(equation->story().value, toQt(story_number(own)));
  QVERIFY(equation->story().formula.contains(QStringLiteral("W_O")));
  QTest::mouseMove(stage, stage->slotRect(1).center().toPoint());
  QVERIFY(equation->story().name.startsWith(QStringLiteral("p'")));
  QTest::mouseMove(stage, stage->weightRect(QStringLiteral("W_O")).center().toPoint());
  QCOMPARE(equation->lit(), QStringLiteral("W_O"));
  // By keys: x, x′, the shelf.
  page()->setFocus();
  key(Qt::Key_X);
  QCOMPARE(stage->pointed().kind, widgets::StageTarget::Kind::Base);
  key(Qt::Key_X);
  QCOMPARE(stage->pointed().kind, widgets::StageTarget::Kind::Output);
  key(Qt::Key_Down, Qt::ShiftModifier);
  key(Qt::Key_Right, Qt::ShiftModifier);
  QCOMPARE(stage->pointed().column, 5);
  QCOMPARE(equation->story().name, QStringLiteral("r'_{8}[6]"));
  key(Qt::Key_X);
  key(Qt::Key_Up, Qt::ShiftModifier);
  QCOMPARE(stage->pointed().position, 6);
}

void LessonsPageTest::tasksAreDoneByDoing() {
  open(1);
  page()->goTo(2);  // "Press O, and O again"
  auto* task = find<QLabel>("lessonTask");
  QVERIFY(task->text().startsWith(QStringLiteral("→")));
  key(Qt::Key_D);
  QVERIFY(task->text().startsWith(QStringLiteral("→")));
  key(Qt::Key_O);
  key(Qt::Key_O);
  QVERIFY(task->text().startsWith(QStringLiteral("✓")));
}

void LessonsPageTest::progressIsRemembered() {
  open(2);
  page()->goTo(3);
  key(Qt::Key_D);
  key(Qt::Key_D);
  m_window = std::make_unique<MainWindow>(*m_workspace);
  m_window->show();
  QSignalSpy ready(page(), &LessonsPage::ready);
  m_window->showPage(QStringLiteral("lessons"));
  QTRY_VERIFY_WITH_TIMEOUT(ready.size() == 1, kPatience);
  QCOMPARE(page()->lesson().number, 3);
  QCOMPARE(page()->item(), 3);
  QCOMPARE(page()->progress().depth, LessonDepth::numbers);
  QVERIFY(find<QLabel>("lessonNumbers")->isVisible());
  for (const char* broken : {"", "{", "[]", "{\"depth\":99,\"at\":{\"x\":\"y\"},\"speed\":-1}"}) {
    const LessonProgress progress = LessonProgress::fromText(broken);
    QVERIFY(static_cast<int>(progress.depth) <= 2 && progress.speed > 0);
  }
  const LessonProgress again = LessonProgress::fromText(page()->progress().toText());
  QCOMPARE(again.at, page()->progress().at);
  QCOMPARE(again.depth, page()->progress().depth);
}

void LessonsPageTest::brokenLessonIsNamedAndReadAgain() {
  open();
  auto* notice = find<widgets::Notice>("lessonsNotice");
  const QDir folder(page()->library().folder());
  QVERIFY(folder.exists());
  const auto write = [&folder](const QByteArray& text) {
    QFile file(folder.filePath(QStringLiteral("mine.json")));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(text);
  };
  QFile shipped(QStringLiteral(ORTHROS_SOURCE "/resources/lessons/03-window.json"));
  QVERIFY(shipped.open(QIODevice::ReadOnly));
  QByteArray good = shipped.readAll();
  good.replace("\"id\": \"window\"", "\"id\": \"mine\"").replace("\"number\": 3", "\"number\": 20");
  QByteArray bad = good;
  bad.replace("\"step\": \"shelf\"", "\"step\": \"self\"");
  write(bad);
  QTRY_VERIFY_WITH_TIMEOUT(!notice->isHidden(), kPatience);
  QVERIFY2(notice->text().contains(QStringLiteral("mine.json: cards[1].step")), qPrintable(notice->text()));
  QCOMPARE(page()->library().lessons().size(), 8U);
  page()->goTo(2);  // and the page goes on
  QCOMPARE(page()->item(), 2);
  write(good);
  QTRY_COMPARE_WITH_TIMEOUT(page()->library().lessons().size(), 9U, kPatience);
  QTRY_VERIFY_WITH_TIMEOUT(notice->isHidden(), kPatience);
  QCOMPARE(page()->item(), 2);
  write("{\"format\": 1");  // cut while it is written: the good version stays
  QTRY_VERIFY_WITH_TIMEOUT(!notice->isHidden(), kPatience);
  QCOMPARE(page()->library().lessons().size(), 9U);
  QVERIFY(QFile::remove(folder.filePath(QStringLiteral("mine.json"))));
  QTRY_COMPARE_WITH_TIMEOUT(page()->library().lessons().size(), 8U, kPatience);
}

void LessonsPageTest::presenterViewHidesTheRest() {
  open();
  const int before = find<QLabel>("lessonIdea")->font().pixelSize();
  key(Qt::Key_P);
  QVERIFY(page()->isPresenting());
  QVERIFY(!find<QWidget>("rail")->isVisible());
  QVERIFY(m_window->windowState().testFlag(Qt::WindowFullScreen));
  QCOMPARE(find<QLabel>("lessonIdea")->font().pixelSize(), qRound(before * 1.6));
  key(Qt::Key_Space);
  QCOMPARE(page()->item(), 1);
  picture(m_window.get(), "lessons-presenter");
  QVERIFY(page()->escape());
  QVERIFY(!page()->isPresenting());
  QVERIFY(find<QWidget>("rail")->isVisible());
  key(Qt::Key_G);
  QVERIFY(find<QWidget>("lessonGlossaryList")->isVisible());
  QVERIFY(page()->escape());
  QVERIFY(!page()->escape());
}

void LessonsPageTest::exportsAreWritten() {
  open();
  auto* notice = find<widgets::Notice>("lessonsNotice");
  page()->goTo(7);
  for (const char* suffix : {"svg", "png", "pdf"}) {
    const QString path = m_folder->filePath(QStringLiteral("step.") + QLatin1String(suffix));
    page()->exportStep(path);
    QVERIFY2(QFileInfo(path).size() > 1000, qPrintable(notice->text()));
  }
  QFile svg(m_folder->filePath(QStringLiteral("step.svg")));
  QVERIFY(svg.open(QIODevice::ReadOnly));
  const QByteArray text = svg.readAll();
  QVERIFY(!text.contains("<text") && !text.contains("<image"));  // outlines, no bitmap
  const QString whole = m_folder->filePath(QStringLiteral("lesson.pdf"));
  page()->exportLesson(whole);
  QFile pdf(whole);
  QVERIFY2(pdf.open(QIODevice::ReadOnly), qPrintable(notice->text()));
  const QByteArray pages = pdf.readAll();
  QVERIFY(pages.startsWith("%PDF"));
  // A page a card, and one of questions.
  const QByteArray count = QByteArray("/Count ") + QByteArray::number(page()->lesson().cards.size() + 1);
  QVERIFY(pages.contains(count));
  QCOMPARE(page()->item(), 7);
  page()->exportStep(QStringLiteral("/nowhere/step.svg"));
  QVERIFY(notice->text().contains(QStringLiteral("cannot write")));
  page()->exportLesson(QStringLiteral("/nowhere/lesson.pdf"));
  QVERIFY(notice->text().contains(QStringLiteral("cannot write")));
}

void LessonsPageTest::theSameOnYourModel() {
  open(6);
  auto* button = find<QPushButton>("lessonYours");
  QVERIFY(!button->isEnabled());
  m_workspace->library().open(QStringLiteral(ORTHROS_SOURCE "/sample_models/needle-orthros"));
  QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), kPatience);
  QTest::mouseClick(button, Qt::LeftButton);
  const auto view = [this] { return page()->findChild<YourModelView*>(); };
  QTRY_VERIFY_WITH_TIMEOUT(view() != nullptr, kPatience);
  const auto text = [&](const char* name) { return view()->findChild<QLabel*>(QLatin1String(name))->text(); };
  QVERIFY2(text("yourModelText").contains(QStringLiteral("needle-orthros")),
           qPrintable(text("yourModelText")));
  QVERIFY2(text("yourModelBase").contains(QStringLiteral("reads 32 keys")),
           qPrintable(text("yourModelBase")));
  QVERIFY2(text("yourModelBase").contains(QStringLiteral("at most 0 %")), qPrintable(text("yourModelBase")));
  picture(view(), "lessons-your-model");
  QSignalSpy asked(page(), &LessonsPage::attentionRequested);
  QTest::mouseClick(view()->findChild<QPushButton*>(QStringLiteral("yourModelExplore")), Qt::LeftButton);
  QCOMPARE(asked.size(), 1);
  QCOMPARE(m_window->currentPage()->name(), QStringLiteral("attention"));
}

void LessonsPageTest::speaksChinese() {
  m_workspace->settings().setLanguage(QStringLiteral("zh_CN"));
  m_window = std::make_unique<MainWindow>(*m_workspace);
  m_window->show();
  open();
  QCOMPARE(find<QLabel>("lessonTitle")->text(), toQt(page()->lesson().title.zh));
  for (int item = 0; item < static_cast<int>(page()->lesson().cards.size()); ++item) {
    page()->goTo(item);
    QVERIFY(!find<QLabel>("lessonIdea")->text().contains(QLatin1Char('{')));
    QVERIFY(!find<QLabel>("lessonIdea")->text().contains(QLatin1Char('?')));
  }
}

ORTHROS_QT_TEST(LessonsPageTest);

}  // namespace orthros::studio

#include "lessons_page_test.moc"
