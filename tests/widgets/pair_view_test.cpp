// The pyramid never loses a peak, the raster masks what no row sees, and the view answers with the data's own
// numbers.
#include "widgets/pair_view.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "tests/support/qt_test.h"
#include "tests/support/synthetic_pair.h"
#include "widgets/format.h"
#include "widgets/grid_map.h"
#include "widgets/pair_raster.h"
#include "widgets/share_timeline.h"

namespace orthros::widgets {
namespace {

PairColors colors() {
  PairColors all;
  for (int i = 0; i < kLutSize; ++i) all.lut[static_cast<size_t>(i)] = qRgb(0, 0, i / 4);
  all.ground = qRgb(255, 255, 255);
  all.missing = qRgb(255, 0, 0);
  return all;
}

int strongest(const QImage& image) {
  int most = -1;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const QRgb pixel = image.pixel(x, y);
      if (qRed(pixel) == 0) most = std::max(most, qBlue(pixel));
    }
  }
  return most;
}

test::SyntheticSpec small() {
  test::SyntheticSpec spec;
  spec.keys = 40;
  spec.rows = 40;
  spec.window = 8;
  spec.sinks = 2;
  spec.plantedKey = 11;
  return spec;
}

}  // namespace

class PairViewTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyLevelKeepsTheLargest();
  void signedPeaksSurviveToo();
  void plantedWeightIsSeenAtEveryZoom();
  void whatNoRowSeesIsGround();
  void missingRowsLookDifferent();
  void rowsWithoutAnOutputCopyAreDotted();
  void onlyRowsThatExistCount();
  void bandColumnsAndKeysAgree();
  void hoverSaysWhatTheDataSays();
  void aPixelOfManyCellsAnswersWithTheHeaviest();
  void zoomKeepsThePointAndTheBounds();
  void theMapShowsAndMovesThePart();
  void keysAndClicks();
  void gridAnswersWithItsValues();
};

void PairViewTest::everyLevelKeepsTheLargest() {
  const auto data = test::syntheticPair();
  const auto& levels = data->output.levels();
  QVERIFY(levels.size() > 5);
  for (const MaxPyramid::Level& level : levels) {
    float most = 0;
    for (qsizetype i = 0; i < level.rows * level.columns; ++i) most = larger(most, level.cells[i]);
    QVERIFY(most > 0.4F);
    const qsizetype column = 77'777 / level.columnFactor;
    QVERIFY(level.cells[(level.rows - 1) * level.columns + column] > 0.4F);
    QVERIFY((level.rows - 1) * level.rowFactor < data->output.rows());
    QVERIFY((level.columns - 1) * level.columnFactor < data->output.columns());
  }
  QVERIFY(std::max(levels.back().rows, levels.back().columns) <= 256);
}

void PairViewTest::signedPeaksSurviveToo() {
  auto cells = std::make_shared<std::vector<float>>(1000 * 3, 0.1F);
  (*cells)[3 * 777 + 1] = -0.9F;
  const std::span<const float> view(*cells);
  const MaxPyramid pyramid(cells, view, 1000, 3);
  const MaxPyramid::Level& top = pyramid.levels().back();
  QVERIFY(std::ranges::count(top.cells, top.cells + top.rows * top.columns, -0.9F) == 1);
}

void PairViewTest::plantedWeightIsSeenAtEveryZoom() {
  const auto data = test::syntheticPair();
  for (double wide = 131'072; wide > 32; wide /= 3.7) {
    const double left = std::clamp(77'777 - wide / 3, 0.0, 131'072 - wide);
    const QImage image = pairRaster(
        {data.get(), true, QRectF(left, 131'072 - wide, wide, wide), QSize(500, 400), {}, {}}, colors());
    const int expected = static_cast<int>(rampPlace(0.4, false, true, 1) * (kLutSize - 1)) / 4;
    QVERIFY2(strongest(image) >= expected - 1, qPrintable(QString::number(wide)));
  }
}

void PairViewTest::whatNoRowSeesIsGround() {
  const auto data = test::syntheticPair(small());
  const QImage image = pairRaster({data.get(), true, QRectF(0, 0, 40, 40), QSize(40, 40), {}, {}}, colors());
  for (int t = 0; t < 40; ++t) {
    for (int key = 0; key < 40; ++key) QCOMPARE(image.pixel(key, t) == colors().ground, key > t);
  }
  const QImage band = pairRaster({data.get(), false, QRectF(0, 0, 10, 40), QSize(10, 40), {}, {}}, colors());
  for (int t = 0; t < 40; ++t) {
    for (int column = 0; column < 10; ++column)
      QCOMPARE(band.pixel(column, t) == colors().ground, data->bandKey(t, column) < 0);
  }
}

void PairViewTest::missingRowsLookDifferent() {
  test::SyntheticSpec spec = small();
  spec.rows = 10;  // every fourth position
  const auto data = test::syntheticPair(spec);
  const QImage image = pairRaster({data.get(), true, QRectF(0, 0, 40, 40), QSize(40, 40), {}, {}}, colors());
  QCOMPARE(image.pixel(0, 0), colors().missing);
  QVERIFY(image.pixel(0, 3) != colors().missing);
}

void PairViewTest::rowsWithoutAnOutputCopyAreDotted() {
  PairColors all = colors();
  all.absent = all.missing;  // the states differ by their marks too
  const QSize size(400, 400);
  const auto drawn = [&](const test::SyntheticSpec& spec) {
    return pairRaster({test::syntheticPair(spec).get(), true, QRectF(0, 0, 40, 40), size, {}, {}}, all);
  };
  const QImage whole = drawn(small());
  test::SyntheticSpec spec = small();
  spec.outputFrom = 25;
  const QImage part = drawn(spec);
  spec.outputFrom = 0;
  spec.rows = 1;
  const QImage missing = drawn(spec);
  int dots = 0;
  bool differs = false;
  for (int y = 0; y < 400; ++y) {
    for (int x = 0; x < 400; ++x) {
      const QRgb pixel = part.pixel(x, y);
      if (y >= 250) {
        QCOMPARE(pixel, whole.pixel(x, y));
        continue;
      }
      QVERIFY(pixel == all.ground || pixel == all.absent);
      if (x / 10 > y / 10) QCOMPARE(pixel, all.ground);  // nothing could be read there
      if (pixel == all.absent) ++dots;
      if (x / 10 <= y / 10 && pixel != missing.pixel(x, y)) differs = true;
    }
  }
  QVERIFY(dots > 500 && differs);
  // The base rows are there all the same.
  spec = small();
  const auto base = [&] {
    return pairRaster({test::syntheticPair(spec).get(), false, QRectF(0, 0, 10, 40), size, {}, {}}, all);
  };
  const QImage before = base();
  spec.outputFrom = 25;
  QCOMPARE(base(), before);
}

void PairViewTest::onlyRowsThatExistCount() {
  test::SyntheticSpec spec = small();
  spec.outputFrom = 25;
  const auto data = test::syntheticPair(spec);
  QCOMPARE(data->output.rows(), 15);
  const auto whole = test::syntheticPair(small());
  for (qint64 t = 25; t < 40; ++t) {
    for (qint64 key = 0; key <= t; ++key) QCOMPARE(data->at(true, t, key), whole->at(true, t, key));
  }
  QVERIFY(data->facts->output.heaviest[0] < 1);  // 9 where no row is
  QCOMPARE(data->facts->base.heaviest[0], whole->facts->base.heaviest[0]);
  double mean = 0;
  for (qint64 t = 25; t < 40; ++t) mean += static_cast<double>(data->at(true, t, 11)) / 15;
  const auto& lane = data->facts->lane;
  const auto planted = std::ranges::find(lane, 11, &LaneKey::key);
  QVERIFY(planted != lane.end() && std::abs(planted->output - mean) < 1e-6);
  PairView view;
  view.resize(700, 500);
  view.setData(data);
  view.setPinned(10);
  QVERIFY2(view.readout(10, 3).endsWith(QStringLiteral("no x′ in this regime")),
           qPrintable(view.readout(10, 3)));
  QVERIFY(view.readout(30, 3).contains(QStringLiteral("x′ 0.")));
  view.setStyle({ScaleMode::RowMax, false, true});
  QCOMPARE(view.uniformTick(true).second, QStringLiteral("1/40"));  // of the last row: the pinned one is none
  QCOMPARE(view.uniformTick(false).second, QStringLiteral("1/10"));
  QVERIFY(!view.laneBanner().contains(QStringLiteral("x′")));
  // No bin of the pyramid mixes rows that exist with such as do not.
  spec = {};
  spec.outputFrom = 70'001;
  const auto large = test::syntheticPair(spec);
  for (double wide = 131'072; wide > 32; wide /= 3.7) {
    const double top = std::clamp(70'001 - wide / 2, 0.0, 131'072 - wide);
    WeightScale scale;
    scale.mode = ScaleMode::Linear;
    const QImage image = pairRaster({large.get(),
                                     true,
                                     QRectF(0, top, wide, wide),
                                     QSize(300, 300),
                                     {ScaleMode::Linear, false, false},
                                     scale},
                                    colors());
    QVERIFY2(strongest(image) <= 0.41 * (kLutSize - 1) / 4, qPrintable(QString::number(wide)));
  }
}

void PairViewTest::bandColumnsAndKeysAgree() {
  const auto data = test::syntheticPair(small());
  for (qint64 t = 0; t < 40; ++t) {
    int seen = 0;
    for (qint64 column = 0; column < 10; ++column) {
      const qint64 key = data->bandKey(t, column);
      if (key < 0) continue;
      ++seen;
      QCOMPARE(data->bandColumn(t, key), column);
    }
    QCOMPARE(seen, std::min<qint64>(t + 1, 10));  // min(t + 1, w + s)
    QCOMPARE(data->bandColumn(t, t + 1), -1);
  }
}

void PairViewTest::hoverSaysWhatTheDataSays() {
  const auto data = test::syntheticPair(small());
  PairView view;
  view.resize(700, 500);
  view.setData(data);
  auto* random = QRandomGenerator::global();
  for (int i = 0; i < 300; ++i) {
    const qint64 t = random->bounded(40);
    const qint64 key = random->bounded(static_cast<int>(t) + 1);
    const QString text = view.readout(t, key);
    QVERIFY(text.contains(formatNumber(data->output.at(t, key))));
    const qint64 column = data->bandColumn(t, key);
    QVERIFY(text.contains(column < 0 ? QStringLiteral("unseen") : formatNumber(data->base.at(t, column))));
  }
  const QRectF output = view.pane(true);
  const auto [t, key] = view.under(
      QPointF(output.left() + output.width() * 11.5 / 40, output.top() + output.height() * 30.5 / 40));
  QCOMPARE(t, 30);
  QCOMPARE(key, 11);
  const QRectF band = view.pane(false);
  const auto [t2, self] = view.under(QPointF(band.right() - 2, band.top() + band.height() * 20.5 / 40));
  QCOMPARE(t2, 20);
  QCOMPARE(self, 20);
}

void PairViewTest::aPixelOfManyCellsAnswersWithTheHeaviest() {
  PairView view;
  view.resize(700, 500);
  const auto data = test::syntheticPair();
  view.setData(data);
  const QRectF at = view.pane(true);
  const QPointF point(at.left() + at.width() * 77'777.0 / 131'072, at.bottom() - 1);
  const PairView::Bin bin = view.binAt(QPointF(std::floor(point.x()) + 0.5, point.y()));
  QVERIFY(bin.keys > 100 && bin.rows >= 1);
  const bool here = bin.key == 77'777;
  const PairView::Bin other = view.binAt(QPointF(std::floor(point.x()) - 0.5, point.y()));
  const PairView::Bin beside = view.binAt(QPointF(std::floor(point.x()) + 1.5, point.y()));
  QVERIFY(here || other.key == 77'777 || beside.key == 77'777);
  double sum = 0;
  const qsizetype row = data->rowOf(bin.position);
  QVERIFY(row >= 0);
  for (qint64 key = 0; key < data->keys; ++key) sum += static_cast<double>(data->output.at(row, key));
  QVERIFY(std::abs(sum - 1) < 1e-3 && bin.sum > 0 && bin.sum < static_cast<double>(bin.rows));
  view.showArea(QRectF(1000, 131'000, 50, 50));
  QCOMPARE(view.binAt(at.center()).position, -1);  // cells are larger than pixels
}

void PairViewTest::zoomKeepsThePointAndTheBounds() {
  PairView view;
  view.resize(700, 500);
  view.setData(test::syntheticPair());
  const QPointF point = view.pane(true).center() + QPointF(31, 47);
  const auto before = view.under(point);
  view.zoomAt(point, 8, true, true);
  const auto after = view.under(point);
  QVERIFY(std::abs(before.first - after.first) < 131'072 / 400 &&
          std::abs(before.second - after.second) < 131'072 / 300);
  QVERIFY(std::abs(view.shown().width() - 131'072 / 8.0) < 1);
  view.showArea(QRectF(-500, 1e9, 1, 1));
  QVERIFY(view.shown().left() >= 0 && view.shown().bottom() <= 131'072 && view.shown().width() >= 6);
  view.zoomAt(point, 1e-9, true, true);
  QCOMPARE(view.shown(), QRectF(0, 0, 131'072, 131'072));
}

void PairViewTest::theMapShowsAndMovesThePart() {
  PairView view;
  view.resize(700, 500);
  view.setData(test::syntheticPair());
  QVERIFY(view.mapRect().isEmpty());  // everything is in view
  QSignalSpy pinned(&view, &PairView::rowPinned);
  view.showArea(QRectF(60'000, 90'000, 2000, 1000));
  const QRectF map = view.mapRect();
  QVERIFY(map.width() >= 60 && map.height() >= 60);
  QVERIFY(QRectF(view.rect()).contains(map));
  for (const bool output : {false, true}) QVERIFY(!view.pane(output).intersects(map));  // covers no cell
  const auto expected = [&](double at) { return at / 131'072 * map.width(); };
  const QPointF centre = view.mapFrame().center() - map.topLeft();
  QVERIFY(std::abs(centre.x() - expected(61'000)) < 0.01 && std::abs(centre.y() - expected(90'500)) < 0.01);
  QVERIFY(map.contains(view.mapFrame()));
  // A click moves there, a drag goes on, and no row is pinned by it.
  const QPoint there = (map.topLeft() + QPointF(expected(20'000), expected(100'000))).toPoint();
  QTest::mousePress(&view, Qt::LeftButton, {}, there);
  const double pixel = 131'072 / map.width();
  QVERIFY(std::abs(view.shown().center().x() - 20'000) <= pixel);
  QVERIFY(std::abs(view.shown().center().y() - 100'000) <= pixel);
  QCOMPARE(view.shown().size(), QSizeF(2000, 1000));
  QTest::mouseMove(&view, QPoint(200, 499));  // beyond the map: to the end
  QCOMPARE(view.shown().bottomRight(), QPointF(131'072, 131'072));
  QTest::mouseRelease(&view, Qt::LeftButton, {}, there);
  QCOMPARE(pinned.size(), 0);
  QTest::mouseMove(&view, there);
  QCOMPARE(view.shown().bottomRight(), QPointF(131'072, 131'072));
  view.fit();
  QVERIFY(view.mapRect().isEmpty());
  // The planted weight is seen in it, and it is drawn anew for other data alone.
  view.showArea(QRectF(0, 0, 2000, 2000));
  const auto mapOf = [&] { return view.grab(map.toAlignedRect()).toImage(); };
  const QImage first = mapOf();
  const int planted = qRound(expected(77'777));
  QVERIFY(first.pixel(planted, 70) != first.pixel(planted - 6, 70));
  test::SyntheticSpec other;
  other.plantedKey = 12'345;
  view.setData(test::syntheticPair(other));
  QVERIFY(mapOf() != first);
}

void PairViewTest::keysAndClicks() {
  PairView view;
  view.resize(700, 500);
  view.setData(test::syntheticPair(small()));
  view.setPinned(39);
  QSignalSpy pinned(&view, &PairView::rowPinned);
  const QRectF output = view.pane(true);
  QTest::mouseClick(&view, Qt::LeftButton, {},
                    QPointF(output.left() + 3, output.top() + output.height() * 25.5 / 40).toPoint());
  QCOMPARE(pinned.takeFirst().first().toLongLong(), 25);
  view.setMarked(-1, -1);
  QTest::keyClick(&view, Qt::Key_Up);
  QCOMPARE(view.cursorPosition(), 38);
  QTest::keyClick(&view, Qt::Key_Left, Qt::ShiftModifier);
  QCOMPARE(view.cursorKey(), 28);
  QTest::keyClick(&view, Qt::Key_Space);
  QCOMPARE(pinned.takeFirst().first().toLongLong(), 38);
  QTest::keyClick(&view, Qt::Key_Plus);
  QVERIFY(view.shown().width() < 40);
  QTest::keyClick(&view, Qt::Key_Home);
  QCOMPARE(view.shown().width(), 40.0);
  QVERIFY(view.accessibleDescription().contains(QStringLiteral("query 38")));
}

void PairViewTest::gridAnswersWithItsValues() {
  GridMap map;
  map.resize(400, 200);
  GridData data;
  data.rows = 3;
  data.columns = 50;
  data.rowName = QStringLiteral("layer");
  data.columnName = QStringLiteral("key");
  data.values.assign(150, 0.25F);
  data.values[2 * 50 + 7] = std::numeric_limits<float>::quiet_NaN();
  map.setData(data);
  QVERIFY(map.readout(1, 7).contains(QStringLiteral("0.2500")));
  QVERIFY(map.readout(2, 7).contains(QStringLiteral("not captured")));
  const QRectF field = map.field();
  QCOMPARE(map.cellAt(field.center()), (std::pair<qsizetype, qsizetype>{1, 25}));
  QCOMPARE(map.cellAt(QPointF(1, 1)), (std::pair<qsizetype, qsizetype>{-1, -1}));
  ShareTimeline timeline;
  timeline.resize(400, 200);
  timeline.setPoints({{0.5F, 0.25F, 0.25F}, {0, 1, 0}}, QStringLiteral("shares"));
  QVERIFY(timeline.readout(0).contains(QStringLiteral("50.00 %")));
  QCOMPARE(timeline.positionAt(399 - 13), 1);
  QCOMPARE(timeline.positionAt(3), -1);
}

ORTHROS_QT_TEST(PairViewTest);

}  // namespace orthros::widgets

#include "pair_view_test.moc"
