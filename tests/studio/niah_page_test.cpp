// The NIAH page in the real window: what the form counts, how maps fill, stop, go on, come back and leave.
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>

#include "app/studio/pages/niah/niah_input.h"
#include "app/studio/pages/niah/niah_views.h"
#include "tests/studio/niah_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/controls.h"
#include "widgets/needle_map.h"

namespace orthros::studio {

class NiahPageTest : public NiahFixture {
  Q_OBJECT
 private Q_SLOTS:
  void textsAreReadAndWritten();
  void formCountsWhatItAsks();
  void armsAreAddedAndTakenOut();
  void runFillsTheMaps();
  void stopKeepsWhatIsDoneAndResumeCompletes();
  void keptRunsOpenAgain();
  void orthrosFindsWhatSwaCannotSee();
  void whatCannotRunIsANotice();
};

namespace {

std::vector<int64_t> hitsOf(const NiahView& view) {
  std::vector<int64_t> hits;
  for (const NiahArmMap& arm : view.map.arms) {
    for (const auto& column : arm.cells) {
      for (const NiahShare& share : column) hits.insert(hits.end(), {share.hits, share.n});
    }
  }
  return hits;
}

}  // namespace

void NiahPageTest::textsAreReadAndWritten() {
  const std::vector<int64_t> lengths{256, 1024, 1500, 8192, 1'048'576};
  QCOMPARE(lengthsText(lengths), QStringLiteral("256, 1K, 1500, 8K, 1M"));
  QCOMPARE(*parseLengths(lengthsText(lengths)), lengths);
  for (const char* wrong : {"", "x", "12x", "1,,2", "-5", "0", "99999999999", "2000M"})
    QVERIFY2(!parseLengths(QLatin1String(wrong)), wrong);
  QCOMPARE(*parseDepths(QStringLiteral("3")), (std::vector<int64_t>{0, 500'000, 1'000'000}));
  QCOMPARE(*parseDepths(QStringLiteral("0, 12.5, 100 %")), (std::vector<int64_t>{0, 125'000, 1'000'000}));
  for (const std::vector<int64_t>& depths :
       std::vector<std::vector<int64_t>>{{0, 500'000, 1'000'000}, {0, 125'000, 1'000'000}, {250'000}})
    QCOMPARE(*parseDepths(depthsText(depths)), depths);
  for (const char* wrong : {"", "0", "half", "0, 101", "5000", "0,,1"})
    QVERIFY2(!parseDepths(QLatin1String(wrong)), wrong);
}

void NiahPageTest::formCountsWhatItAsks() {
  QVERIFY(find<QLabel>("niahCounts")->text().contains(QStringLiteral("Open a model")));
  QVERIFY(!find<QPushButton>("niahRun")->isEnabled());
  load();
  ask("96, 160", "3", 2, true);
  const QString text = find<QLabel>("niahCounts")->text();
  // 6 cells of 2, 2 controls without needle of 2, needle alone 5 times: 21 trials on each of 3 arms.
  for (const char* part : {"6 cells", "3 controls", "63 trials on 3 arms"})
    QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
  QVERIFY(text.contains(QStringLiteral("6\u202f144 prompt tokens")));
  QVERIFY(find<QPushButton>("niahRun")->isEnabled());
  QCOMPARE(find<QComboBox>("niahPreset")->currentText(), QStringLiteral("Own"));
  find<QLineEdit>("niahLengths")->setText(QStringLiteral("96, 12x"));
  QVERIFY(find<QLabel>("niahCounts")->text().contains(QStringLiteral("'12x' is no length")));
  QVERIFY(!find<QPushButton>("niahRun")->isEnabled());
  find<QLineEdit>("niahLengths")->setText(QStringLiteral("160, 96"));
  QVERIFY(find<QLabel>("niahCounts")->text().contains(QStringLiteral("ascending")));
  page()->form()->setPreset(QStringLiteral("quick"));
  QCOMPARE(find<QSpinBox>("niahTrials")->value(), 5);
  QVERIFY(find<QPushButton>("niahRun")->isEnabled());
}

void NiahPageTest::armsAreAddedAndTakenOut() {
  const quint64 id = load();
  m_window->showPage(QStringLiteral("niah"));
  QCOMPARE(page()->form()->arms().size(), 3);  // one model: read as each architecture
  QTest::mouseClick(find<QPushButton>("niahArm0"), Qt::LeftButton);
  QCOMPARE(page()->form()->arms().size(), 2);
  find<QComboBox>("niahReading")->setCurrentIndex(2);
  find<QSpinBox>("niahWindow")->setValue(16);
  find<QSpinBox>("niahSinks")->setValue(2);
  QTest::mouseClick(find<QPushButton>("niahAddArm"), Qt::LeftButton);
  QTest::mouseClick(find<QPushButton>("niahAddArm"), Qt::LeftButton);
  QCOMPARE(page()->form()->arms().size(), 4);
  QVERIFY(!find<QPushButton>("niahAddArm")->isEnabled());
  QVERIFY(find<QPushButton>("niahArm3")->text().contains(QStringLiteral("SWA w=16 s=2")));
  QVERIFY(find<QLabel>("niahCounts")->text().contains(QStringLiteral("on 4 arms")));
  m_workspace->library().close(id);
  QTRY_VERIFY_WITH_TIMEOUT(page()->form()->arms().isEmpty(), kPatience);
  QVERIFY(!find<QPushButton>("niahRun")->isEnabled());
}

void NiahPageTest::runFillsTheMaps() {
  load();
  ask("96, 160", "3", 2, true);
  QSignalSpy shown(page(), &NiahPage::shown);
  runToItsEnd();
  QVERIFY(shown.size() >= 2);  // when it began and when it ended at the least
  const NiahView* view = page()->view();
  QVERIFY(view != nullptr && view->isDone);
  QCOMPARE(view->trials, 63);
  QCOMPARE(view->planned, 63);
  const char* const names[] = {"niahMap0", "niahMap1", "niahMap2"};
  for (size_t arm = 0; arm < 3; ++arm) {
    const widgets::NeedleMapData& data = find<widgets::NeedleMap>(names[arm])->data();
    QCOMPARE(data.cells.size(), 6U);
    QCOMPARE(data.all.trials, 12);
    for (size_t i = 0; i < data.cells.size(); ++i) {
      QCOMPARE(data.cells[i].trials, 2);
      QCOMPARE(data.cells[i].hits, view->map.arms[arm].cells[i / 3][i % 3].hits);
      QCOMPARE(data.cells[i].state, widgets::NeedleCell::State::Done);
      QVERIFY(data.cells[i].depthLow >= 0);
    }
  }
  QCOMPARE(find<widgets::NeedleMap>("niahMap0")->data().title, QStringLiteral("Transformer"));
  QVERIFY(find<QPushButton>("niahResume")->isHidden());
  QVERIFY(find<QLabel>("niahAbout")->text().contains(QStringLiteral("done")));
  QCOMPARE(m_workspace->engine().jobs().front()->view().state, widgets::JobView::State::Ok);
  // One cell looked at is looked at in all, and said of each arm.
  auto* map = find<widgets::NeedleMap>("niahMap0");
  QTest::mouseClick(map, Qt::LeftButton, {}, map->cellRect({1, 2}).center().toPoint());
  QCOMPARE(find<widgets::NeedleMap>("niahMap2")->marked(), (widgets::NeedleIndex{1, 2}));
  QCOMPARE(find<QLabel>("niahReadout")->text().count(QStringLiteral("160 tokens, depth 100.0 %")), 3);
  QVERIFY(page()->escape());
  QVERIFY(!find<widgets::NeedleMap>("niahMap2")->marked().isValid());
  QVERIFY(!page()->escape());
  picture(m_window.get(), "niah-tiny");
}

void NiahPageTest::stopKeepsWhatIsDoneAndResumeCompletes() {
  const quint64 id = load();
  ask("96", "0, 100", 60, false);
  QTest::mouseClick(find<QPushButton>("niahArm1"), Qt::LeftButton);
  QSignalSpy finished(page(), &NiahPage::finished);
  QTest::mouseClick(find<QPushButton>("niahRun"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(page()->view() != nullptr && page()->view()->trials > 0, kPatience);
  QCOMPARE(find<QPushButton>("niahRun")->text(), QStringLiteral("Stop"));
  QTest::mouseClick(find<QPushButton>("niahRun"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  const qint64 kept = page()->view()->trials;
  QCOMPARE(page()->view()->planned, 240);
  QVERIFY(kept > 0 && kept < 240);
  QVERIFY(!page()->view()->isDone);
  auto* notice = find<widgets::Notice>("niahNotice");
  QVERIFY2(notice->text().contains(QStringLiteral("%1 of 240").arg(kept)), qPrintable(notice->text()));
  QVERIFY(!find<QPushButton>("niahResume")->isHidden());
  picture(m_window.get(), "niah-stopped");
  // Without its model it says what to do.
  m_workspace->library().close(id);
  QTest::mouseClick(find<QPushButton>("niahResume"), Qt::LeftButton);
  QVERIFY2(notice->text().contains(QStringLiteral("llama-tokenizer is not open")),
           qPrintable(notice->text()));
  load();
  const QString uuid = page()->view()->uuid;
  QTest::mouseClick(find<QPushButton>("niahResume"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 2, kPatience);
  QVERIFY2(page()->view()->isDone, qPrintable(notice->text()));
  QCOMPARE(page()->view()->uuid, uuid);
  QCOMPARE(page()->view()->trials, 240);
  const std::vector<int64_t> resumed = hitsOf(*page()->view());
  // The same in one go gives the same.
  QTest::mouseClick(find<QPushButton>("niahArm1"), Qt::LeftButton);
  ask("96", "0, 100", 60, false);
  runToItsEnd();
  QVERIFY(page()->view()->uuid != uuid);
  QCOMPARE(hitsOf(*page()->view()), resumed);
}

void NiahPageTest::keptRunsOpenAgain() {
  load();
  ask("96, 160", "0, 100", 1, true);
  runToItsEnd();
  const NiahView before = *page()->view();
  m_window = std::make_unique<MainWindow>(*m_workspace);  // a later start
  m_window->show();
  m_window->showPage(QStringLiteral("niah"));
  QVERIFY(page()->view() == nullptr);
  QMenu* menu = find<QPushButton>("niahKept")->menu();
  Q_EMIT menu->aboutToShow();
  const QString entry = QStringLiteral("niah-kept-") + before.uuid;
  QTRY_VERIFY_WITH_TIMEOUT(menu->findChild<QAction*>(entry) != nullptr, kPatience);
  QVERIFY(menu->findChild<QAction*>(entry)->text().contains(QStringLiteral("done")));
  QSignalSpy shown(page(), &NiahPage::shown);
  menu->findChild<QAction*>(entry)->trigger();
  QTRY_COMPARE_WITH_TIMEOUT(shown.size(), 1, kPatience);
  QVERIFY(page()->view()->isDone);
  QCOMPARE(hitsOf(*page()->view()), hitsOf(before));
  QCOMPARE(captionOf(*page()->view()), captionOf(before));
  QCOMPARE(armNote(*page()->view(), 1), armNote(before, 1));
  QCOMPARE(find<QLineEdit>("niahLengths")->text(), QStringLiteral("96, 160"));
  QSignalSpy again(page(), &NiahPage::shown);
  page()->open(QStringLiteral("ffffffff"));
  QTRY_VERIFY_WITH_TIMEOUT(!find<widgets::Notice>("niahNotice")->isHidden(), kPatience);
  QCOMPARE(again.size(), 0);
}

void NiahPageTest::orthrosFindsWhatSwaCannotSee() {
  const quint64 id = open(sample("needle-orthros"));
  ask("256, 512", "0, 50", 4, false);
  page()->form()->setArms({{id, {}, {}, {}}, {id, Architecture::swa, {}, {}}});
  runToItsEnd();
  const NiahView* view = page()->view();
  QVERIFY(view != nullptr && view->isDone);
  QCOMPARE(view->map.arms[0].all.hits, 16);
  QCOMPARE(view->map.arms[1].all.hits, 0);  // three layers of 32 keys do not reach that far
  open(sample("needle-swa"));
  QCOMPARE(page()->form()->arms().size(), 2);  // one more open model changes no arms that somebody chose
  auto* readout = find<QLabel>("niahReadout");
  const QRect before = readout->geometry();
  auto* map = m_window->findChild<widgets::NeedleMap*>(QStringLiteral("niahMap0"));
  QVERIFY(map != nullptr);
  QTest::mouseMove(map, map->cellRect({0, 0}).center().toPoint());
  QCoreApplication::processEvents();
  QVERIFY(readout->text().contains(QStringLiteral("depth")));
  QCOMPARE(readout->geometry(), before);  // what is pointed at does not move away
  QTest::mouseClick(find<QPushButton>("niahDifference"), Qt::LeftButton);
  auto* delta = find<widgets::NeedleMap>("niahDelta");
  QVERIFY(delta->isVisible() && delta->data().isDifference);
  for (const widgets::NeedleCell& cell : delta->data().cells) QCOMPARE(cell.value, 1.0);
  QVERIFY(deltaNote(*view, 0).contains(QStringLiteral("McNemar p = 3.052e-05")));
  picture(m_window.get(), "niah-difference");
  auto* notice = find<widgets::Notice>("niahNotice");
  for (const char* suffix : {"svg", "pdf", "png"}) {
    const QString path = m_folder->filePath(QStringLiteral("map.") + QLatin1String(suffix));
    page()->exportTo(path);
    QVERIFY2(QFileInfo(path).size() > 1000, qPrintable(notice->text()));
  }
  QFile svg(m_folder->filePath(QStringLiteral("map.svg")));
  QVERIFY(svg.open(QIODevice::ReadOnly));
  QVERIFY(!svg.readAll().contains("<text"));  // outlines: no font is needed to see it
  page()->exportTo(QStringLiteral("/nowhere/map.svg"));
  QVERIFY(notice->text().contains(QStringLiteral("cannot write")));
  QSignalSpy exported(page(), &NiahPage::exported);
  page()->exportTo(m_folder->filePath(QStringLiteral("map.csv")));
  QTRY_COMPARE_WITH_TIMEOUT(exported.size(), 1, kPatience);
  QFile csv(m_folder->filePath(QStringLiteral("map.csv")));
  QVERIFY(csv.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
  QCOMPARE(lines.size(), 1 + 2 * 4);
  QVERIFY(lines[1].contains("word-number,256,0,done,4,4,1,"));
  QVERIFY(lines[5].contains("SWA") && lines[5].contains(",done,0,4,0,"));
}

void NiahPageTest::whatCannotRunIsANotice() {
  load();
  ask("8", "2", 1, false);
  runToItsEnd();
  auto* notice = find<widgets::Notice>("niahNotice");
  QVERIFY2(notice->text().contains(QStringLiteral("too short")), qPrintable(notice->text()));
  QVERIFY(page()->view() == nullptr);  // nothing was stored
  QVERIFY(!find<QWidget>("niahEmpty")->isHidden());
  picture(m_window.get(), "niah-refused");
  ask("96", "2", 1, false);  // and the page goes on
  runToItsEnd();
  QVERIFY(notice->isHidden());
  QVERIFY(page()->view()->isDone);
}

ORTHROS_QT_TEST(NiahPageTest);

}  // namespace orthros::studio

#include "niah_page_test.moc"
