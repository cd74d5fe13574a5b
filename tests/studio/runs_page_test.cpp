// The Runs page in the real window: the table follows the store without losing what the user looks at; runs
// open, go on, are copied, compared, deleted and brought back, leave and come in; SQL is asked and stopped.
#include "app/studio/pages/runs/runs_page.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>

#include "app/studio/pages/niah/niah_form.h"
#include "app/studio/pages/niah/niah_page.h"
#include "app/studio/pages/prompt/prompt_page.h"
#include "app/studio/pages/runs/run_comparison.h"
#include "app/studio/pages/runs/sql_pane.h"
#include "app/studio/text.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/qt_test.h"

namespace orthros::studio {
namespace {

template <class T>
T must(Result<T> result) {
  if (!result) qFatal("%s", result.error().line().c_str());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace

class RunsPageTest : public WindowFixture {
  Q_OBJECT
 private Q_SLOTS:
  void anEmptyStoreSaysWhatThePageIsFor();
  void theTableFollowsTheStore();
  void starsTagsAndNotesAreKept();
  void runsOpenOnTheirPage();
  void aStoppedMapGoesOnAndIsCopied();
  void deletingCanBeUndone();
  void aRunningRunIsNotDeleted();
  void bundlesLeaveAndComeIn();
  void whatIsNoBundleIsRefused();
  void onlyWhatDiffersIsCompared();
  void sqlAnswersErrorsAndStops();
  void narrowWindowsKeepTheName();

 private:
  RunsPage* page() const { return static_cast<RunsPage*>(m_window->page(QStringLiteral("runs"))); }
  QTableView* table() const { return find<QTableView>("runsTable"); }
  QString notice() const { return find<widgets::Notice>("runsNotice")->text(); }
  store::RunStore& store() { return *must(m_workspace->runStore(m_workspace->settings().runStorePath())); }
  /// A needle map of one arm, 2 of 4 found at 256 tokens and 4 of 4 at 512.
  store::ExperimentRecord addMap(const char* name, const char* spec = R"({"lengths":[256,512]})");
  void showAndRead();
  void click(const char* button) { QTest::mouseClick(find<QPushButton>(button), Qt::LeftButton); }
  void drop(const QString& path);
};

store::ExperimentRecord RunsPageTest::addMap(const char* name, const char* spec) {
  store::ExperimentRecord e;
  e.name = name;
  e.spec_json = spec;
  e.spec_sha256 = std::string(64, 'a');
  e = must(store().create_experiment(e));
  store::RunRecord r;
  r.experiment_id = e.id;
  r.environment_id = must(store().put_environment({}));
  r.arm_label = "tiny, Orthros w=4 s=0";
  std::vector<store::CellRecord> cells(2);
  for (size_t i = 0; i < 2; ++i) {
    cells[i].key = "cell " + std::to_string(i);
    cells[i].ctx_len = i == 0 ? 256 : 512;
    cells[i].depth_ppm = 0;
    cells[i].ordinal = static_cast<int64_t>(i);
  }
  const store::RowId run = must(store().create_run(r, cells)).id;
  must(store().begin_run(run));
  store::PromptRecord prompt;
  prompt.ids = {1, 2, 3};
  const store::RowId prompt_id = must(store().put_prompt(prompt, {}));
  cells = must(must(store::RunReader::open(store().path()))->cells(run));
  for (int64_t i = 0; i < 8; ++i) {
    store::NiahTrialRecord trial;
    trial.cell_id = cells[static_cast<size_t>(i / 4)].id;
    trial.trial_no = i % 4;
    trial.prompt_id = prompt_id;
    trial.primary = {"value-match/1", i >= 4 || i % 2 == 0 ? 1.0 : 0.0};
    must(store().add_trial(trial));
  }
  for (const store::CellRecord& cell : cells) must(store().end_cell(cell.id, store::CellStatus::done));
  must(store().end_run(run, store::RunStatus::done));
  return e;
}

void RunsPageTest::showAndRead() {
  QSignalSpy shown(page(), &RunsPage::shown);
  m_window->showPage(QStringLiteral("prompt"));
  m_window->showPage(QStringLiteral("runs"));
  [&] { QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), kPatience); }();
}

void RunsPageTest::drop(const QString& path) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(path)});
  QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(m_window.get(), &enter);
  QDropEvent event(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QSignalSpy changed(page(), &RunsPage::changed);
  QApplication::sendEvent(m_window.get(), &event);
  [&] { QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, kPatience); }();
}

void RunsPageTest::anEmptyStoreSaysWhatThePageIsFor() {
  showAndRead();
  QVERIFY(find<QWidget>("runsEmpty")->isVisible());
  QVERIFY(!find<QPushButton>("runsOpen")->isEnabled());
  QVERIFY(!QFile::exists(m_workspace->settings().runStorePath()));  // looking makes no store
  picture(m_window.get(), "runs-empty");
}

void RunsPageTest::theTableFollowsTheStore() {
  for (int i = 0; i < 40; ++i) addMap("older");
  const store::ExperimentRecord looked = addMap("looked at");
  for (int i = 0; i < 5; ++i) addMap("newer");
  showAndRead();
  QCOMPARE(table()->model()->rowCount(), 46);
  page()->select({toQt(looked.uuid)});
  QScrollBar* bar = table()->verticalScrollBar();
  bar->setValue(3 * 46 + 7);
  const auto topOf = [this] {
    return table()->visualRect(table()->selectionModel()->selectedRows().front()).top();
  };
  const int before = topOf();
  addMap("newest");  // by another connection than the page's
  QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 47, kPatience);
  QCOMPARE(page()->selectedRuns().size(), 1);
  QCOMPARE(page()->selectedRuns().front().name, QStringLiteral("looked at"));
  QCOMPARE(topOf(), before);
  const RunRow row = page()->selectedRuns().front();
  QCOMPARE(row.figure, QStringLiteral("75.00 %"));
  QCOMPARE(row.results, 8);
  QCOMPARE(row.models, QStringLiteral("tiny: Orthros w=4 s=0"));
  QCOMPARE(row.curves.size(), 1);
  QCOMPARE(row.curves.front().points, (QList<QPointF>{{256, 0.5}, {512, 1}}));
  find<QLineEdit>("runsSearch")->setText(QStringLiteral("newer"));
  QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 5, kPatience);
  QVERIFY(find<QLabel>("runsCount")->text().contains(QStringLiteral("5 of 47")));
  find<QLineEdit>("runsSearch")->setText(QStringLiteral("no such run"));
  QTRY_VERIFY_WITH_TIMEOUT(find<QWidget>("runsNothing")->isVisible(), kPatience);
  QVERIFY(page()->escape());
  QCOMPARE(table()->model()->rowCount(), 47);
}

void RunsPageTest::starsTagsAndNotesAreKept() {
  const store::ExperimentRecord e = addMap("a map");
  showAndRead();
  page()->select({toQt(e.uuid)});
  find<QLineEdit>("runTags")->setText(QStringLiteral(" paper ,w128,, paper"));
  find<QLineEdit>("runName")->setText(QStringLiteral("another name"));
  find<QPlainTextEdit>("runNote")->setPlainText(QStringLiteral("seen twice"));
  QSignalSpy changed(page(), &RunsPage::changed);
  m_window->showPage(QStringLiteral("prompt"));  // leaving the page is enough
  QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 3, kPatience);
  showAndRead();
  const QModelIndex star = table()->model()->index(0, RunTableModel::Star);
  QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(star).center());
  QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 4, kPatience);
  const auto kept = must(must(store::RunReader::open(store().path()))->find_experiment(e.uuid));
  QCOMPARE(toQt(kept.tags), QStringLiteral("paper, w128"));
  QCOMPARE(toQt(kept.name), QStringLiteral("another name"));
  QCOMPARE(toQt(kept.note), QStringLiteral("seen twice"));
  QVERIFY(kept.starred);
  QTRY_VERIFY_WITH_TIMEOUT(find<QComboBox>("runsTag")->findText(QStringLiteral("w128")) > 0, kPatience);
  picture(m_window.get(), "runs-details");
}

void RunsPageTest::runsOpenOnTheirPage() {
  load();
  run(4);
  showAndRead();
  QTRY_VERIFY_WITH_TIMEOUT(table()->model()->rowCount() >= 1, kPatience);
  page()->select({page()->findChild<RunTableModel*>()->rows().front().uuid});
  QVERIFY(!find<QPushButton>("runsResume")->isEnabled());
  click("runsOpen");
  QCOMPARE(m_window->currentPage()->name(), QStringLiteral("prompt"));
  QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("keptAgain")->isEnabled(), kPatience);
  QCOMPARE(columns().size(), 1);
  const auto ids = columns().front()->ids();
  QVERIFY(!ids.empty());
  showAndRead();
  QSignalSpy finished(static_cast<PromptPage*>(m_window->page(QStringLiteral("prompt"))),
                      &PromptPage::finished);
  click("runsAgain");
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  QCOMPARE(columns().front()->ids(), ids);  // the same seed says the same
}

void RunsPageTest::aStoppedMapGoesOnAndIsCopied() {
  load();
  auto* niah = static_cast<NiahPage*>(m_window->page(QStringLiteral("niah")));
  m_window->showPage(QStringLiteral("niah"));
  find<QLineEdit>("niahLengths")->setText(QStringLiteral("96"));
  find<QLineEdit>("niahDepths")->setText(QStringLiteral("0, 100"));
  find<QSpinBox>("niahTrials")->setValue(60);
  QSignalSpy finished(niah, &NiahPage::finished);
  click("niahRun");
  QTRY_VERIFY_WITH_TIMEOUT(niah->view() != nullptr && niah->view()->trials > 0, kPatience);
  click("niahRun");
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  const auto arms = niah->form()->arms();
  niah->form()->setPreset(QStringLiteral("smoke"));
  niah->form()->setArms({});
  showAndRead();
  QVERIFY(page()->findChild<RunTableModel*>()->rows().front().canResume());
  page()->select({page()->findChild<RunTableModel*>()->rows().front().uuid});
  QSignalSpy shown(niah, &NiahPage::shown);
  click("runsCopy");
  QCOMPARE(m_window->currentPage(), niah);
  QTRY_COMPARE_WITH_TIMEOUT(niah->form()->arms().size(), arms.size(), kPatience);
  QCOMPARE(find<QLineEdit>("niahLengths")->text(), QStringLiteral("96"));
  QCOMPARE(find<QSpinBox>("niahTrials")->value(), 60);
  QVERIFY(!niah->isRunning());
  showAndRead();
  click("runsResume");
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 2, kPatience);
  QVERIFY(niah->view()->isDone);
  showAndRead();
  QTRY_COMPARE_WITH_TIMEOUT(page()->findChild<RunTableModel*>()->rows().front().status,
                            QStringLiteral("done"), kPatience);
  QCOMPARE(table()->model()->rowCount(), 1);
}

void RunsPageTest::deletingCanBeUndone() {
  const store::ExperimentRecord a = addMap("first"), b = addMap("second");
  must(store().set_tags(a.id, "kept"));
  showAndRead();
  page()->select({toQt(a.uuid), toQt(b.uuid)});
  QSignalSpy changed(page(), &RunsPage::changed);
  click("runsDelete");
  QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, kPatience);
  QVERIFY2(notice().startsWith(QStringLiteral("2 runs deleted")), qPrintable(notice()));
  QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 0, kPatience);
  picture(m_window.get(), "runs-deleted");
  QTest::mouseClick(
      find<widgets::Notice>("runsNotice")->findChild<QPushButton*>(QStringLiteral("noticeAction")),
      Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 2, kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 2, kPatience);
  const RunRow* back = page()->findChild<RunTableModel*>()->find(toQt(a.uuid));
  QVERIFY(back != nullptr);
  QCOMPARE(back->results, 8);
  QCOMPARE(back->figure, QStringLiteral("75.00 %"));
  QCOMPARE(back->tags, QStringLiteral("kept"));
  QVERIFY(!QFile::exists(deletedPath(m_workspace->settings().runStorePath(), toQt(a.uuid))));
}

void RunsPageTest::aRunningRunIsNotDeleted() {
  const store::ExperimentRecord e = addMap("busy");
  const auto runs = must(must(store::RunReader::open(store().path()))->runs(e.id));
  must(store().begin_run(runs.front().id));
  showAndRead();
  page()->select({toQt(e.uuid)});
  QSignalSpy changed(page(), &RunsPage::changed);
  click("runsDelete");
  QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, kPatience);
  QVERIFY2(notice().contains(QStringLiteral("still running")), qPrintable(notice()));
  QCOMPARE(table()->model()->rowCount(), 1);
  must(store().end_run(runs.front().id, store::RunStatus::done));
}

void RunsPageTest::bundlesLeaveAndComeIn() {
  const store::ExperimentRecord e = addMap("travels");
  showAndRead();
  page()->select({toQt(e.uuid)});
  for (const char* suffix : {"sqlite", "csv", "jsonl", "txt"}) {
    QSignalSpy exported(page(), &RunsPage::exported);
    page()->exportTo(m_folder->filePath(QStringLiteral("out.") + QLatin1String(suffix)));
    QTRY_COMPARE_WITH_TIMEOUT(exported.size(), 1, kPatience);
  }
  QVERIFY2(notice().contains(QStringLiteral(".sqlite, .csv or .jsonl")), qPrintable(notice()));
  QFile csv(m_folder->filePath(QStringLiteral("out.csv")));
  QVERIFY(csv.open(QIODevice::ReadOnly));
  QCOMPARE(csv.readAll().count("value-match/1"), 8);
  QVERIFY(QFileInfo(m_folder->filePath(QStringLiteral("out.jsonl"))).size() > 1000);
  const QString bundle = m_folder->filePath(QStringLiteral("out.sqlite"));
  m_window->showPage(QStringLiteral("models"));
  drop(bundle);
  QCOMPARE(m_window->currentPage(), page());
  QCOMPARE(notice(), QStringLiteral("Nothing was added: the store has this run already."));
  must(store().delete_experiment(e.id));
  drop(bundle);
  QVERIFY2(notice().startsWith(QStringLiteral("Runs added: 1,")), qPrintable(notice()));
  QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 1, kPatience);
  QCOMPARE(page()->findChild<RunTableModel*>()->rows().front().results, 8);
  QVERIFY(m_workspace->library().models().empty());  // a bundle is no model
}

void RunsPageTest::whatIsNoBundleIsRefused() {
  addMap("is here");
  const QString path = m_folder->filePath(QStringLiteral("text.sqlite"));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("not a database at all, but long enough to be looked at as one");
  file.close();
  drop(path);
  QVERIFY2(notice().contains(QStringLiteral("text.sqlite")), qPrintable(notice()));
  // A bundle whose schema this program does not know.
  showAndRead();
  page()->select({page()->findChild<RunTableModel*>()->rows().front().uuid});
  const QString newer = m_folder->filePath(QStringLiteral("newer.sqlite"));
  QSignalSpy exported(page(), &RunsPage::exported);
  page()->exportTo(newer);
  QTRY_COMPARE_WITH_TIMEOUT(exported.size(), 1, kPatience);
  QFile bundle(newer);
  QVERIFY(bundle.open(QIODevice::ReadWrite));
  QVERIFY(bundle.seek(60));  // user_version of the file's header, big-endian
  bundle.write(QByteArray::fromHex("000003e7"));
  bundle.close();
  drop(newer);
  for (const char* part : {"newer.sqlite", "newer version", "schema 999", "update the program"})
    QVERIFY2(notice().contains(QLatin1String(part)), qPrintable(notice()));
  picture(m_window.get(), "runs-newer");
}

void RunsPageTest::onlyWhatDiffersIsCompared() {
  const auto a = addMap("first", R"({"lengths":[256,512],"trials":4,"seed":1})");
  const auto b = addMap("second", R"({"lengths":[256,512],"trials":4,"seed":2})");
  const auto c = addMap("third", R"({"lengths":[256],"trials":4,"seed":2})");
  showAndRead();
  QSignalSpy compared(find<RunComparison>("runComparison"), &RunComparison::shown);
  page()->select({toQt(a.uuid), toQt(b.uuid), toQt(c.uuid)});
  QTRY_COMPARE_WITH_TIMEOUT(compared.size(), 1, kPatience);
  auto* differences = find<QTableWidget>("runDifferences");
  QCOMPARE(differences->rowCount(), 2);
  QCOMPARE(differences->columnCount(), 4);
  QCOMPARE(differences->item(0, 0)->text(), QStringLiteral("spec/lengths"));
  QCOMPARE(differences->item(0, 1)->text(), QStringLiteral("[256]"));  // newest first: A is the third
  QCOMPARE(differences->item(1, 3)->text(), QStringLiteral("1"));
  auto* figures = find<QTableWidget>("runFigures");
  QVERIFY(figures->item(0, 1)->text().startsWith(QStringLiteral("75.00")));
  QVERIFY(find<QWidget>("runsDrawer")->isVisible());
  picture(m_window.get(), "runs-compare");
  // Two of the same: no table, but words.
  const auto twin = addMap("twin", R"({"lengths":[256,512],"trials":4,"seed":1})");
  QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 4, kPatience);
  page()->select({toQt(a.uuid), toQt(twin.uuid)});
  QTRY_COMPARE_WITH_TIMEOUT(compared.size(), 2, kPatience);
  QVERIFY(find<QWidget>("runSame")->isVisible() && differences->isHidden());
}

void RunsPageTest::sqlAnswersErrorsAndStops() {
  addMap("a map");
  showAndRead();
  click("sqlTab");
  auto* pane = page()->sql();
  const auto ask = [&](const QString& sql) {
    QSignalSpy finished(pane, &SqlPane::finished);
    pane->setSql(sql);
    pane->run();
    [&] { QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience); }();
  };
  auto* model = pane->findChild<SqlTableModel*>();
  const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  auto* said = find<widgets::Notice>("sqlNotice");
  for (const SqlExample& example : sqlExamples()) {
    ask(example.sql);
    QVERIFY2(said->isHidden(), qPrintable(example.title + u": " + said->text()));
    QVERIFY2(model->columnCount() > 0, qPrintable(example.title));
  }
  ask(sqlExamples().front().sql);
  QCOMPARE(model->rowCount(), 2);
  QCOMPARE(model->index(0, 2).data().toString(), QStringLiteral("0.5"));
  click("sqlCopy");
  QCOMPARE(QGuiApplication::clipboard()->text().section(QStringLiteral("\r\n"), 0, 1),
           QStringLiteral("arm_label,ctx_len,accuracy,n\r\n\"tiny, Orthros w=4 s=0\",256,0.5,4"));
  picture(m_window.get(), "runs-sql");
  ask(QStringLiteral("SELECT nowhere FROM experiment"));
  QVERIFY2(said->text().contains(QStringLiteral("no such column: nowhere")), qPrintable(said->text()));
  QCOMPARE(model->rowCount(), 2);  // the last answer stays
  for (const char* writing : {"DELETE FROM experiment", "UPDATE experiment SET name = 'x'",
                              "PRAGMA query_only = OFF", "ATTACH 'x.db' AS x", "SELECT 1; DELETE FROM run"}) {
    ask(QLatin1String(writing));
    QVERIFY2(said->isVisible(), writing);
  }
  QCOMPARE(must(must(store::RunReader::open(store().path()))->experiments()).size(), 1U);
  const QString endless = QStringLiteral("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ");
  ask(endless + QStringLiteral("SELECT i FROM n"));
  QCOMPARE(model->rowCount(), int(SqlPane::kMostRows));
  QVERIFY(find<QLabel>("sqlCount")->text().contains(QStringLiteral("the limit")));
  QSignalSpy finished(pane, &SqlPane::finished);
  pane->setSql(endless + QStringLiteral("SELECT count(*) FROM n"));
  click("sqlRun");
  QVERIFY(pane->isRunning());
  QTest::qWait(30);
  QCOMPARE(find<QPushButton>("sqlRun")->text(), QStringLiteral("Stop"));
  QVERIFY(page()->escape());
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  QVERIFY2(said->text().startsWith(QStringLiteral("Stopped")), qPrintable(said->text()));
  ask(QStringLiteral("SELECT 1"));
  QVERIFY(said->isHidden());
}

void RunsPageTest::narrowWindowsKeepTheName() {
  addMap("a name that must be read");
  m_window->resize(880, 560);
  showAndRead();
  QCOMPARE(m_window->width(), 880);
  page()->select({page()->findChild<RunTableModel*>()->rows().front().uuid});
  QVERIFY(!find<QWidget>("runsDrawer")->isVisible());
  QVERIFY(table()->isColumnHidden(RunTableModel::Duration));
  QVERIFY(table()->columnWidth(RunTableModel::Name) >= 120);
  picture(m_window.get(), "runs-narrow");
  click("runsDetails");
  QVERIFY(find<QWidget>("runsDrawer")->isVisible());
  QVERIFY(table()->columnWidth(RunTableModel::Name) >= 120);
  QCOMPARE(m_window->width(), 880);
  picture(m_window.get(), "runs-narrow-details");
}

ORTHROS_QT_TEST(RunsPageTest);

}  // namespace orthros::studio

#include "runs_page_test.moc"
