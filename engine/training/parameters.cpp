#include "engine/training/parameters.h"

#include <cmath>
#include <numbers>

#include <ATen/core/grad_mode.h>

#include "engine/model/weight_plan.h"
#include "engine/tasks/random.h"

namespace orthros::training {
namespace {

void draw_normal(const at::Tensor& tensor, double deviation, Random random) {
  auto* data = tensor.data_ptr<float>();
  const int64_t count = tensor.numel();
  const auto uniform = [&random] { return (static_cast<double>(random.next() >> 11) + 0.5) * 0x1p-53; };
  // Box and Muller, in pairs: the standard library's normal distribution differs between implementations.
  for (int64_t i = 0; i < count; i += 2) {
    const double radius = std::sqrt(-2 * std::log(uniform())) * deviation;
    const double angle = 2 * std::numbers::pi * uniform();
    data[i] = static_cast<float>(radius * std::cos(angle));
    if (i + 1 < count) data[i + 1] = static_cast<float>(radius * std::sin(angle));
  }
}

struct Rows {
  at::Tensor held;
  int64_t begin = 0, count = 0;
};

/// Where a checkpoint tensor of a layer stands in the fused ones.
Rows layer_rows(const LayerParameters& p, const ModelConfig& c, std::string_view name) {
  const int64_t q = c.q_size(), kv = c.kv_size(), f = c.intermediate_size, m = c.hidden_size;
  if (name == "input_layernorm.weight") return {p.input_norm, 0, m};
  if (name == "post_attention_layernorm.weight") return {p.post_norm, 0, m};
  if (name == "self_attn.q_proj.weight") return {p.qkv, 0, q};
  if (name == "self_attn.k_proj.weight") return {p.qkv, q, kv};
  if (name == "self_attn.v_proj.weight") return {p.qkv, q + kv, kv};
  if (name == "self_attn.o_proj.weight") return {p.o, 0, m};
  if (name == "self_attn.q_norm.weight") return {p.q_norm, 0, c.head_dim};
  if (name == "self_attn.k_norm.weight") return {p.k_norm, 0, c.head_dim};
  if (name == "self_attn.alpha") return {p.alpha, 0, q};
  if (name == "self_attn.beta") return {p.beta, 0, q};
  if (name == "self_attn.alpha_out") return {p.alpha_out, 0, q};
  if (name == "self_attn.beta_out") return {p.beta_out, 0, q};
  if (name == "mlp.gate_proj.weight") return {p.gate_up, 0, f};
  if (name == "mlp.up_proj.weight") return {p.gate_up, f, f};
  return {p.down, 0, m};
}

bool is_scale_offset(std::string_view hf_name) {
  return hf_name.find("self_attn.alpha") != std::string_view::npos ||
         hf_name.find("self_attn.beta") != std::string_view::npos;
}

}  // namespace

Parameters::Parameters(const ModelConfig& config) : config_(config) {
  const int64_t m = config.hidden_size, q = config.q_size();
  const auto matrix = [](int64_t rows, int64_t columns) { return at::zeros({rows, columns}, at::kFloat); };
  const auto ones = [](int64_t size) { return at::ones({size}, at::kFloat); };
  const auto zeros = [](int64_t size) { return at::zeros({size}, at::kFloat); };
  embedding_ = matrix(config.vocab_size, m);
  norm_ = ones(m);
  if (!config.tie_word_embeddings) head_ = matrix(config.vocab_size, m);
  for (const LayerSpec& spec : config.layers) {
    LayerParameters p;
    p.input_norm = ones(m);
    p.post_norm = ones(m);
    p.qkv = matrix(q + 2 * config.kv_size(), m);
    p.o = matrix(m, q);
    p.gate_up = matrix(2 * config.intermediate_size, m);
    p.down = matrix(m, config.intermediate_size);
    if (config.qk_norm()) p.q_norm = ones(config.head_dim), p.k_norm = ones(config.head_dim);
    if (spec.scale_offset) {
      p.alpha = ones(q), p.beta = zeros(q);
      p.alpha_out = ones(q), p.beta_out = zeros(q);
    }
    layers_.push_back(std::move(p));
  }
  for (NamedParameter& parameter : all()) parameter.tensor.requires_grad_(true);
}

std::vector<NamedParameter> Parameters::all() const {
  using enum ParameterKind;
  std::vector<NamedParameter> list{{"embedding", embedding, embedding_}};
  for (size_t i = 0; i < layers_.size(); ++i) {
    const LayerParameters& p = layers_[i];
    const auto add = [&](const char* name, ParameterKind kind, const at::Tensor& tensor) {
      if (tensor.defined()) list.push_back({fmt::format("layers.{}.{}", i, name), kind, tensor});
    };
    add("input_norm", ParameterKind::norm, p.input_norm);
    add("qkv", matrix, p.qkv);
    add("q_norm", ParameterKind::norm, p.q_norm);
    add("k_norm", ParameterKind::norm, p.k_norm);
    add("alpha", scale_offset, p.alpha);
    add("beta", scale_offset, p.beta);
    add("alpha_out", scale_offset, p.alpha_out);
    add("beta_out", scale_offset, p.beta_out);
    add("o", matrix, p.o);
    add("post_norm", ParameterKind::norm, p.post_norm);
    add("gate_up", matrix, p.gate_up);
    add("down", matrix, p.down);
  }
  list.push_back({"norm", ParameterKind::norm, norm_});
  if (head_.defined()) list.push_back({"head", ParameterKind::head, head_});
  return list;
}

std::vector<at::Tensor> Parameters::of_layer(int64_t i) const {
  const LayerParameters& p = layer(i);
  std::vector<at::Tensor> tensors;
  for (const at::Tensor& t : {p.input_norm, p.qkv, p.q_norm, p.k_norm, p.alpha, p.beta, p.alpha_out,
                              p.beta_out, p.o, p.post_norm, p.gate_up, p.down}) {
    if (t.defined()) tensors.push_back(t);
  }
  return tensors;
}

int64_t Parameters::count() const {
  int64_t total = 0;
  for (const NamedParameter& parameter : all()) total += parameter.tensor.numel();
  return total;
}

void Parameters::initialise(uint64_t seed, const Initialisation& sizes) {
  const at::NoGradGuard guard;
  uint64_t stream = 0;
  for (const NamedParameter& p : all()) {
    ++stream;
    double deviation = 0;
    if (p.kind == ParameterKind::embedding) deviation = sizes.embedding;
    if (p.kind == ParameterKind::head) deviation = sizes.head;
    if (p.kind == ParameterKind::matrix) deviation = 1 / std::sqrt(static_cast<double>(p.tensor.size(1)));
    if (deviation > 0) draw_normal(p.tensor, deviation, Random(seed, stream));
  }
}

at::Tensor Parameters::checkpoint_rows(const std::string& hf_name) const {
  if (hf_name == "model.embed_tokens.weight") return embedding_.detach();
  if (hf_name == "model.norm.weight") return norm_.detach();
  if (hf_name == "lm_head.weight") return head().detach();
  for (size_t i = 0; i < layers_.size(); ++i) {
    const std::string prefix = layer_prefix(static_cast<int64_t>(i));
    if (!hf_name.starts_with(prefix)) continue;
    const Rows rows = layer_rows(layers_[i], config_, std::string_view(hf_name).substr(prefix.size()));
    return rows.held.detach().narrow(0, rows.begin, rows.count);
  }
  return {};
}

Result<void> Parameters::load(const WeightFile& file) {
  const at::NoGradGuard guard;
  for (const TensorSpec& spec : checkpoint_tensors(config_)) {
    if (is_scale_offset(spec.name) && !file.has(spec.name)) continue;
    ORTHROS_TRY(const WeightRows rows, file.rows(spec.name, spec.rows, spec.columns));
    rows.read(0, spec.rows, checkpoint_rows(spec.name).data_ptr<float>());
    file.release(spec.name);
  }
  return {};
}

}  // namespace orthros::training
