// Softmax weights of one query row, for the attention views.
// Source: weight = exp(scale * q.k - lse) with the engine's own lse.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/kernels/attention.h"
#include "engine/kernels/attention_element.h"

namespace orthros::kernels {
namespace {

/// fp32 products in eight partial sums: short sums lose less, and the compiler keeps them in vectors.
template <class T>
double dot(const float* q, const T* k, int64_t size) {
  constexpr int64_t kLanes = 8;
  float sum[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (int64_t j = 0; j < kLanes; ++j) sum[j] += q[i + j] * to_float(k[i + j]);
  }
  double total = 0;
  for (; i < size; ++i) total += static_cast<double>(q[i]) * to_float(k[i]);
  for (const float part : sum) total += part;
  return total;
}

}  // namespace

void attention_row(const AttentionArgs& args, int64_t b, int64_t h, int64_t query, float lse,
                   float* weights) {
  const int64_t q0 = query_index(args, b, h, query);
  const int64_t kv0 = kv_index(args, b, h);
  const int64_t t = args.positions[query];
  std::vector<float> q(static_cast<size_t>(args.head_dim));
  for (int64_t i = 0; i < args.head_dim; ++i) q[i] = load_element(args.q_type, args.q, q0 + i);

  std::fill(weights, weights + args.num_keys, 0.0f);
  for (const KeyRange range : {args.window.sink(t), args.window.band(t)}) {
    for (int64_t key = range.begin; key < range.end; ++key) {
      const int64_t at = kv0 + key * args.kv_stride_s;
      const double score = args.kv_type == ScalarType::bfloat16
                               ? dot(q.data(), static_cast<const uint16_t*>(args.k) + at, args.head_dim)
                               : dot(q.data(), static_cast<const float*>(args.k) + at, args.head_dim);
      weights[key] = static_cast<float>(std::exp(args.scale * score - lse));
    }
  }
}

}  // namespace orthros::kernels
