// One key tile against one query tile in the backward pass: what the driver packs and the kernel reads.
// Shapes: rows of head_dim padded with zeros to a whole number of vectors. Private to attention_gradient.
#pragma once

#include <cstdint>

namespace orthros::training {

/// Rows a tile has room for; padding rows are zero and their probability is 0.
inline constexpr int64_t kQueryTile = 32;
inline constexpr int64_t kKeyTileMax = 64;

struct GradientTile {
  int64_t padded_dim = 0;  // of every row below
  int64_t keys = 0;        // rows in use, padded to the kernel's vector: 32 or 64
  int64_t queries = 0;     // rows in use
  float scale = 1.0f;
  const float *k = nullptr, *k_transposed = nullptr;  // [keys, padded_dim], [padded_dim, keys]
  const float* v_transposed = nullptr;
  const float *q = nullptr, *d_out = nullptr;                                     // [kQueryTile, padded_dim]
  const float *lse = nullptr, *delta = nullptr;                                   // [kQueryTile]
  const int16_t *band_begin = nullptr, *band_end = nullptr, *sink_end = nullptr;  // visible columns of a row
  float *p = nullptr, *d_s = nullptr;    // [kQueryTile, keys] working memory
  float* d_q = nullptr;                  // [kQueryTile, padded_dim], overwritten
  float *d_k = nullptr, *d_v = nullptr;  // [keys, padded_dim], added to
};

struct GradientKernels {
  int64_t lanes;  // fp32 lanes of a vector
  void (*step)(const GradientTile& tile);
  /// sum of a[i] * b[i] for i < n
  float (*dot)(const float* a, const float* b, int64_t n);
};

const GradientKernels& gradient_kernels();

}  // namespace orthros::training
