// Backward of softmax attention from (out, logsumexp): probabilities are recomputed tile by tile, so nothing
// of size queries x keys exists. Shapes: q, out, d_out, d_q [B, Tq, H, D]; k, v, d_k, d_v [B, Hkv, S, D];
// lse [B, H, Tq] contiguous; last dimension contiguous, other strides free and the same for a tensor and its
// gradient; fp32. positions [B, Tq] or one row for all: slot of each query's own key, non-decreasing.
// Units: strides in elements. Errors: callers validate; std::bad_alloc, the results are then undefined.
// Threads: the caller's OpenMP team; results do not depend on its size. Source: FlashAttention's backward.
#pragma once

#include <cstdint>

#include "engine/base/window_spec.h"

namespace orthros::training {

struct AttentionShape {
  int64_t batch = 1, num_heads = 0, num_kv_heads = 0, head_dim = 0;
  int64_t num_queries = 0, num_keys = 0;
  const int64_t* positions = nullptr;
  int64_t positions_stride_b = 0;  // 0: the same positions in every sequence
  WindowSpec window;
  float scale = 1.0f;
  int64_t q_stride_b = 0, q_stride_t = 0, q_stride_h = 0;
  int64_t kv_stride_b = 0, kv_stride_h = 0, kv_stride_s = 0;
  int64_t out_stride_b = 0, out_stride_t = 0, out_stride_h = 0;
};

struct AttentionGradient {
  const float *q = nullptr, *k = nullptr, *v = nullptr, *out = nullptr, *lse = nullptr, *d_out = nullptr;
  float *d_q = nullptr, *d_k = nullptr, *d_v = nullptr;  // written whole, whatever they held
};

/// The forward pass of the same shape: (out, lse), through the engine's own kernels.
void attention_forward(const AttentionShape& shape, const float* q, const float* k, const float* v,
                       float* out, float* lse);
void attention_backward(const AttentionShape& shape, const AttentionGradient& gradient);

}  // namespace orthros::training
