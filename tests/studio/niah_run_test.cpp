// Running on the NIAH page: pause, failed cells and their reasons, the sample models in one click, a folder
// of texts, what a run will take.
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QTimer>

#include "engine/experiments/niah_experiment.h"
#include "tests/studio/niah_fixture.h"
#include "tests/support/qt_test.h"
#include "tests/support/stub_models.h"
#include "widgets/controls.h"
#include "widgets/motion.h"

namespace orthros::studio {

class NiahRunTest : public NiahFixture {
  Q_OBJECT
 private Q_SLOTS:
  void noTrialBeginsWhilePaused();
  void stopEndsAPausedRun();
  void cellsThatDidNotFitAreHatchedAndSayWhy();
  void failedCellsAreRetried();
  void theNeedleModelsAreOneClickAway();
  void aFolderOfTextsIsAHaystack();
  void theFormSaysWhatARunTakes();
  void runningCellsPulseUnlessMotionIsReduced();

 private:
  qint64 keptTrials() const;
  QString storePath() const { return m_workspace->settings().runStorePath(); }
};

qint64 NiahRunTest::keptTrials() const {
  const auto reader = store::RunReader::open(toStd(storePath()));
  if (!reader) return 0;
  const auto table = (*reader)->query("SELECT COUNT(*) FROM niah_trial");
  return table ? std::stoll(table->rows[0][0]) : -1;
}

// Acceptance check 9.
void NiahRunTest::noTrialBeginsWhilePaused() {
  load();
  ask("96", "0, 100", 60, false);
  QTimer ticks;  // the window goes on living while cells run
  ticks.setInterval(5);
  QElapsedTimer sinceTick;
  std::vector<qint64> waits;
  connect(&ticks, &QTimer::timeout, this, [&] {
    if (sinceTick.isValid()) waits.push_back(sinceTick.elapsed());
    sinceTick.start();
  });
  ticks.start();
  QSignalSpy finished(page(), &NiahPage::finished);
  QTest::mouseClick(find<QPushButton>("niahRun"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(page()->view() != nullptr && page()->view()->trials > 3, kPatience);
  auto* pause = find<QPushButton>("niahPause");
  QVERIFY(pause->isVisible());
  QTest::mouseClick(pause, Qt::LeftButton);
  const qint64 atPause = keptTrials();
  QVERIFY(page()->isPaused());
  QCOMPARE(pause->text(), QStringLiteral("Go on"));
  QVERIFY(find<QLabel>("niahAbout")->text().startsWith(QStringLiteral("paused")));
  QTest::qWait(600);  // hundreds of trials, were they begun
  const qint64 held = keptTrials();
  QVERIFY2(held <= atPause + 1, qPrintable(QStringLiteral("%1 after %2").arg(held).arg(atPause)));
  QTest::qWait(300);
  QCOMPARE(keptTrials(), held);
  QVERIFY(page()->isRunning() && finished.isEmpty());
  picture(m_window.get(), "niah-paused");
  QTest::mouseClick(pause, Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  QCOMPARE(keptTrials(), 360);
  QVERIFY(page()->view()->isDone && pause->isHidden());
  ticks.stop();
  QVERIFY(waits.size() > 20);
  std::ranges::sort(waits);
  qInfo("the window waited %lld ms (p95), %lld ms (longest) while cells ran",
        static_cast<long long>(waits[waits.size() * 95 / 100]), static_cast<long long>(waits.back()));
}

void NiahRunTest::stopEndsAPausedRun() {
  load();
  ask("96", "0, 100", 60, false);
  QSignalSpy finished(page(), &NiahPage::finished);
  QTest::mouseClick(find<QPushButton>("niahRun"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(page()->view() != nullptr && page()->view()->trials > 0, kPatience);
  QTest::mouseClick(find<QPushButton>("niahPause"), Qt::LeftButton);
  QTest::mouseClick(find<QPushButton>("niahRun"), Qt::LeftButton);  // Stop
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  QVERIFY(!page()->view()->isDone && page()->view()->trials < 360);
  QVERIFY(!find<QPushButton>("niahResume")->isHidden());
}

// Acceptance check 10, with a model that runs out of memory where it is told to.
void NiahRunTest::cellsThatDidNotFitAreHatchedAndSayWhy() {
  auto store = m_workspace->runStore(storePath());
  QVERIFY(store.has_value());
  test::StubBehaviour small;
  small.memory_limit = 700;
  NiahSpec spec;
  spec.lengths = {400, 800, 1600};
  spec.depths_ppm = {0, 500'000};
  spec.trials = 2;
  auto experiment = NiahExperiment::create(
      **store, spec, {test::stub_arm("small", small), test::stub_arm("large", {})}, "injected");
  QVERIFY2(experiment.has_value(), experiment ? "" : experiment.error().line().c_str());
  QVERIFY(experiment->run({}).has_value());
  load();
  m_window->showPage(QStringLiteral("niah"));
  QSignalSpy shown(page(), &NiahPage::shown);
  page()->open(QString::fromStdString(experiment->experiment().uuid));
  QTRY_COMPARE_WITH_TIMEOUT(shown.size(), 1, kPatience);
  using State = widgets::NeedleCell::State;
  auto* map = find<widgets::NeedleMap>("niahMap0");
  const auto& cells = map->data().cells;
  QCOMPARE(cells[0].state, State::Done);
  QCOMPARE(cells[2].state == State::OutOfMemory || cells[2].state == State::Skipped, true);
  QCOMPARE(cells[5].state, State::Skipped);
  for (const widgets::NeedleCell& cell : find<widgets::NeedleMap>("niahMap1")->data().cells)
    QCOMPARE(cell.state, State::Done);  // the next arm ran
  QTest::mouseMove(map, map->cellRect({2, 0}).center().toPoint());
  QTRY_VERIFY_WITH_TIMEOUT(
      find<QLabel>("niahReadout")->text().contains(QStringLiteral("out of memory already in cell")),
      kPatience);
  QCOMPARE(page()->view()->failed, 4);
  QVERIFY(find<QLabel>("niahAbout")->text().contains(QStringLiteral("4 cells without a result")));
  auto* retry = find<QPushButton>("niahResume");
  QVERIFY(retry->isVisible());
  QCOMPARE(retry->text(), QStringLiteral("Retry failed"));
  picture(m_window.get(), "niah-oom");
  QTest::mouseClick(retry, Qt::LeftButton);  // its models are no files
  QVERIFY(find<widgets::Notice>("niahNotice")->text().contains(QStringLiteral("is not open")));
}

void NiahRunTest::failedCellsAreRetried() {
  load();
  ask("96, 160", "0, 100", 1, false);
  runToItsEnd();
  QCOMPARE(page()->view()->failed, 0);
  const auto store = m_workspace->runStore(storePath());
  const auto reader = store::RunReader::open(toStd(storePath()));
  QVERIFY(store.has_value() && reader.has_value());
  const auto experiment = (*reader)->find_experiment(toStd(page()->view()->uuid));
  QVERIFY(experiment.has_value());
  const store::RunRecord run = (*reader)->runs(experiment->id)->front();
  const store::CellRecord cell = (*reader)->cells(run.id)->front();
  QVERIFY((*store)
              ->end_cell(cell.id, store::CellStatus::timeout, "timeout", "took longer than a minute")
              .has_value());
  QSignalSpy shown(page(), &NiahPage::shown);
  page()->open(page()->view()->uuid);
  QTRY_COMPARE_WITH_TIMEOUT(shown.size(), 1, kPatience);
  QCOMPARE(page()->view()->failed, 1);
  auto* map = find<widgets::NeedleMap>("niahMap0");
  QCOMPARE(map->data().cells[0].state, widgets::NeedleCell::State::Timeout);
  QVERIFY(map->readout({0, 0}).contains(QStringLiteral("took longer than a minute")));
  QSignalSpy finished(page(), &NiahPage::finished);
  QTest::mouseClick(find<QPushButton>("niahResume"), Qt::LeftButton);  // Retry failed
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  QVERIFY2(page()->view()->isDone, qPrintable(find<widgets::Notice>("niahNotice")->text()));
  QCOMPARE(page()->view()->failed, 0);
  QVERIFY(find<QPushButton>("niahResume")->isHidden());
}

void NiahRunTest::theNeedleModelsAreOneClickAway() {
  m_window->showPage(QStringLiteral("niah"));
  auto* samples = find<QPushButton>("niahEmptySamples");
  QVERIFY(samples->isVisible() && samples->isEnabled());
  picture(m_window.get(), "niah-empty");
  QSignalSpy finished(page(), &NiahPage::finished);
  QTest::mouseClick(samples, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(page()->view() != nullptr && page()->view()->trials > 0, kPatience);
  const NiahView* view = page()->view();
  QCOMPARE(view->map.arms.size(), 3U);
  QVERIFY(view->map.arms[0].label.starts_with("needle-transformer, Transformer"));
  QVERIFY(view->map.arms[1].label.starts_with("needle-swa, SWA"));
  QVERIFY(view->map.arms[2].label.starts_with("needle-orthros, Orthros"));
  QCOMPARE(view->map.spec.lengths.size(), 6U);
  QCOMPARE(view->map.spec.depths_ppm.size(), 6U);
  QCOMPARE(view->map.spec.trials, 5);
  picture(m_window.get(), "niah-running");
  QTest::mouseClick(find<QPushButton>("niahRun"), Qt::LeftButton);  // enough
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
}

void NiahRunTest::aFolderOfTextsIsAHaystack() {
  load();
  const QString folder = m_folder->filePath(QStringLiteral("texts"));
  QVERIFY(QDir().mkpath(folder));
  QFile file(folder + QStringLiteral("/a.txt"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  for (int i = 0; i < 400; ++i) file.write("the cat sat on the mat and looked at the dog. ");
  file.close();
  ask("96", "0, 100", 20, false);
  find<QComboBox>("niahHaystack")->setCurrentIndex(3);
  QVERIFY(!find<QPushButton>("niahRun")->isEnabled());
  QVERIFY(find<QLabel>("niahCounts")->text().contains(QStringLiteral("no text folder")));
  page()->form()->setFolder(folder);
  QCOMPARE(find<QComboBox>("niahHaystack")->currentText(), QStringLiteral("folder texts…"));
  QSignalSpy finished(page(), &NiahPage::finished);
  QTest::mouseClick(find<QPushButton>("niahRun"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(page()->view() != nullptr && page()->view()->trials > 0, kPatience);
  QTest::mouseClick(find<QPushButton>("niahRun"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  QVERIFY(!page()->view()->isDone);
  QVERIFY(!QString::fromStdString(page()->view()->spec.dump()).contains(m_folder->path()));
  QTest::mouseClick(find<QPushButton>("niahResume"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 2, kPatience);
  QVERIFY2(page()->view()->isDone, qPrintable(find<widgets::Notice>("niahNotice")->text()));
}

void NiahRunTest::theFormSaysWhatARunTakes() {
  load();
  ask("96, 160", "3", 2, false);
  auto* estimates = find<QLabel>("niahEstimates");
  for (const char* part : {"roughly", "free", "llama-tokenizer, Transformer"})
    QVERIFY2(estimates->text().contains(QLatin1String(part)), qPrintable(estimates->text()));
  QCOMPARE(estimates->text().count(QStringLiteral("B · ")) + estimates->text().endsWith(u'B'),
           3);  // one an arm
  runToItsEnd();
  QTRY_VERIFY_WITH_TIMEOUT(estimates->text().startsWith(QStringLiteral("about")), kPatience);
  const auto rates = readNiahRates(storePath());
  QVERIFY(rates.has_value());
  const auto source = page()->form()->sources();
  const QList<NiahRate> measured = rates->value(armLabel(m_workspace->library(), page()->form()->arms()[0]));
  QCOMPARE(measured.size(), 2);
  NiahSpec spec = page()->view()->map.spec;
  const double kept = estimateNiah(spec, source->front(), measured).seconds;
  QCOMPARE(kept, 6 * measured[0].seconds + 6 * measured[1].seconds);
  spec.lengths = {320};  // twice the longest: at the least twice as long
  const double beyond = estimateNiah(spec, source->front(), measured).seconds;
  QVERIFY(beyond >= 6 * 2 * measured[1].seconds * 0.99);
  // What cannot fit is said before it runs.
  find<QLineEdit>("niahLengths")->setText(QStringLiteral("1000000000"));
  QVERIFY(estimates->text().contains(QStringLiteral("more than is free")));
}

void NiahRunTest::runningCellsPulseUnlessMotionIsReduced() {
  widgets::NeedleMap map;
  widgets::NeedleMapData data;
  data.lengths = {128};
  data.depths = {0.5};
  data.cells.resize(1);
  data.cells[0].state = widgets::NeedleCell::State::Running;
  map.resize(300, 300);
  map.show();
  map.setData(data);
  QVERIFY(map.isPulsing());
  map.hide();
  QVERIFY(!map.isPulsing());
  widgets::setMotionReduced(true);
  map.show();
  QVERIFY(!map.isPulsing());
  widgets::setMotionReduced(false);
}

ORTHROS_QT_TEST(NiahRunTest);

}  // namespace orthros::studio

#include "niah_run_test.moc"
