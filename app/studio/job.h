// Job: one piece of long work as the window sees it: queued, running, then ok, cancelled or failed; phase,
// progress, time left, Stop. JobRunner owns one thread and runs jobs on it one after another; nothing waits
// on the GUI thread. Threads: Job and JobRunner on the GUI thread; JobContext on the runner's.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QThread>
#include <functional>
#include <memory>

#include "engine/base/job_control.h"
#include "engine/base/result.h"
#include "widgets/job_bar.h"

namespace orthros::studio {

class Job : public QObject {
  Q_OBJECT
 public:
  const widgets::JobView& view() const { return m_view; }
  bool isActive() const { return m_view.isActive(); }
  /// Quiet jobs are short reads: not shown in the job bar.
  bool isQuiet() const { return m_quiet; }
  void stop();

 Q_SIGNALS:
  void changed();
  void finished();

 private:
  friend class JobRunner;
  friend class JobContext;
  Job(quint64 id, const QString& title, bool quiet, QObject* parent);
  void setRunning();
  void setProgress(const QString& phase, qint64 done, qint64 total);
  void finish(widgets::JobView::State state, const QString& message);

  widgets::JobView m_view;
  bool m_quiet;
  StopSource m_stop;
  QElapsedTimer m_phaseTimer;
};

/// What the work sees of its job.
class JobContext {
 public:
  explicit JobContext(QPointer<Job> job);
  const StopToken& stop() const { return m_stop; }
  /// Passed on at most 20 times a second, and at every change of phase.
  void progress(const QString& phase, qint64 done, qint64 total);
  /// For the engine: its phases, after `prefix`.
  ProgressSink sink(const QString& prefix = {});
  /// What the job bar says when all went well.
  void setMessage(const QString& message) { m_message = message; }
  const QString& message() const { return m_message; }

 private:
  QPointer<Job> m_job;
  StopToken m_stop;
  QString m_message, m_phase;
  QElapsedTimer m_sinceReport;
};

class JobRunner : public QObject {
  Q_OBJECT
 public:
  explicit JobRunner(const QString& threadName, QObject* parent = nullptr);
  ~JobRunner() override;

  template <class T>
  using Work = std::function<Result<T>(JobContext&)>;
  template <class T>
  using Done = std::function<void(Result<T>&)>;

  /// `done` is called on the GUI thread, unless `receiver` is gone by then.
  template <class T>
  Job* start(const QString& title, Work<T> work, QObject* receiver, Done<T> done, bool quiet = false) {
    auto result = std::make_shared<Result<T>>(
        tl::unexpected(Error{ErrorCode::cancelled, "stopped before it began", {}}));
    const QPointer<QObject> guard(receiver);
    return enqueue(
        title, quiet,
        [work = std::move(work), result](JobContext& context) -> const Error* {
          *result = work(context);
          return *result ? nullptr : &result->error();
        },
        [done = std::move(done), result, guard] {
          if (guard != nullptr) done(*result);
        });
  }

  /// Newest first; ended ones stay for the list, up to 20, but quiet ones do not.
  QList<Job*> jobs() const { return m_jobs; }
  bool isIdle() const;
  void stopAll();
  /// Stops everything and ends the thread; nothing starts afterwards. Waits: for the end of the program.
  void shutDown();

 Q_SIGNALS:
  void jobsChanged();
  void idle();

 private:
  using RawWork = std::function<const Error*(JobContext&)>;
  Job* enqueue(const QString& title, bool quiet, RawWork work, std::function<void()> done);
  void ended(Job* job, const std::function<void()>& done);
  void forgetOld();

  QThread m_thread;
  QObject* m_worker;  // lives on m_thread
  QList<Job*> m_jobs;
};

}  // namespace orthros::studio
