#include <algorithm>
#include <new>

#include <omp.h>

#include "engine/kernels/gemv_kernels.h"
#include "engine/kernels/matrix.h"
#include "engine/kernels/matrix_layout.h"

namespace orthros::kernels {
namespace {

constexpr int64_t kMinParallelBytes = 32 * 1024;  // below, opening a region costs more than it saves
constexpr int64_t kFirstLinesBytes =
    4096;  // of a thread's weights, asked for before the activations are prepared

bool vnni_allowed = true;

/// Grows, and lives as long as its thread: a call in the steady state allocates nothing.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { release(); }

  /// Null when there is no memory.
  std::byte* reserve(int64_t bytes) {
    if (bytes <= bytes_) return data_;
    release();
    data_ = static_cast<std::byte*>(::operator new(static_cast<size_t>(bytes), kAlignment, std::nothrow));
    bytes_ = data_ != nullptr ? bytes : 0;
    return data_;
  }

 private:
  static constexpr std::align_val_t kAlignment{64};

  void release() { ::operator delete(data_, kAlignment); }

  std::byte* data_ = nullptr;
  int64_t bytes_ = 0;
};

struct Call {
  const GemvKernel* kernel;
  MatrixView w;
  Activations x;
  float* y;
  int64_t y_stride;
};

void run_share(const Call& call, int64_t share, int64_t shares) {
  thread_local Scratch scratch;
  const int64_t unit = call.kernel->unit_rows;
  const int64_t units = (call.w.rows + unit - 1) / unit;
  const int64_t begin = units * share / shares * unit;
  const int64_t end = std::min(units * (share + 1) / shares * unit, call.w.rows);
  if (begin >= end) return;
  const MatrixView rows = call.w.row_range(begin, end);
  for (int64_t i = 0; i < kFirstLinesBytes; i += 64)
    __builtin_prefetch(static_cast<const std::byte*>(rows.data) + i);
  std::byte* prepared = scratch.reserve(call.kernel->scratch_bytes(call.w.columns, call.x.rows));
  if (prepared == nullptr) {
    gemv_reference(rows, call.x.x, call.x.stride, call.x.rows, call.y + begin, call.y_stride);
    return;
  }
  call.kernel->prepare(call.x, prepared);
  call.kernel->run(GemvTask{rows, prepared, call.x.rows, call.y + begin, call.y_stride}, 0, rows.rows);
}

}  // namespace

void allow_vnni_for_test(bool allowed) {
  vnni_allowed = allowed;
}

const GemvKernel* select_gemv_kernel(WeightFormat format) {
  const GemvKernel* vnni = vnni_allowed ? vnni_kernel(format) : nullptr;
  return vnni != nullptr ? vnni : highway_kernel(format);
}

const char* gemv_backend(WeightFormat format) noexcept {
  return select_gemv_kernel(format)->name;
}

void gemv(const MatrixView& w, const float* x, int64_t x_stride, int64_t num_rows, float* y,
          int64_t y_stride) noexcept {
  const Call call{select_gemv_kernel(w.format), w, {x, x_stride, num_rows, w.columns}, y, y_stride};
  if (w.rows * row_bytes(w.format, w.columns) < kMinParallelBytes || omp_in_parallel() != 0) {
    run_share(call, 0, 1);
    return;
  }
#pragma omp parallel
  run_share(call, omp_get_thread_num(), omp_get_num_threads());
}

}  // namespace orthros::kernels
