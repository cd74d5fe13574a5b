// Mixer: what a decoder layer plugs in to mix positions. Base rows write the layer state; output rows only
// read it, which the compiler enforces: output_forward takes a const LayerState. Shapes: x [R, M] normalised
// rows in the policy's row type, R = B * positions, batch-major; results [R, M]. Source: ORTHROS.md "Two
// streams", "Last layer", invariant 4. Private: includes torch. Threads: torch's team.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

#include "engine/base/pass_tensor.h"
#include "engine/base/regime.h"
#include "engine/base/window_spec.h"
#include "engine/mixers/layer_state.h"
#include "engine/mixers/linear.h"
#include "engine/mixers/rotary.h"

namespace orthros {

/// What a watcher sees of one attention call. Tensors are the engine's own; the watcher must not change them.
struct AttentionEvent {
  int64_t layer = 0;
  StreamKind stream = StreamKind::base;
  WindowSpec window;
  at::Tensor q_BTHD;                      // after scale-offset, norm and rotation
  const std::vector<int64_t>* positions;  // logical positions of the rows
  at::Tensor out, lse_BHT;
  const KvCache* cache = nullptr;
  at::Tensor scores = {};  // as AttentionResult::scores
};

/// Rows [R, *] of one stream that a pass has just made: the engine's own memory, which the pass may use
/// again.
struct TensorEvent {
  int64_t layer = 0;
  StreamKind stream = StreamKind::base;
  PassTensor what = PassTensor::x;
  at::Tensor rows;
};

/// Watching is passed in with a run and never changes it.
class AttentionObserver {
 public:
  virtual ~AttentionObserver() = default;
  virtual bool wants(int64_t layer, StreamKind stream) const = 0;
  virtual void on_attention(const AttentionEvent& event) = 0;
  /// Every tensor of a layer, for those who trace it.
  virtual bool wants_tensors(int64_t /*layer*/) const { return false; }
  virtual void on_tensor(const TensorEvent&) {}
};

/// One chunk of the base stream: positions first .. first + count - 1 of each of `batch` sequences.
struct ChunkContext {
  int64_t batch = 1, first = 0, count = 0;
  int64_t layer = 0;
  bool last_layer =
      false;           // K and V are then projected alone, whatever rows are wanted: watching changes no bit
  RotaryTable rotary;  // row i = position first + i
  ComputePolicy policy;
  AttentionObserver* observer = nullptr;

  bool is_traced() const { return observer != nullptr && observer->wants_tensors(layer); }
  void tell(StreamKind stream, PassTensor what, const at::Tensor& rows) const {
    if (is_traced()) observer->on_tensor({layer, stream, what, rows});
  }
};

/// Rows of a chunk by offset from its first position, ascending: the same for every sequence of the batch.
using RowOffsets = std::vector<int64_t>;

class Mixer {
 public:
  virtual ~Mixer() = default;

  /// Writes the chunk's base rows into `state` and returns the mixed rows at `wanted` [B * wanted, M], or an
  /// undefined tensor when none is wanted (then only the state is made).
  virtual at::Tensor base_forward(const at::Tensor& x, const ChunkContext& context, const RowOffsets& wanted,
                                  LayerState& state) const = 0;

  virtual bool has_output_stream() const { return false; }
  /// Output rows x [B * rows, M] at chunk offsets `rows`; the base rows of the chunk are in `state` already.
  virtual at::Tensor output_forward(const at::Tensor& x, const ChunkContext& context, const RowOffsets& rows,
                                    const LayerState& state) const;
  /// Decode: base and output row of one position as [2B, M] (base rows first) through shared products.
  /// Returns [2B, M], or only the output rows [B, M] when the base row's result is not needed (last layer).
  virtual at::Tensor pair_forward(const at::Tensor& x, const ChunkContext& context, bool base_result,
                                  LayerState& state) const;
};

}  // namespace orthros
