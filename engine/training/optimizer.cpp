#include "engine/training/optimizer.h"

#include <cmath>

#include <ATen/core/grad_mode.h>

namespace orthros::training {
namespace {

bool is_trainable(const NamedParameter& p, Trainable what) {
  const bool qo = p.name.ends_with(".qkv") || p.name.ends_with(".o");
  switch (what) {
    case Trainable::all:
      return true;
    case Trainable::scale_offset:
      return p.kind == ParameterKind::scale_offset;
    case Trainable::scale_offset_norms:
      return p.kind == ParameterKind::scale_offset || p.kind == ParameterKind::norm;
    case Trainable::scale_offset_norms_qo:
      return p.kind == ParameterKind::scale_offset || p.kind == ParameterKind::norm || qo;
  }
  return true;
}

bool decays(const NamedParameter& p, const AdamWOptions& options) {
  if (p.kind == ParameterKind::embedding) return options.decay_embedding;
  return p.kind == ParameterKind::matrix || p.kind == ParameterKind::head;
}

}  // namespace

Result<Trainable> parse_trainable(std::string_view text) {
  if (text == "all") return Trainable::all;
  if (text == "scale_offset") return Trainable::scale_offset;
  if (text == "scale_offset+norms") return Trainable::scale_offset_norms;
  if (text == "scale_offset+norms+qo") return Trainable::scale_offset_norms_qo;
  return fail(ErrorCode::invalid_argument,
              "unknown trainable '{}': all, scale_offset, scale_offset+norms or scale_offset+norms+qo", text);
}

bool moves(Trainable what, std::string_view hf_name) {
  const auto has = [&](std::string_view part) { return hf_name.find(part) != std::string_view::npos; };
  const bool scale_offset = has("self_attn.alpha") || has("self_attn.beta");
  switch (what) {
    case Trainable::all:
      return true;
    case Trainable::scale_offset:
      return scale_offset;
    case Trainable::scale_offset_norms:
      return scale_offset || has("norm");
    case Trainable::scale_offset_norms_qo:
      return scale_offset || has("norm") || has("q_proj") || has("o_proj");
  }
  return true;
}

void set_trainable(const Parameters& parameters, Trainable what) {
  for (const NamedParameter& p : parameters.all()) p.tensor.requires_grad_(is_trainable(p, what));
}

AdamW::AdamW(const Parameters& parameters, const AdamWOptions& options, Trainable what) : options_(options) {
  groups_.resize(2);
  groups_[0].decay = options.weight_decay;
  if (what == Trainable::scale_offset_norms_qo) frozen_key_rows_ = parameters.config().q_size();
  for (const NamedParameter& p : parameters.all()) {
    if (!is_trainable(p, what)) continue;
    // Decay would move the frozen rows of a fused matrix as well.
    const bool frozen_part = frozen_key_rows_ > 0 && p.name.ends_with(".qkv");
    Group& group = groups_[decays(p, options) && !frozen_part ? 0 : 1];
    group.names.push_back(p.name);
    group.parameters.push_back(p.tensor);
    group.first.push_back(at::zeros_like(p.tensor));
    group.second.push_back(at::zeros_like(p.tensor));
    group.steps.push_back(at::zeros({}, at::kFloat));
  }
}

std::vector<at::Tensor> AdamW::gradients(const Group& group) const {
  std::vector<at::Tensor> result;
  for (const at::Tensor& parameter : group.parameters) {
    const at::Tensor& gradient = parameter.grad();
    result.push_back(gradient.defined() ? gradient : at::zeros_like(parameter));
  }
  return result;
}

double AdamW::clip_gradients() {
  const at::NoGradGuard guard;
  std::vector<at::Tensor> all;
  for (const Group& group : groups_) {
    for (size_t i = 0; i < group.parameters.size(); ++i) {
      const at::Tensor& gradient = group.parameters[i].grad();
      if (!gradient.defined()) continue;
      if (frozen_key_rows_ > 0 && group.names[i].ends_with(".qkv")) {
        gradient.narrow(0, frozen_key_rows_, gradient.size(0) - frozen_key_rows_).zero_();
      }
      all.push_back(gradient);
    }
  }
  if (all.empty()) return 0;
  const std::vector<at::Tensor> norms = at::_foreach_norm(all, 2);
  const double norm = at::stack(norms).to(at::kDouble).norm().item<double>();
  if (options_.clip_norm > 0 && norm > options_.clip_norm)
    at::_foreach_mul_(all, options_.clip_norm / (norm + 1e-6));
  return norm;
}

void AdamW::step(double learning_rate) {
  const at::NoGradGuard guard;
  ++steps_;
  for (Group& group : groups_) {
    if (group.parameters.empty()) continue;
    for (at::Tensor& steps : group.steps) steps.fill_(static_cast<double>(steps_));
    at::_fused_adamw_(group.parameters, gradients(group), group.first, group.second, {}, group.steps,
                      learning_rate, options_.beta1, options_.beta2, group.decay, options_.eps,
                      /*amsgrad=*/false,
                      /*maximize=*/false);
  }
}

void AdamW::clear_gradients() {
  for (const Group& group : groups_) {
    for (const at::Tensor& parameter : group.parameters) parameter.mutable_grad().reset();
  }
}

void AdamW::set_steps(int64_t steps) {
  steps_ = steps;
}

std::vector<AdamW::Moments> AdamW::state() const {
  std::vector<Moments> result;
  for (const Group& group : groups_) {
    for (size_t i = 0; i < group.names.size(); ++i) {
      result.push_back({group.names[i], group.first[i], group.second[i]});
    }
  }
  return result;
}

}  // namespace orthros::training
