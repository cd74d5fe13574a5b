// How one attention call is cut: query tiles, the key pieces each reads, and work items for the threads.
// Shapes: a tile is `count` consecutive queries with all heads of one KV group; pieces are in key order.
// Units: key slots. The cut of the keys depends on shapes only, never on the number of threads, so neither
// does
//   any result.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/kernels/attention.h"

namespace orthros::kernels {

/// Keys read as sinks and keys read as band are kept apart: within a piece a row sees one contiguous range.
struct KeyPiece {
  KeyRange keys;
  bool sink = false;
};

struct QueryTile {
  int64_t first = 0;
  int64_t count = 0;
  std::vector<KeyPiece> pieces;
  int64_t num_splits = 1;
  std::vector<int64_t> split_begin;  // [num_splits + 1] offsets into pieces
};

struct WorkItem {
  int64_t b = 0, kv_head = 0, tile = 0, split = 0;
  int64_t partial = -1;  // slot in the partial results, or -1: the item writes the output itself
};

struct AttentionPlan {
  bool direct = false;  // few rows: K and V are read in place
  int64_t group = 1;    // query heads a KV head
  int64_t max_rows = 0;
  std::vector<QueryTile> tiles;
  std::vector<WorkItem> items;  // most work first
  int64_t num_partials = 0;
};

AttentionPlan plan_attention(const AttentionArgs& args, bool direct_fits, int64_t num_threads);

}  // namespace orthros::kernels
