#include "engine/inference/session.h"

#include <ATen/ATen.h>

#include "engine/inference/runner.h"
#include "engine/inference/span_mass.h"
#include "engine/inference/step_recorder_impl.h"
#include "engine/mixers/attention.h"
#include "engine/mixers/torch_guard.h"

namespace orthros {

struct Session::Impl {
  std::shared_ptr<const Model> model;
  std::unique_ptr<Runner> runner;
  at::Tensor logits;  // fp32 [B, V]
  StepRecorder* recorder = nullptr;

  /// Null where nobody records.
  StepRecorder::Impl* begin_recording(TokenId id, int64_t position) const {
    if (recorder == nullptr) return nullptr;
    recorder->impl_->begin(position, id);
    return recorder->impl_.get();
  }

  Result<void> set_logits(const at::Tensor& rows) {
    return run_guarded("computing logits", [&]() -> Result<void> {
      const c10::InferenceMode inference;
      logits = runner->decoder().logits(rows).contiguous();
      return {};
    });
  }
};

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::create(std::shared_ptr<const Model> model, const ModelConfig& config,
                                const SessionOptions& options) {
  auto impl = std::make_unique<Impl>();
  ORTHROS_TRY(impl->runner, Runner::create(model, config, options));
  impl->model = std::move(model);
  return Session(std::move(impl));
}

Result<void> Session::prefill(const std::vector<std::vector<TokenId>>& prompts, const StopToken& stop,
                              const ProgressSink& progress, SpanMass* span_mass) {
  Runner& runner = *impl_->runner;
  ORTHROS_TRY_VOID(runner.check_batch(prompts));
  const auto length = static_cast<int64_t>(prompts.front().size());
  const int64_t chunk = runner.options().chunk;
  std::optional<SpanMassObserver> observer;
  if (span_mass != nullptr) {
    ORTHROS_TRY_VOID(check_span_mass(*span_mass, runner, runner.length() + length));
    observer.emplace(*span_mass, runner.decoder().config(), runner.length() + length - 1);
  }
  for (int64_t begin = 0; begin < length; begin += chunk) {
    const int64_t count = std::min(chunk, length - begin);
    Runner::Advance how;
    // Only the last prompt token predicts: Orthros makes its one output row there.
    StepRecorder::Impl* recorder = nullptr;
    if (begin + count == length) {
      how.wanted = {count - 1};
      how.observer = observer ? &*observer : nullptr;
      if (!observer) recorder = impl_->begin_recording(prompts.front().back(), runner.length() + count - 1);
      if (recorder != nullptr) how.observer = recorder;
    }
    ORTHROS_TRY(const at::Tensor rows, runner.advance(prompts, begin, count, how, stop));
    if (rows.defined()) ORTHROS_TRY_VOID(impl_->set_logits(rows));
    if (recorder != nullptr) recorder->end();
    report(progress, "prefill", begin + count, length);
  }
  return {};
}

Result<void> Session::step(const std::vector<TokenId>& tokens, const StopToken& stop) {
  Runner& runner = *impl_->runner;
  Batch batch;
  batch.reserve(tokens.size());
  for (const TokenId token : tokens) batch.push_back({token});
  ORTHROS_TRY_VOID(runner.check_batch(batch));
  Runner::Advance how;
  how.wanted = {0};
  how.pair = true;
  StepRecorder::Impl* recorder = impl_->begin_recording(tokens.front(), runner.length());
  how.observer = recorder;
  ORTHROS_TRY(const at::Tensor rows, runner.advance(batch, 0, 1, how, stop));
  ORTHROS_TRY_VOID(impl_->set_logits(rows));
  if (recorder != nullptr) recorder->end();
  return {};
}

Result<void> Session::watch(StepRecorder* recorder) {
  const SessionOptions& options = impl_->runner->options();
  if (recorder != nullptr && (options.batch != 1 || !options.keep_all_keys)) {
    return fail(Error{ErrorCode::invalid_argument, "recording needs one sequence and every key in the cache",
                      "open the session with batch 1 and keep_all_keys"});
  }
  impl_->recorder = recorder;
  return {};
}

Result<void> Session::rewind(int64_t length) {
  ORTHROS_TRY_VOID(impl_->runner->rewind(length));
  impl_->logits = at::Tensor();
  return {};
}

std::span<const float> Session::logits(int64_t sequence) const {
  if (!impl_->logits.defined()) return {};
  const int64_t size = impl_->logits.size(1);
  return {impl_->logits.const_data_ptr<float>() + sequence * size, static_cast<size_t>(size)};
}

int64_t Session::length() const {
  return impl_->runner->length();
}

int64_t Session::kv_bytes() const {
  return impl_->runner->kv_bytes();
}

std::string Session::backend() const {
  const LoadReport& report = impl_->model->report();
  const ModelConfig& config = impl_->runner->decoder().config();
  AttentionQuery query;
  const auto type = to_torch(report.compute_type);
  query.q_BTHD = at::empty({1, 2, config.num_attention_heads, config.head_dim}, type);
  query.positions = {0, 1};
  query.out_type = type;
  const std::vector<int64_t> slots{0, 1};
  const auto args = kernel_args(query, impl_->runner->states().front().kv, slots);
  return fmt::format("cpu, attention {}, compute {}, cache {}, weights {}", kernels::attention_backend(args),
                     to_string(report.compute_type), to_string(report.kv_type), report.weights);
}

}  // namespace orthros
