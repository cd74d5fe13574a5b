// Runner: a decoder with its states, advanced chunk by chunk. Session, evaluation and capture are built on
// it. Shapes: ids [B][Tc]; rows [B * wanted, M]. Errors: invalid_argument (ragged batch, id outside the
// vocabulary, beyond capacity), out_of_memory (plan), cancelled. Private: includes torch. Threads: one
// caller.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/inference/session.h"
#include "engine/model/decoder.h"

namespace orthros {

using Batch = std::vector<std::vector<TokenId>>;

class Runner {
 public:
  static Result<std::unique_ptr<Runner>> create(std::shared_ptr<const Model> model, const ModelConfig& config,
                                                const SessionOptions& options);

  struct Advance {
    RowOffsets wanted;
    bool pair = false;
    bool output_on = true;
    AttentionObserver* observer = nullptr;
  };
  /// Tokens [begin, begin + count) of every sequence.
  Result<at::Tensor> advance(const Batch& batch, int64_t begin, int64_t count, const Advance& how,
                             const StopToken& stop);

  /// Equal lengths, at least one token, every id in the vocabulary, room in the cache.
  Result<void> check_batch(const Batch& batch) const;

  const Decoder& decoder() const { return decoder_; }
  const SessionOptions& options() const { return options_; }
  int64_t length() const { return states_.front().kv.length(); }
  int64_t kv_bytes() const;
  const std::vector<LayerState>& states() const { return states_; }
  std::vector<LayerState>& states() { return states_; }
  void clear();
  /// Back to the first `length` tokens; invalid_argument when a window-only cache has forgotten what is
  /// needed.
  Result<void> rewind(int64_t length);

 private:
  Runner(std::shared_ptr<const Model> model, Decoder decoder, const SessionOptions& options)
      : model_(std::move(model)), decoder_(std::move(decoder)), options_(options) {}

  std::shared_ptr<const Model> model_;
  Decoder decoder_;
  SessionOptions options_;
  std::vector<LayerState> states_;
};

}  // namespace orthros
