// Job bar, command palette and shortcut sheet.
#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/qt_test.h"
#include "widgets/command_palette.h"
#include "widgets/job_bar.h"
#include "widgets/plain_text.h"
#include "widgets/shortcut_overlay.h"

namespace orthros::widgets {

class ShellTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void jobBarShowsTheNewestThatRuns();
  void jobBarStopsTheOneItShows();
  void actionModelHoldsTheRules();
  void paletteFindsWordsInAnyOrder();
  void shortcutSheetListsEveryKey();
  void anEmptyClipboardPastesNothing();
};

namespace {

JobView job(quint64 id, JobView::State state) {
  JobView view;
  view.id = id;
  view.title = QStringLiteral("job %1").arg(id);
  view.state = state;
  return view;
}

}  // namespace

void ShellTest::jobBarShowsTheNewestThatRuns() {
  JobBar bar;
  const auto* title = bar.findChild<QLabel*>(QStringLiteral("jobTitle"));
  const auto* stop = bar.findChild<QPushButton*>(QStringLiteral("jobStop"));
  bar.setJobs({});
  QVERIFY(stop->isHidden());
  bar.setJobs({job(3, JobView::State::Ok), job(2, JobView::State::Queued), job(1, JobView::State::Running)});
  QCOMPARE(title->text(), QStringLiteral("job 1"));
  QVERIFY(!stop->isHidden());
  bar.setJobs({job(3, JobView::State::Failed), job(1, JobView::State::Ok)});
  QCOMPARE(title->text(), QStringLiteral("job 3"));
  QVERIFY(stop->isHidden());
  JobView half = job(4, JobView::State::Running);
  half.phase = QStringLiteral("Prefill");
  half.permille = 610;
  half.secondsLeft = 2.4;
  QCOMPARE(describe(half), QStringLiteral("Prefill  61 %  3 s left"));
}

void ShellTest::jobBarStopsTheOneItShows() {
  JobBar bar;
  QSignalSpy spy(&bar, &JobBar::stopRequested);
  bar.setJobs({job(9, JobView::State::Running)});
  QTest::mouseClick(bar.findChild<QPushButton*>(QStringLiteral("jobStop")), Qt::LeftButton);
  QCOMPARE(spy.size(), 1);
  QCOMPARE(spy[0][0].toULongLong(), 9);
}

void ShellTest::actionModelHoldsTheRules() {
  ActionModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  QAction there(QStringLiteral("&Open"));
  QAction off(QStringLiteral("off"));
  off.setEnabled(false);
  model.setActions({&there, &off});
  QCOMPARE(model.rowCount(), 1);
  QCOMPARE(model.index(0).data().toString(), QStringLiteral("Open"));
  model.setActions({});
  QCOMPARE(model.rowCount(), 0);
}

void ShellTest::paletteFindsWordsInAnyOrder() {
  QWidget window;
  window.resize(800, 600);
  window.show();
  QAction open(QStringLiteral("Open a model folder"));
  QAction theme(QStringLiteral("Theme: dark"));
  QSignalSpy opened(&open, &QAction::triggered);
  QSignalSpy themed(&theme, &QAction::triggered);
  CommandPalette palette(&window);
  palette.open({&open, &theme});
  auto* edit = palette.findChild<QLineEdit*>();
  QTest::keyClicks(edit, QStringLiteral("folder open"));
  QTest::keyClick(edit, Qt::Key_Return);
  QCOMPARE(opened.size(), 1);
  QCOMPARE(themed.size(), 0);
  QVERIFY(!palette.isVisible());
  palette.open({&open, &theme});
  QTest::keyClick(edit, Qt::Key_Escape);
  QVERIFY(!palette.isVisible());
}

void ShellTest::shortcutSheetListsEveryKey() {
  QWidget window;
  window.resize(1000, 700);
  window.show();
  QAction stop(QStringLiteral("Stop"));
  stop.setShortcut(QKeySequence(QStringLiteral("Ctrl+.")));
  QAction none(QStringLiteral("No key"));
  ShortcutOverlay sheet(&window);
  sheet.open({&stop, &none}, {{QStringLiteral("Esc"), QStringLiteral("close")}});
  QCOMPARE(sheet.rows().size(), 2);
  QVERIFY(sheet.isVisible());
  QTest::keyClick(&sheet, Qt::Key_A);
  QVERIFY(!sheet.isVisible());
}

// On an X session whose clipboard nobody owns there is no format at all.
void ShellTest::anEmptyClipboardPastesNothing() {
  PlainText text;
  text.setPlainText(QStringLiteral("kept"));
  QGuiApplication::clipboard()->setMimeData(new QMimeData);
  text.paste();
  QCOMPARE(text.toPlainText(), QStringLiteral("kept"));
  QGuiApplication::clipboard()->setText(QStringLiteral("<b>more</b> "));
  text.paste();
  QCOMPARE(text.toPlainText(), QStringLiteral("<b>more</b> kept"));
}

ORTHROS_QT_TEST(ShellTest);

}  // namespace orthros::widgets

#include "shell_test.moc"
