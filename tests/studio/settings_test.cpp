// Settings and command line: what is kept, what holds for one start alone, what is refused.
#include "app/studio/settings.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/studio/options.h"
#include "tests/support/qt_test.h"

namespace orthros::studio {

class SettingsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { QSettings().clear(); }
  void kept();
  void aFileEditedByHandGivesPossibleThreads();
  void commandLineHoldsForThisStartAlone();
  void recentModelsThatAreGoneAreLeftOut();
  void wrongOptionsAreOneLine_data();
  void wrongOptionsAreOneLine();
  void picturesNeedNoDisplay();
};

void SettingsTest::kept() {
  Settings settings;
  QSignalSpy spy(&settings, &Settings::changed);
  settings.setThemeMode(widgets::ThemeMode::Dark);
  settings.setThemeMode(widgets::ThemeMode::Dark);
  settings.setThreads(3);
  QCOMPARE(spy.size(), 2);  // the same again is no change
  QCOMPARE(Settings().themeMode(), widgets::ThemeMode::Dark);
  QCOMPARE(Settings().threads(), 3);
}

void SettingsTest::aFileEditedByHandGivesPossibleThreads() {
  QSettings().setValue(QStringLiteral("threads"), -99999);
  QCOMPARE(Settings().threads(), 0);
  QSettings().setValue(QStringLiteral("threads"), 99999);
  QCOMPARE(Settings().threads(), kMostThreads);
}

void SettingsTest::commandLineHoldsForThisStartAlone() {
  Settings settings;
  settings.setThreads(2);
  const QStringList line{QStringLiteral("studio"),    QStringLiteral("--threads"), QStringLiteral("7"),
                         QStringLiteral("--theme"),   QStringLiteral("dark"),      QStringLiteral("--size"),
                         QStringLiteral("2560x1440"), QStringLiteral("model.gguf")};
  const Options options = readOptions(line, settings);
  QCOMPARE(options.problem, QString());
  QCOMPARE(options.model, QStringLiteral("model.gguf"));
  QCOMPARE(options.size, QSize(2560, 1440));
  QCOMPARE(settings.threads(), 7);
  QCOMPARE(settings.themeMode(), widgets::ThemeMode::Dark);
  QCOMPARE(Settings().threads(), 2);
  QCOMPARE(Settings().themeMode(), widgets::ThemeMode::System);
  settings.setThreads(5);  // the user's own choice wins and is kept
  QCOMPARE(settings.threads(), 5);
  QCOMPARE(Settings().threads(), 5);
}

void SettingsTest::recentModelsThatAreGoneAreLeftOut() {
  QTemporaryDir folder;
  Settings settings;
  const QString here = folder.filePath(QStringLiteral("a.gguf"));
  QFile file(here);
  QVERIFY(file.open(QIODevice::WriteOnly));
  settings.addRecentModel(QStringLiteral("/nowhere/b.gguf"));
  settings.addRecentModel(here);
  settings.addRecentModel(here);
  QCOMPARE(settings.recentModels(), QStringList{here});
  for (int i = 0; i < 20; ++i) settings.addRecentModel(folder.path() + QStringLiteral("/./").repeated(i + 1));
  QVERIFY(settings.recentModels().size() <= 12);
}

void SettingsTest::wrongOptionsAreOneLine_data() {
  QTest::addColumn<QStringList>("line");
  QTest::newRow("theme") << QStringList{QStringLiteral("--theme"), QStringLiteral("pink")};
  QTest::newRow("threads") << QStringList{QStringLiteral("--threads"), QStringLiteral("-1")};
  QTest::newRow("threads, text") << QStringList{QStringLiteral("--threads"), QStringLiteral("many")};
  QTest::newRow("dtype") << QStringList{QStringLiteral("--dtype"), QStringLiteral("int3")};
  QTest::newRow("size") << QStringList{QStringLiteral("--size"), QStringLiteral("big")};
  QTest::newRow("no file") << QStringList{QStringLiteral("--screenshot"), QStringLiteral("models")};
}

void SettingsTest::wrongOptionsAreOneLine() {
  QFETCH(QStringList, line);
  Settings settings;
  const Options options = readOptions(QStringList{QStringLiteral("studio")} + line, settings);
  QVERIFY(!options.problem.isEmpty());
  QVERIFY(!options.problem.contains(u'\n'));
}

void SettingsTest::picturesNeedNoDisplay() {
  char program[] = "studio";
  char option[] = "--screenshot=models";
  char* with[] = {program, option};
  char* without[] = {program};
  QVERIFY(isHeadless(2, with));
  QVERIFY(!isHeadless(1, without));
  for (const char* answer : {"--help", "-h", "--version", "-v"}) {
    std::string text = answer;
    char* asked[] = {program, text.data()};
    QVERIFY(isHeadless(2, asked));
  }
}

ORTHROS_QT_TEST(SettingsTest);

}  // namespace orthros::studio

#include "settings_test.moc"
