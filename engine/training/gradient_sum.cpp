#include "engine/training/gradient_sum.h"

#include <ATen/core/grad_mode.h>

namespace orthros::training {

GradientSum::GradientSum(const Parameters& parameters) {
  int64_t total = 0;
  for (const NamedParameter& p : parameters.all()) {
    if (!p.tensor.requires_grad()) continue;
    parameters_.push_back(p.tensor);
    total += p.tensor.numel();
  }
  buffer_ = at::empty({total}, at::kFloat);
}

Result<void> GradientSum::run(Comm& comm) {
  const at::NoGradGuard guard;
  const auto each = [this](auto&& visit) {
    int64_t at = 0;
    for (at::Tensor& parameter : parameters_) {
      visit(parameter.mutable_grad(), buffer_.narrow(0, at, parameter.numel()).view(parameter.sizes()));
      at += parameter.numel();
    }
  };
  each([](at::Tensor& gradient, const at::Tensor& place) {
    if (gradient.defined()) {
      place.copy_(gradient);
    } else {
      place.zero_();
    }
  });
  ORTHROS_TRY_VOID(
      comm.all_reduce(std::span(buffer_.data_ptr<float>(), static_cast<size_t>(buffer_.numel()))));
  each([](at::Tensor& gradient, const at::Tensor& place) {
    if (gradient.defined()) {
      gradient.copy_(place);
    } else {
      gradient = place.clone();
    }
  });
  return {};
}

}  // namespace orthros::training
