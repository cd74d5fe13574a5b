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

/// R of a group's rows.
struct GroupRows {
  const SoftmaxRows& rows;
  int64_t first;   // row of the group
  const float* q;  // [R, q_stride]
  int64_t q_stride;
  float* acc;  // [R, head_dim], for a tile
};

template <int R, class T>
HWY_INLINE void TileOf(const GroupRows& g, const T* k, const T* v, int64_t depth, int64_t column) {
  alignas(64) float scores[R * kScoreStride];
  const SoftmaxRows& rows = g.rows;
  const AttentionArgs& args = *rows.args;
  AttentionStep step;
  step.head_dim = args.head_dim;
  step.q = g.q;
  step.q_stride = g.q_stride;
  step.kv_stride = args.kv_stride_s;
  step.scores = scores;
  DirectScores<R>(step, 0, k, depth);
  for (int r = 0; r < R; ++r) {
    const int64_t row = g.first + r;
    rows.entropy[row] -= WeightsOf(scores + r * kScoreStride, depth, args.scale, rows.lse[row]);
    std::copy_n(scores + r * kScoreStride, depth, rows.weights + row * rows.stride + column);
  }
  if (rows.out == nullptr) return;
  std::fill_n(g.acc, R * args.head_dim, 0.0f);
  for (int64_t key = 0; key < depth; key += kValueKeys) {
    AddValues<R>(ValueBlock<T>{v + key * args.kv_stride_s, args.kv_stride_s, HWY_MIN(kValueKeys, depth - key),
                               scores + key, g.acc, args.head_dim, args.head_dim});
  }
  double* out = rows.out + g.first * args.head_dim;
  for (int64_t i = 0; i < R * args.head_dim; ++i) out[i] += static_cast<double>(g.acc[i]);
}

template <int R, class T>
HWY_NOINLINE void RowsOf(const GroupRows& g, int64_t kv0) {
  const SoftmaxRows& rows = g.rows;
  const AttentionArgs& args = *rows.args;
  const int64_t position = args.positions[rows.query];
  std::fill_n(rows.entropy + g.first, R, 0.0);
  if (rows.out != nullptr) std::fill_n(rows.out + g.first * args.head_dim, R * args.head_dim, 0.0);
  const T* k = static_cast<const T*>(args.k) + kv0;
  const T* v = static_cast<const T*>(args.v) + kv0;
  int64_t column = 0;  // of the range's first key
  for (const KeyRange range : {args.window.sink(position), args.window.band(position)}) {
    const int64_t begin = HWY_MAX(rows.begin - column, 0) + range.begin;
    const int64_t end = HWY_MIN(rows.end - column + range.begin, range.end);
    for (int64_t key = begin; key < end; key += kTileKeys) {
      TileOf<R>(g, k + key * args.kv_stride_s, v + key * args.kv_stride_s, HWY_MIN(kTileKeys, end - key),
                column + key - range.begin);
    }
    column += range.size();
  }
}

template <class T>
HWY_INLINE void RowsAs(const SoftmaxRows& rows, const float* q, int64_t q_stride, float* acc) {
  const AttentionArgs& args = *rows.args;
  const int64_t group = args.num_heads / args.num_kv_heads;
  const int64_t kv0 = kv_index(args, rows.b, rows.kv_head * group);
  for (int64_t r = 0; r < group; r += kDirectRows) {
    const GroupRows g{rows, r, q + r * q_stride, q_stride, acc};
    switch (group - r) {
      case 1:
        RowsOf<1, T>(g, kv0);
        break;
      case 2:
        RowsOf<2, T>(g, kv0);
        break;
      case 3:
        RowsOf<3, T>(g, kv0);
        break;
      default:
        RowsOf<4, T>(g, kv0);
    }
  }
}

static bool SoftmaxRowsOf(const SoftmaxRows& rows) {
  const AttentionArgs& args = *rows.args;
  const int64_t head_dim = args.head_dim;
  if (head_dim % static_cast<int64_t>(hn::Lanes(DF())) != 0) return false;
  const int64_t group = args.num_heads / args.num_kv_heads;
  static thread_local std::vector<float> work;
  work.resize(static_cast<size_t>((group + kDirectRows) * head_dim));
  float* acc = work.data() + group * head_dim;
  const int64_t q0 = query_index(args, rows.b, rows.kv_head * group, rows.query);
  const float* q = work.data();
  int64_t q_stride = head_dim;
  if (args.q_type == ScalarType::float32) {
    q = static_cast<const float*>(args.q) + q0;
    q_stride = args.q_stride_h;
  } else {
    for (int64_t i = 0; i < group * head_dim; ++i)
      work[static_cast<size_t>(i)] =
          load_element(args.q_type, args.q, q0 + i / head_dim * args.q_stride_h + i % head_dim);
  }
  if (args.kv_type == ScalarType::bfloat16) {
    RowsAs<uint16_t>(rows, q, q_stride, acc);
  } else {
    RowsAs<float>(rows, q, q_stride, acc);
  }
  return true;
}

static double SoftmaxOfScores(const float* scores, const WindowSpec& window, int64_t position, float scale,
                              float lse, float* weights) {
  alignas(64) float part[kScoreStride];
  double entropy = 0;
  for (const KeyRange range : {window.sink(position), window.band(position)}) {
    for (int64_t key = range.begin; key < range.end; key += kTileKeys) {
      const int64_t depth = HWY_MIN(kTileKeys, range.end - key);
      std::copy_n(scores + key, depth, part);
      entropy -= WeightsOf(part, depth, scale, lse);
      weights = std::copy_n(part, depth, weights);
    }
  }
  return entropy;
}

}  // namespace HWY_NAMESPACE
}  // namespace orthros::kernels::attention_simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace orthros::kernels {
namespace attention_simd {
HWY_EXPORT(SoftmaxRowsOf);
HWY_EXPORT(SoftmaxOfScores);
static double softmax_of_scores_simd(const float* scores, const WindowSpec& window, int64_t position,
                                     float scale, float lse, float* weights) {
  return HWY_DYNAMIC_DISPATCH(SoftmaxOfScores)(scores, window, position, scale, lse, weights);
}
static bool softmax_rows_of(const SoftmaxRows& rows) {
  return HWY_DYNAMIC_DISPATCH(SoftmaxRowsOf)(rows);
}
}  // namespace attention_simd

double softmax_of_scores(const float* scores, const WindowSpec& window, int64_t position, float scale,
                         float lse, float* weights) {
  return attention_simd::softmax_of_scores_simd(scores, window, position, scale, lse, weights);
}

void softmax_rows(const SoftmaxRows& rows) {
  if (!attention_simd::softmax_rows_of(rows)) softmax_rows_reference(rows);
}

void softmax_rows_all(std::span<const SoftmaxRows> all) {
  const auto count = static_cast<int64_t>(all.size());
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int64_t i = 0; i < count; ++i) softmax_rows(all[static_cast<size_t>(i)]);
}

}  // namespace orthros::kernels
#endif
