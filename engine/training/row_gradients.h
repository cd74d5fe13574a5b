// Backward of the row-wise operations of kernels/row_ops.h, and the softmax of the loss.
// Shapes: fp32 row-major matrices, strides in elements. Weight gradients are added to. Errors: callers
// validate. Threads: the caller's OpenMP team; rows are split statically, so that a team of the same size
// gives the same bits.
#pragma once

#include <cstdint>

namespace orthros::training {

/// y = x / rms(x) * weight. d_x = d_residual (may be null) + the norm's part; d_weight [columns] may be null.
struct RmsNormGradient {
  const float* x = nullptr;
  const float* weight = nullptr;
  float eps = 0;
  const float* d_y = nullptr;
  const float* d_residual = nullptr;
  float* d_x = nullptr;
  float* d_weight = nullptr;
  int64_t rows = 0, columns = 0;  // everything contiguous
};
void rms_norm_backward(const RmsNormGradient& args);

/// y[r, f] = silu(gate_up[r, f]) * gate_up[r, F + f]; everything contiguous.
void silu_mul_backward(const float* gate_up, const float* d_y, int64_t rows, int64_t intermediate,
                       float* d_gate_up);

/// Scale-offset, head norm and rotation of rows x heads vectors; null parts are left out.
struct HeadGradient {
  int64_t rows = 0, heads = 0, head_dim = 0;
  const float* source = nullptr;  // what the forward pass read: [rows, heads * D] with source_stride
  int64_t source_stride = 0;
  const float* d_y = nullptr;  // of the result
  int64_t d_y_stride = 0;
  float* d_source = nullptr;  // overwritten
  int64_t d_source_stride = 0;
  const float *scale = nullptr, *offset = nullptr, *norm_weight = nullptr;
  float norm_eps = 0;
  const float *cos = nullptr, *sin = nullptr;  // [positions, D / 2]
  const int64_t* positions = nullptr;          // [rows]
  float *d_scale = nullptr, *d_offset = nullptr, *d_norm_weight = nullptr;
};
void transform_heads_backward(const HeadGradient& args);

/// Weighted cross-entropy of logit rows, which become its gradient in place.
struct CrossEntropyRows {
  float* logits = nullptr;  // [rows, classes] contiguous; afterwards weight * (softmax - one-hot)
  const int64_t* targets = nullptr;
  const float* weights = nullptr;  // of each row; a row of weight 0 has no gradient
  int64_t rows = 0, classes = 0;
  float* loss = nullptr;    // unweighted -log p of each row
  int64_t* best = nullptr;  // most probable class of each row
};
void cross_entropy_rows(const CrossEntropyRows& args);

}  // namespace orthros::training
