// Runs every test class that ORTHROS_QT_TEST registered, each with settings and data folders of its own, so
// that no test reads or writes the user's.
#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/qt_test.h"
#include "widgets/theme.h"

namespace orthros::test {

std::vector<Factory>& factories() {
  static std::vector<Factory> all;
  return all;
}

}  // namespace orthros::test

int main(int argc, char** argv) {
  const QTemporaryDir home;
  for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
    qputenv(variable, home.path().toLocal8Bit());
  QApplication application(argc, argv);
  QApplication::setOrganizationName(QStringLiteral("orthros-test"));
  QApplication::setApplicationName(QStringLiteral("orthros-test"));
  orthros::widgets::ThemeHub::instance().apply(orthros::widgets::ThemeMode::Light);
  int failed = 0;
  for (const orthros::test::Factory& make : orthros::test::factories()) {
    const std::unique_ptr<QObject> test = make();
    failed += QTest::qExec(test.get(), argc, argv);
  }
  return failed == 0 ? 0 : 1;
}
