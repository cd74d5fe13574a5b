// Gradients of the kernels: against fp64 autograd of the plain form, which itself is held against finite
// differences; wrong variants of the plain form must be told apart.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include "engine/training/attention_gradient.h"
#include "engine/training/differentiable.h"
#include "engine/training/losses.h"

namespace orthros::training {
namespace {

using Tensors = std::vector<at::Tensor>;
using Op = std::function<at::Tensor(const Tensors& inputs)>;

at::Tensor noise(at::IntArrayRef shape, int64_t seed) {
  auto generator = at::detail::createCPUGenerator(static_cast<uint64_t>(seed));
  return at::randn(shape, generator, at::TensorOptions().dtype(at::kDouble));
}

/// Value and gradients of sum(op(inputs) * probe) in a type.
Tensors gradients(const Op& op, const Tensors& inputs, const at::Tensor& probe, at::ScalarType type) {
  Tensors leaves;
  for (const at::Tensor& input : inputs)
    leaves.push_back(input.to(type).detach().clone().requires_grad_(true));
  const at::Tensor out = op(leaves);
  Tensors results{out.detach()};
  for (const at::Tensor& gradient : torch::autograd::grad({(out * probe.to(type)).sum()}, leaves)) {
    results.push_back(gradient);
  }
  return results;
}

/// Largest difference over the scale of the expected values.
double distance(const Tensors& actual, const Tensors& expected) {
  double worst = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const at::Tensor difference = (actual[i].to(at::kDouble) - expected[i]).abs();
    if (!difference.isfinite().all().item<bool>()) return INFINITY;
    const double scale = std::max(0.1, expected[i].abs().max().item<double>());
    worst = std::max(worst, difference.max().item<double>() / scale);
  }
  return worst;
}

/// Central differences along a random direction of every input, fp64.
double finite_difference_error(const Op& op, const Tensors& inputs, const at::Tensor& probe) {
  const Tensors analytic = gradients(op, inputs, probe, at::kDouble);
  double worst = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const at::Tensor direction = noise(inputs[i].sizes(), static_cast<int64_t>(900 + i));
    const auto value = [&](double step) {
      Tensors moved = inputs;
      moved[i] = inputs[i] + direction * step;
      return (op(moved) * probe).sum().item<double>();
    };
    const double slope = (value(1e-5) - value(-1e-5)) / 2e-5;
    const double expected = (analytic[i + 1] * direction).sum().item<double>();
    worst = std::max(worst, std::abs(slope - expected) / std::max(1.0, std::abs(expected)));
  }
  return worst;
}

struct AttentionCase {
  std::string name;
  AttentionRows rows;
  int64_t keys;
};

at::Tensor contiguous_rows(int64_t begin, int64_t end) {
  return at::arange(begin, end, at::TensorOptions().dtype(at::kLong)).unsqueeze(0);
}

std::vector<AttentionCase> attention_cases() {
  const at::Tensor scattered =
      at::tensor({0, 3, 4, 40, 41, 77, 98, 0, 1, 2, 31, 32, 33, 64}, at::kLong).view({2, 7});
  return {
      {"full", {2, 4, 2, 16, contiguous_rows(0, 70), WindowSpec::full()}, 70},
      {"full, odd head", {1, 3, 1, 18, contiguous_rows(0, 67), WindowSpec::full()}, 67},
      {"window 1", {1, 2, 2, 32, contiguous_rows(0, 50), {1, 0}}, 50},
      {"window 5", {2, 4, 4, 32, contiguous_rows(0, 75), {5, 0}}, 75},
      {"window 32", {2, 4, 1, 32, contiguous_rows(0, 130), {32, 0}}, 130},
      {"window 33 and sinks", {1, 4, 2, 8, contiguous_rows(0, 140), {33, 3}}, 140},
      {"wide window and many sinks", {1, 2, 1, 64, contiguous_rows(0, 200), {70, 40}}, 200},
      {"rows of their own", {2, 4, 2, 32, scattered, WindowSpec::full()}, 99},
      {"rows of their own in a window", {2, 4, 2, 32, scattered, {9, 2}}, 99},
      {"tail rows", {2, 2, 1, 128, contiguous_rows(60, 80), WindowSpec::full()}, 80},
      {"one row", {3, 2, 1, 80, contiguous_rows(64, 65), WindowSpec::full()}, 66},
  };
}

Tensors attention_inputs(const AttentionCase& c) {
  const int64_t n = c.rows.positions.size(1), dim = c.rows.head_dim;
  return {3 * noise({c.rows.batch * n, c.rows.num_heads * dim}, 1),
          noise({c.rows.batch * c.keys, 2 * c.rows.num_kv_heads * dim}, 2)};
}

Op attention_op(const AttentionRows& rows, bool plain) {
  return [rows, plain](const Tensors& x) {
    return plain ? reference::attention(x[0], x[1], rows) : attention(x[0], x[1], rows);
  };
}

TEST(AttentionGradient, EqualsAutogradOfThePlainForm) {
  for (const AttentionCase& c : attention_cases()) {
    const Tensors inputs = attention_inputs(c);
    const at::Tensor probe = noise(inputs[0].sizes(), 3);
    const Tensors expected = gradients(attention_op(c.rows, true), inputs, probe, at::kDouble);
    const Tensors actual = gradients(attention_op(c.rows, false), inputs, probe, at::kFloat);
    EXPECT_LT(distance(actual, expected), 2e-5) << c.name;
  }
}

TEST(AttentionGradient, ThePlainFormHasTheSlopeOfFiniteDifferences) {
  for (const AttentionCase& c : attention_cases()) {
    const Tensors inputs = attention_inputs(c);
    const at::Tensor probe = noise(inputs[0].sizes(), 4);
    EXPECT_LT(finite_difference_error(attention_op(c.rows, true), inputs, probe), 1e-6) << c.name;
  }
}

TEST(AttentionGradient, TellsWrongVariantsApart) {
  for (const AttentionCase& c : attention_cases()) {
    const Tensors inputs = attention_inputs(c);
    const at::Tensor probe = noise(inputs[0].sizes(), 3);
    const Tensors actual = gradients(attention_op(c.rows, false), inputs, probe, at::kFloat);
    const auto differs = [&](const Op& wrong) {
      return distance(actual, gradients(wrong, inputs, probe, at::kDouble)) > 1e-3;
    };
    if (!c.rows.window.is_full()) {
      for (const int64_t step : {-1, 1}) {
        AttentionRows wrong = c.rows;
        wrong.window.window += step;
        if (wrong.window.window == 0) continue;
        EXPECT_TRUE(differs(attention_op(wrong, true))) << c.name << " window " << step;
      }
      AttentionRows sink = c.rows;
      sink.window.sinks += 1;
      EXPECT_TRUE(differs(attention_op(sink, true))) << c.name << ": another sink";
    }
    if (c.rows.num_kv_heads > 1 && c.rows.num_heads > c.rows.num_kv_heads) {
      EXPECT_TRUE(differs([&](const Tensors& x) {
        const at::Tensor swapped = x[1].view({-1, 2, c.rows.num_kv_heads, c.rows.head_dim}).flip({2});
        return reference::attention(x[0], swapped.reshape(x[1].sizes()), c.rows);
      })) << c.name
          << ": another group's keys";
    }
  }
}

/// Gradients with a term of the backward formula left out or the rows' lse wrong differ.
TEST(AttentionGradient, NeedsTheRowsOwnLogsumexp) {
  const AttentionCase c = attention_cases()[0];
  const Tensors inputs = attention_inputs(c);
  const at::Tensor q = inputs[0].to(at::kFloat).contiguous(), kv = inputs[1].to(at::kFloat).contiguous();
  const at::Tensor d_out = noise(q.sizes(), 3).to(at::kFloat);
  const int64_t n = c.rows.positions.size(1);
  AttentionShape s;
  s.batch = c.rows.batch, s.num_heads = c.rows.num_heads, s.num_kv_heads = c.rows.num_kv_heads;
  s.head_dim = s.q_stride_h = s.out_stride_h = s.kv_stride_h = c.rows.head_dim;
  s.num_queries = n, s.num_keys = c.keys, s.positions = c.rows.positions.const_data_ptr<int64_t>();
  s.window = c.rows.window, s.scale = 0.25f;
  s.q_stride_t = s.out_stride_t = s.num_heads * s.head_dim, s.q_stride_b = s.out_stride_b = n * s.q_stride_t;
  s.kv_stride_s = 2 * s.num_kv_heads * s.head_dim, s.kv_stride_b = c.keys * s.kv_stride_s;
  at::Tensor out = at::full_like(q, NAN), lse = at::full({s.batch, s.num_heads, n}, NAN, q.options());
  const float* k = kv.const_data_ptr<float>();
  attention_forward(s, q.const_data_ptr<float>(), k, k + s.kv_stride_s / 2, out.data_ptr<float>(),
                    lse.data_ptr<float>());
  const auto run = [&](const at::Tensor& used_out, const at::Tensor& used_lse) {
    at::Tensor d_q = at::full_like(q, NAN), d_kv = at::full_like(kv, NAN);
    float* d_k = d_kv.data_ptr<float>();
    attention_backward(
        s, {q.const_data_ptr<float>(), k, k + s.kv_stride_s / 2, used_out.const_data_ptr<float>(),
            used_lse.const_data_ptr<float>(), d_out.const_data_ptr<float>(), d_q.data_ptr<float>(), d_k,
            d_k + s.kv_stride_s / 2});
    return Tensors{d_q.to(at::kDouble), d_kv.to(at::kDouble)};
  };
  const Tensors right = run(out, lse);
  EXPECT_LT(distance(run(out, lse), right), 1e-12);
  EXPECT_GT(distance(run(out, lse + 0.01), right), 1e-3);
  EXPECT_GT(distance(run(at::zeros_like(out), lse), right), 1e-3);  // the delta term left out
  const Tensors plain = gradients(attention_op(c.rows, true), inputs, d_out, at::kDouble);
  EXPECT_LT(distance(right, {plain[1], plain[2]}), 2e-5);
}

TEST(RowGradient, AddRmsNorm) {
  const Tensors inputs{noise({37, 50}, 1), noise({37, 50}, 2), noise({50}, 3)};
  const at::Tensor probe = noise({74, 50}, 4);
  const auto op = [](bool plain, double eps) -> Op {
    return [=](const Tensors& x) {
      const auto both =
          plain ? reference::add_rms_norm(x[0], x[1], x[2], eps) : add_rms_norm(x[0], x[1], x[2], eps);
      return at::cat({both.first, both.second});
    };
  };
  EXPECT_LT(finite_difference_error(op(true, 1e-5), inputs, probe), 1e-6);
  const Tensors actual = gradients(op(false, 1e-5), inputs, probe, at::kFloat);
  EXPECT_LT(distance(actual, gradients(op(true, 1e-5), inputs, probe, at::kDouble)), 2e-6);
  EXPECT_GT(distance(actual, gradients(op(true, 1e-2), inputs, probe, at::kDouble)), 1e-4);
}

TEST(RowGradient, SiluMul) {
  const Tensors inputs{3 * noise({41, 2 * 33}, 1)};
  const at::Tensor probe = noise({41, 33}, 2);
  const auto op = [](bool plain) -> Op {
    return [=](const Tensors& x) { return plain ? reference::silu_mul(x[0]) : silu_mul(x[0]); };
  };
  EXPECT_LT(finite_difference_error(op(true), inputs, probe), 1e-6);
  const Tensors actual = gradients(op(false), inputs, probe, at::kFloat);
  EXPECT_LT(distance(actual, gradients(op(true), inputs, probe, at::kDouble)), 2e-6);
  const Op swapped = [](const Tensors& x) {
    const auto halves = x[0].chunk(2, 1);
    return at::silu(halves[1]) * halves[0];
  };
  EXPECT_GT(distance(actual, gradients(swapped, inputs, probe, at::kDouble)), 1e-2);
}

struct HeadsCase {
  HeadCounts counts;
  bool scale_offset, norm;
};

TEST(RowGradient, PrepareHeads) {
  const int64_t rows = 45, positions = 30;
  const at::Tensor angles = noise({positions, 6}, 9) * 3;
  const at::Tensor table_rows = at::arange(rows, at::kLong).remainder(positions);
  for (const HeadsCase& c : std::vector<HeadsCase>{{{4, 2, 12}, true, true},
                                                   {{4, 2, 12}, false, true},
                                                   {{4, 2, 12}, true, false},
                                                   {{3, 3, 12}, false, false},
                                                   {{4, 0, 12}, true, true},
                                                   {{0, 2, 12}, false, true}}) {
    const int64_t q_size = c.counts.query_heads * 12, k_size = c.counts.key_heads * 12;
    Tensors inputs{noise({rows, q_size + 2 * k_size}, 1)};
    const bool scaled = c.scale_offset && q_size > 0;
    if (scaled) inputs.insert(inputs.end(), {noise({q_size}, 2), noise({q_size}, 3)});
    if (c.norm && q_size > 0) inputs.push_back(noise({12}, 4));
    if (c.norm && k_size > 0) inputs.push_back(noise({12}, 5));
    const auto op = [&](bool plain, int64_t turn) -> Op {
      return [=](const Tensors& x) {
        const at::ScalarType type = x[0].scalar_type();
        const Rotation rotation{angles.cos().to(type), (turn * angles).sin().to(type), table_rows};
        HeadWeights weights;
        size_t next = 1;
        if (scaled) weights.scale = x[next++], weights.offset = x[next++];
        if (c.norm && q_size > 0) weights.q_norm = x[next++];
        if (c.norm && k_size > 0) weights.k_norm = x[next++];
        weights.norm_eps = 1e-5;
        const PreparedHeads heads = plain ? reference::prepare_heads(x[0], c.counts, weights, rotation)
                                          : prepare_heads(x[0], c.counts, weights, rotation);
        Tensors parts;
        if (heads.q.defined()) parts.push_back(heads.q);
        if (heads.kv.defined()) parts.push_back(heads.kv);
        return at::cat(parts, 1);
      };
    };
    const at::Tensor probe = noise(inputs[0].sizes(), 6);
    EXPECT_LT(finite_difference_error(op(true, 1), inputs, probe), 1e-6);
    const Tensors actual = gradients(op(false, 1), inputs, probe, at::kFloat);
    EXPECT_LT(distance(actual, gradients(op(true, 1), inputs, probe, at::kDouble)), 5e-6);
    EXPECT_GT(distance(actual, gradients(op(true, -1), inputs, probe, at::kDouble)), 1e-2);
  }
}

TEST(Linear, GradientsInEveryPolicy) {
  const Tensors inputs{noise({70, 24}, 1), noise({36, 24}, 2)};
  const at::Tensor probe = noise({70, 36}, 3);
  const auto op = [](const ProductPolicy& policy) -> Op {
    return [=](const Tensors& x) { return linear(x[0], x[1], policy); };
  };
  const Op plain = [](const Tensors& x) { return at::mm(x[0], x[1].t()); };
  const Tensors expected = gradients(plain, inputs, probe, at::kDouble);
  EXPECT_LT(distance(gradients(op({false, false}), inputs, probe, at::kFloat), expected), 2e-6);
  EXPECT_LT(distance(gradients(op({false, true}), inputs, probe, at::kFloat), expected), 2e-6);
  const double rounded = distance(gradients(op({true, false}), inputs, probe, at::kFloat), expected);
  EXPECT_LT(rounded, 2e-2);
  EXPECT_GT(rounded, 1e-5);  // bf16 did run
}

TEST(Loss, CrossEntropyInChunksIsThePlainOne) {
  const int64_t rows = 53, classes = 71;
  const Tensors inputs{noise({rows, 16}, 1), noise({classes, 16}, 2)};
  const at::Tensor targets = at::arange(rows, at::kLong).mul(29).remainder(classes);
  const at::Tensor weights = noise({rows}, 3).abs();
  const Op plain = [&](const Tensors& x) {
    const at::Tensor log_p = at::log_softmax(at::mm(x[0], x[1].t()), 1);
    return (-log_p.gather(1, targets.unsqueeze(1)).squeeze(1) * weights.to(log_p.dtype())).sum();
  };
  const at::Tensor probe = at::full({}, 1.7, at::kDouble);
  const Tensors expected = gradients(plain, inputs, probe, at::kDouble);
  for (const int64_t chunk : {1, 8, 53, 0}) {
    RowResults results;
    const Op op = [&](const Tensors& x) {
      return cross_entropy({x[0], x[1], targets, weights.to(x[0].dtype())}, {}, &results, chunk);
    };
    EXPECT_LT(distance(gradients(op, inputs, probe, at::kFloat), expected), 5e-6) << chunk;
    EXPECT_LT(distance(gradients(op, inputs, probe, at::kDouble), expected), 1e-12) << chunk;
    const at::Tensor logits = at::mm(inputs[0], inputs[1].t());
    EXPECT_TRUE(results.best.equal(logits.argmax(1)));
  }
  EXPECT_LT(finite_difference_error(plain, inputs, probe), 1e-6);
}

TEST(Loss, DistillationVanishesAtTheTeacher) {
  const int64_t rows = 20, classes = 31;
  const Tensors inputs{noise({rows, 8}, 1), noise({classes, 8}, 2)};
  const at::Tensor targets = at::zeros({rows}, at::kLong), weights = at::ones({rows}, at::kDouble);
  const Teacher same{inputs[0], inputs[1]}, other{noise({rows, 8}, 5), noise({classes, 8}, 6)};
  const auto op = [&](const Teacher& teacher) -> Op {
    return [&](const Tensors& x) {
      return distillation({x[0], x[1], targets, weights}, teacher, {}, nullptr, 7);
    };
  };
  const at::Tensor probe = at::ones({}, at::kDouble);
  for (const at::Tensor& t : gradients(op(same), inputs, probe, at::kDouble)) {
    EXPECT_LT(t.abs().max().item<double>(), 1e-12);
  }
  EXPECT_LT(finite_difference_error(op(other), inputs, probe), 1e-6);
  EXPECT_GT(gradients(op(other), inputs, probe, at::kDouble)[1].abs().max().item<double>(), 1e-2);
}

TEST(Recomputed, GivesTheSameGradients) {
  const Tensors inputs{noise({12, 8}, 1), noise({12, 8}, 2), noise({8, 8}, 3)};
  const at::Tensor probe = noise({24, 8}, 4);
  const auto layer = [](const at::Tensor& w) -> LayerFunction {
    return [w](const Tensors& x) {
      const at::Tensor y = training::linear(x[0], w, {});
      return Tensors{y, silu_mul(at::cat({y, x[1]}, 1))};
    };
  };
  const Op direct = [&](const Tensors& x) { return at::cat(layer(x[2])({x[0], x[1]})); };
  const Op again = [&](const Tensors& x) { return at::cat(recomputed(layer(x[2]), {x[0], x[1]}, {x[2]})); };
  EXPECT_LT(
      distance(gradients(again, inputs, probe, at::kFloat), gradients(direct, inputs, probe, at::kDouble)),
      5e-6);
}

}  // namespace
}  // namespace orthros::training
