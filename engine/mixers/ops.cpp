#include "engine/mixers/ops.h"

#include "engine/kernels/row_ops.h"
#include "engine/mixers/linear.h"

namespace orthros::ops {
namespace {

bool kernel_type(const at::Tensor& t) {
  return t.scalar_type() == at::kFloat || t.scalar_type() == at::kBFloat16;
}

kernels::Rows rows_of(const at::Tensor& t) {
  return {const_cast<void*>(t.const_data_ptr()), t.stride(0), from_torch(t.scalar_type())};
}

kernels::Rows kernel_rows(const HeadRows& rows) {
  auto* first = static_cast<std::byte*>(const_cast<void*>(rows.memory.const_data_ptr()));
  return {first + rows.offset * rows.memory.element_size(), rows.row_stride,
          from_torch(rows.memory.scalar_type())};
}

const float* data_or_null(const at::Tensor& t) {
  return t.defined() ? t.const_data_ptr<float>() : nullptr;
}

}  // namespace

at::Tensor add_rms_norm(at::Tensor& x, const at::Tensor& delta, const at::Tensor& weight, double eps,
                        at::ScalarType out_type) {
  if (!x.device().is_cpu()) return reference::add_rms_norm(x, delta, weight, eps, out_type);
  at::Tensor out = at::empty({x.size(0), x.size(1)}, out_type);
  kernels::add_rms_norm(x.data_ptr<float>(), x.stride(0), delta.defined() ? rows_of(delta) : kernels::Rows{},
                        weight.const_data_ptr<float>(), static_cast<float>(eps), x.size(0), x.size(1),
                        rows_of(out));
  return out;
}

at::Tensor silu_mul(const at::Tensor& gate_up, at::ScalarType out_type) {
  if (!gate_up.device().is_cpu() || !kernel_type(gate_up)) return reference::silu_mul(gate_up, out_type);
  const int64_t intermediate = gate_up.size(1) / 2;
  at::Tensor out = at::empty({gate_up.size(0), intermediate}, out_type);
  kernels::silu_mul(rows_of(gate_up), gate_up.size(0), intermediate, rows_of(out));
  return out;
}

at::Tensor HeadRows::view(int64_t rows, int64_t heads, int64_t head_dim) const {
  return memory.as_strided({rows, heads, head_dim}, {row_stride, head_stride, 1},
                           memory.storage_offset() + offset);
}

void transform_heads(const HeadShape& shape, const HeadRows& source, const HeadRows& destination,
                     const HeadTransform& transform, const std::vector<int64_t>& table_rows) {
  if (!source.memory.device().is_cpu() || !kernel_type(source.memory) || !kernel_type(destination.memory)) {
    reference::transform_heads(shape, source, destination, transform, table_rows);
    return;
  }
  kernels::HeadRowsArgs args;
  args.rows = shape.rows;
  args.heads = shape.heads;
  args.head_dim = shape.head_dim;
  args.source = kernel_rows(source);
  args.destination = kernel_rows(destination);
  args.destination_head_stride = destination.head_stride;
  args.positions = table_rows.data();
  kernels::HeadOps head_ops;
  head_ops.scale = data_or_null(transform.scale);
  head_ops.offset = data_or_null(transform.offset);
  head_ops.norm_weight = data_or_null(transform.norm_weight);
  head_ops.norm_eps = static_cast<float>(transform.norm_eps);
  head_ops.cos = data_or_null(transform.cos);
  head_ops.sin = data_or_null(transform.sin);
  kernels::transform_heads(args, head_ops);
}

namespace reference {

at::Tensor add_rms_norm(at::Tensor& x, const at::Tensor& delta, const at::Tensor& weight, double eps,
                        at::ScalarType out_type) {
  if (delta.defined()) x.add_(delta);
  const at::Tensor mean = x.square().mean({1}, /*keepdim=*/true);
  return (x * at::rsqrt(mean + eps) * weight).to(out_type);
}

at::Tensor silu_mul(const at::Tensor& gate_up, at::ScalarType out_type) {
  const auto halves = gate_up.to(at::kFloat).chunk(2, 1);
  return (at::silu(halves[0]) * halves[1]).to(out_type);
}

void transform_heads(const HeadShape& shape, const HeadRows& source, const HeadRows& destination,
                     const HeadTransform& transform, const std::vector<int64_t>& table_rows) {
  at::Tensor x = source.view(shape.rows, shape.heads, shape.head_dim).to(at::kFloat);
  if (transform.scale.defined()) x = x * transform.scale.view({shape.heads, shape.head_dim});
  if (transform.offset.defined()) x = x + transform.offset.view({shape.heads, shape.head_dim});
  if (transform.norm_weight.defined()) {
    x = x * at::rsqrt(x.square().mean({2}, true) + transform.norm_eps) * transform.norm_weight;
  }
  if (transform.cos.defined()) {
    const at::Tensor index = at::tensor(table_rows, at::TensorOptions().dtype(at::kLong)).to(x.device());
    const at::Tensor cos = transform.cos.index_select(0, index).unsqueeze(1);
    const at::Tensor sin = transform.sin.index_select(0, index).unsqueeze(1);
    const auto halves = x.chunk(2, 2);
    x = at::cat({halves[0] * cos - halves[1] * sin, halves[1] * cos + halves[0] * sin}, 2);
  }
  destination.view(shape.rows, shape.heads, shape.head_dim).copy_(x);
}

}  // namespace reference
}  // namespace orthros::ops
