// What the Latency page makes of a planted report: the paper's numbers on their own axis alone, what is
// missing, where one arm overtakes another.
#include <QLabel>

#include "app/studio/pages/latency/latency_overlay.h"
#include "app/studio/pages/latency/latency_panels.h"
#include "app/studio/pages/latency/latency_table.h"
#include "app/studio/pages/latency/latency_text.h"
#include "app/studio/text.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/curve_plot.h"
#include "widgets/fact_strip.h"

namespace orthros::studio {
namespace {

LatencyFigure figureOf(double median) {
  LatencyFigure figure;
  figure.n = 5;
  figure.median = median;
  figure.interval = Interval{median * 0.98, median * 1.03};
  return figure;
}

// A Transformer that takes T + T*T / 4096 us and an Orthros model that takes T us; the longest point of the
// Transformer ran out of memory.
LatencyView plantedView() {
  LatencyView view;
  view.uuid = QStringLiteral("planted");
  view.name = QStringLiteral("planted sweep");
  view.isDone = true;
  view.report.arms.resize(2);
  view.report.arms[0].label = "m, Transformer";
  view.report.arms[0].architecture = "transformer";
  view.report.arms[1].label = "m, Orthros w=128 s=0";
  view.report.arms[1].architecture = "orthros";
  view.report.arms[1].flop_balance_tokens = 4096;
  constexpr int64_t kLongest = 16'384;
  for (int64_t tokens = 1024; tokens <= kLongest; tokens *= 2) {
    LatencyCellReport cell;
    cell.point = {tokens, 1, 1, 0};
    cell.arms.resize(2);
    cell.speed_ups.resize(2);
    cell.gains.resize(2);
    const auto t = static_cast<double>(tokens);
    const double slow = (t + t * t / 4096) / 1000, fast = t / 1000;
    for (const size_t arm : {size_t{0}, size_t{1}}) {
      cell.arms[arm].status = store::CellStatus::done;
      cell.arms[arm].kv_bytes = tokens * 1024;
      cell.arms[arm].figures[TimingQuantity::prefill_latency] = figureOf(arm == 0 ? slow : fast);
      cell.arms[arm].timings.resize(5);
    }
    cell.speed_ups[1].prefill = Ratio{slow / fast, {slow / fast * 0.97, slow / fast * 1.02}};
    cell.speed_ups[1].flop.engine = slow / fast;
    view.report.spec.points.push_back(cell.point);
    view.report.cells.push_back(cell);
    view.report.arms[1].curve.push_back({tokens, 5, *cell.speed_ups[1].prefill});
  }
  LatencyArmCell& lost = view.report.cells.back().arms[0];
  lost = {};
  lost.status = store::CellStatus::oom;
  lost.error = "16384 tokens do not fit";
  view.report.cells.back().speed_ups[1].prefill.reset();
  view.report.arms[1].curve.pop_back();
  view.report.arms[1].first_faster = first_faster(view.report.arms[1].curve);
  return view;
}

}  // namespace

class LatencyFiguresTest : public WindowFixture {
  Q_OBJECT
 private Q_SLOTS:
  void paperPointsStandOnTheirAxisAlone();
  void whatIsMissingIsSaid();
  void crossoverIsSaid();
};

// Check 24: a plot cannot draw a Figure 4 point on a Table 4 axis, nor the other way round.
void LatencyFiguresTest::paperPointsStandOnTheirAxisAlone() {
  const LatencyMode modes[] = {LatencyMode::prefill, LatencyMode::in_out, LatencyMode::decode_at_depth,
                               LatencyMode::grid};
  int drawn = 0;
  for (const LatencyMode mode : modes) {
    for (const QuantityInfo& info : timing_quantities()) {
      for (const bool isSpeedUp : {false, true}) {
        const LatencyAxis axis{info.quantity, isSpeedUp};
        const auto overlay = paperOverlay(axis, mode);
        QCOMPARE(overlay.has_value(), paperAxis(axis, mode).has_value());
        if (!overlay) continue;
        ++drawn;
        for (const PaperPoint& point : overlay->points()) {
          const bool figure4 = point.exhibit == "figure4";
          QCOMPARE(figure4, isSpeedUp && mode == LatencyMode::prefill &&
                                info.quantity == TimingQuantity::prefill_latency);
          QCOMPARE(point.unit, figure4 ? std::string("x") : std::string(info.unit));
          if (!figure4) {
            QCOMPARE(mode, LatencyMode::in_out);
            QCOMPARE(point.metric, std::string(info.key));
          }
        }
        for (const widgets::Curve& curve : paperCurves(*overlay)) {
          QCOMPARE(curve.kind, widgets::CurveKind::Reported);
          for (const widgets::CurvePoint& point : curve.points) {
            for (const char* part : {"device", "batch", "from "})
              QVERIFY2(point.note.contains(QLatin1String(part)), qPrintable(point.note));
            QVERIFY(point.note.contains(toQt(overlay->exhibit().title)));
          }
        }
      }
    }
  }
  QCOMPARE(drawn, 5);  // one ratio, and four columns of Table 4
  // On the page: two points on the speed-up panel, none on the big plot in ms.
  LatencyLook look;
  look.hasPaper = true;
  const LatencyView view = plantedView();
  const auto reported = [](const widgets::CurvePlotData& data) {
    std::vector<widgets::CurvePoint> points;
    for (const widgets::Curve& curve : data.curves) {
      if (curve.kind == widgets::CurveKind::Reported)
        points.insert(points.end(), curve.points.begin(), curve.points.end());
    }
    return points;
  };
  QVERIFY(reported(curveData(view, look)).empty());
  const auto ratios = reported(speedUpData(view, look));
  QCOMPARE(ratios.size(), 2U);
  QCOMPARE(ratios[0].x, 131'072.0);
  QCOMPARE(ratios[0].y, 3.5);
  QCOMPARE(ratios[1].x, 1'048'576.0);
  QCOMPARE(ratios[1].y, 21.9);
  LatencyPanels panels;
  panels.resize(1180, 560);
  panels.show(view, look);
  auto* protocol = panels.findChild<QLabel*>(QStringLiteral("latencyPaper"));
  QVERIFY(!protocol->isHidden());
  for (const char* part : {"Figure 4", "sequence parallelism", "2 from text"})
    QVERIFY2(protocol->text().contains(QLatin1String(part)), qPrintable(protocol->text()));
  picture(&panels, "latency-paper");
  look.hasPaper = false;
  QVERIFY(reported(speedUpData(view, look)).empty());
  panels.show(view, look);
  QVERIFY(protocol->isHidden());
}

void LatencyFiguresTest::whatIsMissingIsSaid() {
  const LatencyView view = plantedView();
  const widgets::CurvePlotData data = curveData(view, {});
  QCOMPARE(data.curves[0].points.size(), 5U);
  const widgets::CurvePoint& lost = data.curves[0].points.back();
  QVERIFY(!std::isfinite(lost.y));
  QCOMPARE(lost.note, QStringLiteral("out of memory: 16384 tokens do not fit"));
  QVERIFY(std::isfinite(data.curves[1].points.back().y));
  LatencyTable table;
  table.setView(view, false);
  QCOMPARE(table.index(8, table.columnCount() - 1).data().toString(), lost.note);
  LatencyPanels panels;
  panels.resize(1100, 520);
  panels.show(view, {});
  QVERIFY(panels.main()->readout({0, 4}).contains(QStringLiteral("out of memory")));
  picture(&panels, "latency-missing");
  // A run that has begun and measured nothing.
  LatencyView early = view;
  for (LatencyCellReport& cell : early.report.cells) {
    cell.arms = std::vector<LatencyArmCell>(2);
    cell.speed_ups = std::vector<LatencySpeedUp>(2);
  }
  early.report.arms[1].curve.clear();
  panels.show(early, {});
  panels.grab();
  QVERIFY(panels.main()->data().curves[0].points.empty());
  LatencyView bare;  // and one of which nothing is stored yet
  panels.show(bare, {});
  panels.grab();
}

void LatencyFiguresTest::crossoverIsSaid() {
  const QList<widgets::FactRow> rows = crossoverFacts(plantedView());
  QCOMPARE(rows.size(), 1);
  QCOMPARE(rows[0].title, QStringLiteral("Orthros w=128 s=0"));
  QCOMPARE(rows[0].facts[0].value, QStringLiteral("from 1\u202f024 tokens"));
  QStringList all;
  for (const widgets::Fact& fact : rows[0].facts)
    all.append(fact.caption + u' ' + fact.value + u' ' + fact.note);
  const QString text = all.join(u'\n');
  for (const char* part :
       {"4\u202f096 tokens", "at 8K: 2.910 to 3.060 × ≈ FLOP ratio 3.000", "equal bytes", "in all 4 cells"})
    QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(text));
}

ORTHROS_QT_TEST(LatencyFiguresTest);

}  // namespace orthros::studio

#include "latency_figures_test.moc"
