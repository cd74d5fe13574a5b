#include "engine/training/row_gradients.h"

#include <vector>

#include <omp.h>

#include "engine/training/row_gradients_simd.h"

namespace orthros::training {
namespace {

constexpr int64_t kMinParallelElements = 16 * 1024;

int team_size(int64_t rows, int64_t columns) {
  return rows * columns < kMinParallelElements || omp_in_parallel() != 0 ? 1 : omp_get_max_threads();
}

/// Sums of a vector over rows: each thread adds to its own copy, then the copies are added in their order.
class VectorSums {
 public:
  VectorSums(float* total, int64_t size, int threads) : total_(total), size_(size) {
    if (total_ != nullptr) parts_.assign(static_cast<size_t>(size * threads), 0.0f);
  }
  float* part(int thread) { return total_ == nullptr ? nullptr : parts_.data() + thread * size_; }
  void finish() {
    for (size_t i = 0; i < parts_.size(); ++i) total_[i % static_cast<size_t>(size_)] += parts_[i];
  }

 private:
  float* total_;
  int64_t size_;
  std::vector<float> parts_;
};

/// run(begin, end, thread) for contiguous parts of [0, rows).
template <class Run>
void split_rows(int64_t rows, int threads, Run run) {
  if (threads == 1) {
    run(0, rows, 0);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
    // The runtime may give fewer threads than asked for: every part is still done, by whoever is there.
    for (int part = omp_get_thread_num(); part < threads; part += omp_get_num_threads()) {
      run(rows * part / threads, rows * (part + 1) / threads, part);
    }
  }
}

}  // namespace

void rms_norm_backward(const RmsNormGradient& args) {
  const RowGradientKernels& kernels = row_gradient_kernels();
  const int threads = team_size(args.rows, args.columns);
  VectorSums weight(args.d_weight, args.columns, threads);
  split_rows(args.rows, threads, [&](int64_t begin, int64_t end, int part) {
    kernels.rms_norm(args, begin, end, weight.part(part));
  });
  weight.finish();
}

void silu_mul_backward(const float* gate_up, const float* d_y, int64_t rows, int64_t intermediate,
                       float* d_gate_up) {
  const RowGradientKernels& kernels = row_gradient_kernels();
  split_rows(rows, team_size(rows, intermediate), [&](int64_t begin, int64_t end, int) {
    kernels.silu_mul(gate_up, d_y, intermediate, d_gate_up, begin, end);
  });
}

void transform_heads_backward(const HeadGradient& args) {
  const RowGradientKernels& kernels = row_gradient_kernels();
  const int64_t columns = args.heads * args.head_dim;
  const int threads = team_size(args.rows, columns);
  VectorSums scale(args.d_scale, columns, threads), offset(args.d_offset, columns, threads);
  VectorSums norm(args.d_norm_weight, args.head_dim, threads);
  split_rows(args.rows, threads, [&](int64_t begin, int64_t end, int part) {
    kernels.transform(args, begin, end, scale.part(part), offset.part(part), norm.part(part));
  });
  scale.finish();
  offset.finish();
  norm.finish();
}

void cross_entropy_rows(const CrossEntropyRows& args) {
  const RowGradientKernels& kernels = row_gradient_kernels();
  split_rows(args.rows, team_size(args.rows, args.classes),
             [&](int64_t begin, int64_t end, int) { kernels.cross_entropy(args, begin, end); });
}

}  // namespace orthros::training
