// ExperimentRun: the experiment that a page runs on the engine thread, and the run that the page shows, which
// is read from the store when it is opened, now and then while it goes on, and once more when it has ended.
// Threads: GUI thread.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>
#include <optional>

#include "app/studio/workspace.h"
#include "engine/experiments/run_control.h"

class QTimer;

namespace orthros::studio {

class ExperimentRun : public QObject {
  Q_OBJECT
 public:
  /// Runs on the engine thread until all is done or the job is stopped. Calls `begun` with the uuid once the
  /// run is in the store, and `advanced` whenever that holds more.
  using Work = std::function<Result<void>(store::RunStore& store, JobContext& context,
                                          const std::function<void(const QString&)>& begun,
                                          const std::function<void()>& advanced)>;
  /// Reads a run on another thread and shows it; then, whatever came of it, calls `done`.
  using Read = std::function<void(const QString& uuid, const std::function<void()>& done)>;

  /// read_every_ms: while it goes on.
  ExperimentRun(Workspace& workspace, Read read, int readEveryMs, QObject* parent);
  /// gate: what `work` waits at while it is paused.
  void start(const QString& title, const Work& work, std::shared_ptr<PauseGate> gate);
  void stop();
  void setPaused(bool paused);
  bool isRunning() const { return m_job != nullptr && m_job->isActive(); }
  bool isPaused() const { return isRunning() && m_gate->paused(); }
  /// Shows another run.
  void show(const QString& uuid);
  /// What it is called in the store, when it was shown by another name.
  void setShown(const QString& uuid) { m_shown = uuid; }
  /// Shown, or about to be.
  const QString& shown() const { return m_shown; }
  /// Of the newest job; empty: nothing is in the store yet.
  const QString& running() const { return m_running; }
  bool showsRunning() const { return isRunning() && m_shown == m_running; }
  /// Why the newest job did not come to its end.
  const std::optional<Error>& failure() const { return m_failure; }

 Q_SIGNALS:
  void begun();    // the run is in the store, and is the one that is shown
  void changed();  // started, paused, gone on with, no longer running
  void ended();    // and, if it is the one that is shown, all that it kept is shown

 private:
  void began(const QString& uuid);
  void advanced();
  void finish(const Result<void>& result);
  void read();

  Workspace& m_workspace;
  Read m_read;
  QTimer* m_timer;
  QPointer<Job> m_job;
  std::shared_ptr<PauseGate> m_gate;
  QString m_shown, m_running;
  std::optional<Error> m_failure;
  bool m_isReading = false, m_readAgain = false;
  bool m_hasEnded = false;  // what it kept last is still being read
};

}  // namespace orthros::studio
