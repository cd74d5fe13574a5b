// The theme: all text reads on all it is drawn on, ramps are monotone, the style sheet leaves no gap.
#include "widgets/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QRegularExpression>
#include <QTest>

#include "tests/support/qt_test.h"
#include "widgets/oklab.h"

namespace orthros::widgets {

class ThemeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void textReads_data();
  void textReads();
  void rampsAreMonotone_data();
  void rampsAreMonotone();
  void differenceIsLightestInTheMiddle();
  void unsureChipsReadAtEveryProbability();
  void styleSheetNamesOnlyKnownRoles();
  void listsOfComboBoxesShowAllTheyHave();
  void contrastKnowsItsEnds();
  void architecturesDiffer();
};

void ThemeTest::textReads_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<int>("text");
  QTest::addColumn<int>("ground");
  const QList<Role> grounds{Role::Window, Role::Surface, Role::Raised};
  for (const QString& name : {QStringLiteral("light"), QStringLiteral("dark")}) {
    const auto add = [&name](const char* what, Role text, Role ground) {
      const QString tag =
          QStringLiteral("%1 %2 on %3").arg(name, QLatin1String(what)).arg(static_cast<int>(ground));
      QTest::newRow(qPrintable(tag)) << name << static_cast<int>(text) << static_cast<int>(ground);
    };
    for (const Role ground : grounds) {
      add("text", Role::Text, ground);
      add("muted", Role::Muted, ground);
      add("bad", Role::Bad, ground);
    }
    for (const Role ground : {Role::Window, Role::Surface}) {
      add("accent", Role::Accent, ground);
      add("output", Role::Output, ground);
      add("good", Role::Good, ground);
      add("warn", Role::Warn, ground);
    }
    add("on accent", Role::OnAccent, Role::Accent);
    add("accent soft", Role::Text, Role::AccentSoft);
    add("rail", Role::Accent, Role::AccentSoft);
    for (const Role ground : {Role::GoodSoft, Role::WarnSoft, Role::BadSoft, Role::OutputSoft})
      add("notice", Role::Text, ground);
  }
}

void ThemeTest::textReads() {
  QFETCH(QString, name);
  QFETCH(int, text);
  QFETCH(int, ground);
  const Theme theme = Theme::load(name);
  const double ratio =
      contrastRatio(theme.color(static_cast<Role>(text)), theme.color(static_cast<Role>(ground)));
  QVERIFY2(ratio >= 4.5, qPrintable(QString::number(ratio)));
}

void ThemeTest::rampsAreMonotone_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<int>("ramp");
  for (const QString& name : {QStringLiteral("light"), QStringLiteral("dark")}) {
    for (const Ramp ramp : {Ramp::Base, Ramp::Output, Ramp::Accuracy})
      QTest::newRow(qPrintable(name + QString::number(static_cast<int>(ramp))))
          << name << static_cast<int>(ramp);
  }
}

void ThemeTest::rampsAreMonotone() {
  QFETCH(QString, name);
  QFETCH(int, ramp);
  const Theme theme = Theme::load(name);
  const auto at = [&](int i) { return toOklab(theme.ramp(static_cast<Ramp>(ramp), i / 64.0)).lightness; };
  const double direction = at(64) > at(0) ? 1 : -1;
  for (int i = 0; i < 64; ++i)
    QVERIFY2((at(i + 1) - at(i)) * direction > -0.002, qPrintable(QString::number(i)));
  QVERIFY(std::abs(at(64) - at(0)) > 0.5);
  // The low end is at the background's side.
  const double ground = toOklab(theme.color(Role::Surface)).lightness;
  if (static_cast<Ramp>(ramp) != Ramp::Accuracy)
    QVERIFY(std::abs(at(0) - ground) < std::abs(at(64) - ground));
}

void ThemeTest::differenceIsLightestInTheMiddle() {
  const Theme light = Theme::load(QStringLiteral("light"));
  const Theme dark = Theme::load(QStringLiteral("dark"));
  const auto lightness = [](const Theme& theme, double t) {
    return toOklab(theme.ramp(Ramp::Difference, t)).lightness;
  };
  QVERIFY(lightness(light, 0.5) > lightness(light, 0) && lightness(light, 0.5) > lightness(light, 1));
  QVERIFY(lightness(dark, 0.5) < lightness(dark, 0) && lightness(dark, 0.5) < lightness(dark, 1));
}

void ThemeTest::unsureChipsReadAtEveryProbability() {
  for (const QString& name : {QStringLiteral("light"), QStringLiteral("dark")}) {
    const Theme theme = Theme::load(name);
    for (int i = 0; i <= 34; ++i) {
      const QColor ground = theme.ramp(Ramp::Output, i / 100.0);
      QVERIFY(contrastRatio(theme.textOn(ground), ground) >= 4.5);
    }
  }
}

void ThemeTest::styleSheetNamesOnlyKnownRoles() {
  for (const QString& name : {QStringLiteral("light"), QStringLiteral("dark")}) {
    const QString sheet = Theme::load(name).styleSheet();
    QVERIFY(sheet.size() > 1000);
    QVERIFY2(!sheet.contains(u'@'), "a role that the theme does not have");
    QVERIFY(!QRegularExpression(QStringLiteral("#[0-9a-f]{6}")).match(sheet).captured().isEmpty());
  }
  QFile raw(QStringLiteral(":/orthros/themes/studio.qss"));
  QVERIFY(raw.open(QIODevice::ReadOnly));
  const QString text = QString::fromUtf8(raw.readAll());
  QVERIFY2(!text.contains(QRegularExpression(QStringLiteral("#[0-9a-fA-F]{3,6}\\b(?=;)"))),
           "a colour outside the theme");
}

void ThemeTest::listsOfComboBoxesShowAllTheyHave() {
  QComboBox box;
  box.setStyleSheet(Theme::load(QStringLiteral("light")).styleSheet());
  box.addItems({QStringLiteral("one"), QStringLiteral("two"), QStringLiteral("three")});
  box.show();
  box.showPopup();
  QCoreApplication::processEvents();
  const QRect last = box.view()->visualRect(box.model()->index(2, 0));
  QVERIFY(!last.isEmpty());
  QVERIFY2(last.bottom() < box.view()->viewport()->height(),
           qPrintable(QStringLiteral("%1 of %2").arg(last.bottom()).arg(box.view()->viewport()->height())));
}

void ThemeTest::contrastKnowsItsEnds() {
  QCOMPARE(qRound(contrastRatio(Qt::black, Qt::white)), 21);
  QCOMPARE(contrastRatio(Qt::white, Qt::white), 1.0);
  QVERIFY(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white) < 4.5);  // the best known near miss
}

void ThemeTest::architecturesDiffer() {
  for (const QString& name : {QStringLiteral("light"), QStringLiteral("dark")}) {
    const Theme theme = Theme::load(name);
    const QColor a = theme.architecture(QStringLiteral("transformer"));
    const QColor b = theme.architecture(QStringLiteral("orthros"));
    QVERIFY(a != b);
    for (const QColor& color : {a, b}) QVERIFY(contrastRatio(color, theme.color(Role::Surface)) >= 3);
    QCOMPARE(theme.architecture(QStringLiteral("nothing")), theme.color(Role::Muted));
  }
}

ORTHROS_QT_TEST(ThemeTest);

}  // namespace orthros::widgets

#include "theme_test.moc"
