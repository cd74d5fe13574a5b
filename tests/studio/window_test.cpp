// The real window on tiny models: load, convert, prompt, stop, keep, reopen, bad files, closing while a job
// runs.
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/studio/main_window.h"
#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/models/convert_dialog.h"
#include "app/studio/pages/models/model_list.h"
#include "app/studio/pages/prompt/kept_prompts.h"
#include "app/studio/pages/prompt/prompt_form.h"
#include "app/studio/pages/prompt/prompt_page.h"
#include "app/studio/pages/prompt/seed_box.h"
#include "tests/studio/window_fixture.h"
#include "tests/support/qt_test.h"
#include "widgets/token_chips.h"

namespace orthros::studio {
class WindowTest : public WindowFixture {
  Q_OBJECT
 private Q_SLOTS:
  void everyRailButtonOpensAPage();
  void loadsAModelAndShowsWhatItIs();
  void samplesAreOneClickAway();
  void missingDeviceIsSaid();
  void badFileIsANoticeNotADialog();
  void modelThatDoesNotFitIsRefusedWithNumbers();
  void dropOpensAModel();
  void promptRunsEveryArmOnTheSameIds();
  void runsAreKeptAndReopened();
  void aBranchIsKeptWholeAndLeadsToItsOwnAttention();
  void aSeedIsAnyNumberOf64Bits();
  void keptRunsRunAgainAndAreCompared();
  void twoModelsAreCompared();
  void chatReusesTheCache();
  void stopEndsTheRunAndTheWindowGoesOn();
  void closeWhileAJobRuns();
  void closingAModelFreesIt();
  void layoutIsKeptOnlyWhenChanged();
  void pagesSwitchWhileAJobRuns();
  void convertWritesAModelAndOpensIt();
  void escapeClosesAPopupBeforeItStops();
  void itemModelsHoldTheRules();
};

void WindowTest::everyRailButtonOpensAPage() {
  for (const QString& name : m_window->pageNames()) {
    auto* button = m_window->findChild<QToolButton*>(QStringLiteral("rail-") + name);
    QVERIFY2(button != nullptr, qPrintable(name));
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(m_window->currentPage()->name(), name);
    QVERIFY(!button->accessibleName().isEmpty());
  }
}

void WindowTest::loadsAModelAndShowsWhatItIs() {
  const OpenedModel* model = m_workspace->library().find(load());
  QCOMPARE(model->state, OpenedModel::State::Ready);
  QCOMPARE(m_workspace->currentModel(), model);
  QCOMPARE(find<QLabel>("cardName")->text(), QStringLiteral("llama-tokenizer"));
  QVERIFY(find<QLabel>("cardMemory")->text().contains(QStringLiteral("needed")));
  QCOMPARE(model->facts.mixers.size(), model->facts.layers);
  QVERIFY(model->facts.kvBytesPerToken > 0 && model->facts.balanceTokens > 0);
  QCOMPARE(m_workspace->settings().recentModels().front(), model->path);
  QVERIFY(!find<QPushButton>("cardPrompt")->isHidden());
}

void WindowTest::samplesAreOneClickAway() {
  auto* samples = find<QListView>("sampleModels");
  QVERIFY(samples != nullptr);
  int row = 0;
  while (row < samples->model()->rowCount() &&
         samples->model()->index(row, 0).data().toString() != QStringLiteral("needle-orthros"))
    ++row;
  const QModelIndex index = samples->model()->index(row, 0);
  QVERIFY(index.isValid());
  samples->scrollTo(index);
  QTest::mouseClick(samples->viewport(), Qt::LeftButton, {}, samples->visualRect(index).center());
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->currentModel() != nullptr, kPatience);
  QCOMPARE(m_workspace->currentModel()->name(), QStringLiteral("needle-orthros"));
}

void WindowTest::missingDeviceIsSaid() {
  m_workspace->settings().setDevice(QStringLiteral("cuda"));
  const OpenedModel* model = m_workspace->library().find(load());
  if (model->state == OpenedModel::State::Ready) QSKIP("this machine has a GPU and the plug-in");
  QVERIFY2(model->problem.contains(QStringLiteral("cuda"), Qt::CaseInsensitive), qPrintable(model->problem));
}

void WindowTest::badFileIsANoticeNotADialog() {
  const QString path = m_folder->filePath(QStringLiteral("broken.gguf"));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("GGUF but not really");
  file.close();
  const quint64 id = m_workspace->library().open(path);
  QTRY_COMPARE_WITH_TIMEOUT(m_workspace->library().find(id)->state, OpenedModel::State::Failed, kPatience);
  QVERIFY(find<QLabel>("noticeText") != nullptr);
  QVERIFY(m_workspace->library().find(id)->problem.contains(QStringLiteral("broken.gguf")));
  QVERIFY(QApplication::activeModalWidget() == nullptr);
  QVERIFY(m_workspace->settings().recentModels().isEmpty());
}

void WindowTest::modelThatDoesNotFitIsRefusedWithNumbers() {
  m_workspace->settings().setContextTokens(2'000'000'000);
  const OpenedModel* model = m_workspace->library().find(load());
  QCOMPARE(model->state, OpenedModel::State::Refused);
  QVERIFY(!model->facts.plan.fits());
  QVERIFY2(model->problem.contains(QStringLiteral("GB")) || model->problem.contains(QStringLiteral("TB")),
           qPrintable(model->problem));
}

void WindowTest::dropOpensAModel() {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(fixture("tiny/llama-tokenizer"))});
  QDragEnterEvent enter(QPoint(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(m_window.get(), &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent drop(QPointF(400, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(m_window.get(), &drop);
  QCOMPARE(m_workspace->library().models().size(), 1U);
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->currentModel() != nullptr, kPatience);
}

void WindowTest::promptRunsEveryArmOnTheSameIds() {
  load();
  for (const char* arm : {"arm-transformer", "arm-swa", "arm-orthros"})
    find<QCheckBox>(arm)->setChecked(true);
  find<QSpinBox>("armWindow")->setValue(4096);
  run(6);
  const auto views = columns();
  QCOMPARE(views.size(), 3);
  for (auto* view : views) {
    QVERIFY(!view->chips().empty());
    // A window beyond the prompt is the Transformer: all arms must say the same.
    QCOMPARE(view->text(), views[0]->text());
    QCOMPARE(view->chips()[0].alternatives.size(), 10);
    QCOMPARE(view->chips()[0].alternatives[0].id, view->chips()[0].id);  // greedy
    QVERIFY(view->chips()[0].probability > 0 && view->chips()[0].probability <= 1);
  }
  QVERIFY(m_window->findChild<QLabel*>(QStringLiteral("figure0"))->text().contains(u's'));
}

void WindowTest::runsAreKeptAndReopened() {
  load();
  run(5);
  const QString said = columns()[1]->text();
  auto* view = find<QListView>("keptRuns");
  QTRY_COMPARE_WITH_TIMEOUT(view->model()->rowCount(), 2, kPatience);
  QCOMPARE(view->model()->index(0, 0).data().toString(), QStringLiteral("the cat"));
  QTest::mouseClick(find<QPushButton>("tabKept"), Qt::LeftButton);
  view->selectionModel()->select(view->model()->index(0, 0), QItemSelectionModel::ClearAndSelect);
  QTRY_COMPARE_WITH_TIMEOUT(columns().size(), 1, kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(columns()[0]->text(), said, kPatience);
  QCOMPARE(columns()[0]->chips()[1].alternatives.size(), 10);  // the first is the user's text
  picture(m_window.get(), "kept");
}

void WindowTest::aBranchIsKeptWholeAndLeadsToItsOwnAttention() {
  load();
  run(5);
  auto* prompt = static_cast<PromptPage*>(m_window->page(QStringLiteral("prompt")));
  QSignalSpy branched(prompt, &PromptPage::finished);
  const qint64 other = columns().back()->chips()[2].alternatives[1].id;
  Q_EMIT columns().back()->branchRequested(2, other);
  QTRY_COMPARE_WITH_TIMEOUT(branched.size(), 1, kPatience);
  const std::vector<qint64> said = columns().back()->ids();
  QCOMPARE(said.at(2), other);
  auto* view = find<QListView>("keptRuns");
  QTRY_COMPARE_WITH_TIMEOUT(view->model()->rowCount(), 3, kPatience);
  find<QPlainTextEdit>("promptText")->setPlainText(QStringLiteral("something else"));
  QTest::mouseClick(find<QPushButton>("tabKept"), Qt::LeftButton);
  view->selectionModel()->select(view->model()->index(0, 0), QItemSelectionModel::ClearAndSelect);
  QTRY_COMPARE_WITH_TIMEOUT(columns().size(), 1, kPatience);
  QTRY_VERIFY_WITH_TIMEOUT(columns()[0]->ids() == said, kPatience);
  auto* attention = static_cast<AttentionPage*>(m_window->page(QStringLiteral("attention")));
  QSignalSpy captured(attention, &AttentionPage::captured);
  QTest::mouseClick(find<QPushButton>("promptLook"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(captured.size(), 1, kPatience);
  const auto& ids = attention->capture()->ids;
  QVERIFY(ids.size() > said.size());
  QVERIFY(std::equal(said.rbegin(), said.rend(), ids.rbegin()));
  QVERIFY(attention->capture()->text.startsWith(QStringLiteral("the cat")));
}

void WindowTest::aSeedIsAnyNumberOf64Bits() {
  auto* seed = find<SeedBox>("seed");
  seed->setValue(0);
  seed->selectAll();
  QTest::keyClicks(seed, QStringLiteral("18446744073709551615"));
  QCOMPARE(seed->value(), std::numeric_limits<uint64_t>::max());
  QTest::keyClick(seed, Qt::Key_Up);
  QCOMPARE(seed->value(), std::numeric_limits<uint64_t>::max());
  QTest::keyClick(seed, Qt::Key_Down);
  QCOMPARE(seed->value(), std::numeric_limits<uint64_t>::max() - 1);
  QTest::keyClick(seed, Qt::Key_End);
  QTest::keyClicks(seed, QStringLiteral("9x-"));  // one digit too many, and what is none
  QCOMPARE(seed->value(), std::numeric_limits<uint64_t>::max() - 1);
  seed->setValue(0);
  QTest::keyClick(seed, Qt::Key_Down);
  QCOMPARE(seed->value(), uint64_t{0});
}

// Neither an int nor a double holds it.
constexpr uint64_t kLongSeed = 9'007'199'254'740'993;

void WindowTest::keptRunsRunAgainAndAreCompared() {
  load();
  find<QSpinBox>("armWindow")->setValue(2);
  find<QSpinBox>("armSinks")->setValue(0);
  find<SeedBox>("seed")->setValue(kLongSeed);
  run(12);
  QCOMPARE(columns().size(), 2);
  const auto first = columns()[0]->ids();
  const auto comparisons = m_window->findChildren<QLabel*>(QStringLiteral("armComparison"));
  QVERIFY(std::ranges::any_of(comparisons, [](const QLabel* label) { return !label->text().isEmpty(); }));
  QCOMPARE(columns()[0]->apart().size(), first.size());
  auto* view = find<QListView>("keptRuns");
  QTRY_COMPARE_WITH_TIMEOUT(view->model()->rowCount(), 2, kPatience);
  QVERIFY(!find<QPushButton>("keptAgain")->isEnabled());
  find<SeedBox>("seed")->setValue(1);
  find<QSpinBox>("armWindow")->setValue(99);
  QTest::mouseClick(find<QPushButton>("tabKept"), Qt::LeftButton);
  view->selectionModel()->select(view->model()->index(0, 0), QItemSelectionModel::ClearAndSelect);
  view->selectionModel()->select(view->model()->index(1, 0), QItemSelectionModel::Select);
  QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("keptAgain")->isEnabled(), kPatience);
  QTRY_COMPARE_WITH_TIMEOUT(columns().size(), 2, kPatience);
  QTest::mouseClick(find<QPushButton>("keptDuplicate"), Qt::LeftButton);
  QCOMPARE(find<SeedBox>("seed")->value(), kLongSeed);
  QCOMPARE(find<QSpinBox>("armWindow")->value(), 2);
  QCOMPARE(find<QSpinBox>("maxTokens")->value(), 12);
  QCOMPARE(find<QPlainTextEdit>("promptText")->toPlainText(), QStringLiteral("the cat"));
  auto* page = static_cast<PromptPage*>(m_window->page(QStringLiteral("prompt")));
  QSignalSpy spy(page, &PromptPage::finished);
  QTest::mouseClick(find<QPushButton>("keptAgain"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, kPatience);
  QVERIFY(columns()[0]->ids() == first ||
          columns()[1]->ids() == first);  // the same seed gives the same tokens
}

void WindowTest::twoModelsAreCompared() {
  load();
  QVERIFY(!find<QPushButton>("modelsCompare")->isVisible());
  load("tiny/orthros-llama-w4-s2");
  m_window->showPage(QStringLiteral("models"));
  QVERIFY(find<QPushButton>("modelsCompare")->isVisible());
  QTest::mouseClick(find<QPushButton>("modelsCompare"), Qt::LeftButton);
  auto* table = find<QTableWidget>("compareTable");
  QVERIFY(table != nullptr);
  QCOMPARE(table->item(0, 0)->text(), QStringLiteral("≠"));  // what differs comes first
  bool architecture = false;
  for (int row = 0; row < table->rowCount(); ++row) {
    const bool differs = table->item(row, 2)->text() != table->item(row, 3)->text();
    QCOMPARE(table->item(row, 0)->text() == QStringLiteral("≠"), differs);
    architecture =
        architecture || (differs && table->item(row, 3)->text().contains(QStringLiteral("Orthros")));
  }
  QVERIFY(architecture);
  picture(find<QDialog>("compareModels"), "compare-models");
}

void WindowTest::chatReusesTheCache() {
  load();
  if (!m_workspace->currentModel()->facts.hasChatTemplate) QSKIP("the fixture has no chat template");
  QTest::mouseClick(find<QPushButton>("modeChat"), Qt::LeftButton);
  run(4);
  run(4);
  QCOMPARE(columns()[0]->chips().size() > 4, true);
}

void WindowTest::stopEndsTheRunAndTheWindowGoesOn() {
  load();
  m_window->showPage(QStringLiteral("prompt"));
  find<QPlainTextEdit>("promptText")->setPlainText(QStringLiteral("the cat"));
  find<QSpinBox>("maxTokens")->setValue(100'000);
  auto* page = static_cast<PromptPage*>(m_window->page(QStringLiteral("prompt")));
  QSignalSpy spy(page, &PromptPage::finished);
  page->run();
  QTRY_VERIFY_WITH_TIMEOUT(!columns()[0]->chips().empty(), kPatience);
  QTest::keyClick(m_window.get(), Qt::Key_Period, Qt::ControlModifier);
  QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, kPatience);
  QCOMPARE(m_workspace->engine().jobs().front()->view().state, widgets::JobView::State::Cancelled);
  run(3);
  QVERIFY(!columns()[1]->chips().empty());
}

void WindowTest::closeWhileAJobRuns() {
  load();
  m_window->showPage(QStringLiteral("prompt"));
  find<QPlainTextEdit>("promptText")->setPlainText(QStringLiteral("the cat"));
  find<QSpinBox>("maxTokens")->setValue(100'000);
  static_cast<PromptPage*>(m_window->page(QStringLiteral("prompt")))->run();
  QTRY_VERIFY_WITH_TIMEOUT(!columns()[0]->chips().empty(), kPatience);
  QVERIFY(!m_window->close());  // not yet: nothing waits
  QTRY_VERIFY_WITH_TIMEOUT(!m_window->isVisible(), kPatience);
  QVERIFY(m_workspace->engine().isIdle());
}

void WindowTest::closingAModelFreesIt() {
  const quint64 id = load();
  run(3);
  const std::weak_ptr<const Model> model = m_workspace->library().find(id)->model;
  QTest::mouseClick(find<QToolButton>("cardClose"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->library().models().empty(), kPatience);
  QTRY_VERIFY_WITH_TIMEOUT(model.expired(), kPatience);
  QVERIFY(!find<QPushButton>("promptRun")->isEnabled());
}

void WindowTest::layoutIsKeptOnlyWhenChanged() {
  m_workspace->settings().setTransient(false);
  QCoreApplication::processEvents();
  m_window->close();
  QVERIFY(m_workspace->settings().layout(QStringLiteral("window")).isEmpty());
  m_window->show();
  m_window->resize(1000, 700);
  m_window->close();
  QVERIFY(!m_workspace->settings().layout(QStringLiteral("window")).isEmpty());
  m_window->findChild<QAction*>(QStringLiteral("default-layout"))->trigger();
  QVERIFY(m_workspace->settings().layout(QStringLiteral("window")).isEmpty());
}

void WindowTest::pagesSwitchWhileAJobRuns() {
  load();
  m_window->showPage(QStringLiteral("prompt"));
  find<QPlainTextEdit>("promptText")->setPlainText(QStringLiteral("the cat"));
  find<QSpinBox>("maxTokens")->setValue(100'000);
  static_cast<PromptPage*>(m_window->page(QStringLiteral("prompt")))->run();
  for (const QString& name : m_window->pageNames()) {
    m_window->showPage(name);
    QCOMPARE(m_window->currentPage()->name(), name);
  }
  QVERIFY(!m_workspace->engine().isIdle());
}

void WindowTest::convertWritesAModelAndOpensIt() {
  const quint64 id = load();
  ConvertDialog dialog(m_workspace->library().find(id)->facts, m_folder->path());
  dialog.findChild<QSpinBox*>(QStringLiteral("convertWindow"))->setValue(4);
  QVERIFY(dialog.destination().endsWith(QStringLiteral("-orthros-w4-s4")));
  QTest::mouseClick(dialog.findChild<QAbstractButton*>(QStringLiteral("convertPaper")), Qt::LeftButton);
  QCOMPARE(dialog.options().window.sinks, 0);
  m_workspace->library().convert(id, dialog.options(), dialog.destination());
  QTRY_COMPARE_WITH_TIMEOUT(m_workspace->library().models().size(), 2U, kPatience);
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->engine().isIdle(), kPatience);
  dialog.show();
  QCoreApplication::processEvents();
  for (const QLabel* label : dialog.findChildren<QLabel*>())
    QVERIFY2(!label->wordWrap() || label->height() >= label->heightForWidth(label->width()),
             qPrintable(label->text()));
  picture(&dialog, "convert");
  const OpenedModel& converted = m_workspace->library().models().back();
  QCOMPARE(converted.state, OpenedModel::State::Ready);
  QCOMPARE(converted.facts.architecture, QStringLiteral("orthros"));
  ConvertDialog again(m_workspace->library().find(id)->facts, m_folder->path());
  again.findChild<QSpinBox*>(QStringLiteral("convertWindow"))->setValue(4);
  again.findChild<QSpinBox*>(QStringLiteral("convertSinks"))->setValue(0);
  QVERIFY(!again.findChild<QPushButton*>(QStringLiteral("convertStart"))->isEnabled());
}

void WindowTest::escapeClosesAPopupBeforeItStops() {
  load();
  run(4);
  auto* chips = columns()[0];
  chips->showAlternatives(1, true);
  static_cast<PromptPage*>(m_window->page(QStringLiteral("prompt")))->run();
  chips = columns()[0];
  QTRY_VERIFY_WITH_TIMEOUT(chips->chips().size() > 1, kPatience);
  chips->showAlternatives(1, true);
  QVERIFY(m_window->currentPage()->escape());
  QCOMPARE(chips->current(), -1);
  QVERIFY(!m_window->currentPage()->escape());
}

void WindowTest::itemModelsHoldTheRules() {
  ModelList recent;
  KeptPrompts kept;
  const QAbstractItemModelTester one(&recent, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const QAbstractItemModelTester two(&kept, QAbstractItemModelTester::FailureReportingMode::QtTest);
  recent.setPaths({fixture("tiny/llama-tokenizer"), fixture("tiny/llama-mha")});
  QCOMPARE(recent.rowCount(), 2);
  QVERIFY(recent.index(0).data(ModelList::BytesRole).toLongLong() > 100'000);
  kept.setRows({{QStringLiteral("u"), QStringLiteral("n"), QStringLiteral("a"), QStringLiteral("c"),
                 QStringLiteral("done")}});
  QCOMPARE(kept.rowCount(), 1);
  recent.setPaths({});
  kept.setRows({});
}

ORTHROS_QT_TEST(WindowTest);

}  // namespace orthros::studio

#include "window_test.moc"
