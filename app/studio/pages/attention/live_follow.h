// LiveFollow: decodes a prompt while every step's rows are recorded, and shows the capture as it grows; keeps
// it step by step when asked. The newest capture wins: a drawing that came too late is never made, a step
// never lost. Threads: GUI thread; the work is a job of the engine, keeping has a thread of its own.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <memory>
#include <mutex>

#include "app/studio/pages/attention/attention_capture.h"
#include "app/studio/workspace.h"

class QTimer;

namespace orthros::studio {

struct LiveSpec {
  AttentionSpec attention;
  int64_t maxTokens = 64;
  bool endsAtEos = true;
};

/// On the caller's thread; `grown` after every step, with all of them.
Result<void> followLive(const LiveSpec& spec, const StopToken& stop, const ProgressSink& progress,
                        const std::function<void(CapturePointer)>& grown);

class LiveFollow : public QObject {
  Q_OBJECT
 public:
  explicit LiveFollow(Workspace& workspace, QObject* parent = nullptr);
  ~LiveFollow() override;
  bool isRunning() const { return m_job != nullptr && m_job->isActive(); }
  void start(const LiveSpec& spec);
  void stop();
  /// What is recorded, and what still comes, goes into the run store. Ends with kept().
  void keep(const CapturePointer& capture, const std::shared_ptr<const Model>& model);
  bool isKeeping() const { return m_keeping != nullptr; }

 Q_SIGNALS:
  void grown(const orthros::studio::CapturePointer& capture);
  void finished(bool stopped, const QString& problem);
  void kept(const QString& problem);

 private:
  class Mailbox;
  class Keeping;
  void take();
  void write(const CapturePointer& capture, bool last);

  Workspace& m_workspace;
  JobRunner m_writer;
  std::shared_ptr<Mailbox> m_mailbox;
  std::shared_ptr<Keeping> m_keeping;
  CapturePointer m_newest;
  QPointer<Job> m_job;
  QTimer* m_pause;
  QElapsedTimer m_sinceShown;
};

}  // namespace orthros::studio
