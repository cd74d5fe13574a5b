// Every scale prints true ends and a true tick at uniform; sums of bins are the row's sum at every level and
// every zoom.
#include "widgets/weight_scale.h"

#include <QPainter>
#include <QRandomGenerator>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <numeric>

#include "tests/support/qt_test.h"
#include "tests/support/synthetic_pair.h"
#include "widgets/cell_marks.h"
#include "widgets/export_picture.h"
#include "widgets/format.h"
#include "widgets/grid_map.h"
#include "widgets/head_atlas.h"
#include "widgets/mass_bar.h"
#include "widgets/oklab.h"
#include "widgets/pair_raster.h"
#include "widgets/pair_view.h"
#include "widgets/row_plot.h"

namespace orthros::widgets {
namespace {

constexpr ScaleMode kModes[] = {ScaleMode::Log, ScaleMode::Lift, ScaleMode::Linear, ScaleMode::RowMax,
                                ScaleMode::Rank};

PairColors places() {  // the pixel is the place
  PairColors colors;
  for (int i = 0; i < kLutSize; ++i) colors.lut[static_cast<size_t>(i)] = qRgb(0, i / 256, i % 256);
  colors.ground = qRgb(255, 255, 255);
  colors.missing = qRgb(255, 0, 0);
  return colors;
}

int placeOf(QRgb pixel) {
  return qRed(pixel) != 0 ? -1 : qGreen(pixel) * 256 + qBlue(pixel);
}

QImage raster(const PairData& data, const WeightStyle& style, const QRectF& area, QSize size,
              bool output = true) {
  const bool binned = size.width() < area.width() || size.height() < area.height();
  return pairRaster({&data, output, area, size, style, pairScale(data, output, style, binned)}, places());
}

double number(QString text) {
  bool ok = false;
  if (text.startsWith(u'2') && text.size() > 1 && !text.contains(u'.')) {  // 2⁻¹⁶
    static const QString kRaised = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString bits;
    for (const QChar c : text.mid(1))
      bits += c == u'⁻' ? QChar(u'-') : QChar(static_cast<char16_t>(u'0' + kRaised.indexOf(c)));
    return std::exp2(bits.toInt());
  }
  const double value = text.toDouble(&ok);
  return ok ? value : std::nan("");
}

}  // namespace

class WeightScaleTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void endsArePrintedAndTrue();
  void uniformTickIsTrue_data();
  void uniformTickIsTrue();
  void liftOfAUniformRowIsOneInBothStreams();
  void rowScalesDoNotMixRows();
  void zeroIsItsOwnStep();
  void rankIsTheShareThatIsSmaller();
  void binSumsAreTheRowSum();
  void sumsOfAPictureAreTheRowSum();
  void plantedWeightIsSeenAtEveryZoomInEveryScale();
  void cellStatesLookDifferent();
  void hatchingStaysInside();
  void plotScalesAreTheLegends();
  void hatchingSurvivesInSvg();
};

void WeightScaleTest::endsArePrintedAndTrue() {
  const auto data = test::syntheticPair(test::smallSpec());
  for (const ScaleMode mode : kModes) {
    const WeightScale scale = pairScale(*data, true, {mode, false, false}, false);
    const double high = number(scale.highEnd());
    QVERIFY2(!std::isnan(high) && !std::isnan(number(scale.lowEnd())), qPrintable(scaleName(mode)));
    // The weight that the printed end names has the end's place, and just below has not.
    RowContext row{10, 0.25, 1};
    const double weight = mode == ScaleMode::Lift     ? high / row.visible
                          : mode == ScaleMode::RowMax ? high * row.most
                                                      : high;
    if (mode == ScaleMode::Rank) {
      QCOMPARE(scale.place(0.1, row), 1.0);
      row.rank = 0.5;
      QCOMPARE(scale.place(0.1, row), 0.5);
      continue;
    }
    QVERIFY2(std::abs(scale.place(weight, row) - 1) < 1e-3, qPrintable(scaleName(mode)));
    QVERIFY(scale.place(weight * 0.9, row) < 1);
    const double low = number(scale.lowEnd());
    if (low > 0) {
      const double least = mode == ScaleMode::Lift ? low / row.visible : low;
      QVERIFY(std::abs(scale.place(least, row) - kLeastPlace) < 1e-9);
      QVERIFY(scale.place(least * 4, row) > kLeastPlace);
    }
  }
  // Linear ends at the heaviest weight of the data, as printed.
  const WeightScale linear = pairScale(*data, true, {ScaleMode::Linear, false, false}, false);
  QCOMPARE(number(linear.highEnd()), linear.most);
  QCOMPARE(linear.most, 1.0);  // row 0 has one key
  WeightScale difference;
  difference.isDifference = true;
  QCOMPARE(difference.place(0, {}), 0.5);
  QCOMPARE(difference.place(-1, {}), 0.0);
  QCOMPARE(difference.lowEnd(), QStringLiteral("−1"));
}

void WeightScaleTest::uniformTickIsTrue_data() {
  QTest::addColumn<int>("mode");
  for (const ScaleMode mode : kModes) QTest::newRow(qPrintable(scaleName(mode))) << static_cast<int>(mode);
}

// The tick is the place that the picture itself gives to a weight of 1 / visible keys.
void WeightScaleTest::uniformTickIsTrue() {
  QFETCH(const int, mode);
  const auto data = test::syntheticPair(test::smallSpec());
  PairView view;
  view.resize(900, 700);
  view.setData(data);
  view.setStyle({static_cast<ScaleMode>(mode), false, false});
  view.setPinned(30);
  const auto [base, baseText] = view.uniformTick(false);
  QVERIFY2(baseText == (static_cast<ScaleMode>(mode) == ScaleMode::Lift ? QStringLiteral("1")
                                                                        : QStringLiteral("1/10")),
           qPrintable(baseText));  // 8 in the window, 2 sinks
  // Base rows are uniform: row 30 has the tick's place all over.
  const QImage band =
      raster(*data, {static_cast<ScaleMode>(mode), false, false}, QRectF(0, 0, 10, 40), QSize(10, 40), false);
  for (int column = 0; column < 10; ++column)
    QVERIFY2(std::abs(placeOf(band.pixel(column, 30)) - base * (kLutSize - 1)) <= 8, qPrintable(baseText));
  const auto [output, outputText] = view.uniformTick(true);
  QVERIFY(outputText ==
          (static_cast<ScaleMode>(mode) == ScaleMode::Lift ? QStringLiteral("1") : QStringLiteral("1/31")));
  QVERIFY(output > 0 && output <= 1);
}

void WeightScaleTest::liftOfAUniformRowIsOneInBothStreams() {
  test::SyntheticSpec spec = test::smallSpec();
  spec.planted = 0;
  const auto data = test::syntheticPair(spec);
  const WeightStyle lift{ScaleMode::Lift, false, false};
  const QImage base = raster(*data, lift, QRectF(0, 0, 10, 40), QSize(10, 40), false);
  const QImage output = raster(*data, lift, QRectF(0, 0, 40, 40), QSize(40, 40), true);
  for (int t = 12; t < 40; ++t) {
    QVERIFY(std::abs(placeOf(base.pixel(9, t)) - (kLutSize - 1) / 2) <= 2);
    QVERIFY(std::abs(placeOf(output.pixel(3, t)) - (kLutSize - 1) / 2) <= 2);
  }
}

void WeightScaleTest::rowScalesDoNotMixRows() {
  const auto data = test::syntheticPair(test::smallSpec());
  // Two rows a pixel: each by its own heaviest, then the stronger.
  const QImage image = raster(*data, {ScaleMode::RowMax, false, false}, QRectF(0, 0, 40, 40), QSize(40, 20));
  for (int y = 6; y < 20; ++y) QCOMPARE(placeOf(image.pixel(11, y)), kLutSize - 1);
  const QImage early = raster(*data, {ScaleMode::RowMax, false, false}, QRectF(0, 0, 40, 40), QSize(40, 40));
  QCOMPARE(placeOf(early.pixel(3, 8)), kLutSize - 1);  // before the planted key all weigh the same
  QVERIFY(placeOf(early.pixel(3, 30)) < kLutSize / 8);
}

void WeightScaleTest::zeroIsItsOwnStep() {
  for (const ScaleMode mode : kModes) {
    WeightScale scale;
    scale.mode = mode;
    QCOMPARE(scale.place(0, {10, 0.5, 0.3}), 0.0);
    QVERIFY(scale.place(1e-30, {10, 0.5, 0}) >= kLeastPlace);
  }
}

void WeightScaleTest::rankIsTheShareThatIsSmaller() {
  const std::vector<float> row{0.1F, 0.2F, 0.2F, 0.5F};
  QCOMPARE(rankOf(0.5F, row), 3.5 / 4);
  QCOMPARE(rankOf(0.2F, row), 2.0 / 4);
  const RowRanks ranks(1, [&](qsizetype) { return std::span<const float>(row); });
  for (const float weight : row) QVERIFY(std::abs(ranks.rank(0, weight) - rankOf(weight, row)) < 1.0 / 200);
}

// Check 7: at each level sum of bin sums = row sum, bin max = max of children.
void WeightScaleTest::binSumsAreTheRowSum() {
  auto* random = QRandomGenerator::global();
  constexpr qsizetype kRows = 5;
  constexpr qsizetype kColumns = 131'072;
  auto cells = std::make_shared<std::vector<float>>(kRows * kColumns);
  std::vector<double> exact(kRows, 0.0);
  for (qsizetype row = 0; row < kRows; ++row) {
    double sum = 0;
    float* values = cells->data() + row * kColumns;
    for (qsizetype i = 0; i < kColumns; ++i) {
      values[i] = static_cast<float>(std::exp(random->generateDouble() * 12));
      sum += static_cast<double>(values[i]);
    }
    for (qsizetype i = 0; i < kColumns; ++i) {
      values[i] = static_cast<float>(values[i] / sum);
      exact[static_cast<size_t>(row)] += static_cast<double>(values[i]);
    }
  }
  (*cells)[2 * kColumns + 77'777] = 0.4F;
  exact[2] = std::accumulate(cells->begin() + 2 * kColumns, cells->begin() + 3 * kColumns, 0.0);
  const std::span<const float> view(*cells);
  const MaxPyramid most(cells, view, kRows, kColumns);
  const SumPyramid sums(most);
  QCOMPARE(sums.levels().size(), most.levels().size());
  for (size_t i = 0; i < sums.levels().size(); ++i) {
    const MaxPyramid::Level& level = sums.levels()[i];
    for (qsizetype row = 0; row < level.rows; ++row) {
      const float* bins = level.cells + row * level.columns;
      double wanted = 0;
      for (qsizetype r = row * level.rowFactor; r < std::min(kRows, (row + 1) * level.rowFactor); ++r)
        wanted += exact[static_cast<size_t>(r)];
      QVERIFY(std::abs(std::accumulate(bins, bins + level.columns, 0.0) - wanted) <= 1e-6 * wanted);
    }
    if (i == 0) continue;
    const MaxPyramid::Level& fine = most.levels()[i - 1];
    const MaxPyramid::Level& coarse = most.levels()[i];
    const qsizetype rows = coarse.rowFactor / fine.rowFactor;
    const qsizetype columns = coarse.columnFactor / fine.columnFactor;
    for (qsizetype row = 0; row < coarse.rows; ++row) {
      for (qsizetype column = 0; column < coarse.columns; ++column) {
        float children = 0;
        for (qsizetype r = row * rows; r < std::min(fine.rows, (row + 1) * rows); ++r) {
          for (qsizetype c = column * columns; c < std::min(fine.columns, (column + 1) * columns); ++c)
            children = std::max(children, fine.cells[r * fine.columns + c]);
        }
        if (coarse.cells[row * coarse.columns + column] != children)
          QFAIL("a bin is not the heaviest below it");
      }
    }
  }
}

// No cell is lost or counted twice on its way to pixels: a linear picture of sums adds up to the rows.
void WeightScaleTest::sumsOfAPictureAreTheRowSum() {
  test::SyntheticSpec spec;
  spec.keys = 5000;
  spec.rows = 40;
  spec.plantedKey = 1234;
  const auto data = test::syntheticPair(spec);
  const WeightStyle style{ScaleMode::Linear, true, false};
  const QImage image = raster(*data, style, QRectF(0, 0, 5000, 5000), QSize(10, 5000));
  for (const qint64 position : {data->positions[20], data->positions[39]}) {
    double sum = 0;
    for (int x = 0; x < 10; ++x) {
      const int place = placeOf(image.pixel(x, static_cast<int>(position)));
      if (place > 0) sum += static_cast<double>(place) / (kLutSize - 1);
    }
    // A place is rounded to 1/1023; a bin of 500 cells has more than the least place.
    QVERIFY2(std::abs(sum - 1) < 10.0 / (2 * kLutSize), qPrintable(QString::number(sum)));
    QVERIFY(placeOf(image.pixel(1234 * 10 / 5000, static_cast<int>(position))) / 1023.0 > 0.4);
  }
}

void WeightScaleTest::plantedWeightIsSeenAtEveryZoomInEveryScale() {
  const auto data = test::syntheticPair();
  for (const ScaleMode mode : kModes) {
    for (const bool sums : {false, true}) {
      const WeightStyle style{mode, sums, false};
      for (double wide = 131'072; wide > 32; wide /= 9.1) {
        const double left = std::clamp(77'777 - wide / 3, 0.0, 131'072 - wide);
        const QImage image = raster(*data, style, QRectF(left, 131'072 - wide, wide, wide), QSize(500, 400));
        int strongest = 0;
        for (int y = 0; y < image.height(); ++y) {
          for (int x = 0; x < image.width(); ++x) strongest = std::max(strongest, placeOf(image.pixel(x, y)));
        }
        const WeightScale scale = pairScale(*data, true, style, wide > 400);
        const double visible = 131'072;
        RowContext row{visible, 0.4, 1};
        // A bin's mean lift is at most its heaviest cell's.
        const double weight = sums && mode == ScaleMode::Lift ? 0.4 / std::max(1.0, 2 * wide / 500) : 0.4;
        const double expected = scale.place(weight, row) * (kLutSize - 1);
        QVERIFY2(strongest >= expected * 0.97 - 4, qPrintable(QStringLiteral("%1 %2: %3 < %4")
                                                                  .arg(scaleName(mode))
                                                                  .arg(wide)
                                                                  .arg(strongest)
                                                                  .arg(expected)));
      }
    }
  }
}

// Check 13 for cells: exact, zero, masked, not captured, binned; lightness or shape tells each pair apart.
void WeightScaleTest::cellStatesLookDifferent() {
  for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
    ThemeHub::instance().apply(mode);
    for (const Ramp ramp : {Ramp::Base, Ramp::Output})  // zero is not the masked ground
      QVERIFY(theme().ramp(ramp, 0) != color(Role::Surface));
    QVERIFY(std::abs(toOklab(color(Role::Line)).lightness - toOklab(color(Role::Surface)).lightness) > 0.08);
  }
  ThemeHub::instance().apply(ThemeMode::Light);
  // Not captured is a pattern: its line goes to and fro.
  test::SyntheticSpec spec = test::smallSpec();
  spec.rows = 10;
  const auto sparse = test::syntheticPair(spec);
  const QImage image = raster(*sparse, {}, QRectF(0, 0, 40, 40), QSize(40, 40));
  int changes = 0;
  for (int x = 1; x < 40; ++x) changes += image.pixel(x, 0) != image.pixel(x - 1, 0) ? 1 : 0;
  QVERIFY(changes > 8);
  PairView view;
  view.resize(500, 400);
  view.setData(test::syntheticPair());
  QVERIFY(view.isBinned(true));
  const QRectF at = view.pane(true);
  const QImage drawn = view.grab().toImage();
  // The dotted corner.
  QCOMPARE(drawn.pixelColor(qRound(at.right()) - 3, qRound(at.top()) + 3), color(Role::Text));
  view.showArea(QRectF(0, 131'040, 20, 20));
  QVERIFY(!view.isBinned(true));
}

void WeightScaleTest::hatchingStaysInside() {
  QImage image(60, 40, QImage::Format_RGB32);
  image.fill(Qt::white);
  {
    QPainter painter(&image);
    fillHatched(painter, QPolygonF({{10, 10}, {50, 10}, {50, 30}}), Qt::black);
  }
  int inside = 0;
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 60; ++x) {
      if (qGray(image.pixel(x, y)) > 200) continue;
      ++inside;
      QVERIFY(x >= 9 && x <= 50 && y >= 9 && y <= 31 && y - 10 <= (x - 10) / 2 + 2);
    }
  }
  QVERIFY(inside > 30);
  QVERIFY(!clipped({0, 0, 5, 5}, QRectF(10, 10, 5, 5)));
  QCOMPARE(clipped({0, 12, 40, 12}, QRectF(10, 10, 5, 5)), QLineF(10, 12, 15, 12));
}

void WeightScaleTest::plotScalesAreTheLegends() {
  RowPlot plot;
  plot.resize(600, 300);
  RowView view;
  view.base.assign(100, 0.0F);
  view.output.assign(100, 0.01F);
  view.parts = {2, 8};
  for (int key = 92; key < 100; ++key) view.base[static_cast<size_t>(key)] = 0.1F;
  view.base[0] = view.base[1] = 0.1F;
  plot.setView(view);
  for (const ScaleMode mode : kModes) {
    plot.setStyle({mode, false, false});
    // Both rows are uniform: each bar ends at its lane's tick.
    for (const bool output : {false, true}) {
      const double weight = output ? 0.01F : 0.1F;
      QVERIFY2(std::abs(plot.heightOf(weight, output) - plot.uniformTick(output).first) < 1e-6,
               qPrintable(scaleName(mode)));
    }
  }
  plot.setStyle({ScaleMode::Lift, false, false});
  QVERIFY(std::abs(plot.heightOf(0.1F, false) - plot.heightOf(0.01F, true)) < 1e-6);
}

// What was not captured is hatched in the exported picture too, in a grid, an atlas and a mass bar.
void WeightScaleTest::hatchingSurvivesInSvg() {
  const QTemporaryDir folder;
  const auto svgOf = [&](QWidget& view) {
    const QString path = folder.filePath(QStringLiteral("x.svg"));
    if (!exportPicture(&view, path, {QStringLiteral("t"), QStringLiteral("c")}).isEmpty()) return QImage();
    QSvgRenderer renderer(path);
    QImage image(renderer.viewBox().size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    if (qEnvironmentVariableIsSet("ORTHROS_PICTURES"))  // for a person to look at
      image.save(qEnvironmentVariable("ORTHROS_PICTURES") + u'/' +
                 QLatin1String(view.metaObject()->className()).mid(18) + QStringLiteral(".png"));
    return image;
  };
  // Strokes along the middle of a rectangle of the view, which begins at (16, 44) of the picture.
  const auto strokes = [](const QImage& image, const QRectF& rect) {
    int changes = 0;
    const int y = 44 + qRound(rect.center().y());
    for (int x = 17 + qRound(rect.left()); x < 16 + qRound(rect.right()); ++x)
      changes += std::abs(qGray(image.pixel(x, y)) - qGray(image.pixel(x - 1, y))) > 12 ? 1 : 0;
    return changes;
  };
  GridMap grid;
  grid.resize(300, 120);
  GridData data;
  data.rows = 2;
  data.columns = 4;
  data.values.assign(8, 0.5F);
  for (size_t i = 0; i < 4; ++i) data.values[i] = std::nanf("");
  grid.setData(data);
  const QRectF field = grid.field();
  const QRectF upper(field.left(), field.top(), field.width(), field.height() / 2);
  QVERIFY(strokes(svgOf(grid), upper) > 20);
  QVERIFY(strokes(svgOf(grid), upper.translated(0, upper.height())) < 12);
  HeadAtlas atlas;
  atlas.resize(300, 200);
  AtlasView heads;
  heads.layers = 1;
  heads.heads = 2;
  heads.base = {std::nanf(""), 0.5F};
  atlas.setView(heads);
  QVERIFY(strokes(svgOf(atlas), atlas.cellRect(0, 0)) > 10);
  QVERIFY(strokes(svgOf(atlas), atlas.cellRect(0, 1)) < 4);
  MassBar bar(true);
  bar.resize(240, 34);
  RowMeasures measures;
  measures.beyond = 1;
  bar.setMeasures(measures);
  const int found = strokes(svgOf(bar), QRectF(4, 20, 230, 12));
  QVERIFY2(found > 20, qPrintable(QString::number(found)));
}

ORTHROS_QT_TEST(WeightScaleTest);

}  // namespace orthros::widgets

#include "weight_scale_test.moc"
