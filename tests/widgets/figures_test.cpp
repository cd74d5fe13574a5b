// Stacked bars and facts on planted data: lengths are times, a case without one says why, facts flow.
#include <QImage>
#include <QTest>

#include "tests/support/planted_figures.h"
#include "tests/support/qt_test.h"
#include "widgets/theme.h"

namespace orthros::widgets {

class FiguresTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void barsAreAsLongAsTheirTimes();
  void barsSayWhatTheyAre();
  void barsFitWhereThereIsLittleRoom();
  void factsFlow();
  void factsAreReadAloud();
};

void FiguresTest::barsAreAsLongAsTheirTimes() {
  StackBars bars;
  bars.resize(500, 240);
  bars.setData(test::plantedBars(8));
  const double second = bars.barRect(0).width() / 4;  // 2 + 2 s
  QVERIFY(second > 10);
  QCOMPARE(bars.barRect(1).width(), 3.5 * second);
  QCOMPARE(bars.barRect(3).width(), 10 * second);
  QCOMPARE(bars.barRect(2).width(), 0.0);
  QVERIFY(bars.barRect(3).right() < 500);
  // The first part ends where its time does: solid up to there, light beyond.
  const QImage image = bars.grab().toImage();
  const QRectF bar = bars.barRect(3);
  const auto at = [&](double share) {
    return image.pixelColor(QPointF(bar.left() + share * bar.width(), bar.bottom() - 2).toPoint());
  };
  QCOMPARE(at(0.78), theme().architecture(QStringLiteral("orthros")));
  QVERIFY(at(0.82) != at(0.78));
}

void FiguresTest::barsSayWhatTheyAre() {
  StackBars bars;
  bars.setData(test::plantedBars(8));
  QCOMPARE(bars.readout(3),
           QStringLiteral("4K in · Orthros · 10.00 s · to the first token 8.000 s (80.00 %) · "
                          "the others 2.000 s"));
  QCOMPARE(bars.readout(2), QStringLiteral("4K in · Transformer · out of memory"));
  QVERIFY(bars.accessibleDescription().contains(QStringLiteral("out of memory")));
}

void FiguresTest::barsFitWhereThereIsLittleRoom() {
  StackBarsData many = test::plantedBars(8);
  for (int i = 0; i < 12; ++i) many.bars.push_back({QString::number(i), QStringLiteral("x"), {}, 1, 1, {}});
  StackBars bars;
  bars.setData(many);
  bars.resize(bars.minimumSizeHint());
  bars.grab();
  QVERIFY(bars.barRect(15).bottom() <= bars.height());
  bars.resize(5, 5);  // no room at all: nothing breaks
  bars.grab();
  bars.setData({});
  bars.grab();
}

void FiguresTest::factsFlow() {
  FactStrip strip;
  strip.setRows(test::plantedFacts());
  const int wide = strip.heightForWidth(1200);
  QVERIFY(strip.heightForWidth(260) > wide);  // more lines where it is narrow
  strip.resize(260, strip.heightForWidth(260));
  strip.grab();
  strip.setRows({});
  QCOMPARE(strip.heightForWidth(300), 0);
}

void FiguresTest::factsAreReadAloud() {
  FactStrip strip;
  strip.setRows(test::plantedFacts());
  for (const char* part :
       {"Orthros w=128: faster than Transformer from 1 024 tokens", "SWA w=128", "not equal"})
    QVERIFY2(strip.accessibleDescription().contains(QString::fromUtf8(part)),
             qPrintable(strip.accessibleDescription()));
}

ORTHROS_QT_TEST(FiguresTest);

}  // namespace orthros::widgets

#include "figures_test.moc"
