// The strip marks the keys that hold 70 % of a row with a corner that needs no hue.
#include "widgets/token_heat.h"

#include <QTest>

#include "tests/support/qt_test.h"
#include "widgets/theme.h"

namespace orthros::widgets {

class TokenHeatTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void theMainKeysOfTheOutputStreamHaveACorner();
  void aFrameOfSeveralTokensCountsThem();
  void theCornerIsSeen();
};

namespace {

QList<QByteArray> pieces(int count) {
  QList<QByteArray> all;
  for (int i = 0; i < count; ++i) all.append(" w" + QByteArray::number(i));
  return all;
}

}  // namespace

void TokenHeatTest::theMainKeysOfTheOutputStreamHaveACorner() {
  TokenHeat heat;
  heat.resize(600, 100);
  heat.setPieces(pieces(6));
  QVERIFY(heat.mainKeys().empty());
  const std::vector<float> output{0.05F, 0.3F, 0.05F, 0.45F, 0.05F, 0.1F};
  const std::vector<float> base{0, 0, 0, 0.1F, 0, 0.9F};
  heat.setRows(base, output);
  QCOMPARE(heat.mainKeys(), (std::vector<qsizetype>{1, 3}));
  QVERIFY2(heat.tipOf(1).contains(QStringLiteral("corner: 1 of the 2 heaviest keys, which hold 75.00 %")),
           qPrintable(heat.tipOf(1)));
  QVERIFY(!heat.tipOf(5).contains(QStringLiteral("corner")));
  heat.setRows(base, {});  // one stream: its own
  QCOMPARE(heat.mainKeys(), (std::vector<qsizetype>{5}));
  heat.setPieces(pieces(6));
  QVERIFY(heat.mainKeys().empty());
}

void TokenHeatTest::aFrameOfSeveralTokensCountsThem() {
  TokenHeat heat;
  heat.resize(600, 100);
  heat.setPieces({" a", "b", "c", " d", "e", " f"});
  heat.setGranularity(Granularity::Word);
  heat.setRows({}, {0.3F, 0.0F, 0.3F, 0.2F, 0.1F, 0.1F});
  QCOMPARE(heat.mainKeys(), (std::vector<qsizetype>{0, 2, 3}));
  QVERIFY2(heat.tipOf(0).contains(QStringLiteral("corner: 2 of the 3")), qPrintable(heat.tipOf(0)));
  QVERIFY(heat.tipOf(1).contains(QStringLiteral("corner: 1 of the 3")));
  QVERIFY(!heat.tipOf(2).contains(QStringLiteral("corner")));
}

// The same weights but for a hair: one key is the first of the set, another is not in it.
void TokenHeatTest::theCornerIsSeen() {
  for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
    ThemeHub::instance().apply(mode);
    const auto cornerOf = [](const std::vector<float>& output) {
      TokenHeat heat;
      heat.resize(600, 100);
      heat.setPieces(pieces(3));
      heat.setQueries({2});
      heat.setRows({}, output);
      const QRectF box = heat.boxOf(0);
      QImage image(heat.size(), QImage::Format_RGB32);
      image.fill(color(Role::Surface));
      heat.render(&image, {}, {}, QWidget::DrawChildren);
      return qGray(image.pixel(qRound(box.right()) - 2, qRound(box.top()) + 1));
    };
    const int in = cornerOf({0.3F, 0.05F, 0.65F});
    const int out = cornerOf({0.24F, 0.04F, 0.72F});
    QVERIFY2(std::abs(in - out) > 60, qPrintable(QStringLiteral("%1 %2").arg(in).arg(out)));
  }
  ThemeHub::instance().apply(ThemeMode::Light);
}

ORTHROS_QT_TEST(TokenHeatTest);

}  // namespace orthros::widgets

#include "token_heat_test.moc"
