#include "engine/kernels/attention_tile.h"
namespace orthros::kernels {
const AttentionKernels* attention_kernels_bf16() {
  return nullptr;
}
}  // namespace orthros::kernels
