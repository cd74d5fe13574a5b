// Inside of StepRecorder: the observer that a session passes to its runner. Private: includes torch.
#pragma once

#include <chrono>

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

  ModelConfig config;
  StepRecorderOptions options;
  WindowSpec window;
  std::vector<DecodeStepPointer> steps;
  std::vector<RowErrorsOfHead> base_errors, output_errors;  // [layers, heads]

 private:
  using Clock = std::chrono::steady_clock;
  struct Call;
  void make_room(StepStream& stream, const WindowSpec& seen) const;
  void take_group(const Call& call, int64_t kv_head);
  void take_row(const Call& call, int64_t head, const float* weights, double entropy);
  bool keeps_whole(int64_t layer, int64_t support) const;

  std::unique_ptr<DecodeStep> step_;  // being made
  Clock::time_point began_;
  double record_ms_ = 0;
};

}  // namespace orthros
