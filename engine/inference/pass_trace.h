// pass_trace: every named tensor of one pass, for a few tokens: what a lesson shows. Taken by watching the
// engine's own pass, never computed a second time. Shapes: TraceTensor [rows, columns] fp32, one row a token
// of `positions`; weights [rows, H * T]. Errors: invalid_argument (no output stream, too many tokens, prompt
// length), as Session otherwise. Watching never changes the run. Source: ORTHROS.md "Regimes", invariants 1
// to 8. Public: no torch. Threads: one caller.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/pass_tensor.h"
#include "engine/base/regime.h"
#include "engine/base/window_spec.h"
#include "engine/inference/session.h"

namespace orthros {

constexpr int64_t kMostTracedTokens = 64;

struct TraceTensor {
  int64_t columns = 0;
  std::vector<float> values;

  int64_t rows() const { return columns == 0 ? 0 : std::ssize(values) / columns; }
  bool empty() const { return values.empty(); }
  std::span<const float> row(int64_t index) const {
    return std::span(values).subspan(static_cast<size_t>(index * columns), static_cast<size_t>(columns));
  }
  bool operator==(const TraceTensor&) const = default;
};

/// One stream in one layer. Tensors that the pass did not make are empty: of the base stream's last layer all
/// but x, normed, keys and values.
struct StreamTrace {
  std::vector<int64_t> positions;  // of the rows, ascending
  std::array<TraceTensor, kPassTensorNames.size()> tensors;
  TraceTensor weights;

  const TraceTensor& operator[](PassTensor what) const { return tensors[static_cast<size_t>(what)]; }
  TraceTensor& operator[](PassTensor what) { return tensors[static_cast<size_t>(what)]; }
  /// Row of a position, -1 where the stream has none.
  int64_t row_of(int64_t position) const;
  /// Weights over keys 0..T-1 of one head; empty when the row does not attend.
  std::span<const float> weights_of(int64_t position, int64_t head, int64_t num_keys) const;
};

struct LayerTrace {
  WindowSpec window;
  StreamTrace base, output;
  TraceTensor keys, values;  // the shelf after the pass: [T, Hkv D], keys rotated
  std::string shelf_sha256;  // of its bytes, keys then values

  const StreamTrace& stream(StreamKind kind) const { return kind == StreamKind::base ? base : output; }
};

struct PassTraceRequest {
  std::vector<TokenId> ids;
  Regime regime = Regime::prefill;
  int64_t prompt_length = 0;  // sft: tokens before the answer
  bool output_on = true;      // false: no output copies; the shelf is the same, nothing is predicted
};

struct Candidate {
  TokenId id = 0;
  double probability = 0;
};

struct PassTrace {
  PassTraceRequest request;
  int64_t heads = 0, key_value_heads = 0, head_dim = 0;
  std::vector<LayerTrace> layers;
  TraceTensor cos, sin;      // [T, D/2]
  TraceTensor logits;        // [output rows, V]
  std::string shelf_sha256;  // of all layers

  int64_t num_tokens() const { return std::ssize(request.ids); }
  /// Positions with an output copy.
  const std::vector<int64_t>& output_positions() const { return layers.front().output.positions; }
  /// Most probable next tokens at a position, best first; empty when nothing is predicted there.
  std::vector<Candidate> candidates(int64_t position, size_t count) const;
};

Result<PassTrace> trace_pass(std::shared_ptr<const Model> model, const ModelConfig& config,
                             const PassTraceRequest& request, const StopToken& stop = {});

/// FLOP of a traced pass, counted from its rows and supports (a multiply-add counts 2). The cost model counts
/// all matrices for an output row, as the paper does; here it is what is used: no keys and values of output
/// rows.
struct PassFlop {
  double matrices = 0, base_scores = 0, output_scores = 0, head = 0;
  double total() const { return matrices + base_scores + output_scores + head; }
};
PassFlop count_flop(const ModelConfig& config, const PassTrace& trace);

/// Weights that stories about numbers name, fp32. Shapes as in the checkpoint: matrices [out, in].
struct TracedWeights {
  struct Layer {
    TraceTensor query, key, value, output, gate, up, down;
    std::vector<float> input_norm, post_attention_norm;
    std::vector<float> alpha, beta, alpha_out, beta_out;  // empty without scale-offset
  };
  std::vector<Layer> layers;
  std::vector<float> norm;
  TraceTensor head;
  double rms_norm_eps = 0;
};
/// For small models only: unsupported above 16 million weights.
Result<TracedWeights> traced_weights(const Model& model);

}  // namespace orthros
