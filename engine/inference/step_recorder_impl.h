// Inside of StepRecorder: the observer that a session passes to its runner. Private: includes torch.
#pragma once

#include <chrono>

#include "engine/inference/query_watch.h"
#include "engine/inference/step_recorder.h"
#include "engine/mixers/attention.h"
#include "engine/mixers/mixer.h"

namespace orthros {

struct StepRecorder::Impl final : AttentionObserver {
  Impl(const ModelConfig& model, const StepRecorderOptions& asked);

  /// Before a pass whose row at `position` is wanted.
  void begin(int64_t position, TokenId id);
  /// After it: the step is kept and told. A pass that ended early is followed by no end.
  void end();

  bool wants(int64_t layer, StreamKind stream) const override;
  void on_attention(const AttentionEvent& event) override;
  bool wants_tensors(int64_t layer) const override;
  void on_tensor(const TensorEvent& event) override { queries_.take(event); }

  ModelConfig config;
  StepRecorderOptions options;
  WindowSpec window;
  std::vector<DecodeStepPointer> steps;
  std::vector<RowErrorsOfHead> base_errors, output_errors;  // [layers, heads]

 private:
  using Clock = std::chrono::steady_clock;
  /// The engine's own products of one call, where it gives them: then K need not be read again.
  struct Scores {
    at::Tensor scores_HS;
    std::vector<float> lse;
    float scale = 1;
  };
  /// What one stream's rows of the step being made are worked on with.
  struct Work {
    std::vector<float> rows;      // [layers, heads, support] of rows that will be digests, where needed
    std::vector<Scores> scores;   // [layers]
    std::vector<double> entropy;  // [layers, heads], nats
    std::vector<RowErrorsOfHead> errors;  // [layers, heads]; rows: whether V was looked at
    int64_t support = 0;
  };
  struct Call;
  void make_room(StreamKind stream, const WindowSpec& seen);
  Work& work_of(StreamKind stream) { return stream == StreamKind::output ? output_work_ : base_work_; }
  StepStream& kept_of(StreamKind stream) {
    return stream == StreamKind::output ? step_->output : step_->base;
  }
  float* row_of(StreamKind stream, int64_t layer, int64_t head);
  bool is_checked(int64_t layer, int64_t kv_head) const;
  /// Weights of the calls that wait, by all threads: K and V of the layer are still in the caches.
  void take_calls();
  void compare_output(const Call& call, int64_t kv_head, const std::vector<double>& out);
  /// Scalars, sum and digest of a row whose weights are there.
  void take_row(StreamKind stream, int64_t layer, int64_t head);
  void add_up();

  std::unique_ptr<DecodeStep> step_;  // being made
  std::vector<Call> calls_;           // of one layer
  QueryWatch queries_;
  Work base_work_, output_work_;
  Clock::time_point began_;
  double record_ms_ = 0;
};

/// One attention call with the row that is kept of it.
struct StepRecorder::Impl::Call {
  AttentionEvent event;
  std::vector<int64_t> positions;  // the event's own are gone by the time it is worked on
  kernels::AttentionArgs args;
  int64_t row = 0;  // in the event
  std::vector<float> lse;
};

}  // namespace orthros
