#include "app/studio/pages/prompt/prompt_runner.h"

#include "app/studio/pages/prompt/prompt_engine.h"
#include "app/studio/text.h"

namespace orthros::studio {

PromptRunner::PromptRunner(Workspace& workspace, QObject* parent)
    : QObject(parent),
      m_workspace(workspace),
      m_engine(std::make_shared<PromptEngine>(
          [&workspace](const QString& path) { return workspace.runStore(path); })) {}

PromptRunner::~PromptRunner() = default;

Job* PromptRunner::start(const PromptSpec& spec) {
  // Tokens reach a receiver that may be gone by then: only through the guard, and only on its own thread.
  const QPointer<PromptRunner> guard(this);
  const auto post = [guard, context = &m_workspace](auto call) {
    QMetaObject::invokeMethod(
        context,
        [guard, call] {
          if (guard != nullptr) call(*guard);
        },
        Qt::QueuedConnection);
  };
  PromptListener listener;
  listener.started = [post](int arm, const std::vector<TokenId>& prompt) {
    post([arm, prompt](PromptRunner& self) { Q_EMIT self.armStarted(arm, prompt); });
  };
  listener.token = [post](int arm, const widgets::TokenChip& chip, const ArmFigures& live) {
    post([arm, chip, live](PromptRunner& self) { Q_EMIT self.tokenCame(arm, chip, live); });
  };
  listener.done = [post](int arm, const ArmFigures& figures) {
    post([arm, figures](PromptRunner& self) { Q_EMIT self.armFinished(arm, figures); });
  };
  const auto work = [engine = m_engine, spec, listener](JobContext& context) -> Result<void> {
    return engine->run(spec, context, listener);
  };
  m_job = m_workspace.engine().start<void>(
      tr("Prompt %1").arg(spec.modelName), work, this, [this](Result<void>& result) {
        const bool stopped = !result && result.error().code == ErrorCode::cancelled;
        if (result) m_workspace.announceRun();
        Q_EMIT finished(stopped, result || stopped ? QString() : toQt(result.error()));
      });
  return m_job;
}

void PromptRunner::stop() {
  if (m_job != nullptr) m_job->stop();
}

void PromptRunner::newChat() {
  m_workspace.engine().start<void>(
      tr("New chat"),
      [engine = m_engine](JobContext&) -> Result<void> {
        engine->forget();
        return {};
      },
      this, [](Result<void>&) {}, /*quiet=*/true);
}

}  // namespace orthros::studio
