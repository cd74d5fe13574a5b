// The sink lane: which keys it holds, that it changes colours and no number, and that its banner is whole in
// every view.
#include <QTest>

#include "tests/support/qt_test.h"
#include "tests/support/synthetic_pair.h"
#include "widgets/format.h"
#include "widgets/pair_view.h"
#include "widgets/row_plot.h"

namespace orthros::widgets {
namespace {

// Every row of one head: uniform but for a sink of 0.5 on key 0 and a peak on key 5.
std::shared_ptr<const PairData> sunk() {
  auto data = std::make_shared<PairData>();
  constexpr qint64 kKeys = 32;
  auto cells = std::make_shared<std::vector<float>>(kKeys * kKeys, 0.0F);
  data->keys = kKeys;
  for (qint64 t = 0; t < kKeys; ++t) {
    data->positions.push_back(t);
    float* row = cells->data() + t * kKeys;
    for (qint64 key = 0; key <= t; ++key) row[key] = 0.4F / static_cast<float>(t + 1);
    row[0] += 0.5F;
    row[std::min<qint64>(t, 5)] += 0.1F;
  }
  const std::span<const float> view(*cells);
  data->base = {cells, view, kKeys, kKeys};
  data->facts = factsOf(*data);
  return data;
}

}  // namespace

class SinkLaneTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void isKeyZeroAndHeavyKeys();
  void changesColoursAndNoNumber();
  void bannerFitsEveryView();
};

void SinkLaneTest::isKeyZeroAndHeavyKeys() {
  const auto data = sunk();
  QCOMPARE(data->facts->lane.size(), size_t{1});  // key 5 has 0.1 + 0.4 / t, less than 0.30 in the mean
  QCOMPARE(data->facts->lane.front().key, 0);
  test::SyntheticSpec spec = test::smallSpec();
  spec.plantedKey = 1;
  const auto heavy = test::syntheticPair(spec);
  QVERIFY(heavy->facts->isLane(0) && heavy->facts->isLane(1));
  QVERIFY(!heavy->facts->isLane(2));
  PairData difference = *heavy;
  difference.isDifference = true;
  QVERIFY(factsOf(difference)->lane.empty());
}

// Check 8: only colours and banner differ.
void SinkLaneTest::changesColoursAndNoNumber() {
  const auto data = sunk();
  PairView view;
  view.resize(700, 500);
  view.setData(data);
  view.setPinned(31);
  view.setStyle({ScaleMode::Linear, false, false});
  QVERIFY(view.laneBanner().isEmpty());
  QStringList before;
  for (qint64 key = 0; key < 32; ++key) before.append(view.readout(31, key));
  const WeightScale off = view.scale(false);
  const QImage plain = view.grab().toImage();
  view.setStyle({ScaleMode::Linear, false, true});
  for (qint64 key = 0; key < 32; ++key) QCOMPARE(view.readout(31, key), before[key]);
  QVERIFY2(view.laneBanner().contains(formatNumber(static_cast<double>(data->base.at(31, 0)))),
           qPrintable(view.laneBanner()));
  QVERIFY(view.scale(false).most < off.most);  // the range is that of the other keys
  QCOMPARE(view.scale(false).highEnd(), formatNumber(view.scale(false).most));
  QVERIFY(view.grab().toImage() != plain);
  RowPlot plot;
  plot.resize(600, 300);
  RowView row;
  row.base.assign(20, 0.01F);
  row.base[0] = 0.8F;
  row.lane = {0};
  plot.setView(row);
  const QString text = plot.readout(0);
  plot.setStyle({ScaleMode::Linear, false, true});
  QCOMPARE(plot.readout(0), text);
  QCOMPARE(plot.heightOf(0.01F, false), 1.0);
  QCOMPARE(plot.heightOf(0.8, false), 1.0);  // beyond the range: at its end
}

// Several sinks, one of them a long token: every key and number is there, in lines that fit.
void SinkLaneTest::bannerFitsEveryView() {
  auto data = std::make_shared<PairData>(*sunk());
  auto facts = std::make_shared<PairFacts>(*data->facts);
  facts->lane = {{0, 0.4, 0.4}, {5, 0.4, 0.4}, {11, 0.4, 0.4}, {20, 0.4, 0.4}};
  data->facts = facts;
  for (qint64 key = 0; key < data->keys; ++key) data->tokens.append(QStringLiteral("·t%1").arg(key));
  data->tokens[11] = QString(200, u'W');
  PairView view;
  view.setData(data);
  view.setPinned(31);
  view.setStyle({ScaleMode::Linear, false, true});
  QFont caption = view.font();
  caption.setPixelSize(11);
  const QFontMetrics metrics(caption);
  qsizetype last = 100;
  for (const int wide : {view.minimumSizeHint().width(), 500, 700, 4000}) {
    view.resize(wide, 400);
    const QStringList lines = view.bannerLines();
    for (const QString& line : lines)
      QVERIFY2(metrics.horizontalAdvance(line) <= view.pane(false).width(), qPrintable(line));
    const QString all = lines.join(u' ');
    for (const LaneKey& one : facts->lane) {
      QVERIFY2(all.contains(QStringLiteral("key %1 ").arg(one.key)), qPrintable(all));
      QVERIFY2(all.contains(formatNumber(static_cast<double>(data->base.at(31, one.key)))), qPrintable(all));
    }
    QVERIFY(lines.size() <= last);
    // The panes make room for it.
    const double high = view.pane(false).height();
    view.setStyle({ScaleMode::Linear, false, false});
    QCOMPARE(view.pane(false).height() - high, 16.0 * static_cast<double>(lines.size()) + 6);
    view.setStyle({ScaleMode::Linear, false, true});
    last = lines.size();
  }
  QCOMPARE(last, 1);
  QVERIFY(view.bannerLines().front().contains(data->tokens[11]));
  view.setPinned(4);  // the keys after it are not spoken of
  QVERIFY(!view.bannerLines().join(u' ').contains(QStringLiteral("key 5")));
  view.setStyle({ScaleMode::Linear, false, false});
  QVERIFY(view.bannerLines().isEmpty());
}

ORTHROS_QT_TEST(SinkLaneTest);

}  // namespace orthros::widgets

#include "sink_lane_test.moc"
