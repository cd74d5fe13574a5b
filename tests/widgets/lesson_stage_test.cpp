// The stage finds what is pointed at, at every size and number of tokens; nothing lies over anything else;
// the bar of steps goes where it is clicked.
#include "widgets/lesson_stage.h"

#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/planted_stage.h"
#include "tests/support/qt_test.h"
#include "widgets/step_bar.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

StageData stageOf(int tokens) {
  StageData data = test::plantedStage(1, StageData::Move::ReadOutput);
  while (data.tokens.size() < tokens) {
    data.tokens.append(data.tokens.front());
    data.base.push_back(data.base.front());
    data.output.push_back(data.output.front());
    data.shelf.push_back(data.shelf.front());
  }
  return data;
}

QImage drawn(LessonStage& stage) {
  QImage image(stage.size(), QImage::Format_RGB32);
  image.fill(color(Role::Surface));
  stage.render(&image, {}, {}, QWidget::DrawChildren);
  return image;
}

}  // namespace

class LessonStageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everythingCanBePointedAt();
  void aNumberOfACellIsFound();
  void unequalPicturesForUnequalNumbers();
  void wordsKeepApart();
  void stepsAreChosen();
  void anEmptyStageDrawsNothing();
};

void LessonStageTest::everythingCanBePointedAt() {
  for (const QSize size : {QSize(360, 260), QSize(560, 590), QSize(760, 540), QSize(1700, 1200)}) {
    for (const int tokens : {8, 12, 16}) {
      LessonStage stage;
      stage.resize(size);
      stage.showMoment(stageOf(tokens), 0);
      for (int i = 0; i < tokens; ++i) {
        for (const bool isOutput : {false, true}) {
          const QRectF cell = stage.cellRect(isOutput, i);
          QVERIFY(stage.rect().contains(cell.toAlignedRect()));
          if (i > 0) QVERIFY(stage.cellRect(isOutput, i - 1).right() <= cell.left());
          const StageTarget target = stage.targetAt(cell.center());
          QCOMPARE(target.kind, isOutput ? StageTarget::Kind::Output : StageTarget::Kind::Base);
          QCOMPARE(target.position, i);
        }
        QVERIFY(stage.cellRect(true, i).bottom() < stage.cellRect(false, i).top());
        QCOMPARE(stage.targetAt(stage.slotRect(i).center()).kind, StageTarget::Kind::Slot);
        QCOMPARE(stage.targetAt(stage.slotRect(i).center()).position, i);
        QVERIFY(stage.rect().contains(stage.slotRect(i).toAlignedRect()));
      }
      for (const char* name : {"norm", "W_K", "W_V", "W_Q", "W_O", "FFN", "head", "alpha", "alpha'"}) {
        const QRectF pill = stage.weightRect(QLatin1String(name));
        QVERIFY2(
            pill.top() > stage.cellRect(true, 0).bottom() && pill.bottom() < stage.cellRect(false, 0).top(),
            name);
        QCOMPARE(stage.targetAt(pill.center()).weight, QLatin1String(name));
      }
    }
  }
}

void LessonStageTest::aNumberOfACellIsFound() {
  LessonStage stage;
  stage.resize(760, 540);
  stage.showMoment(stageOf(8), 0);
  const QRectF cell = stage.cellRect(false, 3);
  const double side = cell.width() / kNumbersOfLine;
  QCOMPARE(stage.targetAt(cell.topLeft() + QPointF(side / 2, side / 2)).column, 0);
  QCOMPARE(stage.targetAt(cell.topLeft() + QPointF(2.5 * side, 3.5 * side)).column, 14);
  QCOMPARE(stage.targetAt(cell.bottomRight() - QPointF(side / 2, side / 2)).column, 63);
  QCOMPARE(stage.targetAt(stage.cellRect(true, 3).center()).column, -1);  // there is no row
  stage.show();
  QSignalSpy pointed(&stage, &LessonStage::pointedAt);
  QTest::mouseMove(&stage, cell.center().toPoint());
  QCOMPARE(pointed.size(), 1);
  QCOMPARE(stage.pointed().position, 3);
}

void LessonStageTest::unequalPicturesForUnequalNumbers() {
  LessonStage stage;
  stage.resize(760, 540);
  StageData data = stageOf(8);
  stage.showMoment(data, 0);
  const QImage before = drawn(stage);
  stage.showMoment(data, 0);
  QCOMPARE(drawn(stage), before);
  data.base[5].values[40] = -data.base[5].values[40] - 0.5F;
  stage.showMoment(data, 0);
  QVERIFY(drawn(stage) != before);
  data = stageOf(8);
  data.shelf[2].output += 0.2;
  stage.showMoment(data, 0);
  QVERIFY(drawn(stage) != before);
  stage.showMoment(stageOf(8), 0);
  stage.setLit(QStringLiteral("W_K"));
  QVERIFY(drawn(stage) != before);
}

// As long as they are, whole at the smallest type, and none in the place of another.
void LessonStageTest::wordsKeepApart() {
  for (const QSize size : {QSize(560, 590), QSize(760, 540), QSize(1700, 1200)}) {
    for (const int tokens : {8, 12, 16}) {
      LessonStage stage;
      stage.resize(size);
      StageData data = stageOf(tokens);
      for (QString& token : data.tokens) token = QStringLiteral("green");
      stage.showMoment(data, 0);
      const double least = QFontMetricsF(fontOf(stage, 9, QFont::DemiBold)).horizontalAdvance(data.tokens[0]);
      for (int i = 0; i < tokens; ++i) {
        const QRectF word = stage.wordRect(i);
        QVERIFY(word.width() >= least);
        QVERIFY(QRectF(stage.rect()).contains(word) && !word.intersects(stage.cellRect(false, i)));
        for (int j = 0; j < i; ++j) {
          const QRectF other = stage.wordRect(j);
          if (other.top() == word.top()) QVERIFY(!word.intersects(other));
        }
      }
    }
  }
}

void LessonStageTest::stepsAreChosen() {
  StepBar bar;
  bar.resize(500, 34);
  QStringList steps;
  for (int i = 0; i < 11; ++i) steps.append(QString::number(i));
  bar.setSteps(2, steps, {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
  QSignalSpy chosen(&bar, &StepBar::chosen);
  for (const int index : {0, 10, 11, 21, 22, 24}) {
    QTest::mouseClick(&bar, Qt::LeftButton, {}, bar.stepRect(index).center().toPoint());
    QCOMPARE(chosen.takeLast().front().toInt(), index);
  }
  QVERIFY(bar.stepRect(24).right() <= bar.width());
}

void LessonStageTest::anEmptyStageDrawsNothing() {
  LessonStage stage;
  stage.resize(400, 300);
  QImage nothing(stage.size(), QImage::Format_RGB32);
  nothing.fill(color(Role::Surface));
  QCOMPARE(drawn(stage), nothing);
  QCOMPARE(stage.targetAt({10, 10}).kind, StageTarget::Kind::None);
}

ORTHROS_QT_TEST(LessonStageTest);

}  // namespace orthros::widgets

#include "lesson_stage_test.moc"
