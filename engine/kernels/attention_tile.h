// What one instruction set supplies to the attention driver: packing, one (query rows x key tile) step,
// output. Shapes: a query row is one (position, head of the group); q [rows, q_stride], acc [rows,
// acc_stride] fp32.
//   packed K: panels of `panel` keys, each [depth, panel]; packed V [keys, acc_stride]; tails are zeros.
//   With bf16 products, depth and V's key axis count pairs, each pair in one 32-bit word.
// Units: row maxima in log2: max over keys of scale * log2(e) * q.k. Threads: one step is one thread's work.
#pragma once

#include <cstdint>

#include "engine/base/scalar_type.h"

namespace orthros::kernels {

inline constexpr int64_t kTileKeys = 256;  // keys a step reads; the tile grid is fixed, so results are too
inline constexpr int64_t kTileAlign = 16;  // packed tiles begin at multiples of this: sums keep their order
inline constexpr int64_t kScoreStride = 272;  // floats between score rows: not a power of two, for cache sets
inline constexpr int64_t kMaxDirectRows = 16;  // up to here packing K costs more than it saves
inline constexpr int64_t kScoreRows = 48;      // score rows held at once

struct AttentionStep {
  int64_t head_dim = 0;
  int64_t num_rows = 0;
  int64_t num_keys = 0;
  float scale_log2 = 1;  // > 0; a negative scale is moved into q's sign

  const void* q = nullptr;
  int64_t q_stride = 0;
  const void* k = nullptr;  // packed, or the cache itself for the direct step
  const void* v = nullptr;
  ScalarType kv_type = ScalarType::float32;  // direct step only
  int64_t kv_stride = 0;                     // direct step only

  const int32_t* first = nullptr;  // [rows, padded to row_block] keys of this tile that the row sees:
  const int32_t* last = nullptr;   //   [first, last); padding rows are empty
  float* max_log2 = nullptr;       // [rows]
  float* sum = nullptr;            // [rows]
  float* acc = nullptr;
  int64_t acc_stride = 0;
  float* scores = nullptr;  // [kScoreRows, kScoreStride]

  float* raw = nullptr;    // direct step only: where the rows' scores of this tile are kept, or null
  int64_t raw_stride = 0;  // between rows
};

struct PackSource {
  ScalarType type = ScalarType::float32;
  const void* data = nullptr;
  int64_t stride = 0;
  int64_t num_keys = 0;
  int64_t num_unseen = 0;  // leading keys of the tile that no row sees: their V counts as zeros
  int64_t head_dim = 0;
};

struct AttentionKernels {
  const char* name = nullptr;
  int64_t lanes = 1;
  int64_t row_block = 1;
  bool bf16_products = false;

  void (*pack_q)(ScalarType type, const void* row, int64_t head_dim, bool negate, void* out, int64_t stride);
  void (*pack_k)(const PackSource& source, void* out);
  void (*pack_v)(const PackSource& source, int64_t acc_stride, void* out);
  void (*step)(const AttentionStep& step);
  void (*direct_step)(const AttentionStep& step);  // K and V read in place; at most kMaxDirectRows rows
  bool (*direct_fits)(int64_t head_dim);
  void (*write_row)(const float* acc, float factor, int64_t head_dim, ScalarType type, void* out);
};

/// fp32 products on the widest vectors this machine has.
const AttentionKernels& attention_kernels_fp32();
/// bf16 products, or null where the instruction set is missing.
const AttentionKernels* attention_kernels_bf16();

}  // namespace orthros::kernels
