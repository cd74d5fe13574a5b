// Numbers and token bytes as text.
#include "widgets/format.h"

#include <QTest>

#include "tests/support/qt_test.h"
#include "widgets/token_text.h"

namespace orthros::widgets {

class FormatTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void smallNumbersStay();
  void units();
  void tokens_data();
  void tokens();
  void differentBytesLookDifferent();
};

void FormatTest::smallNumbersStay() {
  QCOMPARE(formatNumber(0.004), QStringLiteral("0.004000"));
  QCOMPARE(formatNumber(0.98765), QStringLiteral("0.9877"));
  QCOMPARE(formatNumber(12345.6), QStringLiteral("12346"));
  QCOMPARE(formatNumber(0), QStringLiteral("0"));
  QVERIFY(formatNumber(1e-9).contains(u'e'));
  QCOMPARE(formatNumber(std::nan("")), QStringLiteral("–"));
}

void FormatTest::units() {
  QCOMPARE(formatBytes(999), QStringLiteral("999 B"));
  QCOMPARE(formatBytes(98'000'000), QStringLiteral("98.00 MB"));
  QCOMPARE(formatBytes(16'060'000'000), QStringLiteral("16.06 GB"));
  QCOMPARE(formatShort(134'515'008), QStringLiteral("134.5 M"));
  QCOMPARE(formatCount(49152).remove(QChar(0x202f)), QStringLiteral("49152"));
  QCOMPARE(formatCount(49152).size(), 6);
  QCOMPARE(formatCount(-123).size(), 4);
  QCOMPARE(formatSeconds(2.2), QStringLiteral("3 s"));
  QCOMPARE(formatSeconds(125), QStringLiteral("2 min 05 s"));
  QCOMPARE(formatMilliseconds(1234), QStringLiteral("1.234 s"));
}

void FormatTest::tokens_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("seen");
  QTest::newRow("leading space") << QByteArray(" the") << QStringLiteral("·the");
  QTest::newRow("new line") << QByteArray("\n\n") << QStringLiteral("⏎⏎");
  QTest::newRow("tab") << QByteArray("\t") << QStringLiteral("⇥");
  QTest::newRow("nothing") << QByteArray() << QStringLiteral("∅");
  QTest::newRow("chinese") << QByteArray("光") << QStringLiteral("光");
  QTest::newRow("half a character") << QByteArray("光").first(2) << QStringLiteral("‹e5 85›");
  QTest::newRow("end of one, then text") << QByteArray("\x85 a") << QStringLiteral("‹85›·a");
  QTest::newRow("markup") << QByteArray("<b>\"&") << QStringLiteral("<b>\"&");
  QTest::newRow("emoji") << QByteArray("😀") << QStringLiteral("😀");
  QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QStringLiteral("‹ed a0 80›");
}

void FormatTest::tokens() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, seen);
  QCOMPARE(visibleToken(bytes), seen);
}

void FormatTest::differentBytesLookDifferent() {
  QSet<QString> seen;
  for (int byte = 0; byte < 256; ++byte) seen.insert(visibleToken(QByteArray(1, static_cast<char>(byte))));
  QCOMPARE(seen.size(), 256);
}

ORTHROS_QT_TEST(FormatTest);

}  // namespace orthros::widgets

#include "format_test.moc"
