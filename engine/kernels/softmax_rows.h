// softmax_rows: exact softmax weights of one query row of all heads that read one KV head, from the
// logsumexp that the engine's own call returned: what a watcher of every decode step takes.
// Shapes: weights [group, stride] over the support alone: the sinks, then the band, in key order;
//   entropy [group]; out [group, head_dim]. Units: entropy -sum p ln p in nats.
// Errors: none; callers validate, window.support(position) <= stride. Threads: one. K and V are read once a
// group.
#pragma once

#include <cstdint>

#include "engine/kernels/attention.h"

namespace orthros::kernels {

struct SoftmaxRows {
  float* weights = nullptr;
  int64_t stride = 0;
  double* entropy = nullptr;
  double* out = nullptr;  // the rows times V; null: not made
};

/// `lse` [group] of this query row.
void softmax_rows(const AttentionArgs& args, int64_t b, int64_t kv_head, int64_t query, const float* lse,
                  const SoftmaxRows& rows);

/// Plain loops over attention_row, for every head_dim. Normative.
void softmax_rows_reference(const AttentionArgs& args, int64_t b, int64_t kv_head, int64_t query,
                            const float* lse, const SoftmaxRows& rows);

}  // namespace orthros::kernels
