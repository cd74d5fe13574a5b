// Measures of attention rows on planted weights, and the views' arithmetic.
#include <QSignalSpy>
#include <QTest>
#include <numeric>

#include "tests/support/qt_test.h"
#include "widgets/attention_measures.h"
#include "widgets/head_atlas.h"
#include "widgets/row_plot.h"

namespace orthros::widgets {

class AttentionTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void massIsSplitAtTheWindowEdge();
  void entropyKnowsItsEnds();
  void sinkInsideTheWindowIsWindow();
  void heaviestKeysAreInOrder();
  void plantedPeakSurvivesBinning();
  void atlasCellsDoNotOverlapAndKeysWalk();
  void plotFindsTheKeyUnderThePointer();
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

ORTHROS_QT_TEST(AttentionTest);

}  // namespace orthros::widgets

#include "attention_test.moc"
