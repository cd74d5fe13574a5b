// The Latency page in the real window: what the form counts, how curves fill, pause, stop, go on, come back
// and leave; that the paper's numbers stand on their own axis alone.
#include "app/studio/pages/latency/latency_page.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>

#include "app/studio/export_command.h"
#include "app/studio/pages/latency/latency_export.h"
#include "app/studio/pages/latency/latency_form.h"
#include "app/studio/pages/latency/latency_panels.h"
#include "app/studio/pages/latency/latency_table.h"
#include "app/studio/pages/latency/latency_text.h"
#include "app/studio/text.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/controls.h"
#include "widgets/curve_plot.h"
#include "widgets/fact_strip.h"
#include "widgets/stack_bars.h"

namespace orthros::studio {

class LatencyPageTest : public WindowFixture {
  Q_OBJECT
 private Q_SLOTS:
  void formCountsWhatItAsks();
  void armsAreAddedAndTakenOut();
  void runFillsTheFigures();
  void pauseStopAndResume();
  void keptRunsOpenAgain();
  void repliesFillTable4();
  void anotherTypeIsLoadedForTheRun();
  void figuresLeaveTheProgram();
  void sampleModelIsMadeAndSwept();
  void whatCannotRunIsANotice();

 private:
  LatencyPage* page() const { return static_cast<LatencyPage*>(m_window->page(QStringLiteral("latency"))); }
  void ask(LatencyMode mode, const char* lengths, int pairs);
  void runToItsEnd();
  const widgets::CurvePlotData& mainPlot() const { return page()->panels()->main()->data(); }
};

void LatencyPageTest::ask(LatencyMode mode, const char* lengths, int pairs) {
  m_window->showPage(QStringLiteral("latency"));
  page()->form()->setMode(mode);
  find<QLineEdit>("latencyLengths")->setText(QLatin1String(lengths));
  find<QSpinBox>("latencyPairs")->setValue(pairs);
  find<QSpinBox>("latencyWarmups")->setValue(1);
}

void LatencyPageTest::runToItsEnd() {
  QSignalSpy finished(page(), &LatencyPage::finished);
  QTest::mouseClick(find<QPushButton>("latencyRun"), Qt::LeftButton);
  [&] { QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience); }();
}

void LatencyPageTest::formCountsWhatItAsks() {
  m_window->showPage(QStringLiteral("latency"));
  auto* counts = find<QLabel>("latencyCounts");
  QVERIFY(counts->text().contains(QStringLiteral("Open a model")));
  QVERIFY(!find<QPushButton>("latencyRun")->isEnabled());
  load();
  ask(LatencyMode::prefill, "32, 64, 96", 3);
  QTRY_VERIFY_WITH_TIMEOUT(page()->form()->hasRates(), kPatience);  // the machine is measured once
  for (const char* part : {"6 cells", "3 or more pairs", "about ", "free memory"})
    QVERIFY2(counts->text().contains(QLatin1String(part)), qPrintable(counts->text()));
  QCOMPARE(find<QComboBox>("latencyPreset")->currentText(), QStringLiteral("Own"));
  QVERIFY(find<QLineEdit>("latencyOutputs")->isHidden());
  const auto spec = page()->form()->spec();
  QVERIFY(spec);
  QCOMPARE(spec->points.size(), 3U);
  QCOMPARE(spec->points[0].outputs, 1);
  ask(LatencyMode::grid, "32, 64", 3);
  QVERIFY(!find<QLineEdit>("latencyThreads")->isHidden());
  find<QLineEdit>("latencyOutputs")->setText(QStringLiteral("2, 4"));
  find<QLineEdit>("latencyBatches")->setText(QStringLiteral("1, 2"));
  find<QLineEdit>("latencyThreads")->setText(QStringLiteral("1, 2"));
  QCOMPARE(page()->form()->spec()->points.size(), 16U);
  page()->form()->setFolded(true);  // out of sight is still asked
  QCOMPARE(page()->form()->spec()->points.size(), 16U);
  page()->form()->setFolded(false);
  find<QLineEdit>("latencyLengths")->setText(QStringLiteral("32, 12x"));
  QVERIFY(counts->text().contains(QStringLiteral("'12x' is no length")));
  QVERIFY(!find<QPushButton>("latencyRun")->isEnabled());
  find<QLineEdit>("latencyLengths")->setText(QStringLiteral("32, 64"));
  m_window->resize(m_window->minimumSize());  // every field is reachable in the smallest window
  QCoreApplication::processEvents();
  for (const char* name : {"latencyThreads", "latencyLimit", "latencyAddArm", "latencyRun"}) {
    const auto* field = find<QWidget>(name);
    QVERIFY2(m_window->rect().contains(QRect(field->mapTo(m_window.get(), QPoint()), field->size())), name);
  }
  picture(m_window.get(), "latency-narrow");
  page()->form()->setPreset(QStringLiteral("smoke"));
  QCOMPARE(find<QSpinBox>("latencyPairs")->value(), 3);
  QVERIFY(find<QPushButton>("latencyRun")->isEnabled());
}

void LatencyPageTest::armsAreAddedAndTakenOut() {
  const quint64 id = load();
  m_window->showPage(QStringLiteral("latency"));
  QCOMPARE(page()->form()->arms().size(), 2);  // as Transformer and as Orthros
  QVERIFY(find<QPushButton>("latencyArm0")->text().contains(QStringLiteral("Transformer")));
  QTest::mouseClick(find<QPushButton>("latencyArm1"), Qt::LeftButton);
  find<QComboBox>("latencyReading")->setCurrentIndex(3);
  find<QComboBox>("latencyDtype")->setCurrentIndex(2);
  find<QSpinBox>("latencyWindow")->setValue(16);
  find<QSpinBox>("latencySinks")->setValue(0);
  for (int i = 0; i < 3; ++i) QTest::mouseClick(find<QPushButton>("latencyAddArm"), Qt::LeftButton);
  QCOMPARE(page()->form()->arms().size(), 4);
  QVERIFY(!find<QPushButton>("latencyAddArm")->isEnabled());
  QVERIFY(find<QPushButton>("latencyArm3")->text().contains(QStringLiteral("Orthros w=16 s=0, bfloat16")));
  m_workspace->library().close(id);
  QTRY_VERIFY_WITH_TIMEOUT(page()->form()->arms().isEmpty(), kPatience);
  QVERIFY(!find<QPushButton>("latencyRun")->isEnabled());
}

void LatencyPageTest::runFillsTheFigures() {
  load();
  ask(LatencyMode::prefill, "32, 64, 96", 3);
  QSignalSpy shown(page(), &LatencyPage::shown);
  runToItsEnd();
  QVERIFY(shown.size() >= 2);  // when it began and when it ended at the least
  const LatencyView* view = page()->view();
  QVERIFY(view != nullptr && view->isDone);
  QCOMPARE(view->cells, 6);
  QCOMPARE(view->ended, 6);
  QVERIFY(view->samples >= 18);
  QCOMPARE(mainPlot().curves.size(), 2U);
  for (size_t arm = 0; arm < 2; ++arm) {
    const widgets::Curve& curve = mainPlot().curves[arm];
    QCOMPARE(curve.points.size(), 3U);
    for (size_t i = 0; i < 3; ++i) {
      const LatencyFigure& figure =
          view->report.cells[i].arms[arm].figures.at(TimingQuantity::prefill_latency);
      QCOMPARE(curve.points[i].y, figure.median);
      QVERIFY(curve.points[i].low <= figure.median && curve.points[i].high >= figure.median);
    }
  }
  QCOMPARE(mainPlot().y.unit, QStringLiteral("ms"));
  const widgets::CurvePlotData& ratio = page()->panels()->speedUp()->data();
  QCOMPARE(ratio.curves.size(), 2U);  // measured, and what the FLOP say
  QCOMPARE(ratio.curves[0].points.size(), 3U);
  QCOMPARE(ratio.curves[1].kind, widgets::CurveKind::Expected);
  // Both arms keep the same cache, and it is what the config says.
  const widgets::CurvePlotData& memory = find<widgets::CurvePlot>("latencyMemory")->data();
  for (size_t i = 0; i < 3; ++i) QCOMPARE(memory.curves[0].points[i].y, memory.curves[1].points[i].y);
  const widgets::Curve& counted = memory.curves[4];
  QCOMPARE(counted.kind, widgets::CurveKind::Expected);
  QCOMPARE(counted.points.front().y, memory.curves[0].points.front().y);
  QCOMPARE(counted.points.back().y, memory.curves[0].points.back().y);
  QVERIFY(!find<widgets::CurvePlot>("latencyRoofline")->data().curves[0].points.empty());
  const QList<widgets::FactRow>& facts = find<widgets::FactStrip>("latencyFacts")->rows();
  QCOMPARE(facts.size(), 1);
  QCOMPARE(facts[0].facts.back().value, QStringLiteral("logits agree"));  // equal work was proved
  QVERIFY(find<QPushButton>("latencyResume")->isHidden());
  QVERIFY(find<QLabel>("latencyAbout")->text().contains(QStringLiteral("done")));
  QCOMPARE(m_workspace->engine().jobs().front()->view().state, widgets::JobView::State::Ok);
  // Fitted curves reach beyond what was measured and say what they are.
  QTest::mouseClick(find<QPushButton>("latencyModelled"), Qt::LeftButton);
  const widgets::Curve& model = mainPlot().curves[2];
  QCOMPARE(model.kind, widgets::CurveKind::Model);
  QVERIFY(model.label.startsWith(QStringLiteral("model")));
  QCOMPARE(model.points.back().x, 131'072.0);
  QVERIFY(model.points.back().note.contains(QStringLiteral("beyond what was measured")));
  picture(m_window.get(), "latency-tiny");
}

void LatencyPageTest::pauseStopAndResume() {
  load();
  ask(LatencyMode::prefill, "32, 64", 200);
  QSignalSpy finished(page(), &LatencyPage::finished);
  QTest::mouseClick(find<QPushButton>("latencyRun"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(page()->view() != nullptr && page()->view()->samples > 0, kPatience);
  QCOMPARE(find<QPushButton>("latencyRun")->text(), QStringLiteral("Stop"));
  QTest::mouseClick(find<QPushButton>("latencyPause"), Qt::LeftButton);
  QVERIFY(page()->isPaused());
  QCOMPARE(find<QPushButton>("latencyPause")->text(), QStringLiteral("Go on"));
  QVERIFY(find<QLabel>("latencyAbout")->text().startsWith(QStringLiteral("paused")));
  QTest::mouseClick(find<QPushButton>("latencyPause"), Qt::LeftButton);
  QVERIFY(!page()->isPaused());
  QTest::mouseClick(find<QPushButton>("latencyPause"), Qt::LeftButton);  // and stopped while it waits
  QTest::mouseClick(find<QPushButton>("latencyRun"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  const qint64 kept = page()->view()->samples;
  QVERIFY(kept > 0 && !page()->view()->isDone);
  auto* notice = find<widgets::Notice>("latencyNotice");
  QVERIFY2(notice->text().contains(QStringLiteral("%1 samples are kept").arg(kept)),
           qPrintable(notice->text()));
  QVERIFY(!find<QPushButton>("latencyResume")->isHidden());
  picture(m_window.get(), "latency-stopped");
  const QString uuid = page()->view()->uuid;
  m_window = std::make_unique<MainWindow>(*m_workspace);  // a later start
  m_window->show();
  m_window->showPage(QStringLiteral("latency"));
  QSignalSpy shown(page(), &LatencyPage::shown);
  page()->open(uuid);
  QTRY_COMPARE_WITH_TIMEOUT(shown.size(), 1, kPatience);
  QCOMPARE(page()->view()->samples, kept);
  QSignalSpy resumed(page(), &LatencyPage::finished);
  QTest::mouseClick(find<QPushButton>("latencyResume"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(resumed.size(), 1, kPatience);
  QVERIFY2(page()->view()->isDone, qPrintable(find<widgets::Notice>("latencyNotice")->text()));
  QCOMPARE(page()->view()->uuid, uuid);
  QVERIFY(page()->view()->samples >= 800);
}

void LatencyPageTest::keptRunsOpenAgain() {
  load();
  ask(LatencyMode::in_out, "32, 64", 2);
  find<QLineEdit>("latencyOutputs")->setText(QStringLiteral("2, 4"));
  find<QLineEdit>("latencyBatches")->setText(QStringLiteral("2"));
  runToItsEnd();
  const LatencyView before = *page()->view();
  m_window = std::make_unique<MainWindow>(*m_workspace);
  m_window->show();
  m_window->showPage(QStringLiteral("latency"));
  QVERIFY(page()->view() == nullptr);
  QMenu* menu = find<QPushButton>("latencyKept")->menu();
  Q_EMIT menu->aboutToShow();
  const QString entry = QStringLiteral("latency-kept-") + before.uuid;
  QTRY_VERIFY_WITH_TIMEOUT(menu->findChild<QAction*>(entry) != nullptr, kPatience);
  QSignalSpy shown(page(), &LatencyPage::shown);
  menu->findChild<QAction*>(entry)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(shown.size(), 1, kPatience);
  QVERIFY(page()->view()->isDone);
  QCOMPARE(captionOf(*page()->view()), captionOf(before));
  QCOMPARE(find<QComboBox>("latencyMode")->currentIndex(), 1);
  QCOMPARE(find<QLineEdit>("latencyLengths")->text(), QStringLiteral("32, 64"));
  QCOMPARE(find<QLineEdit>("latencyOutputs")->text(), QStringLiteral("2, 4"));
  QCOMPARE(find<QLineEdit>("latencyBatches")->text(), QStringLiteral("2"));
  page()->open(QStringLiteral("ffffffff"));
  QTRY_VERIFY_WITH_TIMEOUT(!find<widgets::Notice>("latencyNotice")->isHidden(), kPatience);
  QCOMPARE(shown.size(), 1);
}

void LatencyPageTest::repliesFillTable4() {
  load();
  ask(LatencyMode::in_out, "32, 64", 2);
  find<QLineEdit>("latencyOutputs")->setText(QStringLiteral("4"));
  find<QLineEdit>("latencyBatches")->setText(QStringLiteral("2"));
  runToItsEnd();
  const LatencyView* view = page()->view();
  QVERIFY(view != nullptr && view->isDone);
  QCOMPARE(mainPlot().y.unit, QStringLiteral("s"));  // time to first token
  QCOMPARE(find<widgets::StackBars>("latencyStack")->data().bars.size(), 4U);
  const widgets::StackBar& bar = find<widgets::StackBars>("latencyStack")->data().bars[0];
  const LatencyArmCell& cell = view->report.cells[0].arms[0];
  QCOMPARE(bar.first, cell.figures.at(TimingQuantity::time_to_first_token).median);
  QTest::mouseClick(find<QPushButton>("latencyTableToggle"), Qt::LeftButton);
  auto* table = find<QTableView>("latencyTable");
  QVERIFY(table->isVisible());
  QAbstractItemModel* model = table->model();
  QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  QCOMPARE(model->rowCount(), 4);
  int decode = -1;
  for (int column = 0; column < model->columnCount(); ++column) {
    const QString tip = model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
    QVERIFY(!tip.isEmpty());  // a formula or what it is, on every column
    if (tip.contains(QStringLiteral("= B*(N-1)/(E2E-TTFT)"))) decode = column;
  }
  QVERIFY(decode > 0);
  QVERIFY(model->index(0, decode).data().toString().toDouble() > 0);
  // The paper measured the same quantities: its rows stand below, with the protocol.
  QTest::mouseClick(find<QPushButton>("latencyPaperToggle"), Qt::LeftButton);
  QVERIFY(model->rowCount() > 4);
  const QModelIndex paper = model->index(4, 1);
  QVERIFY(paper.data().toString().startsWith(QStringLiteral("Paper, Table 4")));
  QVERIFY(paper.data(Qt::ToolTipRole).toString().contains(QStringLiteral("SGLang")));
  bool printed = false;  // 77.249 s, 84.911 s, 3.0 and 33.7 tok/s of the Transformer at 128K in, 128 out
  for (int row = 4; row < model->rowCount(); ++row) {
    QStringList texts;
    for (int column = 0; column < model->columnCount(); ++column)
      texts.append(model->index(row, column).data().toString());
    printed = printed || (texts[0] == u"128K / 128 × 2" && texts.contains(QStringLiteral("77.249")) &&
                          texts.contains(QStringLiteral("84.911")) && texts.contains(QStringLiteral("33.7")));
  }
  QVERIFY(printed);
  picture(m_window.get(), "latency-table");
}

void LatencyPageTest::anotherTypeIsLoadedForTheRun() {
  const quint64 id = load();
  ask(LatencyMode::prefill, "32", 2);
  const ScalarType open = m_workspace->library().find(id)->model->report().compute_type;
  const ScalarType other = open == ScalarType::float32 ? ScalarType::bfloat16 : ScalarType::float32;
  const NiahArmChoice arm{id, Architecture::transformer, {}, {}};
  page()->form()->setArms({LatencyArmChoice{arm, {}}, LatencyArmChoice{arm, other}});
  runToItsEnd();
  QVERIFY2(page()->view() != nullptr && page()->view()->isDone,
           qPrintable(find<widgets::Notice>("latencyNotice")->text()));
  const Json& arms = page()->view()->spec["arms"];
  QCOMPARE(arms[0].value("dtype", std::string()), std::string(to_string(open)));
  QCOMPARE(arms[1].value("dtype", std::string()), std::string(to_string(other)));
  const auto again = withTypes(*findArms(m_workspace->library(), page()->view()->spec), page()->view()->spec,
                               m_workspace->library().loadOptions());
  QVERIFY(!again[0].dtype);
  QCOMPARE(*again[1].dtype, other);
}

void LatencyPageTest::figuresLeaveTheProgram() {
  load();
  ask(LatencyMode::prefill, "32, 64", 2);
  runToItsEnd();
  auto* notice = find<widgets::Notice>("latencyNotice");
  for (const char* suffix : {"svg", "pdf", "png"}) {
    const QString path = m_folder->filePath(QStringLiteral("curves.") + QLatin1String(suffix));
    page()->exportTo(path);
    QVERIFY2(QFileInfo(path).size() > 1000, qPrintable(notice->text()));
  }
  QFile svg(m_folder->filePath(QStringLiteral("curves.svg")));
  QVERIFY(svg.open(QIODevice::ReadOnly));
  const QByteArray picture = svg.readAll();
  QVERIFY(!picture.contains("<text") && !picture.contains("<image"));
  QVERIFY(picture.contains(page()->view()->specHash.toLatin1()));
  for (const QString& plot : latencyPlots()) {
    const QString path = m_folder->filePath(plot + QStringLiteral(".svg"));
    page()->exportTo(path, plot);
    QFile alone(path);
    const bool isThere = plot != u"parts";  // this run makes no replies
    QCOMPARE(alone.open(QIODevice::ReadOnly), isThere);
    if (!isThere)
      QVERIFY2(notice->text().contains(QStringLiteral("no plot parts")), qPrintable(notice->text()));
    if (isThere) QVERIFY(alone.readAll().contains(page()->view()->specHash.toLatin1()));
  }
  page()->exportTo(QStringLiteral("/nowhere/curves.svg"));
  QVERIFY(notice->text().contains(QStringLiteral("cannot write")));
  QSignalSpy exported(page(), &LatencyPage::exported);
  page()->exportTo(m_folder->filePath(QStringLiteral("curves.csv")));
  QTRY_COMPARE_WITH_TIMEOUT(exported.size(), 1, kPatience);
  QFile csv(m_folder->filePath(QStringLiteral("curves.csv")));
  QVERIFY(csv.open(QIODevice::ReadOnly));
  QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
  lines.removeIf([](const QByteArray& line) { return line.startsWith('#'); });
  QCOMPARE(lines.size(), 1 + 4);
  const QList<QByteArray> header = lines[0].split(',');
  // Labels have commas, inside quotation marks.
  QCOMPARE(lines[1].mid(lines[1].indexOf("\",") + 2).count(','), header.size() - 2);
  const auto run = [this](const QString& name, const char* figure) {
    return runExport({QStringLiteral("export"), QStringLiteral("last"), QStringLiteral("--figure"),
                      QLatin1String(figure), QStringLiteral("--data"), m_folder->path(),
                      QStringLiteral("--out"), m_folder->filePath(name)});
  };
  for (const char* name : {"cli.svg", "cli.pdf", "cli.png", "cli.csv"}) {
    QCOMPARE(run(QLatin1String(name), "latency"), QString());
    QVERIFY(QFileInfo(m_folder->filePath(QLatin1String(name))).size() > 500);
  }
  QVERIFY(run(QStringLiteral("cli2.svg"), "nothing").contains(QStringLiteral("latency")));
}

void LatencyPageTest::sampleModelIsMadeAndSwept() {
  const QByteArray cache = qgetenv("XDG_CACHE_HOME");
  qputenv("XDG_CACHE_HOME", m_folder->path().toLocal8Bit());
  m_window->showPage(QStringLiteral("latency"));
  // A command from the palette leaves the keys with the page.
  QCOMPARE(m_window->focusWidget(), page());
  find<QAction>("palette")->trigger();
  QVERIFY(m_window->focusWidget() != page());
  find<QWidget>("commandPalette")->hide();
  QCOMPARE(m_window->focusWidget(), page());
  auto* button = find<QPushButton>("latencyEmptyRun");
  QVERIFY(!find<QWidget>("latencyEmpty")->isHidden());
  picture(m_window.get(), "latency-empty");
  QSignalSpy finished(page(), &LatencyPage::finished);
  QTest::mouseClick(button, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(page()->isRunning(), kPatience);
  QVERIFY(
      QFileInfo::exists(m_folder->filePath(QStringLiteral("orthros/models/latency-256/model.safetensors"))));
  QCOMPARE(page()->form()->arms().size(), 2);
  QVERIFY(find<QPushButton>("latencyArm1")->text().contains(QStringLiteral("Orthros w=128 s=0")));
  QTRY_VERIFY_WITH_TIMEOUT(page()->view() != nullptr && page()->view()->samples > 0, kPatience);
  QTest::mouseClick(find<QPushButton>("latencyRun"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  if (cache.isNull()) {
    qunsetenv("XDG_CACHE_HOME");
  } else {
    qputenv("XDG_CACHE_HOME", cache);
  }
}

void LatencyPageTest::whatCannotRunIsANotice() {
  load();
  ask(LatencyMode::prefill, "32", 2);
  // Ids of one vocabulary cannot be read by the other: refused before anything is stored.
  const quint64 other =
      m_workspace->library().open(QStringLiteral(ORTHROS_SOURCE "/sample_models/needle-orthros"));
  QTRY_COMPARE_WITH_TIMEOUT(m_workspace->library().find(other)->state, OpenedModel::State::Ready, kPatience);
  const quint64 first = m_workspace->library().models().front().id;
  page()->form()->setArms(
      {LatencyArmChoice{{first, {}, {}, {}}, {}}, LatencyArmChoice{{other, {}, {}, {}}, {}}});
  runToItsEnd();
  auto* notice = find<widgets::Notice>("latencyNotice");
  QVERIFY2(notice->text().contains(QStringLiteral("vocabularies")), qPrintable(notice->text()));
  QVERIFY(page()->view() == nullptr);
  picture(m_window.get(), "latency-refused");
  page()->form()->setArms({LatencyArmChoice{{first, {}, {}, {}}, {}}});  // and the page goes on
  runToItsEnd();
  QVERIFY(notice->isHidden());
  QVERIFY(page()->view()->isDone);
}

ORTHROS_QT_TEST(LatencyPageTest);

}  // namespace orthros::studio

#include "latency_page_test.moc"
