// StepRecorder: watches a session and keeps one DecodeStep for the last prompt token and for every step.
// No step is left out, and watching never changes the run. Levels: c0 scalars; c1 scalars and each row, whole
// where that takes no more room than a digest; c2 as c1, whole rows of chosen layers; c3 whole rows.
// Units: bytes, ms. Errors: invalid_argument; out_of_memory beyond max_bytes, with the number needed.
// Threads: the session's; on_step is called on it. Public: no torch.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/inference/attention_record.h"
#include "engine/inference/decode_step.h"

namespace orthros {

struct StepRecorderOptions {
  CaptureLevel level = CaptureLevel::c1;
  std::vector<int64_t> layers;  // of c2
  int64_t prompt_tokens = 0, max_steps = 0;
  int64_t max_bytes = 512'000'000;
  /// Each row is multiplied with V and compared with the engine's own output: of every head, or of one KV
  /// head a layer in turn, which costs a third or less.
  bool check_every_head = false;
  std::function<void(const DecodeStepPointer&)> on_step;
};

/// What a record of this many steps after a prompt will hold.
int64_t decode_record_bytes(const ModelConfig& config, const StepRecorderOptions& options);

class StepRecorder {
 public:
  static Result<std::unique_ptr<StepRecorder>> create(const ModelConfig& config,
                                                      const StepRecorderOptions& options);
  ~StepRecorder();

  /// All steps so far, as a record without a prompt's rows; shares the steps, copies nothing large.
  AttentionRecord record() const;

 private:
  friend class Session;
  struct Impl;
  explicit StepRecorder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace orthros
