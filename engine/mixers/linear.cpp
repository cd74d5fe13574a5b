#include "engine/mixers/linear.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include "engine/kernels/machine.h"

namespace orthros {
namespace {

bool is_dense(WeightFormat format) {
  return format == WeightFormat::float32 || format == WeightFormat::bfloat16;
}

at::ScalarType dense_type(WeightFormat format) {
  return format == WeightFormat::float32 ? at::kFloat : at::kBFloat16;
}

}  // namespace

at::Tensor onednn_linear(const at::Tensor& x, const at::Tensor& weight) {
  static const auto op =
      c10::Dispatcher::singleton()
          .findSchemaOrThrow("mkldnn::_linear_pointwise", "")
          .typed<at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                            std::string_view, c10::List<std::optional<at::Scalar>>,
                            std::optional<std::string_view>)>();
  return op.call(x, weight, std::nullopt, "none", c10::List<std::optional<at::Scalar>>(), std::nullopt);
}

at::ScalarType to_torch(ScalarType type) {
  switch (type) {
    case ScalarType::float32:
      return at::kFloat;
    case ScalarType::bfloat16:
      return at::kBFloat16;
    case ScalarType::float16:
      return at::kHalf;
  }
  return at::kFloat;
}

ScalarType from_torch(at::ScalarType type) {
  if (type == at::kBFloat16) return ScalarType::bfloat16;
  if (type == at::kHalf) return ScalarType::float16;
  return ScalarType::float32;
}

Linear::Linear(WeightFormat format, int64_t rows, int64_t columns)
    : format_(format),
      rows_(rows),
      columns_(columns),
      data_(at::empty({kernels::matrix_bytes(format, rows, columns)}, at::kByte)) {
  // Decode streams all weights each step: large pages spare it most of the address translation.
  kernels::advise_large_pages(data_.data_ptr(), data_.numel());
}

kernels::MatrixView Linear::view() const {
  return {format_, rows_, columns_, data_.const_data_ptr()};
}

void Linear::hold_expanded(at::ScalarType compute_type) {
  if (is_dense(format_) && dense_type(format_) == compute_type) return;
  expanded_ = dense(compute_type, 0, rows_);
}

at::Tensor Linear::dense(at::ScalarType type, int64_t begin, int64_t end) const {
  if (expanded_.defined() && expanded_.scalar_type() == type) return expanded_.narrow(0, begin, end - begin);
  if (is_dense(format_) && dense_type(format_) == type) {
    return data_.view(type).view({rows_, columns_}).narrow(0, begin, end - begin);
  }
  at::Tensor out = at::empty({end - begin, columns_}, type);
  kernels::decode_rows(view().row_range(begin, end), from_torch(type), out.data_ptr());
  return out;
}

at::Tensor Linear::forward(const at::Tensor& x, const ComputePolicy& policy, int64_t begin,
                           int64_t end) const {
  const int64_t count = x.size(0);
  if (const int64_t lead = is_dense(format_) ? 0 : begin % kernels::kRowTile; lead != 0) {
    return forward(x, policy, begin - lead, end).narrow(1, lead, end - begin).contiguous();
  }
  if (x.device().is_cpu() && count <= kernels::kMaxGemvRows) {
    at::Tensor y = at::empty({count, end - begin}, at::kFloat);
    kernels::gemv(view().row_range(begin, end), x.const_data_ptr<float>(), x.stride(0), count,
                  y.data_ptr<float>(), y.stride(0));
    return y;
  }
  const at::Tensor weight = dense(policy.compute_type, begin, end);
  if (policy.mkldnn_float32 && policy.compute_type == at::kFloat && x.device().is_cpu()) {
    return onednn_linear(x, weight);
  }
  return at::linear(x, weight);
}

at::Tensor Linear::lookup(const at::Tensor& ids) const {
  if (is_dense(format_)) {
    return data_.view(dense_type(format_)).view({rows_, columns_}).index_select(0, ids).to(at::kFloat);
  }
  at::Tensor out = at::empty({ids.size(0), columns_}, at::kFloat);
  const auto* id = ids.const_data_ptr<int64_t>();
  for (int64_t r = 0; r < ids.size(0); ++r) {
    // A row range must begin on a tile; the wanted row is somewhere inside it.
    const int64_t tile = id[r] / kernels::kRowTile * kernels::kRowTile;
    const int64_t end = std::min(tile + kernels::kRowTile, rows_);
    at::Tensor rows = at::empty({end - tile, columns_}, at::kFloat);
    kernels::decode_rows(view().row_range(tile, end), ScalarType::float32, rows.data_ptr());
    out[r].copy_(rows[id[r] - tile]);
  }
  return out;
}

}  // namespace orthros
