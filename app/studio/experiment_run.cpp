#include "app/studio/experiment_run.h"

#include <QElapsedTimer>
#include <QTimer>
#include <utility>

namespace orthros::studio {
namespace {

constexpr qint64 kTellEveryMs = 100;  // results of tiny models come faster than anyone can see

}  // namespace

ExperimentRun::ExperimentRun(Workspace& workspace, Read read, int readEveryMs, QObject* parent)
    : QObject(parent), m_workspace(workspace), m_read(std::move(read)), m_timer(new QTimer(this)) {
  m_timer->setSingleShot(true);
  m_timer->setInterval(readEveryMs);
  connect(m_timer, &QTimer::timeout, this, &ExperimentRun::read);
}

void ExperimentRun::start(const QString& title, const Work& work, std::shared_ptr<PauseGate> gate) {
  m_running.clear();
  m_failure.reset();
  m_gate = std::move(gate);
  const auto onEngine = [work, path = m_workspace.settings().runStorePath(), &workspace = m_workspace,
                         self = QPointer<ExperimentRun>(this)](JobContext& context) -> Result<void> {
    ORTHROS_TRY(store::RunStore * store, workspace.runStore(path));
    const auto begun = [self](const QString& uuid) {
      QMetaObject::invokeMethod(
          self, [self, uuid] { self->began(uuid); }, Qt::QueuedConnection);
    };
    QElapsedTimer told;
    const auto advanced = [self, &told] {
      if (told.isValid() && told.elapsed() < kTellEveryMs) return;
      told.start();
      QMetaObject::invokeMethod(
          self, [self] { self->advanced(); }, Qt::QueuedConnection);
    };
    return work(*store, context, begun, advanced);
  };
  m_job = m_workspace.engine().start<void>(title, onEngine, this,
                                           [this](Result<void>& result) { finish(result); });
  Q_EMIT changed();
}

void ExperimentRun::stop() {
  if (m_job != nullptr) m_job->stop();
}

void ExperimentRun::setPaused(bool paused) {
  if (!isRunning()) return;
  if (paused) {
    m_gate->pause();
  } else {
    m_gate->resume();
  }
  m_timer->start();  // what the last result added
  Q_EMIT changed();
}

void ExperimentRun::show(const QString& uuid) {
  m_shown = uuid;
  read();
}

void ExperimentRun::began(const QString& uuid) {
  m_running = uuid;
  Q_EMIT begun();
  show(uuid);
}

void ExperimentRun::advanced() {
  if (showsRunning() && !m_timer->isActive()) m_timer->start();
}

void ExperimentRun::finish(const Result<void>& result) {
  m_timer->stop();
  if (!result) m_failure = result.error();
  Q_EMIT changed();
  if (!m_running.isEmpty()) m_workspace.announceRun();
  if (m_running.isEmpty() || m_shown != m_running) {  // refused before anything was stored, or not looked at
    Q_EMIT ended();
    return;
  }
  m_hasEnded = true;
  read();
}

void ExperimentRun::read() {
  if (m_isReading) {
    m_readAgain = true;
    return;
  }
  m_isReading = true;
  m_readAgain = false;
  m_read(m_shown, [self = QPointer<ExperimentRun>(this), last = m_hasEnded] {
    if (self == nullptr) return;
    self->m_isReading = false;
    if (self->m_readAgain) {
      self->read();
      return;
    }
    if (!last) return;
    self->m_hasEnded = false;
    Q_EMIT self->ended();
  });
}

}  // namespace orthros::studio
