// Jobs: how they end, what they tell, and that a stop reaches them whether they run or wait.
#include "app/studio/job.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <atomic>

#include "tests/support/qt_test.h"

namespace orthros::studio {

using State = widgets::JobView::State;

class JobTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void runsOnItsOwnThreadAndAnswersOnOurs();
  void failureIsALine();
  void stopWhileRunning();
  void stopWhileWaitingNeverStarts();
  void exceptionIsAFailure();
  void receiverThatIsGoneIsNotCalled();
  void progressHasPhaseShareAndTimeLeft();
  void oneAfterAnother();
};

namespace {

// Ends only when it is stopped.
Result<int> untilStopped(JobContext& context) {
  while (!context.stop().stop_requested()) QThread::msleep(1);
  ORTHROS_TRY_VOID(context.stop().check("the test"));
  return 1;
}

}  // namespace

void JobTest::runsOnItsOwnThreadAndAnswersOnOurs() {
  JobRunner runner(QStringLiteral("test"));
  QThread* worker = nullptr;
  QThread* answer = nullptr;
  int value = 0;
  Job* job = runner.start<int>(
      QStringLiteral("job"),
      [&worker](JobContext&) -> Result<int> {
        worker = QThread::currentThread();
        return 42;
      },
      this,
      [&](Result<int>& result) {
        answer = QThread::currentThread();
        value = *result;
      });
  QVERIFY(job->isActive());
  QTRY_VERIFY(runner.isIdle());
  QCOMPARE(value, 42);
  QVERIFY(worker != thread() && answer == thread());
  QCOMPARE(job->view().state, State::Ok);
}

void JobTest::failureIsALine() {
  JobRunner runner(QStringLiteral("test"));
  Job* job = runner.start<int>(
      QStringLiteral("job"), [](JobContext&) -> Result<int> { return fail(ErrorCode::io, "cannot read it"); },
      this, [](Result<int>& result) { QVERIFY(!result); });
  QTRY_VERIFY(runner.isIdle());
  QCOMPARE(job->view().state, State::Failed);
  QVERIFY(job->view().message.contains(QStringLiteral("cannot read it")));
}

void JobTest::stopWhileRunning() {
  JobRunner runner(QStringLiteral("test"));
  Job* job = runner.start<int>(QStringLiteral("job"), untilStopped, this, [](Result<int>&) {});
  QTRY_COMPARE(job->view().state, State::Running);
  job->stop();
  QVERIFY(job->view().stopping);
  QTRY_COMPARE(job->view().state, State::Cancelled);
}

void JobTest::stopWhileWaitingNeverStarts() {
  JobRunner runner(QStringLiteral("test"));
  Job* first = runner.start<int>(QStringLiteral("first"), untilStopped, this, [](Result<int>&) {});
  std::atomic<bool> ran = false;
  Job* second = runner.start<int>(
      QStringLiteral("second"),
      [&ran](JobContext&) -> Result<int> {
        ran = true;
        return 1;
      },
      this, [](Result<int>&) {});
  second->stop();
  first->stop();
  QTRY_VERIFY(runner.isIdle());
  QVERIFY(!ran);
  QCOMPARE(second->view().state, State::Cancelled);
}

void JobTest::exceptionIsAFailure() {
  JobRunner runner(QStringLiteral("test"));
  Job* job = runner.start<int>(
      QStringLiteral("job"), [](JobContext&) -> Result<int> { throw std::runtime_error("broken"); }, this,
      [](Result<int>& result) { QVERIFY(!result); });
  QTRY_VERIFY(runner.isIdle());
  QCOMPARE(job->view().state, State::Failed);
}

void JobTest::receiverThatIsGoneIsNotCalled() {
  JobRunner runner(QStringLiteral("test"));
  bool called = false;
  auto* receiver = new QObject;
  Job* job = runner.start<int>(QStringLiteral("job"), untilStopped, receiver,
                               [&called](Result<int>&) { called = true; });
  delete receiver;
  job->stop();
  QTRY_VERIFY(runner.isIdle());
  QVERIFY(!called);
}

void JobTest::progressHasPhaseShareAndTimeLeft() {
  JobRunner runner(QStringLiteral("test"));
  Job* job = runner.start<int>(
      QStringLiteral("job"),
      [](JobContext& context) -> Result<int> {
        const ProgressSink sink = context.sink();
        for (int i = 1; !context.stop().stop_requested(); ++i) {
          report(sink, "prefill", std::min(i, 50), 100);
          QThread::msleep(5);
        }
        return 1;
      },
      this, [](Result<int>&) {});
  QTRY_COMPARE(job->view().permille, 500);
  QCOMPARE(job->view().phase, QStringLiteral("Prefill"));
  QTRY_VERIFY(job->view().secondsLeft > 0);
  job->stop();
  QTRY_VERIFY(runner.isIdle());
}

void JobTest::oneAfterAnother() {
  JobRunner runner(QStringLiteral("test"));
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  for (int i = 0; i < 5; ++i) {
    runner.start<int>(
        QStringLiteral("job"),
        [&](JobContext&) -> Result<int> {
          most = std::max<int>(most, ++running);
          QThread::msleep(2);
          --running;
          return 1;
        },
        this, [](Result<int>&) {});
  }
  QTRY_VERIFY(runner.isIdle());
  QCOMPARE(most.load(), 1);
  QCOMPARE(runner.jobs().size(), 5);
}

ORTHROS_QT_TEST(JobTest);

}  // namespace orthros::studio

#include "job_test.moc"
