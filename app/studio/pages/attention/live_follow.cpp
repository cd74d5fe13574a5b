#include "app/studio/pages/attention/live_follow.h"

#include <QTimer>

#include "app/studio/pages/attention/kept_captures.h"
#include "app/studio/text.h"
#include "engine/experiments/kept_steps.h"
#include "engine/inference/generate.h"
#include "engine/inference/step_recorder.h"
#include "widgets/format.h"
#include "widgets/token_text.h"

namespace orthros::studio {
namespace {

constexpr qint64 kShowEveryMs = 40;  // 25 pictures a second are enough for the eye, and leave time to decode

}  // namespace

/// The newest capture on its way to the GUI thread, and whether a message is under way.
class LiveFollow::Mailbox {
 public:
  /// True when the receiver has to be told.
  bool put(CapturePointer capture) {
    const std::scoped_lock lock(m_mutex);
    m_newest = std::move(capture);
    return !std::exchange(m_told, true);
  }
  CapturePointer take() {
    const std::scoped_lock lock(m_mutex);
    m_told = false;
    return std::exchange(m_newest, nullptr);
  }

 private:
  std::mutex m_mutex;
  CapturePointer m_newest;
  bool m_told = false;
};

/// One recording on its way into the store. Writer's thread.
class LiveFollow::Keeping {
 public:
  Keeping(std::shared_ptr<const Model> model, QString path)
      : m_model(std::move(model)), m_path(std::move(path)) {}

  Result<void> write(Workspace& workspace, const AttentionCapture& capture, bool last, JobContext& context) {
    if (!m_keeper) {
      ORTHROS_TRY(store::RunStore * store, workspace.runStore(m_path));
      ORTHROS_TRY(m_keeper, beginKeeping(*store, capture, m_model, context.stop(), context.sink()));
    }
    const auto& steps = capture.record.steps;
    // Each step is a transaction of its own.
    for (int64_t i = m_keeper->count(); i < std::ssize(steps); ++i) {
      const auto index = static_cast<size_t>(i);
      ORTHROS_TRY_VOID(m_keeper->add(*steps[index], capture.said[index]));
    }
    if (last) ORTHROS_TRY_VOID(m_keeper->end(capture.record));
    return {};
  }

 private:
  std::shared_ptr<const Model> m_model;
  QString m_path;
  std::unique_ptr<StepKeeper> m_keeper;
};

Result<void> followLive(const LiveSpec& spec, const StopToken& stop, const ProgressSink& progress,
                        const std::function<void(CapturePointer)>& grown) {
  ORTHROS_TRY(const ModelConfig config, configOf(spec.attention));
  ORTHROS_TRY(const AttentionCapture start, emptyCapture(spec.attention, config));
  StepRecorderOptions options;
  options.level = spec.attention.level.value_or(CaptureLevel::c1);
  options.layers = {spec.attention.layer};
  options.prompt_tokens = std::ssize(start.ids);
  options.max_steps = spec.maxTokens - 1;
  options.max_bytes = kCaptureBudget;
  ORTHROS_TRY(const std::unique_ptr<StepRecorder> recorder, StepRecorder::create(config, options));
  SessionOptions opened;
  opened.capacity = options.prompt_tokens + spec.maxTokens;
  opened.keep_all_keys = true;
  ORTHROS_TRY(Session session, Session::create(spec.attention.model, config, opened));
  ORTHROS_TRY_VOID(session.watch(recorder.get()));
  const ModelFiles& files = spec.attention.model->files();
  const Tokenizer* tokenizer = files.tokenizer ? &*files.tokenizer : nullptr;
  AttentionCapture capture = start;
  GenerateRequest request;
  request.prompt = start.ids;
  request.max_tokens = spec.maxTokens;
  if (spec.endsAtEos) request.eos = files.eos;
  request.on_token = [&](const TokenEvent& event) {
    capture.record = recorder->record();
    if (!capture.said.empty()) appendToken(capture, capture.said.back());  // it has been read by now
    capture.said.push_back({event.sample.id, event.bytes, event.sample.probability});
    predict(capture, capture.lastPosition(), event.bytes, event.sample.probability);
    grown(std::make_shared<const AttentionCapture>(capture));
  };
  ORTHROS_TRY([[maybe_unused]] const auto result, generate(session, tokenizer, request, stop, progress));
  return {};
}

LiveFollow::LiveFollow(Workspace& workspace, QObject* parent)
    : QObject(parent),
      m_workspace(workspace),
      m_writer(QStringLiteral("attention-writer")),
      m_mailbox(std::make_shared<Mailbox>()),
      m_pause(new QTimer(this)) {
  m_pause->setSingleShot(true);
  connect(m_pause, &QTimer::timeout, this, &LiveFollow::take);
}

LiveFollow::~LiveFollow() {
  m_writer.shutDown();
}

void LiveFollow::start(const LiveSpec& spec) {
  if (isRunning()) return;
  m_newest = nullptr;
  m_keeping = nullptr;
  m_mailbox = std::make_shared<Mailbox>();  // what an earlier recording still sends is not heard
  const QPointer<LiveFollow> guard(this);
  const auto tell = [guard, context = &m_workspace, mailbox = m_mailbox](CapturePointer capture) {
    if (!mailbox->put(std::move(capture))) return;
    QMetaObject::invokeMethod(
        context,
        [guard, mailbox] {
          if (guard != nullptr && guard->m_mailbox == mailbox) guard->take();
        },
        Qt::QueuedConnection);
  };
  m_job = m_workspace.engine().start<void>(
      tr("Follow live"),
      [spec, tell](JobContext& context) -> Result<void> {
        return followLive(spec, context.stop(), context.sink(), tell);
      },
      this,
      [this](Result<void>& result) {
        m_sinceShown.invalidate();
        take();
        if (m_keeping && m_newest) write(m_newest, true);
        const bool stopped = !result && result.error().code == ErrorCode::cancelled;
        Q_EMIT finished(stopped, result || stopped ? QString() : toQt(result.error()));
      });
}

void LiveFollow::stop() {
  if (m_job != nullptr) m_job->stop();
}

void LiveFollow::take() {
  const qint64 since = m_sinceShown.isValid() ? m_sinceShown.elapsed() : kShowEveryMs;
  if (since < kShowEveryMs) {
    if (!m_pause->isActive()) m_pause->start(static_cast<int>(kShowEveryMs - since));
    return;
  }
  const CapturePointer capture = m_mailbox->take();
  if (!capture) return;
  m_newest = capture;
  m_sinceShown.start();
  if (m_keeping) write(capture, false);
  Q_EMIT grown(capture);
}

void LiveFollow::keep(const CapturePointer& capture, const std::shared_ptr<const Model>& model) {
  m_keeping = std::make_shared<Keeping>(model, m_workspace.settings().runStorePath());
  write(capture, !isRunning());
}

void LiveFollow::write(const CapturePointer& capture, bool last) {
  m_writer.start<void>(
      tr("Keep the recording"),
      [keeping = m_keeping, capture, last, &workspace = m_workspace](JobContext& context) {
        return keeping->write(workspace, *capture, last, context);
      },
      this,
      [this, keeping = m_keeping, last](Result<void>& result) {
        if (result && !last) return;
        if (m_keeping == keeping) m_keeping = nullptr;
        if (result) m_workspace.announceRun();
        Q_EMIT kept(result ? QString() : toQt(result.error()));
      },
      /*quiet=*/true);
}

}  // namespace orthros::studio
