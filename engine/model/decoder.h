// Decoder: one decoder for every architecture; what differs a layer is its mixer.
// Shapes: ids [B, Tc]; results [B * wanted, M] final-normalised rows, batch-major; logits fp32 [rows, V].
// Plain mixers give logits from the base rows; mixers with an output stream from output rows, which exist only at
// the wanted positions. Source: ORTHROS.md (regimes, last layer). Private: includes torch. Threads: torch's team.
#pragma once

#include <ATen/ATen.h>

#include <memory>
#include <vector>

#include "engine/base/job_control.h"
#include "engine/base/result.h"
#include "engine/formats/model_config.h"
#include "engine/mixers/mixer.h"
#include "engine/mixers/rotary.h"
#include "engine/mixers/softmax_attention.h"

namespace orthros {

struct LayerWeights {
  at::Tensor input_norm, post_attention_norm;  // fp32 [M]
  std::shared_ptr<AttentionWeights> attention;
  Linear gate_up, down;
};

struct ModelWeights {
  std::shared_ptr<Linear> embedding;  // [V, M]
  std::shared_ptr<Linear> lm_head;    // the embedding itself when tied
  at::Tensor norm;                    // fp32 [M]
  std::vector<LayerWeights> layers;
};

/// One chunk of input for Decoder::forward.
struct ChunkInput {
  at::Tensor ids;        // int64 [B, Tc], on the CPU
  RowOffsets wanted;     // offsets in the chunk whose logits are asked for
  bool pair = false;     // decode step: base and output row share their products (Tc = 1)
  bool output_on = true; // false: the pair's output row is zeros that nobody reads (invariant 4)
  AttentionObserver* observer = nullptr;
  StopToken stop;
};

class Decoder {
 public:
  Decoder(std::shared_ptr<const ModelWeights> weights, const ModelConfig& config, ComputePolicy policy);

  const ModelConfig& config() const { return config_; }
  bool has_output_stream() const { return has_output_stream_; }

  /// Empty states for `capacity` tokens; chunk is the largest Tc that will be given.
  std::vector<LayerState> make_states(int64_t batch, int64_t capacity, int64_t chunk, ScalarType kv_type,
                                      bool keep_everything) const;
  /// Advances every state by the chunk. cancelled leaves the states unusable.
  Result<at::Tensor> forward(const ChunkInput& input, std::vector<LayerState>& states) const;
  /// rows must have row_type(rows.size(0)), as forward gives them.
  at::Tensor logits(const at::Tensor& rows) const;
  at::ScalarType row_type(int64_t rows) const { return policy_.row_type(rows, weights_->norm.device()); }

 private:
  struct Stream;
  struct LayerCall;
  void run_base(const LayerCall& call, Stream& base, const RowOffsets& wanted, LayerState& state) const;
  void run_output(const LayerCall& call, Stream& output, const RowOffsets& rows, const LayerState& state) const;
  void run_pair(const LayerCall& call, Stream& pair, LayerState& state) const;
  void run_mlp(const LayerCall& call, Stream& stream) const;
  at::Tensor enter_layer(const LayerCall& call, Stream& stream) const;
  Result<void> run_layers(const ChunkInput& input, ChunkContext& context, Stream& base, Stream& output,
                          std::vector<LayerState>& states) const;
  at::Tensor finish(const ChunkContext& context, Stream& stream) const;

  std::shared_ptr<const ModelWeights> weights_;
  ModelConfig config_;
  ComputePolicy policy_;
  RotaryEmbedding rotary_;
  std::vector<std::unique_ptr<Mixer>> mixers_;
  bool has_output_stream_ = false;
};

}  // namespace orthros
