// Session: one conversation with a model, or a batch of equally long ones: prefill, then step by step.
// Shapes: logits [V] of the last position of each sequence. Units: tokens, bytes.
// Errors: invalid_argument (empty or ragged prompt, id outside the vocabulary, beyond capacity),
// out_of_memory (refused by the plan), cancelled (the session is then empty again). Threads: one caller.
// Public: no torch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/job_control.h"
#include "engine/base/result.h"
#include "engine/base/window_spec.h"
#include "engine/formats/tokenizer.h"
#include "engine/model/model.h"

namespace orthros {

struct SessionOptions {
  int64_t batch = 1;
  int64_t capacity = 0;        // tokens a sequence can grow to; the cache is allocated for them
  int64_t chunk = 512;         // base tokens a prefill chunk has
  bool keep_all_keys = false;  // window-only models: keep what no row reads any more (attention capture)
};

/// Attention that the last prompt token pays to spans of keys: from the output stream's row where there is
/// one, else from the token's own row. Needs a session with keep_all_keys. Watching never changes the run.
struct SpanMass {
  std::vector<KeyRange> spans;  // key positions; overlapping spans would count twice
  int64_t layers = 0, heads = 0;
  std::vector<float> mass;  // [layers, heads] of the first sequence, each in 0..1
  double mean() const;
};

class StepRecorder;

class Session {
 public:
  /// `config` is the model's own, or the same weights as another architecture (with_architecture).
  static Result<Session> create(std::shared_ptr<const Model> model, const ModelConfig& config,
                                const SessionOptions& options);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  /// Appends prompts of equal length; afterwards logits() are those of the last prompt token.
  Result<void> prefill(const std::vector<std::vector<TokenId>>& prompts, const StopToken& stop = {},
                       const ProgressSink& progress = {}, SpanMass* span_mass = nullptr);
  /// From now on each prefill's last row and every step is recorded; null ends it. The recorder must outlive
  /// the session or its end. Needs keep_all_keys and one sequence. Watching never changes the run.
  Result<void> watch(StepRecorder* recorder);
  /// Appends one token a sequence.
  Result<void> step(const std::vector<TokenId>& tokens, const StopToken& stop = {});

  /// Back to the first `length` tokens (0: as new), so that another continuation can follow; logits() are
  /// then empty. invalid_argument beyond length(), or when a window-only session without keep_all_keys has
  /// forgotten too much.
  Result<void> rewind(int64_t length);

  std::span<const float> logits(int64_t sequence = 0) const;
  int64_t length() const;
  int64_t kv_bytes() const;
  /// Attention back end, weight formats and compute type, for run records.
  std::string backend() const;

 private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace orthros
