// Plain-loop attention with fp64 accumulation: what every back end is compared with.
// Threads: rows are spread over the caller's OpenMP team; each row is one thread's, so the result has one
// value.
#include <cmath>
#include <limits>
#include <vector>

#include "engine/kernels/attention.h"
#include "engine/kernels/attention_element.h"

namespace orthros::kernels {
namespace {

struct Row {
  int64_t b, h, query;
};

void reference_row(const AttentionArgs& a, const Row& row, std::vector<double>& score,
                   std::vector<double>& value) {
  const int64_t t = a.positions[row.query];
  const int64_t q0 = query_index(a, row.b, row.h, row.query);
  const int64_t kv0 = kv_index(a, row.b, row.h);
  score.assign(static_cast<size_t>(t + 1), 0.0);

  double max = -std::numeric_limits<double>::infinity();
  for (int64_t key = 0; key <= t; ++key) {
    if (!a.window.sees(t, key)) continue;
    double dot = 0;
    for (int64_t d = 0; d < a.head_dim; ++d) {
      dot += static_cast<double>(load_element(a.q_type, a.q, q0 + d)) *
             load_element(a.kv_type, a.k, kv0 + key * a.kv_stride_s + d);
    }
    score[key] = a.scale * dot;
    max = std::max(max, score[key]);
  }

  double sum = 0;
  for (int64_t key = 0; key <= t; ++key) {
    if (!a.window.sees(t, key)) continue;
    score[key] = std::exp(score[key] - max);
    sum += score[key];
  }

  value.assign(static_cast<size_t>(a.head_dim), 0.0);
  for (int64_t key = 0; key <= t; ++key) {
    if (!a.window.sees(t, key)) continue;
    for (int64_t d = 0; d < a.head_dim; ++d) {
      value[d] += score[key] * load_element(a.kv_type, a.v, kv0 + key * a.kv_stride_s + d);
    }
  }
  const int64_t out0 = row.b * a.out_stride_b + row.query * a.out_stride_t + row.h * a.out_stride_h;
  for (int64_t d = 0; d < a.head_dim; ++d) {
    store_element(a.out_type, a.out, out0 + d, static_cast<float>(value[d] / sum));
  }
  if (a.lse != nullptr) {
    a.lse[(row.b * a.num_heads + row.h) * a.num_queries + row.query] =
        static_cast<float>(max + std::log(sum));
  }
}

}  // namespace

void attention_reference(const AttentionArgs& args) noexcept {
  const int64_t rows = args.batch * args.num_heads * args.num_queries;
#pragma omp parallel
  {
    std::vector<double> score, value;
#pragma omp for schedule(dynamic, 16)
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t head = i / args.num_queries;
      reference_row(args, {head / args.num_heads, head % args.num_heads, i % args.num_queries}, score, value);
    }
  }
}

}  // namespace orthros::kernels
