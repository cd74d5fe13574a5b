#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/kernels/attention_element.h"
#include "engine/kernels/softmax_rows.h"

namespace orthros::kernels {

void softmax_rows_reference(const AttentionArgs& args, int64_t b, int64_t kv_head, int64_t query,
                            const float* lse, const SoftmaxRows& rows) {
  const int64_t group = args.num_heads / args.num_kv_heads;
  const int64_t t = args.positions[query];
  std::vector<float> wide(static_cast<size_t>(args.num_keys));
  for (int64_t g = 0; g < group; ++g) {
    const int64_t head = kv_head * group + g;
    attention_row(args, b, head, query, lse[g], wide.data());
    float* to = rows.weights + g * rows.stride;
    double entropy = 0;
    double* out = rows.out == nullptr ? nullptr : rows.out + g * args.head_dim;
    if (out != nullptr) std::fill_n(out, args.head_dim, 0.0);
    for (const KeyRange range : {args.window.sink(t), args.window.band(t)}) {
      for (int64_t key = range.begin; key < range.end; ++key) {
        const float weight = wide[static_cast<size_t>(key)];
        *to++ = weight;
        if (weight > 0) entropy -= weight * std::log(static_cast<double>(weight));
        if (out == nullptr) continue;
        const int64_t at = kv_index(args, b, head) + key * args.kv_stride_s;
        for (int64_t i = 0; i < args.head_dim; ++i)
          out[i] += static_cast<double>(weight) * load_element(args.kv_type, args.v, at + i);
      }
    }
    rows.entropy[g] = entropy;
  }
}

}  // namespace orthros::kernels
