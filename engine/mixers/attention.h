// Attention of query rows over a layer's cached keys: kernels on the CPU, plain ATen elsewhere.
// Shapes: q [B, Tq, H, D] (any strides, last contiguous), out [B*Tq, H*D], lse [B, H, Tq].
// Source: ORTHROS.md. Private: includes torch. Threads: torch's team.
#pragma once

#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

#include "engine/base/window_spec.h"
#include "engine/kernels/attention.h"
#include "engine/mixers/layer_state.h"

namespace orthros {

struct AttentionResult {
  at::Tensor out;  // [B*Tq, H*D]
  at::Tensor lse;  // [B, H, Tq], undefined unless asked for
  /// [H, slots]: with the lse of a decode step on the CPU, the products q.k that the softmax was made of;
  /// else undefined.
  at::Tensor scores;
};

/// `positions` are logical positions of the query rows; each reads what `window` names.
struct AttentionQuery {
  at::Tensor q_BTHD;
  std::vector<int64_t> positions;
  WindowSpec window;
  at::ScalarType out_type = at::kFloat;
  bool want_lse = false;
  at::Tensor out;  // where to write [B*Tq, H*D] contiguous in out_type; undefined: a new tensor
};

AttentionResult attend(const AttentionQuery& query, const KvCache& cache);

/// Exact weights of one row [length], fp32, from the row's own lse; 0 outside the support. CPU caches that
/// forget nothing only.
at::Tensor attention_row(const AttentionQuery& query, const KvCache& cache, const at::Tensor& lse_BHT,
                         int64_t b, int64_t head, int64_t row);

/// The arguments of the CPU kernel for this query (the back end's name is kernels::attention_backend of
/// them).
kernels::AttentionArgs kernel_args(const AttentionQuery& query, const KvCache& cache,
                                   const std::vector<int64_t>& slots);

namespace reference {
AttentionResult attend(const AttentionQuery& query, const KvCache& cache);
}

}  // namespace orthros
