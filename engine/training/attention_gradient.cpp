#include "engine/training/attention_gradient.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

#include <omp.h>

#include "engine/kernels/attention.h"
#include "engine/training/attention_gradient_tile.h"

namespace orthros::training {
namespace {

int64_t round_up(int64_t value, int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Calls body(i) for i < count on the team; an exception of one call is thrown again by the caller.
template <class Body>
void parallel_items(int64_t count, Body body) {
  std::exception_ptr failure;
  std::atomic<bool> failed{false};
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int64_t i = 0; i < count; ++i) {
    if (failed.load(std::memory_order_relaxed)) continue;
    try {
      body(i);
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// All queries of one sequence against one KV head.
class HeadBackward {
 public:
  HeadBackward(const AttentionShape& shape, const AttentionGradient& gradient, int64_t b, int64_t kv_head)
      : shape_(shape),
        gradient_(gradient),
        kernels_(gradient_kernels()),
        b_(b),
        kv_head_(kv_head),
        positions_(shape.positions + b * shape.positions_stride_b),
        dim_(round_up(shape.head_dim, kernels_.lanes)),
        // A window of w needs tiles no wider than that: the rest of a tile would be masked work.
        tile_keys_(!shape.window.is_full() && shape.window.window <= 64 ? 32 : kKeyTileMax) {
    const size_t key_area = static_cast<size_t>(tile_keys_ * dim_);
    const size_t query_area = static_cast<size_t>(kQueryTile * dim_);
    const size_t score_area = static_cast<size_t>(kQueryTile * tile_keys_);
    memory_.assign(5 * key_area + 3 * query_area + 2 * score_area + 2 * kQueryTile, 0.0f);
    float* next = memory_.data();
    const auto take = [&next](size_t size) { return std::exchange(next, next + size); };
    k_ = take(key_area);
    k_transposed_ = take(key_area);
    v_transposed_ = take(key_area);
    d_k_ = take(key_area);
    d_v_ = take(key_area);
    q_ = take(query_area);
    d_out_ = take(query_area);
    d_q_ = take(query_area);
    p_ = take(score_area);
    d_s_ = take(score_area);
    lse_ = take(kQueryTile);
    delta_ = take(kQueryTile);
  }

  void run() {
    const int64_t group = shape_.num_heads / shape_.num_kv_heads;
    for (int64_t g = 0; g < group; ++g) {
      for (int64_t i = 0; i < shape_.num_queries; ++i) {
        std::fill_n(gradient_.d_q + query_offset(i, kv_head_ * group + g), shape_.head_dim, 0.0f);
      }
    }
    make_deltas(group);
    for (int64_t key = 0; key < shape_.num_keys; key += tile_keys_) {
      const int64_t keys = std::min(tile_keys_, shape_.num_keys - key);
      pack_keys(key, keys);
      for (int64_t g = 0; g < group; ++g) step_queries(key, keys, kv_head_ * group + g, g);
      store_keys(key, keys);
    }
  }

 private:
  int64_t query_offset(int64_t i, int64_t head) const {
    return b_ * shape_.q_stride_b + i * shape_.q_stride_t + head * shape_.q_stride_h;
  }
  int64_t out_offset(int64_t i, int64_t head) const {
    return b_ * shape_.out_stride_b + i * shape_.out_stride_t + head * shape_.out_stride_h;
  }
  int64_t key_offset(int64_t key) const {
    return b_ * shape_.kv_stride_b + kv_head_ * shape_.kv_stride_h + key * shape_.kv_stride_s;
  }

  void make_deltas(int64_t group) {
    deltas_.resize(static_cast<size_t>(group * shape_.num_queries));
    for (int64_t g = 0; g < group; ++g) {
      for (int64_t i = 0; i < shape_.num_queries; ++i) {
        const int64_t at = out_offset(i, kv_head_ * group + g);
        deltas_[static_cast<size_t>(g * shape_.num_queries + i)] =
            kernels_.dot(gradient_.out + at, gradient_.d_out + at, shape_.head_dim);
      }
    }
  }

  void pack_keys(int64_t key, int64_t keys) {
    std::fill_n(k_, tile_keys_ * dim_, 0.0f);
    std::fill_n(k_transposed_, tile_keys_ * dim_, 0.0f);
    std::fill_n(v_transposed_, tile_keys_ * dim_, 0.0f);
    std::fill_n(d_k_, tile_keys_ * dim_, 0.0f);
    std::fill_n(d_v_, tile_keys_ * dim_, 0.0f);
    for (int64_t j = 0; j < keys; ++j) {
      const float* k = gradient_.k + key_offset(key + j);
      const float* v = gradient_.v + key_offset(key + j);
      std::copy_n(k, shape_.head_dim, k_ + j * dim_);
      for (int64_t c = 0; c < shape_.head_dim; ++c) {
        k_transposed_[c * tile_keys_ + j] = k[c];
        v_transposed_[c * tile_keys_ + j] = v[c];
      }
    }
  }

  void store_keys(int64_t key, int64_t keys) {
    for (int64_t j = 0; j < keys; ++j) {
      std::copy_n(d_k_ + j * dim_, shape_.head_dim, gradient_.d_k + key_offset(key + j));
      std::copy_n(d_v_ + j * dim_, shape_.head_dim, gradient_.d_v + key_offset(key + j));
    }
  }

  /// Queries that see a key of the tile: at or behind its first key, and not beyond its last one's window,
  /// unless the tile holds sinks.
  KeyRange visible_queries(int64_t key, int64_t keys) const {
    const int64_t* end = positions_ + shape_.num_queries;
    const int64_t first = std::lower_bound(positions_, end, key) - positions_;
    const WindowSpec& window = shape_.window;
    if (window.is_full() || key < window.sinks) return {first, shape_.num_queries};
    const int64_t last = std::lower_bound(positions_, end, key + keys - 1 + window.window) - positions_;
    return {first, std::max(first, last)};
  }

  void step_queries(int64_t key, int64_t keys, int64_t head, int64_t g) {
    const KeyRange queries = visible_queries(key, keys);
    for (int64_t i = queries.begin; i < queries.end; i += kQueryTile) {
      const int64_t count = std::min(kQueryTile, queries.end - i);
      pack_queries(key, keys, i, count, head, g);
      GradientTile tile;
      tile.padded_dim = dim_;
      tile.keys = tile_keys_;
      tile.queries = count;
      tile.scale = shape_.scale;
      tile.k = k_;
      tile.k_transposed = k_transposed_;
      tile.v_transposed = v_transposed_;
      tile.q = q_;
      tile.d_out = d_out_;
      tile.lse = lse_;
      tile.delta = delta_;
      tile.band_begin = band_begin_;
      tile.band_end = band_end_;
      tile.sink_end = sink_end_;
      tile.p = p_;
      tile.d_s = d_s_;
      tile.d_q = d_q_;
      tile.d_k = d_k_;
      tile.d_v = d_v_;
      kernels_.step(tile);
      for (int64_t r = 0; r < count; ++r) {
        float* d_q = gradient_.d_q + query_offset(i + r, head);
        for (int64_t c = 0; c < shape_.head_dim; ++c) d_q[c] += d_q_[r * dim_ + c];
      }
    }
  }

  void pack_queries(int64_t key, int64_t keys, int64_t first, int64_t count, int64_t head, int64_t g) {
    const auto column = [&](int64_t position) {
      return static_cast<int16_t>(std::clamp<int64_t>(position - key, 0, keys));
    };
    for (int64_t r = 0; r < count; ++r) {
      const int64_t i = first + r;
      std::copy_n(gradient_.q + query_offset(i, head), shape_.head_dim, q_ + r * dim_);
      std::copy_n(gradient_.d_out + out_offset(i, head), shape_.head_dim, d_out_ + r * dim_);
      lse_[r] = gradient_.lse[(b_ * shape_.num_heads + head) * shape_.num_queries + i];
      delta_[r] = deltas_[static_cast<size_t>(g * shape_.num_queries + i)];
      const KeyRange band = shape_.window.band(positions_[i]), sink = shape_.window.sink(positions_[i]);
      band_begin_[r] = column(band.begin);
      band_end_[r] = column(band.end);
      sink_end_[r] = column(sink.end);
    }
    // Padding rows of a short tile are multiplied too (their results are not used): keep them finite.
    for (int64_t r = count; r < kQueryTile; ++r) {
      std::fill_n(q_ + r * dim_, dim_, 0.0f);
      std::fill_n(d_out_ + r * dim_, dim_, 0.0f);
    }
  }

  const AttentionShape& shape_;
  const AttentionGradient& gradient_;
  const GradientKernels& kernels_;
  int64_t b_, kv_head_;
  const int64_t* positions_;
  int64_t dim_, tile_keys_;
  std::vector<float> memory_, deltas_;
  float *k_, *k_transposed_, *v_transposed_, *d_k_, *d_v_, *q_, *d_out_, *d_q_, *p_, *d_s_, *lse_, *delta_;
  int16_t band_begin_[kQueryTile], band_end_[kQueryTile], sink_end_[kQueryTile];
};

kernels::AttentionArgs forward_args(const AttentionShape& s, const float* q, const float* k, const float* v,
                                    float* out, float* lse) {
  kernels::AttentionArgs args;
  args.batch = s.batch;
  args.num_heads = s.num_heads;
  args.num_kv_heads = s.num_kv_heads;
  args.head_dim = s.head_dim;
  args.num_queries = s.num_queries;
  args.num_keys = s.num_keys;
  args.positions = s.positions;
  args.window = s.window;
  args.scale = s.scale;
  args.q = q;
  args.q_stride_b = s.q_stride_b;
  args.q_stride_t = s.q_stride_t;
  args.q_stride_h = s.q_stride_h;
  args.k = k;
  args.v = v;
  args.kv_stride_b = s.kv_stride_b;
  args.kv_stride_h = s.kv_stride_h;
  args.kv_stride_s = s.kv_stride_s;
  args.out = out;
  args.out_stride_b = s.out_stride_b;
  args.out_stride_t = s.out_stride_t;
  args.out_stride_h = s.out_stride_h;
  args.lse = lse;
  return args;
}

}  // namespace

void attention_forward(const AttentionShape& shape, const float* q, const float* k, const float* v,
                       float* out, float* lse) {
  if (shape.positions_stride_b == 0 || shape.batch == 1) {
    kernels::attention_forward(forward_args(shape, q, k, v, out, lse));
    return;
  }
  // Sequences with rows of their own: one problem each; inside a parallel region the kernel stays on its
  // thread.
  AttentionShape one = shape;
  one.batch = 1;
  parallel_items(shape.batch, [&](int64_t b) {
    kernels::AttentionArgs args =
        forward_args(one, q + b * shape.q_stride_b, k + b * shape.kv_stride_b, v + b * shape.kv_stride_b,
                     out + b * shape.out_stride_b, lse + b * shape.num_heads * shape.num_queries);
    args.positions = shape.positions + b * shape.positions_stride_b;
    kernels::attention_forward(args);
  });
}

void attention_backward(const AttentionShape& shape, const AttentionGradient& gradient) {
  parallel_items(shape.batch * shape.num_kv_heads, [&](int64_t item) {
    HeadBackward(shape, gradient, item / shape.num_kv_heads, item % shape.num_kv_heads).run();
  });
}

}  // namespace orthros::training
