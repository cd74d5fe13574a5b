// Source: weight = exp(scale * q.k - lse) with the engine's own lse; the products are those of the direct
// decode step (attention_direct-inl.h).
#include "engine/kernels/softmax_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/softmax_rows.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <algorithm>
#include <vector>

#include <hwy/highway.h>

#include "engine/kernels/attention_direct-inl.h"
#include "engine/kernels/attention_element.h"

HWY_BEFORE_NAMESPACE();
namespace orthros::kernels::attention_simd {
namespace HWY_NAMESPACE {

constexpr float kLog2E = 1.44269504f;

/// Scores become weights; returns sum p ln p. The logarithm is taken before it is scaled to base 2: where a
/// weight counts its logarithm is small, and so is then its rounding.
HWY_INLINE double WeightsOf(float* HWY_RESTRICT scores, int64_t count, float scale, float lse) {
  const DF d;
  const int64_t lanes = hn::Lanes(d);
  for (int64_t i = count; i < (count + lanes - 1) / lanes * lanes; ++i) scores[i] = -1e30f / scale;
  const VF vscale = hn::Set(d, scale);
  const VF vlse = hn::Set(d, lse);
  const VF base = hn::Set(d, kLog2E);
  VF sum = hn::Zero(d);
  for (int64_t i = 0; i < count; i += lanes) {
    const VF log = hn::MulSub(hn::LoadU(d, scores + i), vscale, vlse);
    const VF weight = Exp2(hn::Mul(log, base));
    sum = hn::MulAdd(weight, log, sum);
    hn::StoreU(weight, d, scores + i);
  }
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
}

struct GroupRows {
  const AttentionArgs& args;
  const float* q;  // [R, head_dim]
  const float* lse;
  float* weights;
  int64_t stride;
  double* entropy;
  double* out;  // may be null
  float* acc;   // [R, head_dim], for a tile
};

template <int R, class T>
HWY_INLINE void TileOf(const GroupRows& g, const T* k, const T* v, int64_t depth, int64_t column) {
  alignas(64) float scores[R * kScoreStride];
  const int64_t head_dim = g.args.head_dim;
  AttentionStep step;
  step.head_dim = head_dim;
  step.q = g.q;
  step.q_stride = head_dim;
  step.kv_stride = g.args.kv_stride_s;
  step.scores = scores;
  DirectScores<R>(step, 0, k, depth);
  for (int r = 0; r < R; ++r) {
    g.entropy[r] -= WeightsOf(scores + r * kScoreStride, depth, g.args.scale, g.lse[r]);
    std::copy_n(scores + r * kScoreStride, depth, g.weights + r * g.stride + column);
  }
  if (g.out == nullptr) return;
  std::fill_n(g.acc, R * head_dim, 0.0f);
  for (int64_t key = 0; key < depth; key += kValueKeys) {
    AddValues<R>(ValueBlock<T>{v + key * g.args.kv_stride_s, g.args.kv_stride_s,
                               HWY_MIN(kValueKeys, depth - key), scores + key, g.acc, head_dim, head_dim});
  }
  for (int64_t i = 0; i < R * head_dim; ++i) g.out[i] += static_cast<double>(g.acc[i]);
}

template <int R, class T>
HWY_NOINLINE void RowsOf(const GroupRows& g, int64_t kv0, int64_t position) {
  std::fill_n(g.entropy, R, 0.0);
  if (g.out != nullptr) std::fill_n(g.out, R * g.args.head_dim, 0.0);
  const T* k = static_cast<const T*>(g.args.k) + kv0;
  const T* v = static_cast<const T*>(g.args.v) + kv0;
  int64_t column = 0;
  for (const KeyRange range : {g.args.window.sink(position), g.args.window.band(position)}) {
    for (int64_t key = range.begin; key < range.end; key += kTileKeys) {
      const int64_t depth = HWY_MIN(kTileKeys, range.end - key);
      TileOf<R>(g, k + key * g.args.kv_stride_s, v + key * g.args.kv_stride_s, depth, column);
      column += depth;
    }
  }
}

template <class T>
HWY_INLINE void RowsAs(const GroupRows& all, int64_t group, int64_t kv0, int64_t position) {
  for (int64_t r = 0; r < group; r += kDirectRows) {
    GroupRows g = all;
    g.q += r * all.args.head_dim;
    g.lse += r;
    g.weights += r * all.stride;
    g.entropy += r;
    if (g.out != nullptr) g.out += r * all.args.head_dim;
    switch (group - r) {
      case 1:
        RowsOf<1, T>(g, kv0, position);
        break;
      case 2:
        RowsOf<2, T>(g, kv0, position);
        break;
      case 3:
        RowsOf<3, T>(g, kv0, position);
        break;
      default:
        RowsOf<4, T>(g, kv0, position);
    }
  }
}

static bool SoftmaxRowsOf(const AttentionArgs& args, int64_t b, int64_t kv_head, int64_t query,
                          const float* lse, const SoftmaxRows& rows) {
  const int64_t head_dim = args.head_dim;
  if (head_dim % static_cast<int64_t>(hn::Lanes(DF())) != 0 || args.scale == 0) return false;
  const int64_t group = args.num_heads / args.num_kv_heads;
  std::vector<float> work(static_cast<size_t>((group + kDirectRows) * head_dim));
  for (int64_t g = 0; g < group; ++g) {
    const int64_t q0 = query_index(args, b, kv_head * group + g, query);
    for (int64_t i = 0; i < head_dim; ++i)
      work[static_cast<size_t>(g * head_dim + i)] = load_element(args.q_type, args.q, q0 + i);
  }
  const GroupRows all{args,        work.data(),  lse,      rows.weights,
                      rows.stride, rows.entropy, rows.out, work.data() + group * head_dim};
  const int64_t kv0 = kv_index(args, b, kv_head * group);
  const int64_t position = args.positions[query];
  if (args.kv_type == ScalarType::bfloat16) {
    RowsAs<uint16_t>(all, group, kv0, position);
  } else {
    RowsAs<float>(all, group, kv0, position);
  }
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace orthros::kernels::attention_simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::kernels {
namespace attention_simd {
HWY_EXPORT(SoftmaxRowsOf);
static bool softmax_rows_of(const AttentionArgs& args, int64_t b, int64_t kv_head, int64_t query,
                            const float* lse, const SoftmaxRows& rows) {
  return HWY_DYNAMIC_DISPATCH(SoftmaxRowsOf)(args, b, kv_head, query, lse, rows);
}
}  // namespace attention_simd

void softmax_rows(const AttentionArgs& args, int64_t b, int64_t kv_head, int64_t query, const float* lse,
                  const SoftmaxRows& rows) {
  if (!attention_simd::softmax_rows_of(args, b, kv_head, query, lse, rows))
    softmax_rows_reference(args, b, kv_head, query, lse, rows);
}

}  // namespace orthros::kernels
#endif
