// LanguageModel: what an experiment needs of an arm: a cache for a batch, prefill, steps, logits. The real
// one wraps Session; tests put stubs of known behaviour in its place. Shapes: logits [V] a sequence. Units:
// bytes, tokens. Errors: as Session; calls before open() are invalid_argument. Threads: one caller. Public:
// no torch.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/inference/session.h"

namespace orthros {

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;
  /// An empty cache; an earlier one is freed first. out_of_memory when the plan says it does not fit.
  virtual Result<void> open(const SessionOptions& options) = 0;
  virtual void close() = 0;
  virtual Result<void> prefill(const std::vector<std::vector<TokenId>>& prompts, const StopToken& stop,
                               SpanMass* span_mass) = 0;
  virtual Result<void> step(const std::vector<TokenId>& tokens, const StopToken& stop) = 0;
  virtual Result<void> rewind(int64_t length) = 0;
  virtual std::span<const float> logits(int64_t sequence) const = 0;
  virtual int64_t kv_bytes() const = 0;
  virtual std::string backend() const = 0;
  /// Waits until the device has done everything; the CPU always has.
  virtual void synchronize() {}
};

/// The weights of `model` read as `config`.
std::shared_ptr<LanguageModel> make_language_model(std::shared_ptr<const Model> model, ModelConfig config);

/// The most probable id; the lowest of equals.
TokenId greedy(std::span<const float> logits);

}  // namespace orthros
