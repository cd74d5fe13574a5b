// The query's picture answers with the engine's floats, to the pointer, the keyboard and the clipboard, and
// tells before from after without a hue.
#include "widgets/query_bars.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "tests/support/qt_test.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

std::vector<float> wave(int count, float high, float phase) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(high * std::sin(0.7F * static_cast<float>(i) + phase));
  return values;
}

QImage greyOf(QueryBars& bars) {
  return bars.grab().toImage().convertToFormat(QImage::Format_Grayscale8);
}

}  // namespace

class QueryBarsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void lengthsAndCosine();
  void everyDimensionAnswersWithItsFloats();
  void theKeyboardWalksAndCopies();
  void beforeAndAfterDifferWithoutHue();
};

void QueryBarsTest::lengthsAndCosine() {
  const std::vector<float> a{3, 0, 4}, b{0, 2, 0}, c{-6, 0, -8};
  QCOMPARE(queryFacts(a, b).before, 5.0);
  QCOMPARE(queryFacts(a, b).after, 2.0);
  QCOMPARE(queryFacts(a, b).cosine, 0.0);
  QCOMPARE(queryFacts(a, c).cosine, -1.0);
  QVERIFY(std::isnan(queryFacts(a, std::vector<float>(3, 0.0F)).cosine));
}

void QueryBarsTest::everyDimensionAnswersWithItsFloats() {
  for (const int count : {1, 16, 64, 128, 256}) {
    QueryBars bars;
    bars.resize(280, 260);
    const QueryLane lane{true, wave(count, 1.5F, 0), wave(count, -2.25F, 1)};
    bars.setLanes({lane, {false, wave(count, 0.5F, 0), wave(count, 0.25F, 0)}});
    double most = 0;
    for (const float value : lane.before) most = std::max(most, std::abs(static_cast<double>(value)));
    for (const float value : lane.after) most = std::max(most, std::abs(static_cast<double>(value)));
    QCOMPARE(bars.limit(), most);
    std::vector<bool> found(static_cast<size_t>(count));
    for (double x = 0; x < 280; x += 0.25) {
      const qsizetype at = bars.dimensionAt(x);
      if (at >= 0) found[static_cast<size_t>(at)] = true;
    }
    for (int i = 0; i < count; ++i) {
      QVERIFY2(found[static_cast<size_t>(i)], qPrintable(QString::number(i)));
      bars.setDimension(i);
      const QStringList parts = bars.readout(0).section(u':', 1).split(QStringLiteral("→"));
      QCOMPARE(parts[0].trimmed().toFloat(), lane.before[static_cast<size_t>(i)]);
      QCOMPARE(parts[1].trimmed().toFloat(), lane.after[static_cast<size_t>(i)]);
    }
  }
}

void QueryBarsTest::theKeyboardWalksAndCopies() {
  QueryBars bars;
  bars.resize(280, 260);
  const std::vector<float> before = wave(32, 1, 0), after = wave(32, 2, 0.3F);
  bars.setLanes({{true, before, after}, {false, after, before}});
  QVERIFY(!bars.accessibleName().isEmpty());
  QVERIFY(bars.accessibleDescription().contains(QStringLiteral("x′: |q|")));
  QTest::keyClick(&bars, Qt::Key_Right);
  QCOMPARE(bars.dimension(), 0);
  QTest::keyClick(&bars, Qt::Key_Right, Qt::ShiftModifier);
  QCOMPARE(bars.dimension(), 10);
  QTest::keyClick(&bars, Qt::Key_Left);
  QCOMPARE(bars.dimension(), 9);
  QVERIFY(bars.accessibleDescription().contains(bars.readout(1)));
  QTest::keyClick(&bars, Qt::Key_C, Qt::ControlModifier);
  const QStringList lines = QGuiApplication::clipboard()->text().trimmed().split(u'\n');
  QCOMPARE(lines.size(), 1 + 2 * 32);
  for (int i = 0; i < 32; ++i) {
    const QStringList output = lines[1 + i].split(u'\t'), base = lines[33 + i].split(u'\t');
    QCOMPARE(output[0], QStringLiteral("output"));
    QCOMPARE(base[0], QStringLiteral("base"));
    QCOMPARE(output[1].toInt(), i);
    QCOMPARE(output[2].toFloat(), before[static_cast<size_t>(i)]);
    QCOMPARE(output[3].toFloat(), after[static_cast<size_t>(i)]);
    QCOMPARE(base[2].toFloat(), after[static_cast<size_t>(i)]);
  }
  bars.setLanes({});  // another head without any: nothing is chosen any more
  QCOMPARE(bars.dimension(), -1);
  bars.grab();
}

void QueryBarsTest::beforeAndAfterDifferWithoutHue() {
  for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
    ThemeHub::instance().apply(mode);
    QueryBars bars;
    bars.resize(280, 260);
    const std::vector<float> one = wave(32, 1, 0), two = wave(32, 1, 1);
    bars.setLanes({{false, one, two}});
    const QImage right = greyOf(bars);
    bars.setLanes({{false, two, one}});  // the same lengths and cosine
    int different = 0;
    const QImage swapped = greyOf(bars);
    for (int y = 0; y < right.height(); ++y) {
      for (int x = 0; x < right.width(); ++x)
        different += std::abs(qGray(right.pixel(x, y)) - qGray(swapped.pixel(x, y))) > 40 ? 1 : 0;
    }
    QVERIFY2(different > 300, qPrintable(QString::number(different)));
  }
  ThemeHub::instance().apply(ThemeMode::Light);
}

ORTHROS_QT_TEST(QueryBarsTest);

}  // namespace orthros::widgets

#include "query_bars_test.moc"
