// Softmax attention of query rows over cached keys: full causal, window and sinks, any query positions.
// Shapes: q, out [B, Tq, H, D]; k, v [B, Hkv, S, D]; lse [B, H, Tq]; head h reads KV head h / (H/Hkv).
//   Last dimension contiguous, other strides free. Query row i has the slot positions[i] of its own key and
//   reads the slots that window.sees(positions[i], slot) names; every such slot must be < num_keys.
// Units: strides in elements. lse is the natural log of the sum of exp(scale * q.k).
// Errors: callers validate. std::bad_alloc when working memory cannot be had; the output is then undefined.
// Threads: the OpenMP team of the caller; results do not depend on its size.
// Source: ORTHROS.md "Two streams"; (out, logsumexp) as in FlashAttention.
#pragma once

#include <cstdint>

#include "engine/base/scalar_type.h"
#include "engine/base/window_spec.h"

namespace orthros::kernels {

struct AttentionArgs {
  int64_t batch = 1;
  int64_t num_heads = 0;
  int64_t num_kv_heads = 0;
  int64_t head_dim = 0;
  int64_t num_queries = 0;
  int64_t num_keys = 0;
  const int64_t* positions = nullptr;  // [num_queries], non-decreasing
  WindowSpec window;
  float scale = 1.0f;

  ScalarType q_type = ScalarType::float32;  // float32 or bfloat16
  const void* q = nullptr;
  int64_t q_stride_b = 0, q_stride_t = 0, q_stride_h = 0;

  ScalarType kv_type = ScalarType::float32;  // float32 or bfloat16, same for k and v
  const void* k = nullptr;
  const void* v = nullptr;
  int64_t kv_stride_b = 0, kv_stride_h = 0, kv_stride_s = 0;  // the same for k and v

  ScalarType out_type = ScalarType::float32;  // float32 or bfloat16
  void* out = nullptr;
  int64_t out_stride_b = 0, out_stride_t = 0, out_stride_h = 0;

  float* lse = nullptr;  // [B, H, Tq] contiguous, or null
  /// [H, num_keys] contiguous, or null: the products q.k as they are before scale and softmax, at the keys
  /// that the row sees. Only where attention_gives_scores(args) says so.
  float* scores = nullptr;
};

/// One query row of one sequence, whose K is read in place: a decode step.
bool attention_gives_scores(const AttentionArgs& args) noexcept;

/// Plain loops, fp64 accumulation. Normative: every back end is compared with it, and it ships.
void attention_reference(const AttentionArgs& args) noexcept;

/// The fastest back end for these arguments on this machine. Products are in fp32, or in bfloat16 with fp32
/// accumulation when q and kv are both bfloat16.
void attention_forward(const AttentionArgs& args);

/// Name of the back end attention_forward takes for these arguments, e.g. "avx512_bf16", for run records.
const char* attention_backend(const AttentionArgs& args) noexcept;

/// Exact softmax weights of one (batch, head, query row): weights [num_keys], 0 outside the support.
/// Uses the lse that the engine's own call returned for that row, so that it is the engine's softmax.
void attention_row(const AttentionArgs& args, int64_t b, int64_t h, int64_t query, float lse, float* weights);

}  // namespace orthros::kernels
