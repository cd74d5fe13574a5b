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
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/studio/main_window.h"
#include "app/studio/pages/attention/attention_page.h"
#include "app/studio/pages/models/convert_dialog.h"
#include "app/studio/pages/models/recent_models.h"
#include "app/studio/pages/prompt/kept_prompts.h"
#include "app/studio/pages/prompt/prompt_form.h"
#include "app/studio/pages/prompt/prompt_page.h"
#include "tests/support/qt_test.h"
#include "widgets/export_picture.h"
#include "widgets/head_atlas.h"
#include "widgets/token_chips.h"

namespace orthros::studio {
namespace {

constexpr int kPatience = 30'000;

QString fixture(const char* name) {
  return QStringLiteral(ORTHROS_FIXTURES) + u'/' + QString::fromLatin1(name);
}

// With ORTHROS_PICTURES=FOLDER the tests leave there what they saw, for a person to look at.
void picture(QWidget* widget, const char* name) {
  const QString folder = qEnvironmentVariable("ORTHROS_PICTURES");
  if (folder.isEmpty()) return;
  QCoreApplication::processEvents();  // what changed is laid out
  widget->grab().save(folder + u'/' + QLatin1String(name) + QStringLiteral(".png"));
}

}  // namespace

class WindowTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void everyRailButtonOpensAPage();
  void loadsAModelAndShowsWhatItIs();
  void badFileIsANoticeNotADialog();
  void modelThatDoesNotFitIsRefusedWithNumbers();
  void dropOpensAModel();
  void promptRunsEveryArmOnTheSameIds();
  void runsAreKeptAndReopened();
  void chatReusesTheCache();
  void stopEndsTheRunAndTheWindowGoesOn();
  void closeWhileAJobRuns();
  void closingAModelFreesIt();
  void layoutIsKeptOnlyWhenChanged();
  void pagesSwitchWhileAJobRuns();
  void convertWritesAModelAndOpensIt();
  void escapeClosesAPopupBeforeItStops();
  void attentionShowsWhatEachStreamReads();
  void itemModelsHoldTheRules();

 private:
  template <class T>
  T* find(const char* name) const {
    return m_window->findChild<T*>(QString::fromLatin1(name));
  }
  quint64 load(const char* name = "tiny/llama-tokenizer");
  void run(int tokens);
  QList<widgets::TokenChips*> columns() const;

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<Workspace> m_workspace;
  std::unique_ptr<MainWindow> m_window;
};

void WindowTest::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  m_workspace = std::make_unique<Workspace>();
  m_workspace->settings().setTransient(true);
  m_workspace->settings().setDataFolder(m_folder->path());
  m_workspace->settings().setThreads(1);  // tiny models: a second thread would only be waited for
  m_window = std::make_unique<MainWindow>(*m_workspace);
  m_window->show();
}

void WindowTest::cleanup() {
  m_workspace->engine().stopAll();
  QTRY_VERIFY_WITH_TIMEOUT(m_workspace->engine().isIdle() && m_workspace->files().isIdle(), kPatience);
  m_window.reset();
  m_workspace.reset();
}

quint64 WindowTest::load(const char* name) {
  const quint64 id = m_workspace->library().open(fixture(name));
  const auto settled = [this, id] {
    const OpenedModel* model = m_workspace->library().find(id);
    return model->state != OpenedModel::State::Reading && model->state != OpenedModel::State::Loading;
  };
  [&] { QTRY_VERIFY_WITH_TIMEOUT(settled(), kPatience); }();
  return id;
}

QList<widgets::TokenChips*> WindowTest::columns() const {
  QList<widgets::TokenChips*> found;
  for (auto* chips : m_window->findChildren<widgets::TokenChips*>(QStringLiteral("armChips"))) {
    if (!chips->parentWidget()->isHidden()) found.append(chips);
  }
  return found;
}

void WindowTest::run(int tokens) {
  m_window->showPage(QStringLiteral("prompt"));
  find<QPlainTextEdit>("promptText")->setPlainText(QStringLiteral("the cat"));
  find<QSpinBox>("maxTokens")->setValue(tokens);
  QSignalSpy spy(static_cast<PromptPage*>(m_window->page(QStringLiteral("prompt"))), &PromptPage::finished);
  QTest::mouseClick(find<QPushButton>("promptRun"), Qt::LeftButton);
  [&] { QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, kPatience); }();
}

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

void WindowTest::attentionShowsWhatEachStreamReads() {
  load();
  m_window->showPage(QStringLiteral("attention"));
  auto* page = static_cast<AttentionPage*>(m_window->currentPage());
  page->setText(QStringLiteral("the cat sat on the mat and the dog sat on the cat and all of them were old"));
  find<QSpinBox>("attentionWindow")->setValue(4);
  find<QSpinBox>("attentionSinks")->setValue(2);
  QSignalSpy spy(page, &AttentionPage::captured);
  QTest::mouseClick(find<QPushButton>("attentionLook"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(spy.size(), 1, kPatience);
  const AttentionCapture* capture = page->capture();
  QVERIFY(capture != nullptr && capture->atlas.has_output());
  QVERIFY(capture->atlas.num_keys > 6);
  for (const widgets::RowMeasures& row : capture->base) {
    QCOMPARE(row.support, 6);  // 4 in the window, 2 sinks
    QCOMPARE(row.beyond, 0.0);
  }
  bool beyond = false;
  for (const widgets::RowMeasures& row : capture->output) {
    QCOMPARE(row.support, static_cast<qsizetype>(capture->atlas.num_keys));
    QVERIFY(std::abs(row.sink + row.window + row.beyond - 1) < 1e-5);
    beyond = beyond || row.beyond > 0;
  }
  QVERIFY(beyond);
  auto* atlas = find<widgets::HeadAtlas>("headAtlas");
  QTest::keyClick(atlas, Qt::Key_Down);
  QVERIFY(find<QLabel>("inspectorTitle")->text().contains(tr("Layer %1").arg(atlas->layer())));
  const QString picture = m_folder->filePath(QStringLiteral("row.svg"));
  QCOMPARE(
      widgets::exportPicture(find<QLabel>("inspectorTitle")->parentWidget(), picture, QStringLiteral("row")),
      QString());
  QFile file(picture);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().contains("<svg"));
  QVERIFY(!widgets::exportPicture(atlas, QStringLiteral("/nowhere/x.svg"), {}).isEmpty());
  QVERIFY(!widgets::exportPicture(atlas, m_folder->filePath(QStringLiteral("x.doc")), {}).isEmpty());
}

void WindowTest::itemModelsHoldTheRules() {
  RecentModels recent;
  KeptPrompts kept;
  const QAbstractItemModelTester one(&recent, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const QAbstractItemModelTester two(&kept, QAbstractItemModelTester::FailureReportingMode::QtTest);
  recent.setPaths({fixture("tiny/llama-tokenizer"), fixture("tiny/llama-mha")});
  QCOMPARE(recent.rowCount(), 2);
  QVERIFY(recent.index(0).data(RecentModels::BytesRole).toLongLong() > 100'000);
  kept.setRows({{QStringLiteral("u"), QStringLiteral("n"), QStringLiteral("a"), QStringLiteral("c"),
                 QStringLiteral("done")}});
  QCOMPARE(kept.rowCount(), 1);
  recent.setPaths({});
  kept.setRows({});
}

ORTHROS_QT_TEST(WindowTest);

}  // namespace orthros::studio

#include "window_test.moc"
