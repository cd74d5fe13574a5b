// Linear: y = x W^T with W [N, K] held once, in a dense or quantised format, and read by two paths:
// few rows (decode) by kernels::gemv straight from the held format, many rows (prefill) by a GEMM in the
// compute type. Shapes: x [R, K] contiguous, y [R, N]. Private: includes torch. Errors: torch exceptions,
// converted by run_guarded at the public entries. Threads: torch's team.
#pragma once

#include <ATen/ATen.h>

#include "engine/base/scalar_type.h"
#include "engine/kernels/matrix.h"

namespace orthros {

/// How many rows a product has decides its path, and the path decides the type its input must have.
struct ComputePolicy {
  at::ScalarType compute_type = at::kFloat;  // of GEMMs and of the activations that feed them
  bool mkldnn_float32 = false;               // fp32 GEMMs through oneDNN instead of torch's BLAS (measured)

  /// Type of an [rows, *] activation that feeds a Linear on this device.
  at::ScalarType row_type(int64_t rows, const at::Device& device) const {
    return device.is_cpu() && rows <= kernels::kMaxGemvRows ? at::kFloat : compute_type;
  }
};

class Linear {
 public:
  Linear() = default;
  /// Allocates room for [rows, columns] in `format`; the loader fills raw().
  Linear(WeightFormat format, int64_t rows, int64_t columns);

  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  WeightFormat format() const { return format_; }
  int64_t bytes() const { return data_.defined() ? data_.numel() : 0; }
  int64_t expanded_bytes() const { return expanded_.defined() ? expanded_.nbytes() : 0; }
  std::byte* raw() { return reinterpret_cast<std::byte*>(data_.data_ptr()); }
  kernels::MatrixView view() const;

  /// Keeps a second copy in the compute type, so that prefill need not expand the quantised rows each time.
  void hold_expanded(at::ScalarType compute_type);

  /// x [R, K] times rows [begin, end) of W; x must have policy.row_type(R).
  at::Tensor forward(const at::Tensor& x, const ComputePolicy& policy, int64_t begin, int64_t end) const;
  at::Tensor forward(const at::Tensor& x, const ComputePolicy& policy) const {
    return forward(x, policy, 0, rows_);
  }

  /// Rows of W themselves (embedding look-up): ids [R] int64 on the CPU -> fp32 [R, K].
  at::Tensor lookup(const at::Tensor& ids) const;

 private:
  at::Tensor dense(at::ScalarType type, int64_t begin, int64_t end) const;

  WeightFormat format_ = WeightFormat::float32;
  int64_t rows_ = 0, columns_ = 0;
  at::Tensor data_;      // bytes, one dimension
  at::Tensor expanded_;  // [N, K] in the compute type, or undefined
};

/// oneDNN's fp32 x w^T through torch's dispatcher: on some machines faster than the BLAS behind at::linear.
at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight);

at::ScalarType to_torch(ScalarType type);
ScalarType from_torch(at::ScalarType type);

}  // namespace orthros
