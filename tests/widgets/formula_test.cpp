// Formulas stand where they should: scripts small and beside their letter, fractions over each other, symbols
// found under the pointer; broken markup is drawn and never a crash.
#include "widgets/formula.h"

#include <QImage>
#include <QPainter>
#include <QTest>
#include <cmath>

#include "tests/support/qt_test.h"
#include "widgets/theme.h"

namespace orthros::widgets {

class FormulaTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void partsAddUp();
  void symbolsAreFound();
  void brokenMarkupIsDrawn();
};

void FormulaTest::partsAddUp() {
  constexpr double kSize = 40;
  const Formula x(QStringLiteral("x"), kSize), sub(QStringLiteral("x_t"), kSize),
      both(QStringLiteral("x_t^2"), kSize);
  QVERIFY(sub.width() > x.width());
  QVERIFY(sub.descent() > x.descent());
  QVERIFY(both.ascent() > sub.ascent());
  QVERIFY(std::abs(both.width() - sub.width()) < 0.4 * kSize);  // over each other, not side by side
  const Formula fraction(QStringLiteral(R"(\frac{a}{b})"), kSize);
  QVERIFY(fraction.height() > 1.5 * x.height());
  QVERIFY(Formula(QStringLiteral("x'_t"), kSize).width() > sub.width());
  QVERIFY(Formula(QStringLiteral("12"), kSize).width() > Formula(QStringLiteral("1"), kSize).width());
  // Twice the size is twice as wide.
  const Formula twice(QStringLiteral("x_t"), 2 * kSize);
  QVERIFY(std::abs(twice.width() - 2 * sub.width()) < 0.1 * twice.width());
}

void FormulaTest::symbolsAreFound() {
  const Formula formula(QStringLiteral(R"(\s{x'}{q'_t} = \s{x}{x_t})"), 30);
  QCOMPARE(formula.symbols().size(), 2U);
  for (const Formula::Symbol& symbol : formula.symbols())
    QCOMPARE(formula.symbolAt(symbol.area.center()), symbol.name);
  QVERIFY(formula.symbols()[0].area.right() < formula.symbols()[1].area.left());
  QVERIFY(formula.symbolAt({-100, 0}).isEmpty());
  // Each stream has its own colour, drawn as outlines.
  QImage image(300, 80, QImage::Format_RGB32);
  image.fill(Qt::white);
  {
    QPainter painter(&image);
    formula.draw(painter, {5, 50}, color(Role::Text));
  }
  const auto has = [&image](const QColor& wanted) {
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) {
        if (image.pixelColor(x, y) == wanted) return true;
      }
    }
    return false;
  };
  QVERIFY(has(color(Role::Output)));
  QVERIFY(has(color(Role::Accent)));
}

void FormulaTest::brokenMarkupIsDrawn() {
  QVERIFY(Formula(QString(), 20).isEmpty());
  for (const char* markup : {"\\", "\\frac", "\\frac{a", "_", "^", "x_", "x_{", "}", "{", "\\s{", "\\s{x",
                             "\\s{x}", "\\rm{", "\\sqrt", "\\unknown{x}", "''''", "x_{y_{z_{w_{v}}}}"}) {
    const Formula formula(QLatin1String(markup), 20);
    QVERIFY2(std::isfinite(formula.width()) && std::isfinite(formula.height()), markup);
  }
}

ORTHROS_QT_TEST(FormulaTest);

}  // namespace orthros::widgets

#include "formula_test.moc"
