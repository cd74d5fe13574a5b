// SoftmaxAttention: full or window attention of one stream, for plain decoders, and the projections that
// OrthrosAttention shares between its two streams.
// Shapes: fused weight qkv [(H + 2 Hkv) D, M], o [M, H D]. Order on the query: scale-offset, q-norm, RoPE.
// Source: HF Llama, Qwen3 and Mistral attention; ORTHROS.md. Private: includes torch. Threads: torch's team.
#pragma once

#include <memory>

#include "engine/formats/model_config.h"
#include "engine/mixers/attention.h"
#include "engine/mixers/mixer.h"
#include "engine/mixers/ops.h"

namespace orthros {

/// One stream's scale-offset on the query, fp32 [H*D]; undefined tensors are the identity.
struct ScaleOffset {
  at::Tensor scale, offset;
};

struct AttentionWeights {
  int64_t num_attention_heads = 0, num_key_value_heads = 0, head_dim = 0;
  double rms_norm_eps = 0;
  Linear qkv, o;
  at::Tensor q_norm, k_norm;  // fp32 [D], undefined without q/k-norm
  ScaleOffset base, output;

  int64_t q_size() const { return num_attention_heads * head_dim; }
  int64_t kv_size() const { return num_key_value_heads * head_dim; }
};

class SoftmaxAttention : public Mixer {
 public:
  /// A layer read as an architecture without scale-offset ignores the vectors that its weights hold.
  SoftmaxAttention(std::shared_ptr<const AttentionWeights> weights, const LayerSpec& spec)
      : weights_(std::move(weights)), window_(spec.window) {
    if (!spec.scale_offset) return;
    base_scale_offset_ = weights_->base;
    output_scale_offset_ = weights_->output;
  }

  at::Tensor base_forward(const at::Tensor& x, const ChunkContext& context, const RowOffsets& wanted,
                          LayerState& state) const override;

 protected:
  /// Rows of a product with the fused weight: row r begins at row r of `projected`, its queries (if it has
  /// them) first, keys and values from column kv_column on.
  struct Projected {
    const at::Tensor& rows;
    int64_t first_row = 0;
    int64_t kv_column = 0;
  };
  /// Rotated queries [B, n, H, D] of a stream, in the projection's own memory.
  at::Tensor rotate_queries(const Projected& projected, StreamKind stream, const ChunkContext& context,
                            const RowOffsets& rows) const;
  /// Writes K and V of the whole chunk into the cache.
  void write_keys_values(const Projected& projected, const ChunkContext& context, LayerState& state) const;
  /// A new [rows, H*D] for attention results, in the type that W_O wants for that many rows.
  at::Tensor empty_heads(int64_t rows, const at::Tensor& like, const ChunkContext& context) const;
  /// Attends and fills `out` [B*n, H*D], which is also returned.
  at::Tensor attend_rows(const at::Tensor& q_BTHD, const WindowSpec& window, StreamKind stream,
                         const ChunkContext& context, const RowOffsets& rows, const LayerState& state,
                         at::Tensor out) const;

  std::shared_ptr<const AttentionWeights> weights_;
  WindowSpec window_;
  ScaleOffset base_scale_offset_, output_scale_offset_;  // undefined tensors: none
};

}  // namespace orthros
