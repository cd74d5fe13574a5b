// Check 11: tokens of every kind stay apart, are whole on hover and come back byte for byte from the
// clipboard.
#include "widgets/token_units.h"

#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocumentFragment>
#include <memory>

#include "tests/support/qt_test.h"
#include "widgets/token_heat.h"
#include "widgets/token_text.h"

namespace orthros::widgets {
namespace {

// Leading spaces, tab, blank lines, ZWJ emoji, Arabic, a Chinese character over three byte tokens, markup, a
// token of 200 characters.
QList<QByteArray> hardTokens() {
  return {"  two",  " two", "two",   "\t",   "\n\n", "\n",
          "👩",  // woman, joiner, laptop: one picture from three tokens
          "\u200d", "💻",    "مرحبا", "\xe4", "\xbd", "\xa0", "<b>\"&", QByteArray(200, 'x'),
          "&amp;",  "\xff", ""};
}

TokenUnit unitAt(const std::vector<TokenUnit>& units, qsizetype token) {
  for (const TokenUnit& unit : units) {
    if (token >= unit.begin && token < unit.end) return unit;
  }
  return {};
}

QString plain(const QString& html) {
  return QTextDocumentFragment::fromHtml(html).toPlainText();
}

}  // namespace

class TokenUnitsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyTokenIsInOneUnit();
  void hardTokensAreDistinct();
  void piecesOfOneCharacterShareAFrame();
  void wordsLinesAndParagraphs();
  void tooltipsAreWholeAndEscaped();
  void copiesAreByteExact();
  void weightsOfAUnitAddUp();
  void findAndKeys();
  void paragraphsStartAfterBlankLines();
};

void TokenUnitsTest::everyTokenIsInOneUnit() {
  for (const Granularity granularity :
       {Granularity::Token, Granularity::Word, Granularity::Line, Granularity::Paragraph}) {
    qsizetype next = 0;
    for (const TokenUnit& unit : tokenUnits(hardTokens(), granularity)) {
      QCOMPARE(unit.begin, next);
      QVERIFY(unit.end > unit.begin);
      next = unit.end;
    }
    QCOMPARE(next, hardTokens().size());
  }
  QVERIFY(tokenUnits({}, Granularity::Token).empty());
}

void TokenUnitsTest::hardTokensAreDistinct() {
  const auto units = tokenUnits(hardTokens(), Granularity::Token);
  QStringList texts;
  for (const TokenUnit& unit : units) {
    QVERIFY2(!texts.contains(unit.text), qPrintable(unit.text));
    QVERIFY(!unit.text.trimmed().isEmpty());
    texts.append(unit.text);
  }
  QVERIFY(texts.contains(QStringLiteral("··two")) && texts.contains(QStringLiteral("·two")) &&
          texts.contains(QStringLiteral("two")));
  QVERIFY(texts.contains(QStringLiteral("⇥")) && texts.contains(QStringLiteral("⏎⏎")));
  QVERIFY(texts.contains(QStringLiteral("<b>\"&")) && texts.contains(QStringLiteral("‹ff›")));
}

void TokenUnitsTest::piecesOfOneCharacterShareAFrame() {
  const auto units = tokenUnits(hardTokens(), Granularity::Token);
  const TokenUnit chinese = unitAt(units, 11);
  QCOMPARE(chinese.begin, 10);
  QCOMPARE(chinese.end, 13);
  QCOMPARE(chinese.text, QStringLiteral("你"));
  const TokenUnit emoji = unitAt(units, 7);
  QCOMPARE(emoji.begin, 6);
  QCOMPARE(emoji.end, 9);
  QCOMPARE(emoji.text, QString::fromUtf8("👩\u200d💻"));
  QCOMPARE(unitAt(units, 9).end - unitAt(units, 9).begin, 1);
  // Cut off at the end: the bytes are shown as what they are.
  const auto cut = tokenUnits({"\xe4", "\xbd"}, Granularity::Token);
  QCOMPARE(cut.size(), size_t{2});
  QCOMPARE(cut[1].text, QStringLiteral("‹bd›"));
}

void TokenUnitsTest::wordsLinesAndParagraphs() {
  const QList<QByteArray> pieces{"The", " light", "house", ".\n", "It", " was\n\n", "New", " one"};
  const auto count = [&](Granularity granularity) { return tokenUnits(pieces, granularity).size(); };
  QCOMPARE(count(Granularity::Token), size_t{8});
  QCOMPARE(count(Granularity::Word), size_t{6});
  QCOMPARE(tokenUnits(pieces, Granularity::Word)[1].text, QStringLiteral("·lighthouse.⏎"));
  QCOMPARE(count(Granularity::Line), size_t{3});
  QCOMPARE(count(Granularity::Paragraph), size_t{2});
}

void TokenUnitsTest::tooltipsAreWholeAndEscaped() {
  TokenHeat heat;
  heat.resize(300, 200);  // narrower than the long token
  heat.setPieces(hardTokens());
  for (size_t i = 0; i < heat.units().size(); ++i) {
    const TokenUnit& unit = heat.units()[i];
    const QString shown = plain(heat.tipOf(i));
    QString joined = shown;
    joined.remove(u'\n');
    QVERIFY2(joined.contains(unit.text), qPrintable(shown));
    for (const QString& line : shown.split(u'\n')) QVERIFY(line.size() <= 80);
    QString bytes = joined;
    for (qsizetype token = unit.begin; token < unit.end; ++token)
      QVERIFY2(bytes.remove(u' ').contains(hexOf(hardTokens()[token]).remove(u' ')), qPrintable(shown));
    const QRectF box = heat.boxOf(unit.begin);
    QVERIFY(box.right() <= 300 && box.width() > 0);
  }
}

void TokenUnitsTest::copiesAreByteExact() {
  TokenHeat heat;
  heat.setPieces(hardTokens());
  const QByteArray all = hardTokens().join();
  std::unique_ptr<QMimeData> data(heat.mimeData());
  QCOMPARE(data->data(QStringLiteral("application/octet-stream")), all);
  heat.setMarked(11);
  data.reset(heat.mimeData());
  QCOMPARE(data->data(QStringLiteral("application/octet-stream")), QByteArray("\xe4\xbd\xa0"));
  QCOMPARE(data->text(), QStringLiteral("你"));
  heat.setMarked(13);
  data.reset(heat.mimeData());
  QCOMPARE(data->text(), QStringLiteral("<b>\"&"));
}

void TokenUnitsTest::weightsOfAUnitAddUp() {
  TokenHeat heat;
  heat.resize(300, 100);
  heat.setPieces({"a", " b", "c", " d"});
  heat.setGranularity(Granularity::Word);
  heat.setRows({0.1F, 0.2F, 0.3F, 0.4F}, {0.4F, 0.25F, 0.25F, 0.1F});
  QCOMPARE(heat.units().size(), size_t{3});
  QVERIFY2(plain(heat.tipOf(1)).contains(QStringLiteral("x 0.5000, x′ 0.5000")), qPrintable(heat.tipOf(1)));
  heat.setPredictions({{QStringLiteral("·z"), 0.25}, {{}, -1}, {{}, -1}, {QStringLiteral("·q"), 0.5}});
  QVERIFY(plain(heat.tipOf(0)).contains(QStringLiteral("·z with 0.2500")));
  QVERIFY(!plain(heat.tipOf(1)).contains(QStringLiteral("predicts")));
  const int before = heat.heightForWidth(60);
  heat.showPredictions(true);
  QVERIFY(heat.heightForWidth(60) > before);
}

void TokenUnitsTest::findAndKeys() {
  TokenHeat heat;
  heat.resize(400, 100);
  heat.setPieces({"The", " cat", " sat", " on", " the", " mat", "\n\n", "The", " end"});
  QCOMPARE(heat.findText(QStringLiteral("cat"), 0), 1);
  QCOMPARE(heat.findText(QStringLiteral("the"), 1), 4);
  QCOMPARE(heat.findText(QStringLiteral("the"), 5), 7);
  QCOMPARE(heat.findText(QStringLiteral("the"), 8), 0);  // goes round
  QCOMPARE(heat.findText(QStringLiteral("dog"), 0), -1);
  QSignalSpy chosen(&heat, &TokenHeat::chosen);
  QSignalSpy added(&heat, &TokenHeat::added);
  heat.setQueries({4});
  QTest::keyClick(&heat, Qt::Key_Right);
  QCOMPARE(heat.marked(), 5);
  QTest::keyClick(&heat, Qt::Key_Right, Qt::ControlModifier);
  QCOMPARE(heat.marked(), 7);  // the next paragraph
  QTest::keyClick(&heat, Qt::Key_Left, Qt::ShiftModifier);
  QCOMPARE(heat.marked(), 0);  // by 10, within the text
  QTest::keyClick(&heat, Qt::Key_Return);
  QCOMPARE(chosen.takeFirst().first().toLongLong(), 0);
  QTest::mouseClick(&heat, Qt::LeftButton, Qt::ShiftModifier, heat.boxOf(2).center().toPoint());
  QCOMPARE(added.takeFirst().first().toLongLong(), 2);
}

void TokenUnitsTest::paragraphsStartAfterBlankLines() {
  const QStringList tokens{QStringLiteral("a"),   QStringLiteral("⏎"), QStringLiteral("b"),
                           QStringLiteral("⏎"),   QStringLiteral("⏎"), QStringLiteral("c"),
                           QStringLiteral(".⏎⏎"), QStringLiteral("d")};
  QList<int> starts;
  for (int i = 0; i < tokens.size(); ++i) {
    if (startsParagraph(tokens, i)) starts.append(i);
  }
  QCOMPARE(starts, (QList<int>{0, 5, 7}));
}

ORTHROS_QT_TEST(TokenUnitsTest);

}  // namespace orthros::widgets

#include "token_units_test.moc"
