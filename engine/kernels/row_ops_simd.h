// The row operations on a range of rows, one thread, for the instruction set at hand. Private to kernels.
// Shapes and meaning as in row_ops.h. Errors: none.
// Threads: called by every thread on its own rows.
#pragma once

#include <cstdint>

#include "engine/kernels/row_ops.h"

namespace orthros::kernels {

struct NormArgs {
  float* x = nullptr;
  int64_t x_stride = 0;
  Rows delta;  // data may be null
  const float* weight = nullptr;
  float eps = 0;
  int64_t columns = 0;
  Rows out;
};

struct RowKernels {
  void (*add_rms_norm)(const NormArgs& args, int64_t begin, int64_t end);
  void (*add_rows)(const NormArgs& args, int64_t begin, int64_t end);  // x, delta and columns only
  void (*silu_mul)(const Rows& gate_up, int64_t intermediate, const Rows& out, int64_t begin, int64_t end);
  void (*transform_heads)(const HeadRowsArgs& args, const HeadOps& ops, int64_t begin, int64_t end);
};

const RowKernels* row_kernels();

}  // namespace orthros::kernels
