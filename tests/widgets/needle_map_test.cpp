// The needle map on planted cells: fixed limits, margins, what it says, and how keys and pointer find a cell.
#include "widgets/needle_map.h"

#include <QElapsedTimer>
#include <QImage>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/planted_needles.h"
#include "tests/support/qt_test.h"
#include "widgets/oklab.h"

namespace orthros::widgets {
namespace {

QColor pixelOf(NeedleMap& map, NeedleIndex index) {
  const QImage image = map.grab().toImage();
  const QRectF box = map.cellRect(index);
  return image.pixelColor(QPoint(static_cast<int>(box.left()) + 4, static_cast<int>(box.top()) + 4));
}

}  // namespace

class NeedleMapTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void limitsAreFixed();
  void noDifferenceIsTheMiddleColour();
  void cellsAndMarginsAreFound();
  void cellsSayWhatTheyAre();
  void keysWalkAndChoose();
  void missingResultsAreHatchedAndRunningIsOutlined();
  void axesStayWhereTheyAreWhileItFills();
  void largeMapIsDrawn();
  void axesToScaleFollowTokensAndDepths();
  void windowAndReachLieWhereTheNeedleIsThatFarFromTheEnd();
  void measuresHaveTheirOwnLimits();
  void fewTrialsArePaleAndTextsReadOnEveryColour();
  void cutRepliesHaveADot();
  void pointingCostsNoRedrawing();
};

void NeedleMapTest::limitsAreFixed() {
  NeedleMap map;
  map.resize(400, 300);
  for (const double value : {0.0, 0.5, 1.0}) {  // a map of one value is not rescaled to it
    NeedleMapData data = test::plantedNeedles(3, 3);
    for (NeedleCell& cell : data.cells) cell.value = value;
    map.setData(data);
    QCOMPARE(pixelOf(map, {1, 1}), theme().ramp(Ramp::Accuracy, value));
  }
}

void NeedleMapTest::noDifferenceIsTheMiddleColour() {
  NeedleMap map;
  map.resize(400, 300);
  NeedleMapData data = test::plantedNeedles(3, 3);
  data.isDifference = true;
  for (NeedleCell& cell : data.cells) cell.value = 0;
  data.cells[0].value = 1;
  data.cells[1].value = -1;
  map.setData(data);
  QCOMPARE(pixelOf(map, {1, 1}), theme().ramp(Ramp::Difference, 0.5));
  QCOMPARE(pixelOf(map, {0, 0}), theme().ramp(Ramp::Difference, 1));
  QCOMPARE(pixelOf(map, {0, 1}), theme().ramp(Ramp::Difference, 0));
}

void NeedleMapTest::cellsAndMarginsAreFound() {
  NeedleMap map;
  map.resize(400, 300);
  map.setData(test::plantedNeedles(4, 3));
  for (qsizetype length = 0; length <= 4; ++length) {
    for (qsizetype depth = 0; depth <= 3; ++depth) {
      const NeedleIndex index{length, depth};
      QVERIFY(map.data().at(index) != nullptr);
      QCOMPARE(map.cellAt(map.cellRect(index).center()), index);
    }
  }
  QCOMPARE(map.data().at({4, 3}), &map.data().all);
  QVERIFY(map.data().at({5, 0}) == nullptr && map.data().at({-1, 0}) == nullptr);
  QVERIFY(!map.cellAt({1, 1}).isValid());
  QSignalSpy hovered(&map, &NeedleMap::hovered), chosen(&map, &NeedleMap::chosen);
  QTest::mouseMove(&map, map.cellRect({2, 1}).center().toPoint());
  QTest::mouseClick(&map, Qt::LeftButton, {}, map.cellRect({2, 1}).center().toPoint());
  QCOMPARE(map.marked(), (NeedleIndex{2, 1}));
  QCOMPARE(chosen.size(), 1);
  QVERIFY(!hovered.isEmpty());
}

void NeedleMapTest::cellsSayWhatTheyAre() {
  NeedleMap map;
  map.setData(test::plantedNeedles(4, 3));
  const NeedleCell& cell = *map.data().at({1, 1});
  QCOMPARE(map.cellText(cell), QStringLiteral("%1/5").arg(cell.hits));
  const QString text = map.readout({1, 1});
  for (const char* part : {"256 tokens", "depth 50.00 %", "of 5 found", "95 %",
                           "placed at 49.50 % to 50.50 %", "attention on the needle 0.2500"})
    QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
  QVERIFY(map.readout({4, 1}).contains(QStringLiteral("all lengths")));
  QVERIFY(map.readout({1, 3}).contains(QStringLiteral("all depths")));
  QVERIFY(map.readout({-1, -1}).isEmpty());
  NeedleCell failed;
  failed.state = NeedleCell::State::OutOfMemory;
  QCOMPARE(map.cellText(failed), QStringLiteral("OOM"));
  QCOMPARE(map.cellText(NeedleCell{}), QString());
  QCOMPARE(tokensText(512), QStringLiteral("512"));
  QCOMPARE(tokensText(4096), QStringLiteral("4K"));
  QCOMPARE(tokensText(1500), QStringLiteral("1500"));
  QCOMPARE(tokensText(1'048'576), QStringLiteral("1M"));
}

void NeedleMapTest::keysWalkAndChoose() {
  NeedleMap map;
  map.resize(400, 300);
  map.setData(test::plantedNeedles(4, 3));
  QSignalSpy chosen(&map, &NeedleMap::chosen);
  QTest::keyClick(&map, Qt::Key_Right);
  QCOMPARE(map.marked(), (NeedleIndex{1, 0}));
  for (int i = 0; i < 9; ++i) QTest::keyClick(&map, Qt::Key_Down);
  QCOMPARE(map.marked(), (NeedleIndex{1, 3}));  // the margin, and no further
  QVERIFY(map.accessibleDescription().contains(QStringLiteral("all depths")));
  QTest::keyClick(&map, Qt::Key_Space);
  QCOMPARE(chosen.size(), 1);
  NeedleMap empty;
  QTest::keyClick(&empty, Qt::Key_Down);
  QVERIFY(!empty.marked().isValid());
}

void NeedleMapTest::missingResultsAreHatchedAndRunningIsOutlined() {
  NeedleMap map;
  map.resize(400, 300);
  NeedleMapData data = test::plantedNeedles(3, 3);
  const auto colours = [&map](NeedleIndex index) {
    const QImage image = map.grab().toImage();
    const QRect box = map.cellRect(index).toRect().adjusted(1, 1, -2, -2);
    QSet<QRgb> seen;
    for (int x = box.left(); x < box.right(); ++x) {
      for (int y = box.top(); y < box.bottom(); ++y) seen.insert(image.pixel(x, y));
    }
    return seen;
  };
  data.cells[4] = NeedleCell{};
  map.setData(data);
  QCOMPARE(colours({1, 1}).size(), 1);  // not run yet: plain
  for (const auto state : {NeedleCell::State::OutOfMemory, NeedleCell::State::Timeout,
                           NeedleCell::State::Failed, NeedleCell::State::Skipped}) {
    data.cells[4].state = state;
    map.setData(data);
    QVERIFY(colours({1, 1}).contains(color(Role::FieldLine).rgb()));
  }
  data.cells[4].state = NeedleCell::State::Running;
  map.setData(data);
  QVERIFY(colours({1, 1}).contains(color(Role::Accent).rgb()));
}

void NeedleMapTest::axesStayWhereTheyAreWhileItFills() {
  NeedleMap map;
  map.resize(400, 300);
  map.setData(test::plantedNeedles(4, 3));
  map.setMarked({2, 2});
  NeedleMapData more = test::plantedNeedles(4, 3);
  more.cells[0].hits = 0;
  map.setData(more);
  QCOMPARE(map.marked(), (NeedleIndex{2, 2}));  // looked at before and after
  map.setData(test::plantedNeedles(2, 2));
  QVERIFY(!map.marked().isValid());
}

void NeedleMapTest::largeMapIsDrawn() {
  NeedleMap map;
  map.resize(290, 420);
  map.setData(test::plantedNeedles(40, 40));
  map.grab();
  QElapsedTimer timer;
  timer.start();
  constexpr int kFrames = 20;
  for (int i = 0; i < kFrames; ++i) map.grab();
  qInfo("40 x 40 map: %.2f ms a frame", static_cast<double>(timer.nsecsElapsed()) / 1e6 / kFrames);
  map.resize(40, 30);  // no room at all: nothing breaks
  map.grab();
}

void NeedleMapTest::axesToScaleFollowTokensAndDepths() {
  NeedleMapData data = test::plantedNeedles(3, 3);
  data.lengths = {1000, 2000, 4000};
  data.depths = {0, 0.5, 0.75};
  NeedleStyle style;
  const NeedleGrid steps(data, style, {500, 400});
  QCOMPARE(steps.cell({0, 0}).width(), steps.cell({2, 0}).width());
  style.trueToScale = true;
  const NeedleGrid scaled(data, style, {500, 400});
  // Edges half-way: 500, 1500, 3000, 5000 tokens; -0.25, 0.25, 0.625, 0.875 of the depth.
  QCOMPARE(scaled.cell({1, 0}).width() / scaled.cell({0, 0}).width(), 1.5);
  QCOMPARE(scaled.cell({2, 0}).width() / scaled.cell({0, 0}).width(), 2.0);
  QCOMPARE(scaled.cell({0, 1}).height() / scaled.cell({0, 0}).height(), 0.75);
  QCOMPARE(scaled.cell({2, 2}).bottom(), steps.cell({2, 2}).bottom());  // the same room
  for (qsizetype length = 0; length <= 3; ++length) {
    for (qsizetype depth = 0; depth <= 3; ++depth)
      QCOMPARE(scaled.at(scaled.cell({length, depth}).center()), (NeedleIndex{length, depth}));
  }
}

void NeedleMapTest::windowAndReachLieWhereTheNeedleIsThatFarFromTheEnd() {
  NeedleMapData data = test::plantedNeedles(2, 3);
  data.lengths = {100, 1000};
  data.depths = {0, 0.5, 1};
  for (size_t i = 0; i < 6; ++i) data.cells[i].fromEnd = NeedleCell::kNone;
  const NeedleGrid grid(data, {}, {400, 300});
  const auto centre = [&](qsizetype row) { return grid.cell({0, row}).center().y(); };
  QCOMPARE(grid.heightOf(50, 0, data).value_or(-1), centre(1));
  QCOMPARE(grid.heightOf(75, 0, data).value_or(-1), (centre(0) + centre(1)) / 2);
  QVERIFY(!grid.heightOf(200, 0, data));  // all of 100 tokens is nearer
  QCOMPARE(grid.heightOf(250, 1, data).value_or(-1), (centre(1) + centre(2)) / 2);
  data.cells[1].fromEnd = 75;  // measured, not asked for
  QCOMPARE(grid.heightOf(75, 0, data).value_or(-1), centre(1));
}

void NeedleMapTest::measuresHaveTheirOwnLimits() {
  NeedleMap map;
  NeedleMapData data = test::plantedNeedles(2, 2);
  data.cells[0].mass = 0.25;
  data.cells[0].logProbability = std::log(0.5);
  map.setData(data);
  const NeedleCell& cell = map.data().cells[0];
  map.setStyle({NeedleMeasure::Attention, false, false, false});
  QCOMPARE(map.cellColor(cell), theme().ramp(Ramp::Output, 0.5));  // the root of 0.25
  QCOMPARE(map.cellText(cell), QStringLiteral("0.25"));
  map.setStyle({NeedleMeasure::LogProbability, false, false, false});
  QCOMPARE(map.cellColor(cell), theme().ramp(Ramp::Accuracy, 0.5));
  QCOMPARE(map.cellText(cell), QStringLiteral("−0.69"));
  QCOMPARE(map.cellText(NeedleCell{}), QString());
  map.setStyle({NeedleMeasure::Found, false, true, false});
  QCOMPARE(map.cellColor(cell), theme().ramp(Ramp::Familiar, cell.value));
  data.isDifference = true;  // of what was found, whatever is shown beside
  map.setData(data);
  map.setStyle({NeedleMeasure::Attention, false, false, false});
  QCOMPARE(map.cellColor(cell), theme().ramp(Ramp::Difference, (cell.value + 1) / 2));
}

void NeedleMapTest::fewTrialsArePaleAndTextsReadOnEveryColour() {
  NeedleMap map;
  map.setData(test::plantedNeedles(2, 2));
  QVERIFY(!test::plantedNeedle(5, 5).isUnsure() && test::plantedNeedle(4, 4).isUnsure());
  QVERIFY(map.cellColor(test::plantedNeedle(4, 4)) != map.cellColor(test::plantedNeedle(5, 5)));
  for (const ThemeMode mode : {ThemeMode::Dark, ThemeMode::Light}) {
    ThemeHub::instance().apply(mode);
    for (const bool familiar : {false, true}) {
      map.setStyle({NeedleMeasure::Found, false, familiar, false});
      for (const qint64 trials : {qint64{4}, qint64{100}}) {
        for (qint64 hits = 0; hits <= trials; ++hits) {
          const QColor fill = map.cellColor(test::plantedNeedle(hits, trials));
          const double ratio = contrastRatio(theme().textOn(fill), fill);
          QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("%1 of %2: %3").arg(hits).arg(trials).arg(ratio)));
        }
      }
    }
  }
}

void NeedleMapTest::cutRepliesHaveADot() {
  NeedleMap map;
  map.resize(400, 300);
  NeedleMapData data = test::plantedNeedles(2, 2);
  const auto corner = [&map] {
    const QRectF box = map.cellRect({0, 0});
    return map.grab().toImage().pixelColor(QPointF(box.right() - 5.5, box.top() + 4.5).toPoint());
  };
  map.setData(data);
  const QColor plain = corner();
  data.cells[0].cut = 1;
  map.setData(data);
  QVERIFY(corner() != plain);
  QVERIFY(map.readout({0, 0}).contains(QStringLiteral("1 cut by the budget")));
}

void NeedleMapTest::pointingCostsNoRedrawing() {
  NeedleMap map;
  map.resize(400, 300);
  map.setData(test::plantedNeedles(4, 3));
  const QImage before = map.grab().toImage();
  map.setMarked({1, 1});
  QVERIFY(map.grab().toImage() != before);
  map.setMarked({});
  QCOMPARE(map.grab().toImage(), before);  // what stands still is kept, and untouched by the mark
  ThemeHub::instance().apply(ThemeMode::Dark);
  const QImage dark = map.grab().toImage();
  ThemeHub::instance().apply(ThemeMode::Light);
  QVERIFY(dark != before);
  QCOMPARE(map.grab().toImage(), before);
}

ORTHROS_QT_TEST(NeedleMapTest);

}  // namespace orthros::widgets

#include "needle_map_test.moc"
