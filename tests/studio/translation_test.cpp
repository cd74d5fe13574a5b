// Every translation is finished and keeps its text's placeholders; the program carries it inside.
#include "app/studio/translation.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QTranslator>
#include <QXmlStreamReader>

#include "app/studio/main_window.h"
#include "tests/support/qt_test.h"

namespace orthros::studio {
namespace {

QStringList placeholders(const QString& text) {
  static const QRegularExpression pattern(QStringLiteral("%(\\d+|n)"));
  QStringList found;
  auto matches = pattern.globalMatch(text);
  while (matches.hasNext()) found.append(matches.next().captured(0));
  found.sort();
  return found;
}

}  // namespace

class TranslationTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void placeholdersAreKept();
  void theProgramCarriesIt();
};

void TranslationTest::placeholdersAreKept() {
  const QDir folder(QStringLiteral(ORTHROS_SOURCE) + QStringLiteral("/resources/translations"));
  const QStringList files = folder.entryList({QStringLiteral("*.ts")});
  QVERIFY(files.contains(QStringLiteral("shell_zh_CN.ts")));
  int finished = 0;
  for (const QString& name : files) {
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QString source;
    while (!xml.atEnd()) {
      if (xml.readNext() != QXmlStreamReader::StartElement) continue;
      if (xml.name() == u"source") source = xml.readElementText();
      if (xml.name() != u"translation") continue;
      const bool open = xml.attributes().hasAttribute(QStringLiteral("type"));
      const QString text = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
      if (open) {
        QVERIFY2(source.startsWith(QStringLiteral("Mara kept")),
                 qPrintable(source));  // the sample text stays English
        continue;
      }
      ++finished;
      QCOMPARE(placeholders(text), placeholders(source));
    }
    QVERIFY(!xml.hasError());
  }
  QVERIFY(finished > 400);
}

void TranslationTest::theProgramCarriesIt() {
  QVERIFY(!installTranslation(*QCoreApplication::instance(), QStringLiteral("en")));
  QVERIFY(!installTranslation(*QCoreApplication::instance(), QStringLiteral("xx_XX")));
  QVERIFY(QFile::exists(QStringLiteral(":/orthros/translations/shell_zh_CN.qm")));
  QTranslator translator;
  QVERIFY(translator.load(QStringLiteral(":/orthros/translations/shell_zh_CN.qm")));
  QCOMPARE(translator.translate("orthros::studio::MainWindow", "Quit"), QStringLiteral("退出"));
}

ORTHROS_QT_TEST(TranslationTest);

}  // namespace orthros::studio

#include "translation_test.moc"
