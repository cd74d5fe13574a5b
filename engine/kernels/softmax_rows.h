// softmax_rows: exact softmax weights of one query row of all heads that read one KV head, from the
// logsumexp that the engine's own call returned: what a watcher of every decode step takes.
// Shapes: over the support alone, the sinks, then the band, in key order: weights [group, stride] and of that
//   the part [begin, end); entropy [group] and out [group, head_dim] are those of the part.
// Units: entropy -sum p ln p in nats. Errors: none; callers validate.
// Threads: softmax_rows_all takes the OpenMP team of the caller. K and V are read once a group.
#pragma once

#include <cstdint>
#include <span>

#include "engine/kernels/attention.h"

namespace orthros::kernels {

/// Keys of a part that threads share well; parts may be any.
inline constexpr int64_t kSoftmaxRowsPart = 256;

struct SoftmaxRows {
  const AttentionArgs* args = nullptr;
  int64_t b = 0, kv_head = 0, query = 0;
  const float* lse = nullptr;  // [group] of this query row
  int64_t begin = 0, end = 0;  // of the support
  float* weights = nullptr;
  int64_t stride = 0;
  double* entropy = nullptr;
  double* out = nullptr;  // the part's weights times V; null: not made
};

void softmax_rows(const SoftmaxRows& rows);
void softmax_rows_all(std::span<const SoftmaxRows> all);

/// One row from the products that the engine's own call gave (AttentionArgs::scores [num_keys] of its head):
/// `weights` [support]; returns the entropy.
double softmax_of_scores(const float* scores, const WindowSpec& window, int64_t position, float scale,
                         float lse, float* weights);

/// Plain loops over attention_row, for every head_dim. Normative.
void softmax_rows_reference(const SoftmaxRows& rows);

}  // namespace orthros::kernels
