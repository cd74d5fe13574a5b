// Measures of attention rows on planted weights, and the views' arithmetic.
#include <QSignalSpy>
#include <QTest>
#include <numeric>

#include "tests/support/qt_test.h"
#include "widgets/attention_measures.h"
#include "widgets/head_atlas.h"
#include "widgets/head_label.h"
#include "widgets/row_plot.h"

namespace orthros::widgets {

class AttentionTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void massIsSplitAtTheWindowEdge();
  void entropyKnowsItsEnds();
  void sinkInsideTheWindowIsWindow();
  void heaviestKeysAreInOrder();
  void fewestKeysReachTheShare();
  void plantedPeakSurvivesBinning();
  void atlasCellsDoNotOverlapAndKeysWalk();
  void plotFindsTheKeyUnderThePointer();
  void measuresOfTheSpecification();
  void labelsComeFromThresholds();
  void atlasSortsInLayersAndInAll();
  void oddAtlases();
};

void AttentionTest::massIsSplitAtTheWindowEdge() {
  std::vector<float> row(20, 0.0F);
  row[0] = 0.1F;
  row[15] = 0.2F;  // t - w with w = 4: beyond
  row[16] = 0.3F;  // t - w + 1: in the window
  row[19] = 0.4F;
  const RowMeasures measures = measureRow(row, {2, 4});
  QCOMPARE(measures.sink, static_cast<double>(0.1F));
  QCOMPARE(measures.beyond, static_cast<double>(0.2F));
  QVERIFY(std::abs(measures.window - 0.7) < 1e-6);
  QCOMPARE(measures.support, 4);
  QCOMPARE(measures.self, static_cast<double>(0.4F));
  QVERIFY(std::abs(measures.distance - (0.1 * 19 + 0.2 * 4 + 0.3 * 3) / 19) < 1e-6);
}

void AttentionTest::entropyKnowsItsEnds() {
  std::vector<float> one(8, 0.0F);
  one[3] = 1.0F;
  QCOMPARE(measureRow(one, {}).entropy, 0.0);
  const std::vector<float> uniform(8, 0.125F);
  QVERIFY(std::abs(measureRow(uniform, {}).entropy - 1) < 1e-9);
  QCOMPARE(measureRow({}, {}).support, 0);
}

void AttentionTest::sinkInsideTheWindowIsWindow() {
  const std::vector<float> row(4, 0.25F);
  const RowMeasures measures = measureRow(row, {2, 4});
  QCOMPARE(measures.sink, 0.0);
  QCOMPARE(measures.window, 1.0);
}

void AttentionTest::heaviestKeysAreInOrder() {
  const std::vector<float> row{0.1F, 0.0F, 0.6F, 0.3F};
  QCOMPARE(heaviestKeys(row, 10), (std::vector<qsizetype>{2, 3, 0}));
  QCOMPARE(heaviestKeys(row, 1), (std::vector<qsizetype>{2}));
}

void AttentionTest::fewestKeysReachTheShare() {
  const std::vector<float> row{0.1F, 0.0F, 0.5F, 0.25F, 0.15F};
  const KeySet set = keysReaching(row);
  QCOMPARE(set.keys, (std::vector<qsizetype>{2, 3}));  // 0.5 alone is too little, 0.75 enough
  QVERIFY(set.reached);
  QVERIFY(std::abs(set.mass - 0.75) < 1e-7);
  QCOMPARE(set.others, 2);  // the key of weight 0 is none
  QCOMPARE(keysReaching(row, 0.49).keys, (std::vector<qsizetype>{2}));
  // Of several rows added up it is a share of their sum.
  std::vector<float> three = row;
  for (float& weight : three) weight *= 3;
  QCOMPARE(keysReaching(three).keys, set.keys);
  QVERIFY(std::abs(keysReaching(three).mass - set.mass) < 1e-6);
  // Equal weights: the earlier keys, no more than there may be, and it says that they are too few.
  const std::vector<float> even(100, 0.01F);
  const KeySet most = keysReaching(even);
  QCOMPARE(std::ssize(most.keys), kMainKeys);
  QCOMPARE(most.keys.back(), kMainKeys - 1);
  QVERIFY(!most.reached);
  QVERIFY(std::abs(most.mass - 0.64) < 1e-6);
  QCOMPARE(most.others, 36);
  QVERIFY(keysReaching(std::vector<float>(5, 0.0F)).keys.empty());
  QVERIFY(keysReaching({}).keys.empty());
}

void AttentionTest::plantedPeakSurvivesBinning() {
  std::vector<float> row(131'072, 1e-6F);
  row[77'777] = 0.4F;
  for (const qsizetype bins : {1, 7, 640, 131'072}) {
    const std::vector<float> seen = maxBins(row, bins);
    QCOMPARE(seen[static_cast<size_t>(77'777 * bins / 131'072)], 0.4F);
  }
}

void AttentionTest::atlasCellsDoNotOverlapAndKeysWalk() {
  HeadAtlas atlas;
  atlas.resize(300, 500);
  AtlasView view;
  view.layers = 30;
  view.heads = 9;
  view.headsPerGroup = 3;
  view.base.assign(270, 0.5F);
  view.output.assign(270, 0.25F);
  atlas.setView(view);
  for (int head = 0; head + 1 < 9; ++head)
    QVERIFY(atlas.cellRect(0, head).right() < atlas.cellRect(0, head + 1).left());
  // Groups stand apart.
  QVERIFY(atlas.cellRect(0, 3).left() - atlas.cellRect(0, 2).right() >
          atlas.cellRect(0, 2).left() - atlas.cellRect(0, 1).right() + 2);
  QVERIFY(atlas.cellRect(29, 8).right() <= 300 && atlas.cellRect(29, 8).bottom() <= 500);
  QSignalSpy spy(&atlas, &HeadAtlas::selected);
  QTest::mouseClick(&atlas, Qt::LeftButton, {}, atlas.cellRect(4, 7).center().toPoint());
  QCOMPARE(atlas.layer(), 4);
  QCOMPARE(atlas.head(), 7);
  QTest::keyClick(&atlas, Qt::Key_Right);
  QTest::keyClick(&atlas, Qt::Key_Right);  // the last head stays the last
  QTest::keyClick(&atlas, Qt::Key_Up);
  QCOMPARE(atlas.layer(), 3);
  QCOMPARE(atlas.head(), 8);
  QCOMPARE(spy.size(), 4);
}

void AttentionTest::plotFindsTheKeyUnderThePointer() {
  RowPlot plot;
  plot.resize(600, 300);
  RowView view;
  view.base.assign(100, 0.01F);
  plot.setView(view);
  QCOMPARE(plot.keyAt(0), -1);
  QCOMPARE(plot.keyAt(52.5), 0);
  QCOMPARE(plot.keyAt(587), 99);
  QCOMPARE(plot.heightOf(1), 1.0);
  QCOMPARE(plot.heightOf(0), 0.0);
  QVERIFY(plot.heightOf(1e-9) > 0);  // not zero is not nothing
  QVERIFY(plot.heightOf(0.25) > plot.heightOf(0.125));
}

void AttentionTest::measuresOfTheSpecification() {
  std::vector<float> row(20, 0.0F);
  row[2] = 0.3F;
  row[10] = 0.2F;  // offset 9: the edge of a window of 10
  row[11] = 0.1F;
  row[17] = 0.1F;  // offset 2: the edge's near end (w - 8)
  row[18] = 0.1F;  // offset 1: not the edge
  row[19] = 0.2F;
  const RowMeasures measures = measureRow(row, {0, 10});
  QVERIFY(std::abs(measures.edge - 0.4) < 1e-6);
  QCOMPARE(measures.top, static_cast<double>(0.3F));
  // Token 7 came before, at 1 and 9: what followed it is at 2 and 10.
  std::vector<std::int64_t> ids(20);
  std::iota(ids.begin(), ids.end(), 100);
  ids[1] = ids[9] = ids[19] = 7;
  QVERIFY(std::abs(inductionMass(row, ids) - 0.5) < 1e-6);
  ids[19] = 8;
  QCOMPARE(inductionMass(row, ids), 0.0);
  // Jensen-Shannon: alike 0, apart 1, what lies outside the window does not count.
  std::vector<float> other = row;
  other[2] = 0.1F;
  QVERIFY(jensenShannon(row, other, 10) < 1e-6);
  QVERIFY(jensenShannon(row, other, 0) > 0.1);
  QVERIFY(std::abs(jensenShannon(std::vector<float>{1, 0}, std::vector<float>{0, 1}, 2) - 1) < 1e-9);
  QVERIFY(std::isnan(jensenShannon(row, {}, 10)));
}

void AttentionTest::labelsComeFromThresholds() {
  using Kind = HeadLabel::Kind;
  RowMeasures row;
  QCOMPARE(labelOf(row).kind, Kind::None);
  row.previous = 0.29;
  QCOMPARE(labelOf(row).kind, Kind::None);
  row.previous = 0.3;
  QCOMPARE(labelOf(row).kind, Kind::Previous);
  row.first = 0.7;  // 1.4 times its threshold
  QCOMPARE(labelOf(row).kind, Kind::First);
  QCOMPARE(labelOf(row).score, 0.7);
  for (const Kind kind :
       {Kind::First, Kind::Self, Kind::Previous, Kind::Induction, Kind::Beyond, Kind::Uniform}) {
    QVERIFY(labelRules().contains(labelName(kind)));
    QVERIFY(labelRules().contains(QString::number(labelThreshold(kind))));
  }
  std::vector<HeadLabel> labels(10, HeadLabel{Kind::Self, 0.5});
  QCOMPARE(tooCommon(labels), Kind::Self);
  for (size_t i = 0; i < 4; ++i) labels[i].kind = Kind::None;
  QCOMPARE(tooCommon(labels), Kind::None);  // 60 % is not over 60 %
}

void AttentionTest::atlasSortsInLayersAndInAll() {
  HeadAtlas atlas;
  atlas.resize(300, 300);
  AtlasView view;
  view.layers = 3;
  view.heads = 4;
  view.base = {1, 2, 4, 3, 9, 8, 7, 6, 0, 5, std::nanf(""), 10};
  view.order = AtlasOrder::WithinLayer;
  atlas.setView(view);
  QVERIFY(atlas.cellRect(0, 2).left() < atlas.cellRect(0, 3).left());
  QVERIFY(atlas.cellRect(0, 3).left() < atlas.cellRect(0, 1).left());
  QCOMPARE(atlas.cellRect(0, 0).top(), atlas.cellRect(0, 2).top());
  QVERIFY(atlas.cellRect(2, 2).left() > atlas.cellRect(2, 0).left());  // not captured comes last
  atlas.select(0, 2);
  QTest::keyClick(&atlas, Qt::Key_Right);
  QCOMPARE(atlas.head(), 3);  // the next in the grid that is shown
  view.order = AtlasOrder::Global;
  atlas.setView(view);
  const QRectF strongest = atlas.cellRect(2, 3);
  for (int head = 0; head < 4; ++head) QVERIFY(atlas.cellRect(1, head).top() >= strongest.top());
  QTest::mouseClick(&atlas, Qt::LeftButton, {}, strongest.center().toPoint());
  QCOMPARE(atlas.layer(), 2);
  QCOMPARE(atlas.head(), 3);
  QCOMPARE(atlas.rank(), 1);
}

// 32 query heads on 8 key-value heads, one head, one layer.
void AttentionTest::oddAtlases() {
  HeadAtlas atlas;
  atlas.resize(300, 200);
  for (const auto& [layers, heads, group] :
       {std::tuple{2, 32, 4}, std::tuple{1, 1, 1}, std::tuple{5, 3, 3}}) {
    AtlasView view;
    view.layers = layers;
    view.heads = heads;
    view.headsPerGroup = group;
    view.base.assign(static_cast<size_t>(layers * heads), 0.5F);
    atlas.setView(view);
    atlas.select(layers - 1, heads - 1);
    QVERIFY(atlas.accessibleDescription().contains(QStringLiteral("KV head %1").arg((heads - 1) / group)));
    QVERIFY(atlas.cellRect(layers - 1, heads - 1).right() <= 300);
    atlas.grab();
  }
}

ORTHROS_QT_TEST(AttentionTest);

}  // namespace orthros::widgets

#include "attention_test.moc"
