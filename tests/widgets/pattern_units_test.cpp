// Frames by a regular expression: matches are whole, tokens are never split, Unicode counts, mistakes are
// told with their place, and no pattern takes longer than its budget.
#include "widgets/pattern_units.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/qt_test.h"
#include "widgets/token_heat.h"

namespace orthros::widgets {
namespace {

QList<QByteArray> text() {
  return {"The",  " cat",    " sat", " 12",       "3",    " km", ",",
          " die", " Straße", " ist", " \xe4\xbd", "\xa0", "好",  " 4"};
}

QStringList matchesOf(const QList<QByteArray>& pieces, const QString& pattern) {
  const PatternUnits made = patternUnits(pieces, pattern);
  QStringList texts;
  for (const TokenUnit& unit : made.units) {
    if (unit.isMatch) texts.append(unit.text);
  }
  return texts;
}

}  // namespace

class PatternUnitsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aMatchIsOneFrame();
  void everyTokenIsInOneFrame();
  void aTokenBelongsWhereItBegins();
  void everyScriptCounts();
  void mistakesHaveTheirPlace();
  void noPatternHangs();
  void aBadPatternLeavesTheLastGoodFrames();
  void weightsOfAMatchAddUp();
};

void PatternUnitsTest::aMatchIsOneFrame() {
  QCOMPARE(matchesOf(text(), QStringLiteral("\\d+")),
           (QStringList{QStringLiteral("·123"), QStringLiteral("·4")}));
  QCOMPARE(matchesOf(text(), QStringLiteral("cat sat")), (QStringList{QStringLiteral("·cat·sat")}));
  // Two matches side by side are two frames.
  QCOMPARE(matchesOf({"a", "b", "a", "b"}, QStringLiteral("ab")),
           (QStringList{QStringLiteral("ab"), QStringLiteral("ab")}));
  QCOMPARE(matchesOf(text(), QStringLiteral("dog")), QStringList());
  QCOMPARE(matchesOf(text(), QStringLiteral("x*")), QStringList());  // matches nothing, everywhere
  QCOMPARE(matchesOf({"a", "\n", "b", "\n", "a"}, QStringLiteral("^a$")),
           (QStringList{QStringLiteral("a"), QStringLiteral("a")}));
}

void PatternUnitsTest::everyTokenIsInOneFrame() {
  for (const char* pattern : {"", "\\w+", ".", "[\\s\\S]*", "(?=a)", "\\b", "sat|ist", " "}) {
    for (const QList<QByteArray>& pieces :
         {text(), QList<QByteArray>{}, {""}, {"\xff", "a", "\xfe"}, {"", "a", "", " "}}) {
      const PatternUnits made = patternUnits(pieces, QString::fromLatin1(pattern));
      QVERIFY2(made.problem.isEmpty(), qPrintable(made.problem));
      qsizetype next = 0;
      qsizetype matches = 0;
      for (const TokenUnit& unit : made.units) {
        QCOMPARE(unit.begin, next);
        QVERIFY(unit.end > unit.begin);
        next = unit.end;
        matches += unit.isMatch ? 1 : 0;
      }
      QCOMPARE(next, pieces.size());
      QCOMPARE(made.matches, matches);
    }
  }
}

void PatternUnitsTest::aTokenBelongsWhereItBegins() {
  // "foobar" begins before the match of "bar", "bar" in it; "baz" begins in the match that ends inside it.
  QCOMPARE(matchesOf({"foobar", "bar"}, QStringLiteral("bar")), (QStringList{QStringLiteral("bar")}));
  QCOMPARE(matchesOf({"a", "baz"}, QStringLiteral("ab")), (QStringList{QStringLiteral("abaz")}));
  QCOMPARE(matchesOf({"foobar"}, QStringLiteral("oba")), QStringList());
  // The space before a word is not where its token begins; of white space alone it is.
  QCOMPARE(matchesOf({"a", "  b", "c"}, QStringLiteral("b")), (QStringList{QStringLiteral("··b")}));
  QCOMPARE(matchesOf({"a", "\n\n", "c"}, QStringLiteral("\\n+")), (QStringList{QStringLiteral("⏎⏎")}));
}

void PatternUnitsTest::everyScriptCounts() {
  QCOMPARE(matchesOf(text(), QStringLiteral("\\bStra\\w+")), (QStringList{QStringLiteral("·Straße")}));
  QCOMPARE(matchesOf(text(), QStringLiteral("\\p{Han}+")), (QStringList{QStringLiteral("·你好")}));
  QCOMPARE(matchesOf({"a", "😀", "😀", "b"}, QStringLiteral("😀+")), (QStringList{QStringLiteral("😀😀")}));
  QCOMPARE(matchesOf({"😀", "b"}, QStringLiteral("b")), (QStringList{QStringLiteral("b")}));
}

void PatternUnitsTest::mistakesHaveTheirPlace() {
  const struct {
    const char* pattern;
    qsizetype at;
  } bad[] = {{"(abc", 4}, {"a[b", 3}, {"x{2,1}", 5}, {"\\p{Nothing}", 11}};
  for (const auto& one : bad) {
    const PatternUnits made = patternUnits(text(), QString::fromLatin1(one.pattern));
    QVERIFY2(!made.problem.isEmpty(), one.pattern);
    QVERIFY(made.units.empty());
    QCOMPARE(made.problemAt, one.at);
  }
}

// Patterns whose backtracking explodes, at one place and over all places.
void PatternUnitsTest::noPatternHangs() {
  const QList<QByteArray> runs{QByteArray(3000, 'a')};
  for (const char* pattern :
       {"(a+)+$b", "(a*)*b", "a*a*b", "(a|aa)+c", "(.*)(.*)(.*)(.*)(.*)x", "(?:(?:a+)+)+!"}) {
    QElapsedTimer timer;
    timer.start();
    const PatternUnits made =
        patternUnits(runs, QString::fromLatin1(pattern), std::chrono::milliseconds(300));
    QVERIFY2(timer.elapsed() < 3000, pattern);  // of minutes to years
    QVERIFY2(!made.problem.isEmpty() && made.problemAt == -1 && made.units.empty(), pattern);
  }
  // What is long but simple is no such pattern.
  QList<QByteArray> pieces;
  for (int i = 0; i < 4000; ++i) pieces.append(" word" + QByteArray::number(i));
  const PatternUnits made = patternUnits(pieces, QStringLiteral("word\\d*7\\b"), std::chrono::seconds(60));
  QVERIFY(made.problem.isEmpty());
  QCOMPARE(made.matches, 400);
}

void PatternUnitsTest::aBadPatternLeavesTheLastGoodFrames() {
  TokenHeat heat;
  heat.resize(400, 100);
  heat.setPieces(text());
  heat.setGranularity(Granularity::Pattern);
  QCOMPARE(heat.units().size(), tokenUnits(text(), Granularity::Token).size());
  QSignalSpy changed(&heat, &TokenHeat::unitsChanged);
  heat.setPattern(QStringLiteral("cat sat"));
  const size_t good = heat.units().size();
  QCOMPARE(good, tokenUnits(text(), Granularity::Token).size() - 1);
  heat.setPattern(QStringLiteral("cat (sat"));
  QCOMPARE(changed.size(), 2);
  QCOMPARE(heat.units().size(), good);
  QCOMPARE(heat.patternState().problemAt, 8);
  heat.setPieces({"the", " cat", " sat"});  // another text: the pattern that worked
  QCOMPARE(heat.units().size(), size_t{2});
  QVERIFY(heat.patternState().problem.isEmpty());
  heat.setGranularity(Granularity::Word);
  heat.setPattern(QStringLiteral("the"));
  QCOMPARE(heat.units().size(), size_t{3});
}

void PatternUnitsTest::weightsOfAMatchAddUp() {
  TokenHeat heat;
  heat.resize(400, 100);
  heat.setPieces({"a", "b", "c", "d"});
  heat.setGranularity(Granularity::Pattern);
  heat.setPattern(QStringLiteral("bc"));
  heat.setRows({0.125F, 0.25F, 0.0625F, 0.5F}, {});
  QCOMPARE(heat.units().size(), size_t{3});
  QVERIFY2(heat.tipOf(1).contains(QStringLiteral("x 0.3125")), qPrintable(heat.tipOf(1)));
}

ORTHROS_QT_TEST(PatternUnitsTest);

}  // namespace orthros::widgets

#include "pattern_units_test.moc"
