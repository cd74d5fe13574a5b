// The trainer's forward pass and the engine's decoder are one model: same logits in every architecture and
// regime; what the trainer writes the engine opens.
#include "engine/training/train_model.h"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include "engine/training/losses.h"
#include "tests/support/model_fixture.h"
#include "tests/support/temp_folder.h"

namespace orthros::training {
namespace {

constexpr double kTolerance = 5e-4;

const std::vector<std::string>& fixtures() {
  static const std::vector<std::string> names{"tiny/llama-mha",
                                              "tiny/llama-gqa-bf16-sharded",
                                              "tiny/llama3-rope",
                                              "tiny/qwen3-gqa",
                                              "tiny/qwen3-yarn",
                                              "tiny/qwen3-tied-v5",
                                              "tiny/mistral-window",
                                              "tiny/orthros-llama-w4-s0-so",
                                              "tiny/orthros-llama-w4-s2",
                                              "tiny/orthros-qwen3-w4-s0",
                                              "tiny/orthros-qwen3-w4-s2-so"};
  return names;
}

at::Tensor to_tensor(const std::vector<std::vector<TokenId>>& ids) {
  at::Tensor tensor =
      at::empty({static_cast<int64_t>(ids.size()), static_cast<int64_t>(ids[0].size())}, at::kLong);
  for (size_t b = 0; b < ids.size(); ++b) {
    std::copy(ids[b].begin(), ids[b].end(), tensor.data_ptr<int64_t>() + b * ids[b].size());
  }
  return tensor;
}

/// Logits [B, n, V] of the trainer.
at::Tensor train_logits(const TrainModel& model, const at::Tensor& ids, const at::Tensor& positions,
                        const ForwardOptions& options = {}) {
  const at::NoGradGuard guard;
  const at::Tensor hidden = model.forward(ids, positions, options);
  return at::mm(hidden, model.parameters().head().t())
      .view({ids.size(0), -1, model.parameters().config().vocab_size});
}

TrainModel load_model(const std::shared_ptr<const Model>& source, const ModelConfig& config) {
  auto model = TrainModel::create(config);
  EXPECT_TRUE(model) << model.error().line();
  const auto loaded = model->parameters().load(*source->files().weights);
  EXPECT_TRUE(loaded) << loaded.error().line();
  return std::move(*model);
}

/// Largest difference between the trainer's logits and the engine's at the positions [B, n].
double difference(const at::Tensor& logits, const std::vector<test::LogitRows>& engine,
                  const at::Tensor& positions) {
  double worst = 0;
  for (int64_t b = 0; b < logits.size(0); ++b) {
    for (int64_t i = 0; i < logits.size(1); ++i) {
      const int64_t t = positions[positions.size(0) == 1 ? 0 : b][i].item<int64_t>();
      const auto row = engine[static_cast<size_t>(b)].find(t);
      if (row == engine[static_cast<size_t>(b)].end()) return INFINITY;
      const at::Tensor expected =
          at::from_blob(const_cast<float*>(row->second.data()), {logits.size(2)}, at::kFloat);
      worst = std::max(worst, (logits[b][i] - expected).abs().max().item<double>());
    }
  }
  return worst;
}

std::vector<test::LogitRows> engine_rows(const std::shared_ptr<const Model>& model, const ModelConfig& config,
                                         const std::vector<std::vector<TokenId>>& ids) {
  std::vector<test::LogitRows> rows;
  for (const auto& sequence : ids) {
    EvaluateRequest request;
    request.ids = sequence;
    rows.push_back(test::evaluate_rows(model, config, request));
  }
  return rows;
}

std::vector<ModelConfig> architectures(const ModelConfig& config) {
  std::vector<ModelConfig> all{config};
  for (const WindowSpec window : {WindowSpec{3, 0}, WindowSpec{5, 2}}) {
    for (const Architecture to : {Architecture::transformer, Architecture::swa, Architecture::orthros}) {
      auto converted = with_architecture(config, to, window);
      EXPECT_TRUE(converted);
      // The engine reads weights that have scale-offsets with them, whatever the config says.
      if (config.layers[0].scale_offset && !converted->layers[0].scale_offset) continue;
      all.push_back(std::move(*converted));
    }
  }
  return all;
}

at::Tensor own_rows(int64_t batch) {
  // Rows of their own in each sequence.
  const at::Tensor rows = at::tensor({1, 2, 7, 11, 0, 3, 9, 13}, at::kLong).view({2, 4});
  return rows.narrow(0, 0, std::min<int64_t>(batch, 2)).contiguous();
}

TEST(TrainModel, LogitsEqualTheEnginesInEveryArchitectureAndRegime) {
  for (const std::string& name : fixtures()) {
    const auto source = test::load_fixture(name);
    ASSERT_NE(source, nullptr);
    auto ids = test::read_expected(test::fixtures() / name / "logits.safetensors").ids;
    if (ids.size() == 1) ids.push_back({ids[0].rbegin(), ids[0].rend()});
    const at::Tensor batch = to_tensor(ids);
    for (const ModelConfig& config : architectures(source->config())) {
      const TrainModel model = load_model(source, config);
      const auto engine = engine_rows(source, config, ids);
      const at::Tensor every = at::arange(batch.size(1), at::kLong).unsqueeze(0);
      EXPECT_LT(difference(train_logits(model, batch, {}), engine, every), kTolerance) << name << " PT";
      const at::Tensor rows = own_rows(batch.size(0));
      const at::Tensor sft = train_logits(model, batch, rows);
      EXPECT_LT(difference(sft, engine, rows), kTolerance) << name << " SFT";
      EXPECT_GT(difference(sft, engine, rows + 1), 10 * kTolerance)
          << name << ": neighbouring rows are told apart";
      const at::Tensor shared = at::arange(batch.size(1) - 3, batch.size(1), at::kLong).unsqueeze(0);
      EXPECT_LT(difference(train_logits(model, batch, shared), engine, shared), kTolerance)
          << name << " tail";
    }
  }
}

TEST(TrainModel, WhatItWritesTheEngineOpens) {
  for (const std::string name : {"tiny/orthros-qwen3-w4-s2-so", "tiny/llama-mha", "tiny/qwen3-tied-v5"}) {
    const auto source = test::load_fixture(name);
    ASSERT_NE(source, nullptr);
    TrainModel model = load_model(source, source->config());
    model.parameters().initialise(7, {});
    const test::TempFolder folder;
    const auto written = model.parameters().write_model(
        folder / "model", ScalarType::float32, test::fixtures() / "tiny/llama-tokenizer", Json("seed 7"));
    ASSERT_TRUE(written) << written.error().line();
    EXPECT_EQ(folder.num_files(), 1U);
    auto files = open_model(folder / "model");
    ASSERT_TRUE(files) << files.error().line();
    EXPECT_TRUE(files->tokenizer.has_value());
    const auto reopened = Model::load(std::move(*files), test::exact());
    ASSERT_TRUE(reopened) << reopened.error().line();
    const std::vector<std::vector<TokenId>> ids{{5, 1, 9, 33, 2, 8, 8, 21, 4, 60, 3, 7}};
    const auto engine = engine_rows(*reopened, (*reopened)->config(), ids);
    const at::Tensor every = at::arange(12, at::kLong).unsqueeze(0);
    EXPECT_LT(difference(train_logits(model, to_tensor(ids), {}), engine, every), kTolerance) << name;
    model.parameters().initialise(8, {});
    EXPECT_GT(difference(train_logits(model, to_tensor(ids), {}), engine, every), 0.05) << name;
    EXPECT_FALSE(model.parameters().write_model(folder / "model", ScalarType::float32, {}, {}));
  }
}

/// Gradients of all parameters for a loss at some rows.
std::vector<at::Tensor> gradients(const TrainModel& model, const at::Tensor& ids, const at::Tensor& rows,
                                  const ForwardOptions& options) {
  const at::Tensor hidden = model.forward(ids, rows, options);
  const at::Tensor targets = at::arange(hidden.size(0), at::kLong).remainder(50);
  const at::Tensor weights = at::ones({hidden.size(0)}, at::kFloat);
  const at::Tensor loss =
      cross_entropy({hidden, model.parameters().head(), targets, weights}, options.products);
  std::vector<at::Tensor> leaves;
  for (const NamedParameter& p : model.parameters().all()) leaves.push_back(p.tensor);
  return torch::autograd::grad({loss}, leaves, {}, std::nullopt, false, /*allow_unused=*/true);
}

double largest_difference(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].defined() != b[i].defined()) return INFINITY;
    if (!a[i].defined()) continue;
    worst = std::max(worst, (a[i] - b[i]).abs().max().item<double>() / (1 + b[i].abs().max().item<double>()));
  }
  return worst;
}

TEST(TrainModel, RecomputedLayersGiveTheSameGradients) {
  for (const std::string name : {"tiny/orthros-qwen3-w4-s2-so", "tiny/llama-mha", "tiny/mistral-window"}) {
    const auto source = test::load_fixture(name);
    ASSERT_NE(source, nullptr);
    const TrainModel model = load_model(source, source->config());
    const at::Tensor ids = at::arange(40, at::kLong).view({2, 20}).mul(7).remainder(90);
    for (const at::Tensor& rows : {at::Tensor(), own_rows(2)}) {
      ForwardOptions again;
      again.recompute_layers = true;
      const auto direct = gradients(model, ids, rows, {});
      EXPECT_LT(largest_difference(gradients(model, ids, rows, again), direct), 1e-6) << name;
      const auto parameters = model.parameters().all();
      for (size_t i = 0; i < direct.size(); ++i) {
        // Nothing reads the base stream's queries in the last layer.
        if (parameters[i].name == "layers.1.alpha" || parameters[i].name == "layers.1.beta") continue;
        ASSERT_TRUE(direct[i].defined());
        EXPECT_GT(direct[i].abs().max().item<double>(), 0) << name << " " << parameters[i].name;
      }
    }
  }
}

/// Rows of a subset carry the gradient of a whole pass whose other rows have weight 0: base rows everywhere.
TEST(TrainModel, SftIsPtWithTheOtherRowsUnweighted) {
  for (const std::string name : {"tiny/orthros-llama-w4-s2-so", "tiny/llama3-rope", "tiny/mistral-window"}) {
    const auto source = test::load_fixture(name);
    ASSERT_NE(source, nullptr);
    const TrainModel model = load_model(source, source->config());
    const at::Tensor ids = at::arange(28, at::kLong).view({2, 14}).mul(11).remainder(90);
    const at::Tensor rows = own_rows(2), targets = at::arange(28, at::kLong).remainder(60);
    const at::Tensor flat = (rows + at::arange(2, at::kLong).mul(14).unsqueeze(1)).view({-1});
    const at::Tensor weights = at::zeros({28}, at::kFloat).index_fill(0, flat, 1.0);
    std::vector<at::Tensor> leaves;
    for (const NamedParameter& p : model.parameters().all()) leaves.push_back(p.tensor);
    const auto run = [&](const at::Tensor& positions, const at::Tensor& t, const at::Tensor& w) {
      const at::Tensor hidden = model.forward(ids, positions, {});
      return torch::autograd::grad({cross_entropy({hidden, model.parameters().head(), t, w}, {})}, leaves, {},
                                   std::nullopt, false, true);
    };
    const auto whole = run({}, targets, weights);
    const auto subset = run(rows, targets.index_select(0, flat), at::ones({8}, at::kFloat));
    EXPECT_LT(largest_difference(subset, whole), 1e-5) << name;
  }
}

/// A name, and a config with layers of several kinds in one model.
std::vector<std::pair<std::string, ModelConfig>> mixed_models(const ModelConfig& config) {
  const LayerSpec full, near{MixerKind::sliding_attention, {4, 0}, false},
      sinks{MixerKind::sliding_attention, {3, 2}, false};
  std::vector<std::pair<std::string, ModelConfig>> all;
  const auto add = [&](const std::string& name, const LayerSpec& first, const LayerSpec& second) {
    ModelConfig mixed = config;
    mixed.model_type = "orthros";
    mixed.layers = {first, second};
    all.emplace_back(name, std::move(mixed));
  };
  add("full and sliding", full, near);
  add("sliding and full", near, full);
  add("two windows", near, sinks);
  add("sliding with sinks", sinks, sinks);
  return all;
}

TEST(TrainModel, MixedLayersAreTheEnginesInBothRegimes) {
  const auto source = test::load_fixture("tiny/llama-mha");
  ASSERT_NE(source, nullptr);
  auto ids = test::read_expected(test::fixtures() / "tiny/llama-mha/logits.safetensors").ids;
  if (ids.size() == 1) ids.push_back({ids[0].rbegin(), ids[0].rend()});
  const at::Tensor batch = to_tensor(ids);
  const at::Tensor every = at::arange(batch.size(1), at::kLong).unsqueeze(0);
  at::Tensor before;
  for (const auto& [name, config] : mixed_models(source->config())) {
    const TrainModel model = load_model(source, config);
    const auto engine = engine_rows(source, config, ids);
    const at::Tensor pt = train_logits(model, batch, {});
    EXPECT_LT(difference(pt, engine, every), kTolerance) << name << " PT";
    const at::Tensor rows = own_rows(batch.size(0));
    EXPECT_LT(difference(train_logits(model, batch, rows), engine, rows), kTolerance) << name << " SFT";
    if (before.defined()) {
      EXPECT_GT((pt - before).abs().max().item<double>(), 10 * kTolerance) << name;
    }
    before = pt;
  }
}

/// Slope of a weighted loss along the gradient itself, from two forward passes: independent of autograd.
double slope(const TrainModel& model, const std::function<double()>& loss,
             const std::vector<at::Tensor>& gradient) {
  const at::NoGradGuard guard;
  const auto parameters = model.parameters().all();
  double norm = 0;
  for (const at::Tensor& g : gradient) norm += g.defined() ? g.pow(2).sum(at::kDouble).item<double>() : 0;
  const double step = 2e-3 / std::sqrt(norm);
  const auto move = [&](double by) {
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (gradient[i].defined()) parameters[i].tensor.detach().add_(gradient[i], by);
    }
  };
  move(step);
  const double above = loss();
  move(-2 * step);
  const double below = loss();
  move(step);
  return (above - below) / (2 * step) / norm;
}

/// In both regimes, and with layers run again, every mixer's gradient is the slope of its loss.
TEST(TrainModel, GradientsAreTheSlopeOfTheLossForEveryMixer) {
  const auto plain = test::load_fixture("tiny/llama-mha"),
             two = test::load_fixture("tiny/orthros-llama-w4-s2-so");
  ASSERT_TRUE(plain != nullptr && two != nullptr);
  auto models = mixed_models(plain->config());
  models.emplace_back("full", plain->config());
  models.emplace_back("orthros", two->config());
  const at::Tensor ids = at::arange(28, at::kLong).view({2, 14}).mul(11).remainder(90);
  for (const auto& [name, config] : models) {
    const TrainModel model = load_model(config.has_output_stream() ? two : plain, config);
    for (const at::Tensor& rows : {at::Tensor(), own_rows(2)}) {
      for (const bool again : {false, true}) {
        ForwardOptions options;
        options.recompute_layers = again;
        const auto loss = [&] {
          const at::Tensor hidden = model.forward(ids, rows, options);
          const at::Tensor targets = at::arange(hidden.size(0), at::kLong).remainder(50);
          return cross_entropy(
                     {hidden, model.parameters().head(), targets, at::ones({hidden.size(0)}, at::kFloat)},
                     options.products)
              .item<double>();
        };
        auto gradient = gradients(model, ids, rows, options);
        EXPECT_NEAR(slope(model, loss, gradient), 1, 0.02) << name << (rows.defined() ? " SFT" : " PT");
        // Without the keys' part of the first layer it is another slope.
        const auto parameters = model.parameters().all();
        for (size_t i = 0; i < parameters.size(); ++i) {
          if (parameters[i].name != "layers.0.qkv") continue;
          EXPECT_GT(gradient[i].narrow(0, config.q_size(), config.kv_size()).abs().max().item<double>(),
                    1e-4);
        }
      }
    }
  }
}

/// The curriculum's window is that of sliding layers alone.
TEST(TrainModel, AWindowOfTheStageLeavesFullLayersAlone) {
  const auto source = test::load_fixture("tiny/llama-mha");
  ASSERT_NE(source, nullptr);
  const at::Tensor ids = at::arange(28, at::kLong).view({2, 14}).mul(11).remainder(90);
  ForwardOptions narrow;
  narrow.window = {2, 0};
  const auto logits = [&](const ModelConfig& config, const ForwardOptions& options) {
    return train_logits(load_model(source, config), ids, {}, options);
  };
  EXPECT_TRUE(logits(source->config(), narrow).equal(logits(source->config(), {})));
  ModelConfig sliding = source->config();
  sliding.model_type = "orthros";
  sliding.layers = {{MixerKind::sliding_attention, {4, 0}, false}, {}};
  ModelConfig narrower = sliding;
  narrower.layers[0].window = {2, 0};
  EXPECT_TRUE(logits(sliding, narrow).equal(logits(narrower, {})));
  EXPECT_FALSE(logits(sliding, narrow).equal(logits(sliding, {})));
}

TEST(TrainModel, LayersWithAndWithoutAnOutputStreamAreRefusedTogether) {
  const auto source = test::load_fixture("tiny/orthros-llama-w4-s2");
  ASSERT_NE(source, nullptr);
  for (const LayerSpec& other : {LayerSpec{}, LayerSpec{MixerKind::sliding_attention, {4, 2}, false}}) {
    ModelConfig config = source->config();
    config.layers[1] = other;
    const auto model = TrainModel::create(config);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::unsupported);
  }
}

TEST(TrainModel, InitialisationIsOfTheSeed) {
  const auto source = test::load_fixture("tiny/orthros-llama-w4-s0-so");
  ASSERT_NE(source, nullptr);
  TrainModel a = load_model(source, source->config()), b = load_model(source, source->config());
  a.parameters().initialise(1, {});
  b.parameters().initialise(1, {});
  EXPECT_TRUE(a.parameters().embedding().equal(b.parameters().embedding()));
  EXPECT_TRUE(a.parameters().layer(1).down.equal(b.parameters().layer(1).down));
  b.parameters().initialise(2, {});
  EXPECT_FALSE(a.parameters().embedding().equal(b.parameters().embedding()));
  EXPECT_NEAR(a.parameters().embedding().std().item<double>(), 0.2, 0.01);
  EXPECT_NEAR(a.parameters().layer(0).down.std().item<double>(), 1 / std::sqrt(64.0), 0.01);
}

}  // namespace
}  // namespace orthros::training
