// Pictures of each view on planted data, light and dark, against tests/fixtures/goldens. Compared in blocks
// of 4 x 4 pixels, so that another rasteriser of the same font passes and another picture does not. The
// picture that failed is left beside the test program. ORTHROS_UPDATE_GOLDENS=1 writes the goldens anew: look
// at them before they are kept.
#include <QDir>
#include <QImage>
#include <QTest>
#include <cmath>

#include "tests/support/planted_curves.h"
#include "tests/support/planted_figures.h"
#include "tests/support/planted_needles.h"
#include "tests/support/planted_stage.h"
#include "tests/support/qt_test.h"
#include "tests/support/synthetic_pair.h"
#include "widgets/curve_plot.h"
#include "widgets/fact_strip.h"
#include "widgets/grid_map.h"
#include "widgets/head_atlas.h"
#include "widgets/mass_bar.h"
#include "widgets/needle_map.h"
#include "widgets/pair_view.h"
#include "widgets/query_bars.h"
#include "widgets/row_plot.h"
#include "widgets/share_timeline.h"
#include "widgets/stack_bars.h"
#include "widgets/token_chips.h"
#include "widgets/token_heat.h"

namespace orthros::widgets {
namespace {

constexpr int kBlock = 4;
constexpr double kMostDifferent = 0.02;  // share of blocks
constexpr int kVisible = 24;             // of 255, in one channel's block mean

QImage drawn(QWidget& view) {
  QImage image(view.size(), QImage::Format_RGB32);
  image.fill(color(Role::Surface));
  view.render(&image, {}, {}, QWidget::DrawChildren);
  return image;
}

// Share of blocks whose mean colour differs so that it is seen; 1 for another size.
double difference(const QImage& a, const QImage& b) {
  if (a.size() != b.size()) return 1;
  int blocks = 0;
  int different = 0;
  for (int y = 0; y + kBlock <= a.height(); y += kBlock) {
    for (int x = 0; x + kBlock <= a.width(); x += kBlock) {
      int sums[3] = {0, 0, 0};
      for (int i = 0; i < kBlock * kBlock; ++i) {
        const QRgb one = a.pixel(x + i % kBlock, y + i / kBlock);
        const QRgb two = b.pixel(x + i % kBlock, y + i / kBlock);
        sums[0] += qRed(one) - qRed(two);
        sums[1] += qGreen(one) - qGreen(two);
        sums[2] += qBlue(one) - qBlue(two);
      }
      ++blocks;
      for (const int sum : sums) {
        if (std::abs(sum) / (kBlock * kBlock) <= kVisible) continue;
        ++different;
        break;
      }
    }
  }
  return static_cast<double>(different) / std::max(1, blocks);
}

QStringList words() {
  QStringList all;
  for (int i = 0; i < 40; ++i) all.append(QStringLiteral("·w%1").arg(i));
  return all;
}

std::vector<float> row(int keys, int from, int peak) {
  std::vector<float> weights(static_cast<size_t>(keys), 0.0F);
  for (int key = from; key < keys; ++key)
    weights[static_cast<size_t>(key)] = 0.4F / static_cast<float>(keys - from);
  weights[static_cast<size_t>(peak)] += 0.6F;
  return weights;
}

// Four keys in the sink lane, in the narrowest view.
std::unique_ptr<QWidget> makeSinks(bool isPair, int plantedKey) {
  const WeightStyle lane{ScaleMode::Linear, false, true};
  if (!isPair) {
    auto view = std::make_unique<RowPlot>();
    view->resize(view->minimumSizeHint());
    view->setView(
        {row(40, 32, 35), row(40, 0, plantedKey), {2, 8}, words(), true, true, {0, 5, plantedKey, 38}, {}});
    view->setStyle(lane);
    return view;
  }
  auto view = std::make_unique<PairView>();
  view->resize(view->minimumSizeHint());
  test::SyntheticSpec spec;
  spec.keys = spec.rows = 40;
  spec.window = 8;
  spec.sinks = 2;
  spec.plantedKey = plantedKey;
  auto data = std::make_shared<PairData>(*test::syntheticPair(spec));
  data->tokens = words();
  auto facts = std::make_shared<PairFacts>(*data->facts);
  facts->lane = {{0, 0.4, 0.4}, {5, 0.4, 0.4}, {plantedKey, 0.4, 0.4}, {30, 0.4, 0.4}};
  data->facts = facts;
  view->setData(data);
  view->setPinned(38);
  view->setStyle(lane);
  return view;
}

std::unique_ptr<QWidget> makeView(const QString& name, int plantedKey) {
  const std::vector<float> base = row(40, 32, 35);
  const std::vector<float> output = row(40, 0, plantedKey);
  if (name == u"row" || name == u"row-lane") {
    auto view = std::make_unique<RowPlot>();
    view->resize(560, 320);
    view->setView({base, output, {2, 8}, words(), true, true, {0, plantedKey}, {}});
    if (name == u"row-lane") view->setStyle({ScaleMode::Linear, false, true});
    return view;
  }
  if (name == u"pair-binned") {  // 4,000 keys, sums of bins, every tenth row captured
    auto view = std::make_unique<PairView>();
    view->resize(560, 400);
    test::SyntheticSpec spec;
    spec.keys = 4000;
    spec.rows = 40;
    spec.window = 64;
    spec.plantedKey = 100 * plantedKey;
    view->setData(test::syntheticPair(spec));
    view->setStyle({ScaleMode::Lift, true, false});
    return view;
  }
  if (name == u"query") {
    auto view = std::make_unique<QueryBars>();
    view->resize(280, 260);
    std::vector<float> before, after;
    for (int i = 0; i < 32; ++i) {
      before.push_back(std::sin(0.7F * static_cast<float>(i)));
      after.push_back(i == plantedKey ? -1.5F : 0.8F * before.back() + 0.1F);
    }
    view->setLanes({{true, before, after}, {false, before, before}});
    view->setDimension(plantedKey);
    return view;
  }
  if (name == u"row-sinks" || name == u"pair-sinks") return makeSinks(name == u"pair-sinks", plantedKey);
  if (name == u"pair" || name == u"pair-zoomed" || name == u"pair-lane" || name == u"pair-regime") {
    auto view = std::make_unique<PairView>();
    view->resize(560, 400);
    test::SyntheticSpec spec;
    spec.keys = spec.rows = 40;
    spec.window = 8;
    spec.sinks = 2;
    spec.plantedKey = plantedKey;
    if (name == u"pair-regime") spec.outputFrom = 24;
    auto data = std::make_shared<PairData>(*test::syntheticPair(spec));
    data->tokens = words();
    view->setData(data);
    view->setPinned(30);
    if (name == u"pair-lane") {
      view->setStyle({ScaleMode::Linear, false, true});
      view->setMorePins({12, 20});
    }
    if (name == u"pair-zoomed") {
      view->showArea(QRectF(5, 20, 18, 18));
      view->setMarked(28, plantedKey);
    }
    return view;
  }
  if (name == u"atlas" || name == u"atlas-labels") {
    auto view = std::make_unique<HeadAtlas>();
    view->resize(280, 360);
    AtlasView data{12, 6, 2, {}, {}, QStringLiteral("planted"), AtlasOrder::ByIndex, {}, {}};
    for (int i = 0; i < 72; ++i) {
      data.base.push_back(static_cast<float>(i % 7) / 7);
      data.output.push_back(i == plantedKey ? 1.0F : static_cast<float>(i % 5) / 10);
    }
    data.base[3] = data.output[3] = std::nanf("");
    if (name == u"atlas-labels") {
      data.order = AtlasOrder::WithinLayer;
      for (int i = 0; i < 72; ++i) data.letters.append(QStringLiteral("FSPIB·").at(i % 6));
    }
    view->setView(data);
    view->select(4, 3);
    return view;
  }
  if (name == u"grid") {
    auto view = std::make_unique<GridMap>();
    view->resize(480, 220);
    GridData data{6,
                  40,
                  {},
                  Ramp::Output,
                  true,
                  QStringLiteral("planted"),
                  QStringLiteral("layer"),
                  QStringLiteral("key"),
                  {},
                  {}};
    for (int layer = 0; layer < 6; ++layer) {
      const std::vector<float> one = row(40, 0, (plantedKey + 5 * layer) % 40);
      data.values.insert(data.values.end(), one.begin(), one.end());
    }
    data.values[7] = std::nanf("");
    view->setData(data);
    view->setMarked(2, -1);
    return view;
  }
  if (name == u"timeline") {
    auto view = std::make_unique<ShareTimeline>();
    view->resize(480, 200);
    std::vector<SharePoint> points;
    for (int i = 0; i < 60; ++i) {
      const float beyond = i > plantedKey ? 0.5F : 0.1F;
      points.push_back({0.3F, 0.7F - beyond, beyond});
    }
    view->setPoints(points, QStringLiteral("planted"));
    view->setMarked(20);
    return view;
  }
  if (name == u"mass") {
    auto view = std::make_unique<MassBar>(true);
    view->resize(280, 34);
    RowMeasures measures;
    measures.sink = 0.2;
    measures.window = 0.01 * plantedKey;
    measures.beyond = 0.8 - measures.window;
    view->setMeasures(measures);
    return view;
  }
  if (name == u"needle" || name == u"needle-delta" || name == u"needle-reach") {
    auto view = std::make_unique<NeedleMap>();
    view->resize(420, 320);
    NeedleMapData data = test::plantedNeedles(5, 4);
    if (name == u"needle-delta") {
      data.isDifference = true;
      data.architecture.clear();
      for (size_t i = 0; i < data.cells.size(); ++i) data.cells[i].value = static_cast<double>(i % 9) / 4 - 1;
    }
    if (name == u"needle-reach") {
      data.window = 100;
      data.reach = 600;
      data.cells[4] = test::plantedNeedle(2, 3);  // too few to tell
      data.cells[5].cut = 1;
      view->setStyle({NeedleMeasure::Found, true, true, true});
    }
    data.cells[static_cast<size_t>(plantedKey) % 14] = test::plantedNeedle(0, 5);
    data.cells[14].state = NeedleCell::State::Running;
    data.cells[16] = data.cells[17] = data.cells[18] = data.cells[19] = NeedleCell{};
    data.cells[17].state = NeedleCell::State::OutOfMemory;
    data.cells[18].state = NeedleCell::State::Failed;
    data.cells[19].state = NeedleCell::State::Skipped;
    view->setData(data);
    view->setMarked({1, 2});
    return view;
  }
  if (name == u"curves" || name == u"curves-linear") {
    auto view = std::make_unique<CurvePlot>();
    view->resize(480, 320);
    CurvePlotData data = test::plantedCurves(7, name == u"curves");
    if (name != u"curves") data.y.holds = 0;
    data.curves[1].points[2].y *= plantedKey == 11 ? 1 : 6;
    view->setData(data);
    view->setMarked({1, 3});
    return view;
  }
  if (name == u"stack") {
    auto view = std::make_unique<StackBars>();
    view->resize(420, 220);
    view->setData(test::plantedBars(plantedKey));
    return view;
  }
  if (name == u"facts") {
    auto view = std::make_unique<FactStrip>();
    view->setRows(test::plantedFacts());
    view->resize(420, view->heightForWidth(420));
    return view;
  }
  if (name == u"stage" || name == u"stage-working") {
    auto view = std::make_unique<LessonStage>();
    view->resize(760, 520);
    view->showMoment(
        name == u"stage" ? test::plantedStage(plantedKey, StageData::Move::ReadOutput) : test::workingStage(),
        0);
    return view;
  }
  if (name == u"heat" || name == u"heat-predictions" || name == u"heat-regime") {
    auto view = std::make_unique<TokenHeat>();
    view->resize(420, 120);
    QList<QByteArray> pieces;
    for (int i = 0; i < 40; ++i) pieces.append(QByteArray(" w") + QByteArray::number(i));
    view->setPieces(pieces);
    view->setRows(base, output);
    if (name == u"heat-regime") view->setOutputFrom(24);
    if (name != u"heat") {
      std::vector<PredictedToken> next(40, {QStringLiteral("·w"), 0.25});
      view->setPredictions(next);
      view->showPredictions(true);
      view->setLane({0});
      view->setQueries({30, 8, 12});
    }
    return view;
  }
  auto view = std::make_unique<TokenChips>();
  view->resize(420, 200);
  for (int i = 0; i < 24; ++i) {
    TokenChip chip;
    chip.id = i;
    chip.bytes = QByteArray(" t") + QByteArray::number(i);
    chip.probability = i == plantedKey ? 0.05 : 0.9;
    view->addChip(chip);
  }
  view->setApart(std::vector<bool>{false, false, true, true});
  return view;
}

QString goldenPath(const QString& name, const char* theme) {
  return QStringLiteral(ORTHROS_FIXTURES) +
         QStringLiteral("/goldens/%1-%2.png").arg(name, QLatin1String(theme));
}

}  // namespace

class GoldenTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void views_data();
  void views();
  void anotherPictureIsNoticed();
};

void GoldenTest::views_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"row",         "row-lane",      "row-sinks",    "pair",
                           "pair-zoomed", "pair-lane",     "pair-sinks",   "query",
                           "pair-binned", "atlas",         "atlas-labels", "grid",
                           "timeline",    "mass",          "heat",         "heat-predictions",
                           "chips",       "needle",        "needle-delta", "needle-reach",
                           "curves",      "curves-linear", "stack",        "facts",
                           "stage",       "stage-working", "pair-regime",  "heat-regime"})
    QTest::newRow(name) << QString::fromLatin1(name);
}

void GoldenTest::views() {
  QFETCH(const QString, name);
  const bool update = qEnvironmentVariableIsSet("ORTHROS_UPDATE_GOLDENS");
  for (const auto& [theme, mode] :
       {std::pair{"light", ThemeMode::Light}, std::pair{"dark", ThemeMode::Dark}}) {
    ThemeHub::instance().apply(mode);
    const std::unique_ptr<QWidget> view = makeView(name, 11);
    const QImage now = drawn(*view);
    const QString path = goldenPath(name, theme);
    if (update) QVERIFY(now.save(path));
    const QImage golden = QImage(path).convertToFormat(QImage::Format_RGB32);
    const double share = difference(now, golden);
    if (share > kMostDifferent) {
      const QString left = QCoreApplication::applicationDirPath() +
                           QStringLiteral("/actual-%1-%2.png").arg(name, QLatin1String(theme));
      now.save(left);
      QFAIL(qPrintable(QStringLiteral("%1 %2: %3 of the picture differs; see %4")
                           .arg(name, QLatin1String(theme))
                           .arg(share)
                           .arg(left)));
    }
  }
  ThemeHub::instance().apply(ThemeMode::Light);
}

void GoldenTest::anotherPictureIsNoticed() {
  ThemeHub::instance().apply(ThemeMode::Dark);
  for (const char* name :
       {"row", "pair", "atlas", "grid", "timeline", "heat", "needle", "curves", "stack", "facts", "stage"}) {
    const QImage dark = drawn(*makeView(QString::fromLatin1(name), 11));
    QVERIFY2(difference(dark, QImage(goldenPath(QString::fromLatin1(name), "light"))
                                  .convertToFormat(QImage::Format_RGB32)) > kMostDifferent,
             name);
  }
  ThemeHub::instance().apply(ThemeMode::Light);
  for (const char* name : {"row", "timeline", "curves", "stack"}) {
    const QImage other = drawn(*makeView(QString::fromLatin1(name), 30));
    QVERIFY2(difference(other, QImage(goldenPath(QString::fromLatin1(name), "light"))
                                   .convertToFormat(QImage::Format_RGB32)) > 0.005,
             name);
  }
}

ORTHROS_QT_TEST(GoldenTest);

}  // namespace orthros::widgets

#include "golden_test.moc"
