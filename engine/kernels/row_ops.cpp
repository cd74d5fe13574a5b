#include "engine/kernels/row_ops.h"

#include <omp.h>

#include "engine/kernels/row_ops_simd.h"

namespace orthros::kernels {
namespace {

// Decode's one or two rows stay on the calling thread: opening a region would cost as much as the work.
constexpr int64_t kMinParallelRows = 4;
constexpr int64_t kMinParallelElements = 16 * 1024;

/// Calls run(begin, end) for contiguous parts of [0, rows).
template <class Run>
void split_rows(int64_t rows, int64_t columns, Run run) {
  if (rows < kMinParallelRows || rows * columns < kMinParallelElements || omp_in_parallel() != 0) {
    run(0, rows);
    return;
  }
#pragma omp parallel
  {
    const int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
    run(rows * thread / threads, rows * (thread + 1) / threads);
  }
}

}  // namespace

void add_rms_norm(float* x, int64_t x_stride, const Rows& delta, const float* weight, float eps, int64_t rows,
                  int64_t columns, const Rows& out) noexcept {
  const NormArgs args{x, x_stride, delta, weight, eps, columns, out};
  const RowKernels* kernels = row_kernels();
  split_rows(rows, columns, [&](int64_t begin, int64_t end) { kernels->add_rms_norm(args, begin, end); });
}

void add_rows(float* x, int64_t x_stride, const Rows& delta, int64_t rows, int64_t columns) noexcept {
  const NormArgs args{x, x_stride, delta, nullptr, 0.0f, columns, {}};
  const RowKernels* kernels = row_kernels();
  split_rows(rows, columns, [&](int64_t begin, int64_t end) { kernels->add_rows(args, begin, end); });
}

void silu_mul(const Rows& gate_up, int64_t rows, int64_t intermediate, const Rows& out) noexcept {
  const RowKernels* kernels = row_kernels();
  split_rows(rows, intermediate,
             [&](int64_t begin, int64_t end) { kernels->silu_mul(gate_up, intermediate, out, begin, end); });
}

void transform_heads(const HeadRowsArgs& args, const HeadOps& ops) noexcept {
  const RowKernels* kernels = row_kernels();
  split_rows(args.rows, args.heads * args.head_dim,
             [&](int64_t begin, int64_t end) { kernels->transform_heads(args, ops, begin, end); });
}

}  // namespace orthros::kernels
