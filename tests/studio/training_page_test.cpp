// The Training page in the real window: recipes are read, trainings run, stop with a checkpoint, go on, come
// back and are compared; their models open.
#include "app/studio/pages/training/training_page.h"

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTreeWidget>

#include "app/studio/pages/runs/runs_page.h"
#include "app/studio/pages/training/answer_list.h"
#include "app/studio/pages/training/training_plots.h"
#include "app/studio/text.h"
#include "engine/store/run_reader.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/controls.h"

namespace orthros::studio {

class TrainingPageTest : public WindowFixture {
  Q_OBJECT
 private Q_SLOTS:
  void theSampleRecipesAreRead();
  void pointsAreThinnedToMeans();
  void aTrainingFillsThePlotsAndItsModelOpens();
  void stoppedOnesGoOnWhereTheyWere();
  void keptOnesAreComparedAndExported();
  void mistakesAreNotices();
  void runsPageGoesOnWithATraining();

 private:
  TrainingPage* page() const {
    return static_cast<TrainingPage*>(m_window->page(QStringLiteral("training")));
  }
  QString notice() const { return find<widgets::Notice>("trainingNotice")->text(); }
  QTreeWidget* list() const { return find<QTreeWidget>("trainingList"); }
  /// A tiny Orthros that learns to recall, as a file.
  QString recipe(const char* name, int steps, int seed = 1) const;
  void choose(const QString& recipe);
  void start(int steps = 0);
  void trainToItsEnd(const QString& recipe, int steps = 0);
  QTreeWidgetItem* item(const QString& key) const;
};

QString TrainingPageTest::recipe(const char* name, int steps, int seed) const {
  const QString json =
      QStringLiteral(R"({"model": {"model_type": "orthros", "base_model_type": "llama", "hidden_size": 32,
        "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 2,
        "head_dim": 16, "vocab_size": 320, "max_position_embeddings": 512, "rms_norm_eps": 1e-5,
        "rope_theta": 10000.0, "tie_word_embeddings": false, "window_size": 8, "num_sink_tokens": 0,
        "layer_types": ["orthros_attention", "orthros_attention"], "scale_offset": true},
      "tokenizer": "%1", "output": "beside-the-recipe", "seed": %2,
      "stages": [{"task": "recall", "max_steps": %3, "length": 16, "batch": 4, "keys": 40}]})")
          .arg(fixture("tiny/llama-tokenizer"))
          .arg(seed)
          .arg(steps);
  const QString path = m_folder->filePath(QLatin1String(name) + QStringLiteral(".json"));
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(json.toUtf8());
  return path;
}

QTreeWidgetItem* TrainingPageTest::item(const QString& key) const {
  for (int g = 0; g < list()->topLevelItemCount(); ++g) {
    const QTreeWidgetItem* group = list()->topLevelItem(g);
    for (int i = 0; i < group->childCount(); ++i) {
      if (group->child(i)->data(0, Qt::UserRole).toString() == key) return group->child(i);
    }
  }
  return nullptr;
}

void TrainingPageTest::choose(const QString& path) {
  m_window->showPage(QStringLiteral("training"));
  page()->addRecipe(path);
  [&] { QTRY_VERIFY_WITH_TIMEOUT(item(path) != nullptr && item(path)->isSelected(), kPatience); }();
}

void TrainingPageTest::start(int steps) {
  find<QSpinBox>("trainingSteps")->setValue(steps);
  QTest::mouseClick(find<QPushButton>("trainingStart"), Qt::LeftButton);
}

void TrainingPageTest::trainToItsEnd(const QString& path, int steps) {
  choose(path);
  QSignalSpy finished(page(), &TrainingPage::finished);
  QSignalSpy listed(page(), &TrainingPage::listed);
  start(steps);
  [&] {
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
    listed.clear();
    QTRY_VERIFY_WITH_TIMEOUT(!listed.isEmpty(), kPatience);
  }();
}

void TrainingPageTest::theSampleRecipesAreRead() {
  const QStringList paths = recipePaths();
  QVERIFY(paths.size() >= 5);
  for (const QString& path : paths) {
    const TrainingRecipe read = readRecipe(path);
    QVERIFY2(read.steps > 0 && !read.stages.isEmpty() && !read.architecture.isEmpty(), qPrintable(path));
  }
  const TrainingRecipe lesson = readRecipe(paths.filter(QStringLiteral("/lesson.json")).front());
  QCOMPARE(lesson.architecture, QStringLiteral("orthros"));
  QCOMPARE(lesson.steps, 4000);
  QCOMPARE(lesson.stages.size(), 3);
  QVERIFY2(lesson.problem.isEmpty(), qPrintable(lesson.problem));
  QVERIFY(!readRecipe(m_folder->filePath(QStringLiteral("nowhere.json"))).problem.isEmpty());
}

void TrainingPageTest::pointsAreThinnedToMeans() {
  std::vector<TrainingPoint> points;
  for (int i = 1; i <= 10; ++i) points.push_back({i, i * 1.0, 2, 3, 4});
  QCOMPARE(thinned(points, 10).size(), 10U);
  const auto few = thinned(points, 3);
  QCOMPARE(few.size(), 3U);
  QCOMPARE(few.back().step, 10);
  QCOMPARE(few[0].loss, 2.0);  // of 1, 2, 3
  QCOMPARE(few[2].loss, 8.5);  // of 7, 8, 9, 10
  QCOMPARE(few[1].norm, 3.0);
}

void TrainingPageTest::aTrainingFillsThePlotsAndItsModelOpens() {
  m_window->showPage(QStringLiteral("training"));
  QVERIFY(find<QWidget>("trainingEmpty")->isVisible());
  const QAbstractItemModelTester tester(page()->answers()->model(),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
  const QString path = recipe("tiny", 60);
  trainToItsEnd(path);
  QVERIFY2(notice().startsWith(QStringLiteral("Trained: 60 steps")), qPrintable(notice()));
  QTRY_COMPARE_WITH_TIMEOUT(page()->plots()->runs().front().points.size(), 60U, kPatience);
  for (int i = 0; i < 4; ++i) {
    QCOMPARE(page()->plots()->plot(i)->axisLeft(),
             page()->plots()->plot(0)->axisLeft());  // steps in one line
    const auto& data = page()->plots()->plot(i)->data();
    QCOMPARE(data.curves.size(), 1U);
    QCOMPARE(data.curves.front().architecture, QStringLiteral("orthros"));
    QCOMPARE(data.curves.front().points.size(), 60U);
    for (size_t k = 0; k < 60; ++k) QCOMPARE(data.curves.front().points[k].x, static_cast<double>(k + 1));
  }
  const auto& points = page()->plots()->runs().front().points;
  QVERIFY(points.back().loss > 0 && points.back().tokensPerSecond > 0);
  QVERIFY(page()->answers()->model()->rowCount() >= 8);  // four sequences at step 1 and at step 50
  const auto row = page()->answers()->model()->index(0).data(AnswerModel::RowRole).value<AnswerRow>();
  QCOMPARE(row.step, 50);
  if (row.right) QCOMPARE(row.said, row.expected);
  QVERIFY(!row.asked.isEmpty() && !row.expected.isEmpty());
  // Into the data folder, not beside the recipe.
  QVERIFY(QFileInfo::exists(m_folder->filePath(QStringLiteral("training/tiny/model/config.json"))));
  QVERIFY(!QFileInfo::exists(m_folder->filePath(QStringLiteral("beside-the-recipe"))));
  picture(m_window.get(), "training-done");
  QTest::mouseClick(
      find<widgets::Notice>("trainingNotice")->findChild<QPushButton*>(QStringLiteral("noticeAction")),
      Qt::LeftButton);
  QCOMPARE(m_window->currentPage()->name(), QStringLiteral("models"));
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->currentModel() != nullptr, kPatience);
  QVERIFY(m_workspace->currentModel()->path.endsWith(QStringLiteral("training/tiny/model")));
  choose(path);  // the next one takes another folder
  QVERIFY(find<QLineEdit>("trainingOutput")->text().endsWith(QStringLiteral("tiny-2")));
}

void TrainingPageTest::stoppedOnesGoOnWhereTheyWere() {
  choose(recipe("long", 100'000));
  QSignalSpy finished(page(), &TrainingPage::finished);
  start();
  QTRY_VERIFY_WITH_TIMEOUT(
      !page()->plots()->runs().isEmpty() && page()->plots()->runs().front().points.size() > 3, kPatience);
  QCOMPARE(find<QPushButton>("trainingStart")->text(), QStringLiteral("Stop"));
  picture(m_window.get(), "training-running");
  QTest::mouseClick(find<QPushButton>("trainingStart"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  QVERIFY2(notice().startsWith(QStringLiteral("Stopped after step")), qPrintable(notice()));
  const QString folder = m_folder->filePath(QStringLiteral("training/long"));
  QTRY_VERIFY_WITH_TIMEOUT(item(folder) != nullptr, kPatience);
  QSignalSpy shown(page(), &TrainingPage::shown);
  list()->clearSelection();
  list()->setCurrentItem(item(folder));
  QTRY_VERIFY_WITH_TIMEOUT(!shown.isEmpty(), kPatience);
  const qint64 before = page()->plots()->runs().front().points.back().step;
  QCOMPARE(find<QPushButton>("trainingStart")->text(), QStringLiteral("Resume"));
  start(5);
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 2, kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(page()->plots()->runs().front().points.back().step, before + 5, kPatience);
  const auto& points = page()->plots()->runs().front().points;
  for (size_t i = 0; i < points.size(); ++i) QCOMPARE(points[i].step, static_cast<qint64>(i + 1));
  const auto kept = readKeptTrainings(m_workspace->settings().runStorePath());
  QCOMPARE(kept->size(), 1);  // the same experiment
  QCOMPARE(kept->front().status, QStringLiteral("cancelled"));
}

void TrainingPageTest::keptOnesAreComparedAndExported() {
  trainToItsEnd(recipe("first", 20));
  trainToItsEnd(recipe("second", 30, 2));
  const auto kept = readKeptTrainings(m_workspace->settings().runStorePath());
  QCOMPARE(kept->size(), 2);
  QTRY_VERIFY_WITH_TIMEOUT(item((*kept)[0].uuid) != nullptr && item((*kept)[1].uuid) != nullptr, kPatience);
  list()->clearSelection();
  QSignalSpy shown(page(), &TrainingPage::shown);
  for (const KeptTraining& run : *kept) item(run.uuid)->setSelected(true);
  QTRY_COMPARE_WITH_TIMEOUT(page()->plots()->runs().size(), 2, kPatience);
  for (int i = 0; i < 4; ++i) QCOMPARE(page()->plots()->plot(i)->data().curves.size(), 2U);
  QCOMPARE(page()->plots()->plot(0)->data().curves[1].variant, 1);  // told apart by their line
  QVERIFY(!find<QPushButton>("trainingStart")->isEnabled());
  picture(m_window.get(), "training-compare");
  for (const char* suffix : {"svg", "csv"}) {
    QSignalSpy exported(page(), &TrainingPage::exported);
    page()->exportTo(m_folder->filePath(QStringLiteral("out.") + QLatin1String(suffix)));
    QTRY_COMPARE_WITH_TIMEOUT(exported.size(), 1, kPatience);
    QVERIFY2(notice().startsWith(QStringLiteral("Written")), qPrintable(notice()));
  }
  QFile csv(m_folder->filePath(QStringLiteral("out.csv")));
  QVERIFY(csv.open(QIODevice::ReadOnly));
  QCOMPARE(csv.readAll().trimmed().count('\n'), 50);
}

void TrainingPageTest::mistakesAreNotices() {
  const QString bad = m_folder->filePath(QStringLiteral("bad.json"));
  QFile file(bad);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(R"({"model": {}, "tokenizer": ".", "output": "x", "stages": []})");
  file.close();
  choose(bad);
  QVERIFY(item(bad)->text(1).contains(QStringLiteral("cannot run")));
  start();
  QVERIFY(!page()->isRunning());
  QVERIFY2(notice().contains(QStringLiteral("stages")), qPrintable(notice()));
  picture(m_window.get(), "training-bad-recipe");
  const QString good = recipe("good", 10);
  trainToItsEnd(good, 4);
  const auto refused = [&](const QString& output) {
    choose(good);
    find<QLineEdit>("trainingOutput")->setText(output);
    QSignalSpy finished(page(), &TrainingPage::finished);
    start();
    [&] { QTRY_VERIFY_WITH_TIMEOUT(!page()->isRunning(), kPatience); }();
    QTest::qWait(1);
    return notice();
  };
  const QString there = m_folder->filePath(QStringLiteral("training/good"));
  QVERIFY2(refused(there).contains(QStringLiteral("unfinished training")), qPrintable(notice()));
  QVERIFY2(refused(QStringLiteral("relative")).contains(QStringLiteral("whole path")), qPrintable(notice()));
  QVERIFY2(refused(good + QStringLiteral("/below-a-file")).contains(QStringLiteral("cannot make")),
           qPrintable(notice()));
  QCOMPARE(readKeptTrainings(m_workspace->settings().runStorePath())->size(), 1);  // refusals leave nothing
}

void TrainingPageTest::runsPageGoesOnWithATraining() {
  trainToItsEnd(recipe("begun", 12), 6);
  auto* runs = static_cast<RunsPage*>(m_window->page(QStringLiteral("runs")));
  QSignalSpy read(runs, &RunsPage::shown);
  m_window->showPage(QStringLiteral("runs"));
  QTRY_VERIFY_WITH_TIMEOUT(!read.isEmpty(), kPatience);
  const RunRow row = runs->findChild<RunTableModel*>()->rows().front();
  QCOMPARE(row.kind, QStringLiteral("training"));
  QVERIFY(row.figure.endsWith(QStringLiteral("nats")));
  runs->select({row.uuid});
  QSignalSpy finished(page(), &TrainingPage::finished);
  find<QSpinBox>("trainingSteps")->setValue(0);
  QTest::mouseClick(find<QPushButton>("runsResume"), Qt::LeftButton);
  QCOMPARE(m_window->currentPage(), page());
  QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kPatience);
  QVERIFY2(notice().startsWith(QStringLiteral("Trained: 12 steps")), qPrintable(notice()));
}

ORTHROS_QT_TEST(TrainingPageTest);

}  // namespace orthros::studio

#include "training_page_test.moc"
