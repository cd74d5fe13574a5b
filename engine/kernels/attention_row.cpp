// Softmax weights of one query row, for the attention views.
// Source: weight = exp(scale * q.k - lse) with the engine's own lse.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/kernels/attention.h"
#include "engine/kernels/attention_element.h"

namespace orthros::kernels {

void attention_row(const AttentionArgs& args, int64_t b, int64_t h, int64_t query, float lse,
                   float* weights) noexcept {
  const int64_t q0 = query_index(args, b, h, query);
  const int64_t kv0 = kv_index(args, b, h);
  const int64_t t = args.positions[query];
  std::fill(weights, weights + args.num_keys, 0.0f);
  for (const KeyRange range : {args.window.sink(t), args.window.band(t)}) {
    for (int64_t key = range.begin; key < range.end; ++key) {
      double dot = 0;
      for (int64_t d = 0; d < args.head_dim; ++d) {
        dot += static_cast<double>(load_element(args.q_type, args.q, q0 + d)) *
               load_element(args.kv_type, args.k, kv0 + key * args.kv_stride_s + d);
      }
      weights[key] = static_cast<float>(std::exp(args.scale * dot - lse));
    }
  }
}

}  // namespace orthros::kernels
