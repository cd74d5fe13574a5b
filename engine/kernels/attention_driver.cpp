// Work items of an attention plan: pack a key tile, step all rows of the query tile over it, write or merge.
// Source: online softmax as in FlashAttention; split keys merged by logsumexp.
#include "engine/kernels/attention_driver.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <new>

#include <omp.h>

#include "engine/kernels/attention_element.h"
#include "engine/kernels/attention_plan.h"
#include "engine/kernels/attention_scratch.h"

namespace orthros::kernels {
namespace {

constexpr double kLog2e = 1.4426950408889634;
constexpr double kLn2 = 0.6931471805599453;

int64_t round_up(int64_t value, int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

const std::byte* element(ScalarType type, const void* data, int64_t index) {
  return static_cast<const std::byte*>(data) + index * size_bytes(type);
}

struct Run {
  const AttentionArgs& args;
  const AttentionKernels& kernels;
  const AttentionPlan& plan;
  ScratchSizes sizes;
  float* partials = nullptr;  // [num_partials, rows, acc_stride + 2]: acc, max_log2, sum
  int64_t partial_row() const { return sizes.acc_stride + 2; }
  float* partial(int64_t slot, int64_t row) const {
    return partials + (slot * plan.max_rows + row) * partial_row();
  }
};

void write_result(const Run& run, const WorkItem& item, int64_t row, const float* acc, float max_log2,
                  float sum) {
  const AttentionArgs& a = run.args;
  const int64_t query = run.plan.tiles[item.tile].first + row / run.plan.group;
  const int64_t head = item.kv_head * run.plan.group + row % run.plan.group;
  const int64_t index = item.b * a.out_stride_b + query * a.out_stride_t + head * a.out_stride_h;
  std::byte* out = static_cast<std::byte*>(a.out) + index * size_bytes(a.out_type);
  run.kernels.write_row(acc, 1.0f / sum, a.head_dim, a.out_type, out);
  if (a.lse != nullptr) {
    a.lse[(item.b * a.num_heads + head) * a.num_queries + query] =
        static_cast<float>((max_log2 + std::log2(static_cast<double>(sum))) * kLn2);
  }
}

void start_rows(const Run& run, const WorkItem& item, int64_t rows, AttentionScratch& s) {
  const AttentionArgs& a = run.args;
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t query = run.plan.tiles[item.tile].first + row / run.plan.group;
    const int64_t head = item.kv_head * run.plan.group + row % run.plan.group;
    const std::byte* q = element(a.q_type, a.q, query_index(a, item.b, head, query));
    const int64_t bytes = run.kernels.bf16_products ? 2 : 4;
    run.kernels.pack_q(a.q_type, q, a.head_dim, a.scale < 0, s.q + row * run.sizes.q_stride * bytes,
                       run.sizes.q_stride);
  }
  std::fill(s.acc, s.acc + run.sizes.rows * run.sizes.acc_stride, 0.0f);
  std::fill(s.max_log2, s.max_log2 + run.sizes.rows, -std::numeric_limits<float>::infinity());
  std::fill(s.sum, s.sum + run.sizes.rows, 0.0f);
}

/// Sets each row's visible keys, counted from slot `origin`, and says whether there are any.
bool set_visible(const Run& run, const QueryTile& tile, const KeyPiece& keys, int64_t origin,
                 AttentionScratch& s) {
  bool any = false;
  for (int64_t i = 0; i < tile.count; ++i) {
    const int64_t t = run.args.positions[tile.first + i];
    const KeyRange seen = keys.sink ? run.args.window.sink(t) : run.args.window.band(t);
    const int64_t begin = std::max(seen.begin, keys.keys.begin);
    const int64_t end = std::max(begin, std::min(seen.end, keys.keys.end));
    any = any || end > begin;
    for (int64_t g = 0; g < run.plan.group; ++g) {
      // A range outside the tile must still be empty in 32 bits.
      s.first[i * run.plan.group + g] = end > begin ? static_cast<int32_t>(begin - origin) : 0;
      s.last[i * run.plan.group + g] = end > begin ? static_cast<int32_t>(end - origin) : 0;
    }
  }
  std::fill(s.first + tile.count * run.plan.group, s.first + run.sizes.rows, 0);
  std::fill(s.last + tile.count * run.plan.group, s.last + run.sizes.rows, 0);
  return any;
}

AttentionStep make_step(const Run& run, int64_t rows, const AttentionScratch& s) {
  AttentionStep step;
  step.head_dim = run.args.head_dim;
  step.num_rows = rows;
  // Never zero: hidden scores are -inf, and 0 * inf is no number.
  step.scale_log2 = std::max(1e-30f, static_cast<float>(std::fabs(run.args.scale) * kLog2e));
  step.q = s.q;
  step.q_stride = run.sizes.q_stride;
  step.kv_type = run.args.kv_type;
  step.kv_stride = run.args.kv_stride_s;
  step.first = s.first;
  step.last = s.last;
  step.max_log2 = s.max_log2;
  step.sum = s.sum;
  step.acc = s.acc;
  step.acc_stride = run.sizes.acc_stride;
  step.scores = s.scores;
  return step;
}

/// A tile has the slots [origin, keys.end); those before keys.begin only keep the columns aligned.
void step_tile(const Run& run, const WorkItem& item, const KeyRange& keys, int64_t origin,
               AttentionScratch& s, AttentionStep& step) {
  const AttentionArgs& a = run.args;
  const int64_t slot = item.b * a.kv_stride_b + item.kv_head * a.kv_stride_h + origin * a.kv_stride_s;
  const std::byte* k = element(a.kv_type, a.k, slot);
  const std::byte* v = element(a.kv_type, a.v, slot);
  step.num_keys = keys.end - origin;
  if (run.plan.direct) {
    step.k = k;
    step.v = v;
    if (a.scores != nullptr) {
      step.raw = a.scores + item.kv_head * run.plan.group * a.num_keys + origin;
      step.raw_stride = a.num_keys;
    }
    run.kernels.direct_step(step);
    return;
  }
  run.kernels.pack_k({a.kv_type, k, a.kv_stride_s, step.num_keys, keys.begin - origin, a.head_dim}, s.k);
  run.kernels.pack_v({a.kv_type, v, a.kv_stride_s, step.num_keys, keys.begin - origin, a.head_dim},
                     run.sizes.acc_stride, s.v);
  step.k = s.k;
  step.v = s.v;
  run.kernels.step(step);
}

void run_item(const Run& run, const WorkItem& item, AttentionScratch& s) {
  const QueryTile& tile = run.plan.tiles[item.tile];
  const int64_t rows = tile.count * run.plan.group;
  start_rows(run, item, rows, s);
  AttentionStep step = make_step(run, rows, s);
  for (int64_t i = tile.split_begin[item.split]; i < tile.split_begin[item.split + 1]; ++i) {
    const KeyPiece& piece = tile.pieces[i];
    for (int64_t begin = piece.keys.begin; begin < piece.keys.end;) {
      // The grid is absolute, so a row's tiles do not depend on the queries beside it.
      const int64_t end = std::min(piece.keys.end, (begin / kTileKeys + 1) * kTileKeys);
      const KeyPiece part{{begin, end}, piece.sink};
      const int64_t origin = run.plan.direct ? begin : begin / kTileAlign * kTileAlign;
      if (set_visible(run, tile, part, origin, s)) step_tile(run, item, part.keys, origin, s, step);
      begin = end;
    }
  }
  for (int64_t row = 0; row < rows; ++row) {
    const float* acc = s.acc + row * run.sizes.acc_stride;
    if (item.partial < 0) {
      write_result(run, item, row, acc, s.max_log2[row], s.sum[row]);
      continue;
    }
    float* partial = run.partial(item.partial, row);
    std::copy(acc, acc + run.sizes.acc_stride, partial);
    partial[run.sizes.acc_stride] = s.max_log2[row];
    partial[run.sizes.acc_stride + 1] = s.sum[row];
  }
}

/// Adds the splits of one row in key order, into the first.
void merge_row(const Run& run, const WorkItem& first, int64_t row) {
  const int64_t splits = run.plan.tiles[first.tile].num_splits;
  const int64_t stride = run.sizes.acc_stride;
  float max_log2 = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < splits; ++i) {
    max_log2 = std::max(max_log2, run.partial(first.partial + i, row)[stride]);
  }
  float sum = 0;
  float* acc = run.partial(first.partial, row);
  for (int64_t i = 0; i < splits; ++i) {
    const float* part = run.partial(first.partial + i, row);
    const float weight = std::exp2(part[stride] - max_log2);
    sum += weight * part[stride + 1];
    for (int64_t d = 0; d < stride; ++d) acc[d] = weight * part[d] + (i == 0 ? 0.0f : acc[d]);
  }
  write_result(run, first, row, acc, max_log2, sum);
}

void merge_splits(const Run& run) {
  const int64_t num_items = static_cast<int64_t>(run.plan.items.size());
#pragma omp for schedule(dynamic, 1)
  for (int64_t i = 0; i < num_items; ++i) {
    const WorkItem& item = run.plan.items[i];
    if (item.partial < 0 || item.split != 0) continue;
    const int64_t rows = run.plan.tiles[item.tile].count * run.plan.group;
    for (int64_t row = 0; row < rows; ++row) merge_row(run, item, row);
  }
}

ScratchSizes scratch_sizes(const AttentionArgs& args, const AttentionKernels& kernels,
                           const AttentionPlan& plan) {
  ScratchSizes sizes;
  sizes.rows = round_up(plan.max_rows, kernels.row_block);
  sizes.q_stride = round_up(args.head_dim, 32);
  sizes.acc_stride = round_up(args.head_dim, kernels.lanes);
  sizes.packed_depth = round_up(args.head_dim, 2);
  sizes.packed = !plan.direct;
  return sizes;
}

}  // namespace

void run_attention(const AttentionArgs& args, const AttentionKernels& kernels) {
  if (args.batch <= 0 || args.num_queries <= 0 || args.num_heads <= 0) return;
  const AttentionPlan plan = plan_attention(args, kernels.direct_fits(args.head_dim), omp_get_max_threads());
  Run run{args, kernels, plan, scratch_sizes(args, kernels, plan), nullptr};
  std::unique_ptr<float[]> partials;
  if (plan.num_partials > 0) {
    partials.reset(new float[static_cast<size_t>(plan.num_partials * plan.max_rows * run.partial_row())]);
    run.partials = partials.get();
  }
  const int64_t num_items = static_cast<int64_t>(plan.items.size());
  // No exception may leave a parallel region: a thread without memory passes its items by and says so.
  std::atomic<bool> out_of_memory{false};
#pragma omp parallel if (num_items > 1)
  {
    static thread_local AttentionScratch scratch;
    const bool usable = scratch.reserve(run.sizes);
    if (!usable) out_of_memory.store(true, std::memory_order_relaxed);
#pragma omp for schedule(dynamic, 1)
    for (int64_t i = 0; i < num_items; ++i) {
      if (usable) run_item(run, plan.items[i], scratch);
    }
    if (plan.num_partials > 0 && !out_of_memory.load(std::memory_order_relaxed)) merge_splits(run);
  }
  if (out_of_memory.load(std::memory_order_relaxed)) throw std::bad_alloc();
}

}  // namespace orthros::kernels
