// AdamW against the update written out, clipping, what is frozen, and the schedules' corners.
#include "engine/training/optimizer.h"

#include <cmath>

#include <gtest/gtest.h>

#include <ATen/core/grad_mode.h>

#include "engine/training/schedule.h"
#include "tests/support/model_fixture.h"

namespace orthros::training {
namespace {

ModelConfig fixture_config(const std::string& name) {
  const auto files = open_model(test::fixtures() / name);
  EXPECT_TRUE(files);
  return files->config;
}

void set_gradients(const Parameters& parameters, double scale) {
  int64_t seed = 0;
  for (const NamedParameter& p : parameters.all()) {
    auto generator = at::detail::createCPUGenerator(static_cast<uint64_t>(++seed));
    p.tensor.mutable_grad() =
        at::randn(p.tensor.sizes(), generator, p.tensor.options().requires_grad(false)) * scale;
  }
}

TEST(AdamW, UpdateIsTheFormula) {
  Parameters parameters(fixture_config("tiny/orthros-qwen3-w4-s2-so"));
  parameters.initialise(3, {});
  AdamWOptions options;
  options.clip_norm = 0;
  options.weight_decay = 0.1;
  options.decay_embedding = false;
  AdamW optimizer(parameters, options, Trainable::all);
  std::vector<at::Tensor> expected, first, second;
  for (const NamedParameter& p : parameters.all()) {
    expected.push_back(p.tensor.detach().to(at::kDouble).clone());
    first.push_back(at::zeros_like(expected.back()));
    second.push_back(at::zeros_like(expected.back()));
  }
  for (int step = 1; step <= 3; ++step) {
    set_gradients(parameters, step);
    const auto all = parameters.all();
    for (size_t i = 0; i < all.size(); ++i) {
      const at::Tensor g = all[i].tensor.grad().to(at::kDouble);
      const bool decays = all[i].kind == ParameterKind::matrix || all[i].kind == ParameterKind::head;
      expected[i].mul_(1 - (decays ? 0.01 * 0.1 : 0));
      first[i] = first[i] * 0.9 + g * 0.1;
      second[i] = second[i] * 0.98 + g * g * 0.02;
      const at::Tensor m = first[i] / (1 - std::pow(0.9, step)), v = second[i] / (1 - std::pow(0.98, step));
      expected[i].sub_(0.01 * m / (v.sqrt() + 1e-8));
    }
    optimizer.step(0.01);
    for (size_t i = 0; i < all.size(); ++i) {
      EXPECT_LT((all[i].tensor.detach() - expected[i]).abs().max().item<double>(), 1e-5) << all[i].name;
    }
  }
}

TEST(AdamW, ClipsByTheNormOfAll) {
  Parameters parameters(fixture_config("tiny/llama-mha"));
  AdamW optimizer(parameters, {}, Trainable::all);
  set_gradients(parameters, 1);
  double squares = 0;
  for (const NamedParameter& p : parameters.all())
    squares += p.tensor.grad().to(at::kDouble).square().sum().item<double>();
  EXPECT_NEAR(optimizer.clip_gradients(), std::sqrt(squares), 1e-4 * std::sqrt(squares));
  EXPECT_NEAR(optimizer.clip_gradients(), 1.0, 1e-4);
  set_gradients(parameters, 1e-6);
  const double small = optimizer.clip_gradients();
  EXPECT_NEAR(optimizer.clip_gradients(), small, 1e-9);
}

TEST(AdamW, WhatIsFrozenDoesNotMove) {
  for (const auto& [what, text] : std::vector<std::pair<Trainable, std::string>>{
           {Trainable::scale_offset, "scale_offset"},
           {Trainable::scale_offset_norms, "scale_offset+norms"},
           {Trainable::scale_offset_norms_qo, "scale_offset+norms+qo"}}) {
    EXPECT_EQ(*parse_trainable(text), what);
    Parameters parameters(fixture_config("tiny/orthros-qwen3-w4-s2-so"));
    parameters.initialise(3, {});
    set_trainable(parameters, what);
    AdamW optimizer(parameters, {}, what);
    std::vector<at::Tensor> before;
    for (const NamedParameter& p : parameters.all()) before.push_back(p.tensor.detach().clone());
    set_gradients(parameters, 1);
    optimizer.clip_gradients();
    optimizer.step(0.01);
    const auto all = parameters.all();
    const int64_t q = parameters.config().q_size();
    for (size_t i = 0; i < all.size(); ++i) {
      const bool norm = all[i].kind == ParameterKind::norm && what != Trainable::scale_offset;
      const bool qkv = all[i].name.ends_with(".qkv"), o = all[i].name.ends_with(".o");
      const bool moves = all[i].kind == ParameterKind::scale_offset || norm ||
                         (what == Trainable::scale_offset_norms_qo && (qkv || o));
      EXPECT_NE(all[i].tensor.equal(before[i]), moves) << text << " " << all[i].name;
      if (!qkv) continue;
      EXPECT_TRUE(all[i].tensor.narrow(0, q, 4).equal(before[i].narrow(0, q, 4))) << text;
    }
  }
  EXPECT_FALSE(parse_trainable("everything"));
}

TEST(LearningRate, Corners) {
  const LearningRate constant{ScheduleKind::constant, 2.0, 10, 0.6, 0.05};
  EXPECT_DOUBLE_EQ(constant.at(0, 0), 0.2);
  EXPECT_DOUBLE_EQ(constant.at(9, 0.1), 2.0);
  EXPECT_DOUBLE_EQ(constant.at(600, 0.6), 2.0);
  EXPECT_DOUBLE_EQ(constant.at(800, 0.8), 2.0 * (1 - 0.95 * 0.5));
  EXPECT_NEAR(constant.at(1000, 1.0), 0.1, 1e-12);
  EXPECT_NEAR(constant.at(2000, 7.0), 0.1, 1e-12);
  const LearningRate cosine{ScheduleKind::cosine, 2.0, 0, 0.6, 0.05};
  EXPECT_DOUBLE_EQ(cosine.at(0, 0), 2.0);
  EXPECT_NEAR(cosine.at(500, 0.5), 2.0 * 0.525, 1e-12);
  EXPECT_NEAR(cosine.at(1000, 1.0), 0.1, 1e-12);
  EXPECT_FALSE(parse_schedule_kind("triangle"));
}

}  // namespace
}  // namespace orthros::training
