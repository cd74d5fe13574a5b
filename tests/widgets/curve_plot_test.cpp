// The curve plot on planted curves: where points lie, what axes hold and say, what hover and keys answer,
// appending, and that a picture of it is made of lines and outlines.
#include "widgets/curve_plot.h"

#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/planted_curves.h"
#include "tests/support/qt_test.h"
#include "widgets/curve_style.h"
#include "widgets/export_picture.h"
#include "widgets/theme.h"

namespace orthros::widgets {
namespace {

std::unique_ptr<CurvePlot> plotOf(const CurvePlotData& data) {
  auto plot = std::make_unique<CurvePlot>();
  plot->resize(480, 320);
  plot->setData(data);
  return plot;
}

bool hasColour(const QImage& image, const QPointF& at, const QColor& wanted) {
  for (int x = -2; x <= 2; ++x) {
    for (int y = -2; y <= 2; ++y) {
      const QColor there = image.pixelColor(at.toPoint() + QPoint(x, y));
      if (std::abs(there.red() - wanted.red()) + std::abs(there.green() - wanted.green()) +
              std::abs(there.blue() - wanted.blue()) <
          24)
        return true;
    }
  }
  return false;
}

}  // namespace

class CurvePlotTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyPointIsDrawnWhereItsValueIs();
  void axesHoldEverythingAndSayIt();
  void logAxesAreStraightForPowers();
  void whatHasNoValueIsSaid();
  void pointsAnswer();
  void keysWalk();
  void appendGrowsTheAxes();
  void architecturesDifferInMoreThanColour();
  void emptyIsSaid();
  void picturesAreVectors();
  void manyPointsAreDrawn();
};

void CurvePlotTest::everyPointIsDrawnWhereItsValueIs() {
  for (const bool log : {false, true}) {
    const auto plot = plotOf(test::plantedCurves(6, log));
    const QImage image = plot->grab().toImage();
    for (const qsizetype curve : {0, 1}) {
      const QString key = plot->data().curves[static_cast<size_t>(curve)].architecture;
      for (qsizetype point = 3; point < 5; ++point) {  // shorter ones lie under each other
        const QPointF at = plot->position({curve, point});
        QVERIFY(QRectF(plot->rect()).contains(at));
        QVERIFY2(hasColour(image, at, theme().architecture(key)), qPrintable(plot->readout({curve, point})));
      }
    }
  }
}

void CurvePlotTest::axesHoldEverythingAndSayIt() {
  CurvePlotData data = test::plantedCurves(6, false);
  data.y.holds = 0;
  const auto plot = plotOf(data);
  const auto [low, high] = plot->range(Qt::Vertical);
  QCOMPARE(low, 0.0);  // zero stays the foot
  QVERIFY(high > test::plantedMs(16384, true));
  QVERIFY(plot->range(Qt::Horizontal).first < 256 && plot->range(Qt::Horizontal).second > 16384);
  const QStringList tokens = plot->tickTexts(Qt::Horizontal);
  QVERIFY2(tokens.contains(QStringLiteral("8K")), qPrintable(tokens.join(u' ')));
  QVERIFY(plot->tickTexts(Qt::Vertical).contains(QStringLiteral("0")));
  plot->setLog(Qt::Horizontal, true);
  QCOMPARE(plot->tickTexts(Qt::Horizontal).join(u' '), QStringLiteral("256 512 1K 2K 4K 8K 16K"));
  plot->resize(220, 320);  // no room for seven
  plot->grab();            // a hidden widget hears of it when it is drawn
  QCOMPARE(plot->tickTexts(Qt::Horizontal).back(), QStringLiteral("16K"));
  QVERIFY(plot->tickTexts(Qt::Horizontal).size() <= 4);
}

void CurvePlotTest::logAxesAreStraightForPowers() {
  CurvePlotData data = test::plantedCurves(6, true);
  data.curves.resize(2);
  const auto plot = plotOf(data);
  // The linear cost is a straight line of equal steps on two logarithmic axes.
  const QPointF step = plot->position({1, 1}) - plot->position({1, 0});
  for (qsizetype point = 2; point < 6; ++point) {
    const QPointF next = plot->position({1, point}) - plot->position({1, point - 1});
    QVERIFY(std::abs(next.x() - step.x()) < 1e-6 && std::abs(next.y() - step.y()) < 1e-6);
  }
  QVERIFY(!plot->tickTexts(Qt::Vertical).isEmpty());
  CurvePlotData narrow = data;  // less than a doubling still has marks to read it by
  narrow.curves.resize(1);
  for (size_t i = 0; i < narrow.curves[0].points.size(); ++i)
    narrow.curves[0].points[i] = {
        256.0 * static_cast<double>(i + 1), 1.02 + 0.02 * static_cast<double>(i), kNoValue, kNoValue, {}};
  plot->setData(narrow);
  QVERIFY(plot->tickTexts(Qt::Vertical).size() >= 3);
  data.curves[1].points[0].y = 0;  // has no place on a logarithmic axis, and does no harm
  plot->setData(data);
  QVERIFY(plot->position({1, 0}).isNull());
  plot->grab();
}

void CurvePlotTest::whatHasNoValueIsSaid() {
  const auto plot = plotOf(test::plantedCurves(6, true));
  const CurveIndex missing{0, 5};
  const QPointF at = plot->position(missing);
  QVERIFY(!at.isNull() && at.y() < plot->position({0, 4}).y());
  QVERIFY(hasColour(plot->grab().toImage(), at, theme().architecture(QStringLiteral("transformer"))));
  QCOMPARE(plot->pointAt(at), missing);
  QCOMPARE(plot->readout(missing), QStringLiteral("Transformer · 8\u202f192 tokens · out of memory"));
}

void CurvePlotTest::pointsAnswer() {
  const auto plot = plotOf(test::plantedCurves(6, true));
  QCOMPARE(plot->readout({1, 2}),
           QStringLiteral("Orthros w=128 · 1\u202f024 tokens · 10.24 ms (95 %: 9.216 to 11.26) · n 9"));
  QVERIFY(plot->readout({9, 0}).isEmpty() && plot->readout({0, 99}).isEmpty());
  QSignalSpy hovered(plot.get(), &CurvePlot::hovered);
  const auto moveTo = [&plot](const QPointF& to) {
    QMouseEvent move(QEvent::MouseMove, to, to, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(plot.get(), &move);
  };
  moveTo(plot->position({1, 2}) + QPointF(3, 2));
  QCOMPARE(plot->marked(), (CurveIndex{1, 2}));
  QCOMPARE(hovered.size(), 1);
  const QImage marked = plot->grab().toImage();
  plot->setMarked({});
  QVERIFY(plot->grab().toImage() != marked);
  moveTo(plot->position({0, 4}));
  QCOMPARE(plot->marked(), (CurveIndex{0, 4}));
  moveTo({1, 1});
  QVERIFY(!plot->marked().isValid());
}

void CurvePlotTest::keysWalk() {
  const auto plot = plotOf(test::plantedCurves(6, true));
  QTest::keyClick(plot.get(), Qt::Key_Right);
  QCOMPARE(plot->marked(), (CurveIndex{0, 0}));
  for (int i = 0; i < 9; ++i) QTest::keyClick(plot.get(), Qt::Key_Right);
  QCOMPARE(plot->marked(), (CurveIndex{0, 5}));  // the last, and no further
  QVERIFY(plot->accessibleDescription().contains(QStringLiteral("out of memory")));
  QTest::keyClick(plot.get(), Qt::Key_Down);
  QCOMPARE(plot->marked(), (CurveIndex{1, 5}));
  QTest::keyClick(plot.get(), Qt::Key_Down);
  QCOMPARE(plot->marked(), (CurveIndex{2, 2}));  // 8192 in the model's points
  QTest::keyClick(plot.get(), Qt::Key_Left);
  QTest::keyClick(plot.get(), Qt::Key_Up);
  QCOMPARE(plot->marked(), (CurveIndex{1, 2}));
  CurvePlot empty;
  QTest::keyClick(&empty, Qt::Key_Right);
  QVERIFY(!empty.marked().isValid());
}

void CurvePlotTest::appendGrowsTheAxes() {
  CurvePlotData data = test::plantedCurves(5, false);
  const auto plot = plotOf(data);
  plot->setMarked({1, 1});
  const double before = plot->range(Qt::Vertical).second;
  plot->append(1, {32768, 900, 800, 1000, {}});
  QVERIFY(plot->range(Qt::Vertical).second > before);
  QVERIFY(plot->range(Qt::Horizontal).second > 32768);
  QCOMPARE(plot->marked(), (CurveIndex{1, 1}));
  QVERIFY(hasColour(plot->grab().toImage(), plot->position({1, 5}),
                    theme().architecture(QStringLiteral("orthros"))));
  plot->append(7, {1, 1, 1, 1, {}});  // no such curve: nothing happens
  // The same picture as if it had been there from the start.
  data.curves[1].points.push_back({32768, 900, 800, 1000, {}});
  const auto whole = plotOf(data);
  whole->setMarked({1, 1});
  QCOMPARE(plot->grab().toImage(), whole->grab().toImage());
}

void CurvePlotTest::architecturesDifferInMoreThanColour() {
  const QStringList keys{QStringLiteral("transformer"),   QStringLiteral("swa"),
                         QStringLiteral("gla"),           QStringLiteral("retnet"),
                         QStringLiteral("gdn"),           QStringLiteral("hybrid"),
                         QStringLiteral("orthros"),       QStringLiteral("orthros_no_scale_offset"),
                         QStringLiteral("orthros_hybrid")};
  for (const QString& a : keys) {
    for (const QString& b : keys) {
      if (a == b) continue;
      const CurveStyle one = curveStyle(CurveKind::Measured, a, 0),
                       two = curveStyle(CurveKind::Measured, b, 0);
      QVERIFY2(one.mark.shape() != two.mark.shape(), qPrintable(a + u' ' + b));
      QVERIFY2(one.pen.dashPattern() != two.pen.dashPattern(), qPrintable(a + u' ' + b));
      QVERIFY2(one.pen.color() != two.pen.color(), qPrintable(a + u' ' + b));
    }
    const CurveStyle first = curveStyle(CurveKind::Measured, a, 0),
                     second = curveStyle(CurveKind::Measured, a, 1);
    QVERIFY(first.mark.brush() != second.mark.brush());
    QVERIFY(curveStyle(CurveKind::Model, a, 0).mark.isNone());
    Curve dense;
    dense.architecture = a;
    dense.isDense = true;
    QCOMPARE(curveStyle(dense).pen.style(), Qt::SolidLine);
    QCOMPARE(curveStyle(dense).mark.shape(),
             first.mark.shape());  // what then tells them apart, with the colour
  }
}

void CurvePlotTest::emptyIsSaid() {
  CurvePlotData data;
  data.empty = QStringLiteral("nothing measured yet");
  const auto plot = plotOf(data);
  const QImage said = plot->grab().toImage();
  data.empty.clear();
  plot->setData(data);
  QVERIFY(plot->grab().toImage() != said);
  plot->resize(10, 8);  // no room at all: nothing breaks
  plot->setData(test::plantedCurves(6, true));
  plot->grab();
}

void CurvePlotTest::picturesAreVectors() {
  const QTemporaryDir folder;
  const auto plot = plotOf(test::plantedCurves(6, true));
  for (const char* suffix : {"svg", "pdf", "png"}) {
    const QString path = folder.filePath(QStringLiteral("curve.") + QLatin1String(suffix));
    QCOMPARE(exportPicture(plot.get(), path, {QStringLiteral("Prefill"), QStringLiteral("caption")}),
             QString());
  }
  QFile svg(folder.filePath(QStringLiteral("curve.svg")));
  QVERIFY(svg.open(QIODevice::ReadOnly));
  const QByteArray text = svg.readAll();
  QVERIFY(!text.contains("<image") && !text.contains("<text"));
  QVERIFY(text.contains(theme().architecture(QStringLiteral("orthros")).name().toLatin1()));
  QCOMPARE(QImage(folder.filePath(QStringLiteral("curve.png"))).width(), (480 + 32) * 300 / 96);
}

void CurvePlotTest::manyPointsAreDrawn() {
  CurvePlotData data;
  data.x.label = QStringLiteral("step");
  data.curves.push_back(
      {QStringLiteral("loss"), QStringLiteral("orthros"), 0, CurveKind::Measured, false, {}});
  for (int i = 0; i < 20'000; ++i)
    data.curves[0].points.push_back({double(i), 4 + std::sin(i / 300.0), kNoValue, kNoValue, {}});
  const auto plot = plotOf(data);
  plot->grab();
  QElapsedTimer timer;
  timer.start();
  constexpr int kFrames = 10;
  for (int i = 0; i < kFrames; ++i) {
    plot->append(0, {20'000.0 + i, 3.5, kNoValue, kNoValue, {}});
    plot->grab();
  }
  qInfo("20 000 points: %.2f ms a point appended and drawn",
        static_cast<double>(timer.nsecsElapsed()) / 1e6 / kFrames);
  QCOMPARE(plot->data().curves[0].points.size(), size_t{20'010});
}

ORTHROS_QT_TEST(CurvePlotTest);

}  // namespace orthros::widgets

#include "curve_plot_test.moc"
