// Row-gradient kernels of one instruction set: a range of rows each. Private to row_gradients.
#pragma once

#include "engine/training/row_gradients.h"

namespace orthros::training {

struct RowGradientKernels {
  void (*rms_norm)(const RmsNormGradient& args, int64_t begin, int64_t end, float* d_weight);
  void (*silu_mul)(const float* gate_up, const float* d_y, int64_t intermediate, float* d_gate_up,
                   int64_t begin, int64_t end);
  void (*transform)(const HeadGradient& args, int64_t begin, int64_t end, float* d_scale, float* d_offset,
                    float* d_norm_weight);
  void (*cross_entropy)(const CrossEntropyRows& args, int64_t begin, int64_t end);
};

const RowGradientKernels& row_gradient_kernels();

}  // namespace orthros::training
