#include "engine/mixers/mixer.h"

namespace orthros {

at::Tensor Mixer::output_forward(const at::Tensor&, const ChunkContext&, const RowOffsets&,
                                 const LayerState&) const {
  TORCH_CHECK(false, "this mixer has no output stream");
}

at::Tensor Mixer::pair_forward(const at::Tensor&, const ChunkContext&, bool, LayerState&) const {
  TORCH_CHECK(false, "this mixer has no output stream");
}

}  // namespace orthros
