// Differentiable operations of a decoder layer: our fp32 kernels with their own backward on the CPU, plain
// ATen under autograd elsewhere (reference::, the definition). Shapes: R = B * rows, batch-major; x [R, M];
// q, out [R, H * D]; kv [B * T, 2 * Hkv * D], all keys of a row before its values. Undefined tensors are left
// out. Errors: torch exceptions. Threads: torch's team. Source: ORTHROS.md "Two streams". Private: includes
// torch.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "engine/base/window_spec.h"

namespace orthros::training {

/// How matrix products run: bf16 rounds both factors of every product, forward and backward, while masters,
/// residuals and gradients of weights stay fp32.
struct ProductPolicy {
  bool bfloat16 = false;
  bool onednn = false;  // fp32 products through oneDNN, where this machine is faster with it
};

/// x w^T for x [R, K] and w [N, K].
at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const ProductPolicy& policy);

/// (x + delta, rms_norm(x + delta) * weight).
std::pair<at::Tensor, at::Tensor> add_rms_norm(const at::Tensor& x, const at::Tensor& delta,
                                               const at::Tensor& weight, double eps);

/// silu(gate) * up of gate_up [R, 2F].
at::Tensor silu_mul(const at::Tensor& gate_up);

/// Rows table_rows [R] int64 of cos and sin [positions, D / 2].
struct Rotation {
  at::Tensor cos, sin, table_rows;
};
struct HeadWeights {
  at::Tensor scale, offset;   // [H * D]
  at::Tensor q_norm, k_norm;  // [D]
  double norm_eps = 0;
};
struct HeadCounts {
  int64_t query_heads = 0, key_heads = 0, head_dim = 0;  // 0 heads: the projection has none of them
};
struct PreparedHeads {
  at::Tensor q, kv;
};
/// Scale-offset, norm and rotation of a projection [R, (H + 2 Hkv) D] (queries, keys, values side by side).
PreparedHeads prepare_heads(const at::Tensor& projected, const HeadCounts& counts, const HeadWeights& weights,
                            const Rotation& rotation);

struct AttentionRows {
  int64_t batch = 1, num_heads = 0, num_kv_heads = 0, head_dim = 0;
  at::Tensor positions;  // int64 [B, rows] or [1, rows] for every sequence, non-decreasing
  WindowSpec window;
};
at::Tensor attention(const at::Tensor& q, const at::Tensor& kv, const AttentionRows& rows);

/// Runs layer(inputs) and forgets what it computed; the backward pass runs it again. `parameters` are the
/// tensors besides its inputs whose gradients are wanted.
using LayerFunction = std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>& inputs)>;
std::vector<at::Tensor> recomputed(const LayerFunction& layer, const std::vector<at::Tensor>& inputs,
                                   const std::vector<at::Tensor>& parameters);

namespace reference {
std::pair<at::Tensor, at::Tensor> add_rms_norm(const at::Tensor& x, const at::Tensor& delta,
                                               const at::Tensor& weight, double eps);
at::Tensor silu_mul(const at::Tensor& gate_up);
PreparedHeads prepare_heads(const at::Tensor& projected, const HeadCounts& counts, const HeadWeights& weights,
                            const Rotation& rotation);
/// Holds all scores: for tests, and for devices without a kernel of ours.
at::Tensor attention(const at::Tensor& q, const at::Tensor& kv, const AttentionRows& rows);
}  // namespace reference

}  // namespace orthros::training
