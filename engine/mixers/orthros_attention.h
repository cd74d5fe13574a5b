// OrthrosAttention: the base stream reads a window (and sinks) and alone writes K and V; the output stream
// reads the whole cache with full causal attention. Both share every weight but their scale-offset on the
// query. Shapes, Threads: as SoftmaxAttention. Source: arXiv 2610.13735 section 3; ORTHROS.md. Private:
// includes torch.
#pragma once

#include "engine/mixers/softmax_attention.h"

namespace orthros {

class OrthrosAttention final : public SoftmaxAttention {
 public:
  using SoftmaxAttention::SoftmaxAttention;

  bool has_output_stream() const override { return true; }
  at::Tensor output_forward(const at::Tensor& x, const ChunkContext& context, const RowOffsets& rows,
                            const LayerState& state) const override;
  at::Tensor pair_forward(const at::Tensor& x, const ChunkContext& context, bool base_result,
                          LayerState& state) const override;
};

}  // namespace orthros
