#include "engine/kernels/attention_plan.h"

#include <algorithm>

#include "engine/kernels/attention_tile.h"

namespace orthros::kernels {
namespace {

constexpr int64_t kMaxTileRows = 192;
constexpr int64_t kMinTileRows = 48;
constexpr int64_t kItemsPerThread = 8;
constexpr int64_t kDirectSplitKeys = 1024;
constexpr int64_t kPackedSplitKeys = 4096;

int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

/// Rows of a query tile: large tiles reuse packed keys, small ones keep every thread busy.
int64_t tile_rows(const AttentionArgs& args, int64_t group, int64_t num_threads) {
  const int64_t rows = args.batch * args.num_kv_heads * args.num_queries * group;
  return std::clamp(rows / (num_threads * kItemsPerThread), kMinTileRows, kMaxTileRows);
}

/// The union of what the tile's rows see, without the gaps between sparse positions.
std::vector<KeyPiece> key_pieces(const AttentionArgs& args, int64_t first, int64_t count) {
  std::vector<KeyPiece> pieces;
  const KeyRange sinks = args.window.sink(args.positions[first + count - 1]);
  if (sinks.size() > 0) pieces.push_back({sinks, true});
  for (int64_t i = first; i < first + count; ++i) {
    const KeyRange band = args.window.band(args.positions[i]);
    if (!pieces.empty() && !pieces.back().sink && band.begin <= pieces.back().keys.end) {
      pieces.back().keys.end = band.end;
    } else {
      pieces.push_back({band, false});
    }
  }
  return pieces;
}

/// Cuts the pieces at multiples of split_keys; every part becomes a split of its own.
void split_tile(QueryTile& tile, int64_t split_keys) {
  std::vector<KeyPiece> cut;
  for (const KeyPiece& piece : tile.pieces) {
    for (int64_t begin = piece.keys.begin; begin < piece.keys.end;) {
      const int64_t end = std::min(piece.keys.end, (begin / split_keys + 1) * split_keys);
      cut.push_back({{begin, end}, piece.sink});
      begin = end;
    }
  }
  tile.pieces = std::move(cut);
  tile.split_begin.clear();
  int64_t keys = split_keys;
  for (size_t i = 0; i < tile.pieces.size(); ++i) {
    // Short neighbours (sinks, a window across a grid line) share a split.
    if (keys + tile.pieces[i].keys.size() > split_keys) {
      tile.split_begin.push_back(static_cast<int64_t>(i));
      keys = 0;
    }
    keys += tile.pieces[i].keys.size();
  }
  tile.num_splits = static_cast<int64_t>(tile.split_begin.size());
  tile.split_begin.push_back(static_cast<int64_t>(tile.pieces.size()));
}

void make_tiles(const AttentionArgs& args, int64_t num_threads, AttentionPlan& plan) {
  const int64_t per_tile = std::max<int64_t>(1, tile_rows(args, plan.group, num_threads) / plan.group);
  const int64_t num_tiles = plan.direct ? 1 : ceil_div(args.num_queries, per_tile);
  const int64_t count = ceil_div(args.num_queries, num_tiles);
  // One tile a KV head leaves threads idle unless the keys are split.
  const bool split = plan.direct || args.num_queries * plan.group <= kMaxTileRows;
  for (int64_t first = 0; first < args.num_queries; first += count) {
    QueryTile tile{first, std::min(count, args.num_queries - first), {}, 1, {}};
    tile.pieces = key_pieces(args, tile.first, tile.count);
    tile.split_begin = {0, static_cast<int64_t>(tile.pieces.size())};
    if (split) split_tile(tile, plan.direct ? kDirectSplitKeys : kPackedSplitKeys);
    plan.max_rows = std::max(plan.max_rows, tile.count * plan.group);
    plan.tiles.push_back(std::move(tile));
  }
}

int64_t item_cost(const QueryTile& tile, int64_t split) {
  int64_t keys = 0;
  for (int64_t i = tile.split_begin[split]; i < tile.split_begin[split + 1]; ++i)
    keys += tile.pieces[i].keys.size();
  return keys * tile.count;
}

}  // namespace

AttentionPlan plan_attention(const AttentionArgs& args, bool direct_fits, int64_t num_threads) {
  AttentionPlan plan;
  plan.group = args.num_heads / args.num_kv_heads;
  plan.direct = direct_fits && args.num_queries * plan.group <= kMaxDirectRows;
  make_tiles(args, num_threads, plan);

  // (cost, tile, split), most work first: a long item started last would leave the other threads waiting.
  struct Part {
    int64_t cost, tile, split;
  };
  std::vector<Part> parts;
  for (size_t tile = 0; tile < plan.tiles.size(); ++tile) {
    for (int64_t split = 0; split < plan.tiles[tile].num_splits; ++split) {
      parts.push_back({item_cost(plan.tiles[tile], split), static_cast<int64_t>(tile), split});
    }
  }
  std::stable_sort(parts.begin(), parts.end(), [](const Part& x, const Part& y) { return x.cost > y.cost; });

  std::vector<int64_t> partial_begin(plan.tiles.size(), -1);
  for (size_t tile = 0; tile < plan.tiles.size(); ++tile) {
    if (plan.tiles[tile].num_splits == 1) continue;
    partial_begin[tile] = plan.num_partials;
    plan.num_partials += args.batch * args.num_kv_heads * plan.tiles[tile].num_splits;
  }
  for (const Part& part : parts) {
    for (int64_t b = 0; b < args.batch; ++b) {
      for (int64_t kv_head = 0; kv_head < args.num_kv_heads; ++kv_head) {
        WorkItem item{b, kv_head, part.tile, part.split, -1};
        if (partial_begin[part.tile] >= 0) {
          item.partial = partial_begin[part.tile] +
                         (b * args.num_kv_heads + kv_head) * plan.tiles[part.tile].num_splits + part.split;
        }
        plan.items.push_back(item);
      }
    }
  }
  return plan;
}

}  // namespace orthros::kernels
