#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/kernels/attention_element.h"
#include "engine/kernels/softmax_rows.h"

namespace orthros::kernels {

void softmax_rows_reference(const SoftmaxRows& rows) {
  const AttentionArgs& args = *rows.args;
  const int64_t group = args.num_heads / args.num_kv_heads;
  const int64_t t = args.positions[rows.query];
  std::vector<float> wide(static_cast<size_t>(args.num_keys));
  for (int64_t g = 0; g < group; ++g) {
    const int64_t head = rows.kv_head * group + g;
    attention_row(args, rows.b, head, rows.query, rows.lse[g], wide.data());
    double* out = rows.out == nullptr ? nullptr : rows.out + g * args.head_dim;
    if (out != nullptr) std::fill_n(out, args.head_dim, 0.0);
    rows.entropy[g] = 0;
    int64_t column = 0;
    for (const KeyRange range : {args.window.sink(t), args.window.band(t)}) {
      for (int64_t key = range.begin; key < range.end; ++key, ++column) {
        if (column < rows.begin || column >= rows.end) continue;
        const float weight = wide[static_cast<size_t>(key)];
        rows.weights[g * rows.stride + column] = weight;
        if (weight > 0) rows.entropy[g] -= weight * std::log(static_cast<double>(weight));
        if (out == nullptr) continue;
        const int64_t at = kv_index(args, rows.b, head) + key * args.kv_stride_s;
        for (int64_t i = 0; i < args.head_dim; ++i)
          out[i] += static_cast<double>(weight) * load_element(args.kv_type, args.v, at + i);
      }
    }
  }
}

}  // namespace orthros::kernels
