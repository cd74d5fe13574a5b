#include "engine/training/differentiable.h"

#include <optional>

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include "engine/kernels/row_ops.h"
#include "engine/mixers/linear.h"
#include "engine/training/row_gradients.h"

namespace orthros::training {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;
using OptionalTensor = std::optional<at::Tensor>;  // a given but undefined tensor is an error to torch

bool has_kernels(const at::Tensor& t) {
  return t.device().is_cpu() && t.scalar_type() == at::kFloat;
}

const float* data_or_null(const at::Tensor& t) {
  return t.defined() ? t.const_data_ptr<float>() : nullptr;
}

float* gradient_data(const at::Tensor& t) {
  return t.defined() ? t.data_ptr<float>() : nullptr;
}

/// A zeroed gradient when somebody wants it.
at::Tensor zero_gradient(const at::Tensor& t) {
  return t.defined() && t.requires_grad() ? at::zeros_like(t) : at::Tensor();
}

at::Tensor product(const at::Tensor& x, const at::Tensor& w, bool onednn) {
  const bool fits = onednn && x.device().is_cpu() && x.scalar_type() == at::kFloat;
  return fits ? onednn_linear(x, w) : at::mm(x, w.t());
}

struct LinearFunction : Function<LinearFunction> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& w, bool bfloat16,
                            bool onednn) {
    const at::ScalarType type = bfloat16 ? at::kBFloat16 : x.scalar_type();
    const at::Tensor x_used = x.to(type), w_used = w.to(type);
    ctx->save_for_backward({x_used, w_used});
    ctx->saved_data["onednn"] = onednn;
    return product(x_used, w_used, onednn).to(x.scalar_type());
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor &x = saved[0], &w = saved[1];
    const at::ScalarType type = grads[0].scalar_type();
    const at::Tensor d_y = grads[0].to(x.scalar_type()).contiguous();
    at::Tensor d_x, d_w;
    if (ctx->needs_input_grad(0)) d_x = product(d_y, w.t(), ctx->saved_data["onednn"].toBool()).to(type);
    if (ctx->needs_input_grad(1)) d_w = at::mm(d_y.t(), x).to(type);
    return {d_x, d_w, {}, {}};
  }
};

struct AddRmsNormFunction : Function<AddRmsNormFunction> {
  static variable_list forward(AutogradContext* ctx, const at::Tensor& x, const at::Tensor& weight,
                               double eps, const OptionalTensor& delta) {
    ctx->set_materialize_grads(false);
    const at::Tensor sum = delta ? x.clone() : x;
    const at::Tensor delta_used = delta ? delta->contiguous() : at::Tensor();
    at::Tensor out = at::empty_like(sum);
    const kernels::Rows delta_rows{const_cast<float*>(data_or_null(delta_used)), x.size(1),
                                   ScalarType::float32};
    kernels::add_rms_norm(const_cast<float*>(sum.const_data_ptr<float>()), sum.stride(0), delta_rows,
                          weight.const_data_ptr<float>(), static_cast<float>(eps), x.size(0), x.size(1),
                          {out.data_ptr(), out.stride(0), ScalarType::float32});
    ctx->save_for_backward({sum, weight});
    ctx->saved_data["eps"] = eps;
    return delta ? variable_list{out, sum} : variable_list{out};
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1];
    const bool has_delta = grads.size() == 2;
    const at::Tensor d_sum = has_delta && grads[1].defined() ? grads[1].contiguous() : at::Tensor();
    if (!grads[0].defined()) return {d_sum, {}, {}, has_delta ? d_sum : at::Tensor()};
    const at::Tensor d_y = grads[0].contiguous();
    at::Tensor d_x = at::empty_like(x);
    const at::Tensor d_weight = zero_gradient(weight);
    rms_norm_backward({x.const_data_ptr<float>(), weight.const_data_ptr<float>(),
                       static_cast<float>(ctx->saved_data["eps"].toDouble()), d_y.const_data_ptr<float>(),
                       data_or_null(d_sum), d_x.data_ptr<float>(), gradient_data(d_weight), x.size(0),
                       x.size(1)});
    return {d_x, d_weight, {}, has_delta ? d_x : at::Tensor()};
  }
};

struct SiluMulFunction : Function<SiluMulFunction> {
  static at::Tensor forward(AutogradContext* ctx, const at::Tensor& gate_up) {
    const int64_t rows = gate_up.size(0), intermediate = gate_up.size(1) / 2;
    const at::Tensor source = gate_up.contiguous();
    at::Tensor out = at::empty({rows, intermediate}, gate_up.options());
    kernels::silu_mul(
        {const_cast<float*>(source.const_data_ptr<float>()), source.stride(0), ScalarType::float32}, rows,
        intermediate, {out.data_ptr(), out.stride(0), ScalarType::float32});
    ctx->save_for_backward({source});
    return out;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const at::Tensor gate_up = ctx->get_saved_variables()[0];
    const at::Tensor d_y = grads[0].contiguous();
    at::Tensor d_gate_up = at::empty_like(gate_up);
    silu_mul_backward(gate_up.const_data_ptr<float>(), d_y.const_data_ptr<float>(), d_y.size(0), d_y.size(1),
                      d_gate_up.data_ptr<float>());
    return {d_gate_up};
  }
};

/// The parts of prepare_heads that both passes need; tensors in a fixed order.
struct HeadInputs {
  HeadCounts counts;
  at::Tensor scale, offset, q_norm, k_norm;
  double eps = 0;
  at::Tensor cos, sin, table_rows;

  int64_t q_size() const { return counts.query_heads * counts.head_dim; }
  int64_t k_size() const { return counts.key_heads * counts.head_dim; }
};

void transform_part(const at::Tensor& projected, int64_t column, int64_t heads, const kernels::HeadOps& ops,
                    const HeadInputs& in, at::Tensor& out) {
  kernels::HeadRowsArgs args;
  args.rows = projected.size(0);
  args.heads = heads;
  args.head_dim = in.counts.head_dim;
  args.source = {const_cast<float*>(projected.const_data_ptr<float>()) + column, projected.stride(0),
                 ScalarType::float32};
  args.destination = {out.data_ptr(), out.stride(0), ScalarType::float32};
  args.destination_head_stride = in.counts.head_dim;
  args.positions = in.table_rows.const_data_ptr<int64_t>();
  kernels::transform_heads(args, ops);
}

HeadGradient gradient_part(const at::Tensor& projected, int64_t column, int64_t heads, const HeadInputs& in,
                           const at::Tensor& d_y, at::Tensor& d_projected) {
  HeadGradient args;
  args.rows = projected.size(0);
  args.heads = heads;
  args.head_dim = in.counts.head_dim;
  args.source = projected.const_data_ptr<float>() + column;
  args.source_stride = projected.stride(0);
  args.d_y = d_y.const_data_ptr<float>();
  args.d_y_stride = d_y.stride(0);
  args.d_source = d_projected.data_ptr<float>() + column;
  args.d_source_stride = d_projected.stride(0);
  args.norm_eps = static_cast<float>(in.eps);
  args.cos = in.cos.const_data_ptr<float>();
  args.sin = in.sin.const_data_ptr<float>();
  args.positions = in.table_rows.const_data_ptr<int64_t>();
  return args;
}

struct PrepareHeadsFunction : Function<PrepareHeadsFunction> {
  static variable_list forward(AutogradContext* ctx, const at::Tensor& projected_in,
                               const OptionalTensor& scale, const OptionalTensor& offset,
                               const OptionalTensor& q_norm, const OptionalTensor& k_norm,
                               const at::Tensor& cos, const at::Tensor& sin, const at::Tensor& table_rows,
                               std::vector<int64_t> counts, double eps) {
    ctx->set_materialize_grads(false);
    const at::Tensor projected = projected_in.contiguous();
    const HeadInputs in{{counts[0], counts[1], counts[2]},
                        scale.value_or(at::Tensor()),
                        offset.value_or(at::Tensor()),
                        q_norm.value_or(at::Tensor()),
                        k_norm.value_or(at::Tensor()),
                        eps,
                        cos,
                        sin,
                        table_rows};
    ctx->save_for_backward({projected, in.scale, in.offset, in.q_norm, in.k_norm, cos, sin, table_rows});
    ctx->saved_data["counts"] = counts;
    ctx->saved_data["eps"] = eps;
    const int64_t rows = projected.size(0), q_size = in.q_size(), k_size = in.k_size();
    const auto norm_eps = static_cast<float>(eps);
    variable_list result;
    if (q_size > 0) {
      result.push_back(at::empty({rows, q_size}, projected.options()));
      transform_part(projected, 0, in.counts.query_heads,
                     {data_or_null(in.scale), data_or_null(in.offset), data_or_null(in.q_norm), norm_eps,
                      cos.const_data_ptr<float>(), sin.const_data_ptr<float>()},
                     in, result.back());
    }
    if (k_size > 0) {
      result.push_back(at::empty({rows, 2 * k_size}, projected.options()));
      transform_part(projected, q_size, in.counts.key_heads,
                     {nullptr, nullptr, data_or_null(in.k_norm), norm_eps, cos.const_data_ptr<float>(),
                      sin.const_data_ptr<float>()},
                     in, result.back());
      result.back().narrow(1, k_size, k_size).copy_(projected.narrow(1, q_size + k_size, k_size));
    }
    return result;
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const at::Tensor& projected = saved[0];
    const std::vector<int64_t> counts = ctx->saved_data["counts"].toIntVector();
    const HeadInputs in{{counts[0], counts[1], counts[2]}, saved[1], saved[2], saved[3], saved[4],
                        ctx->saved_data["eps"].toDouble(), saved[5], saved[6], saved[7]};
    const int64_t q_size = in.q_size(), k_size = in.k_size();
    at::Tensor d_projected = at::empty_like(projected);
    const variable_list d_weights{zero_gradient(in.scale), zero_gradient(in.offset), zero_gradient(in.q_norm),
                                  zero_gradient(in.k_norm)};
    if (q_size > 0 && !grads[0].defined()) d_projected.narrow(1, 0, q_size).zero_();
    if (q_size > 0 && grads[0].defined()) {
      const at::Tensor d_q = grads[0].contiguous();
      HeadGradient args = gradient_part(projected, 0, in.counts.query_heads, in, d_q, d_projected);
      args.scale = data_or_null(in.scale);
      args.offset = data_or_null(in.offset);
      args.norm_weight = data_or_null(in.q_norm);
      args.d_scale = gradient_data(d_weights[0]);
      args.d_offset = gradient_data(d_weights[1]);
      args.d_norm_weight = gradient_data(d_weights[2]);
      transform_heads_backward(args);
    }
    if (k_size > 0 && !grads.back().defined()) d_projected.narrow(1, q_size, 2 * k_size).zero_();
    if (k_size > 0 && grads.back().defined()) {
      const at::Tensor d_kv = grads.back().contiguous();
      HeadGradient args = gradient_part(projected, q_size, in.counts.key_heads, in, d_kv, d_projected);
      args.norm_weight = data_or_null(in.k_norm);
      args.d_norm_weight = gradient_data(d_weights[3]);
      transform_heads_backward(args);
      d_projected.narrow(1, q_size + k_size, k_size).copy_(d_kv.narrow(1, k_size, k_size));
    }
    return {d_projected, d_weights[0], d_weights[1], d_weights[2], d_weights[3], {}, {}, {}, {}, {}};
  }
};

OptionalTensor optional(const at::Tensor& t) {
  return t.defined() ? OptionalTensor(t) : std::nullopt;
}

bool fits_kernel(const at::Tensor& projected, const Rotation& rotation) {
  return has_kernels(projected) && rotation.table_rows.is_contiguous();
}

struct RecomputeFunction : Function<RecomputeFunction> {
  static variable_list forward(AutogradContext* ctx, at::TensorList inputs, at::TensorList parameters,
                               const LayerFunction& layer) {
    ctx->set_materialize_grads(false);
    variable_list saved = inputs.vec();
    saved.insert(saved.end(), parameters.begin(), parameters.end());
    ctx->save_for_backward(saved);
    ctx->saved_data["inputs"] = static_cast<int64_t>(inputs.size());
    ctx->saved_data["layer"] = at::IValue::make_capsule(c10::make_intrusive<LayerHolder>(layer));
    return layer(inputs.vec());
  }
  static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
    const variable_list saved = ctx->get_saved_variables();
    const auto count = static_cast<size_t>(ctx->saved_data["inputs"].toInt());
    const auto holder = c10::static_intrusive_pointer_cast<LayerHolder>(ctx->saved_data["layer"].toCapsule());
    variable_list inputs, wanted, outputs, output_grads;
    for (size_t i = 0; i < count; ++i) {
      inputs.push_back(saved[i].defined() ? saved[i].detach().requires_grad_(saved[i].requires_grad())
                                          : saved[i]);
    }
    const at::AutoGradMode recording(true);
    const variable_list results = holder->layer(inputs);
    for (size_t i = 0; i < results.size(); ++i) {
      if (!grads[i].defined() || !results[i].requires_grad()) continue;
      outputs.push_back(results[i]);
      output_grads.push_back(grads[i]);
    }
    std::vector<size_t> slots;
    for (size_t i = 0; i < saved.size(); ++i) {
      const at::Tensor& source = i < count ? inputs[i] : saved[i];
      if (!source.defined() || !source.requires_grad()) continue;
      slots.push_back(i);
      wanted.push_back(source);
    }
    variable_list result(saved.size() + 1);  // and one for the function
    if (outputs.empty() || wanted.empty()) return result;
    const variable_list found =
        torch::autograd::grad(outputs, wanted, output_grads, std::nullopt, false, true);
    for (size_t i = 0; i < slots.size(); ++i) result[slots[i]] = found[i];
    return result;
  }

 private:
  struct LayerHolder : torch::CustomClassHolder {
    explicit LayerHolder(LayerFunction function) : layer(std::move(function)) {}
    LayerFunction layer;
  };
};

}  // namespace

at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const ProductPolicy& policy) {
  return LinearFunction::apply(x, w, policy.bfloat16, policy.onednn);
}

std::pair<at::Tensor, at::Tensor> add_rms_norm(const at::Tensor& x, const at::Tensor& delta,
                                               const at::Tensor& weight, double eps) {
  if (!has_kernels(x) || !x.is_contiguous()) return reference::add_rms_norm(x, delta, weight, eps);
  if (!delta.defined()) return {x, AddRmsNormFunction::apply(x, weight, eps, OptionalTensor())[0]};
  const variable_list results = AddRmsNormFunction::apply(x, weight, eps, OptionalTensor(delta));
  return {results[1], results[0]};
}

at::Tensor silu_mul(const at::Tensor& gate_up) {
  return has_kernels(gate_up) ? SiluMulFunction::apply(gate_up) : reference::silu_mul(gate_up);
}

PreparedHeads prepare_heads(const at::Tensor& projected, const HeadCounts& counts, const HeadWeights& weights,
                            const Rotation& rotation) {
  if (!fits_kernel(projected, rotation))
    return reference::prepare_heads(projected, counts, weights, rotation);
  const variable_list results = PrepareHeadsFunction::apply(
      projected, optional(weights.scale), optional(weights.offset), optional(weights.q_norm),
      optional(weights.k_norm), rotation.cos, rotation.sin, rotation.table_rows,
      std::vector<int64_t>{counts.query_heads, counts.key_heads, counts.head_dim}, weights.norm_eps);
  PreparedHeads heads;
  if (counts.query_heads > 0) heads.q = results.front();
  if (counts.key_heads > 0) heads.kv = results.back();
  return heads;
}

std::vector<at::Tensor> recomputed(const LayerFunction& layer, const std::vector<at::Tensor>& inputs,
                                   const std::vector<at::Tensor>& parameters) {
  return RecomputeFunction::apply(at::TensorList(inputs), at::TensorList(parameters), layer);
}

}  // namespace orthros::training
