// PromptRunner: runs a prompt through its arms, one after the other, as one job; tells of every token as it
// comes, and keeps every run in the store. In a chat each arm keeps its cache from turn to turn. Threads: GUI
// thread; the work is a job of the engine.
#pragma once

#include <QObject>
#include <QPointer>
#include <map>
#include <memory>

#include "app/studio/pages/prompt/prompt_types.h"
#include "app/studio/workspace.h"

namespace orthros::studio {

class PromptEngine;  // on the engine thread

class PromptRunner : public QObject {
  Q_OBJECT
 public:
  explicit PromptRunner(Workspace& workspace, QObject* parent = nullptr);
  ~PromptRunner() override;
  bool isRunning() const { return m_job != nullptr && m_job->isActive(); }
  Job* start(const PromptSpec& spec);
  void stop();
  /// Forgets earlier turns and their caches.
  void newChat();

 Q_SIGNALS:
  void armStarted(int arm, const std::vector<TokenId>& prompt);
  void tokenCame(int arm, const widgets::TokenChip& chip, const ArmFigures& live);
  void armFinished(int arm, const ArmFigures& figures);
  void finished(bool stopped, const QString& problem);

 private:
  Workspace& m_workspace;
  std::shared_ptr<PromptEngine> m_engine;
  QPointer<Job> m_job;
};

}  // namespace orthros::studio
