// The trace of a pass is the pass: bits equal to what the engine gives without a watcher, every regime's
// shape, the shelf the same without output copies, and each tensor what its name says.
#include "engine/inference/pass_trace.h"

#include <gmock/gmock.h>

#include "engine/inference/evaluate.h"
#include "tests/support/model_fixture.h"

namespace orthros {
namespace {

using ::testing::ElementsAre;

const std::vector<TokenId> kIds{258, 274, 282, 259, 275,
                                283, 260, 276, 285, 258};  // Ann red and Ben blue ...
constexpr int64_t kTokens = 10;
constexpr int64_t kWindow = 4;

std::shared_ptr<const Model> lesson_model() {
  static const std::shared_ptr<const Model> model = [] {
    auto files = open_model(ORTHROS_SOURCE "/sample_models/lesson");
    EXPECT_TRUE(files) << files.error().line();
    auto loaded = Model::load(std::move(*files), test::exact());
    EXPECT_TRUE(loaded) << loaded.error().line();
    return *loaded;
  }();
  return model;
}

PassTrace trace(Regime regime, bool output_on = true, std::vector<TokenId> ids = kIds) {
  const auto model = lesson_model();
  auto result = trace_pass(model, model->config(), {std::move(ids), regime, 6, output_on});
  EXPECT_TRUE(result) << result.error().line();
  return *result;
}

std::vector<int64_t> range(int64_t begin, int64_t end) {
  std::vector<int64_t> all;
  for (int64_t i = begin; i < end; ++i) all.push_back(i);
  return all;
}

TEST(PassTrace, LogitsAreTheBitsOfAnUnwatchedPass) {
  const auto model = lesson_model();
  for (const Regime regime : {Regime::pt, Regime::sft, Regime::prefill}) {
    const PassTrace traced = trace(regime);
    EvaluateRequest request;
    request.ids = kIds;
    request.regime = regime;
    request.prompt_length = 6;
    const test::LogitRows rows = test::evaluate_rows(model, model->config(), request);
    ASSERT_EQ(std::ssize(rows), std::ssize(traced.output_positions())) << to_string(regime);
    for (const int64_t position : traced.output_positions()) {
      const auto own = traced.logits.row(traced.layers.back().output.row_of(position));
      EXPECT_TRUE(std::ranges::equal(own, rows.at(position))) << to_string(regime) << " at " << position;
    }
  }
  // Decode: the step after a prefill.
  SessionOptions options;
  options.capacity = kTokens;
  auto session = Session::create(model, model->config(), options);
  ASSERT_TRUE(session);
  ASSERT_TRUE(session->prefill({{kIds.begin(), kIds.end() - 1}}));
  ASSERT_TRUE(session->step({kIds.back()}));
  EXPECT_TRUE(std::ranges::equal(trace(Regime::decode).logits.row(0), session->logits()));
}

TEST(PassTrace, RegimesDifferInTheirOutputRowsAlone) {
  EXPECT_EQ(trace(Regime::pt).output_positions(), range(0, kTokens));
  EXPECT_EQ(trace(Regime::sft).output_positions(), range(5, kTokens));
  EXPECT_THAT(trace(Regime::prefill).output_positions(), ElementsAre(kTokens - 1));
  const PassTrace decode = trace(Regime::decode);
  EXPECT_THAT(decode.output_positions(), ElementsAre(kTokens - 1));
  EXPECT_THAT(decode.layers[0].base.positions, ElementsAre(kTokens - 1));
  EXPECT_EQ(trace(Regime::pt).layers[0].base.positions, range(0, kTokens));
  for (const Regime regime : {Regime::sft, Regime::prefill}) {
    EXPECT_EQ(trace(regime).shelf_sha256, trace(Regime::pt).shelf_sha256) << to_string(regime);
  }
  for (const Regime regime : {Regime::pt, Regime::sft, Regime::prefill, Regime::decode})
    EXPECT_EQ(trace(regime).candidates(kTokens - 1, 1).front().id, 274) << to_string(regime);  // " red"
}

TEST(PassTrace, TheShelfIsBitForBitTheSameWithoutOutputCopies) {
  for (const Regime regime : {Regime::pt, Regime::sft, Regime::prefill, Regime::decode}) {
    const PassTrace on = trace(regime), off = trace(regime, false);
    EXPECT_EQ(on.shelf_sha256, off.shelf_sha256) << to_string(regime);
    EXPECT_EQ(on.shelf_sha256.size(), 64U);
    EXPECT_TRUE(off.output_positions().empty());
    EXPECT_TRUE(off.logits.empty());
    EXPECT_EQ(on.layers[1].keys, off.layers[1].keys);
  }
  std::vector<TokenId> other = kIds;
  other[2] = 284;
  EXPECT_NE(trace(Regime::pt).shelf_sha256, trace(Regime::pt, true, other).shelf_sha256);  // it can differ
}

TEST(PassTrace, EachTensorIsWhatItsNameSays) {
  const PassTrace traced = trace(Regime::pt);
  const auto weights = traced_weights(*lesson_model());
  ASSERT_TRUE(weights) << weights.error().line();
  const LayerTrace& first = traced.layers[0];
  EXPECT_EQ(first.base[PassTensor::x], first.output[PassTensor::x]);  // invariant 7
  EXPECT_NE(first.base[PassTensor::query], first.output[PassTensor::query]);
  const auto near = [](std::span<const float> row, int64_t column, double value, const char* what) {
    EXPECT_NEAR(row[static_cast<size_t>(column)], value, 2e-5) << what;
  };
  for (size_t layer = 0; layer < 2; ++layer) {
    const LayerTrace& own = traced.layers[layer];
    const TracedWeights::Layer& w = weights->layers[layer];
    for (int64_t t = 0; t < kTokens; ++t) {
      const auto dot = [](std::span<const float> a, std::span<const float> b) {
        double sum = 0;
        for (size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
        return sum;
      };
      for (const int64_t c : {0, 5, 23, 63}) {
        near(own.base[PassTensor::projected_key].row(t), c,
             dot(own.base[PassTensor::normed].row(t), w.key.row(c)), "key");
        near(own.values.row(t), c, own.base[PassTensor::value].row(t)[static_cast<size_t>(c)], "value");
        near(own.output[PassTensor::projected_query].row(t), c,
             dot(own.output[PassTensor::normed].row(t), w.query.row(c)), "query");
        near(own.output[PassTensor::mixed].row(t), c,
             dot(own.output[PassTensor::attended].row(t), w.output.row(c)), "mixed");
        near(own.output[PassTensor::residual].row(t), c,
             own.output[PassTensor::x].row(t)[static_cast<size_t>(c)] +
                 own.output[PassTensor::mixed].row(t)[static_cast<size_t>(c)],
             "residual");
        near(own.output[PassTensor::ffn].row(t), c, dot(own.output[PassTensor::hidden].row(t), w.down.row(c)),
             "ffn");
        const PassTensor next = layer == 0 ? PassTensor::x : PassTensor::last;
        const StreamTrace& after = traced.layers[1].output;
        near(after[next].row(t), c,
             own.output[PassTensor::residual].row(t)[static_cast<size_t>(c)] +
                 own.output[PassTensor::ffn].row(t)[static_cast<size_t>(c)],
             "next");
      }
    }
  }
  EXPECT_TRUE(traced.layers[1].base[PassTensor::query].empty());  // nothing reads it: not made
}

TEST(PassTrace, WeightsStandOnTheSupportAndSumToOne) {
  const PassTrace traced = trace(Regime::pt);
  for (int64_t head = 0; head < traced.heads; ++head) {
    for (int64_t t = 0; t < kTokens; ++t) {
      const auto base = traced.layers[0].base.weights_of(t, head, kTokens);
      const auto output = traced.layers[1].output.weights_of(t, head, kTokens);
      ASSERT_EQ(std::ssize(base), kTokens);
      double base_sum = 0, output_sum = 0;
      for (int64_t key = 0; key < kTokens; ++key) {
        EXPECT_EQ(base[static_cast<size_t>(key)] > 0, key <= t && key > t - kWindow);
        EXPECT_EQ(output[static_cast<size_t>(key)] > 0, key <= t);
        base_sum += base[static_cast<size_t>(key)];
        output_sum += output[static_cast<size_t>(key)];
      }
      EXPECT_NEAR(base_sum, 1, 1e-5);
      EXPECT_NEAR(output_sum, 1, 1e-5);
    }
  }
}

TEST(PassTrace, FlopAreThoseOfTheCostModel) {
  const ModelConfig& config = lesson_model()->config();
  const PassFlop prefill = count_flop(config, trace(Regime::prefill));
  // One output row in each layer, whose keys and values nobody makes.
  const double unmade = 2.0 * 2 * static_cast<double>(2 * config.hidden_size * config.kv_size());
  EXPECT_DOUBLE_EQ(prefill.total() - prefill.head, prefill_flop(config, kTokens).engine - unmade);
  const PassFlop pt = count_flop(config, trace(Regime::pt));
  EXPECT_EQ(pt.base_scores, prefill.base_scores);
  EXPECT_EQ(pt.output_scores, 4.0 * 64 * 2 * (kTokens * (kTokens + 1) / 2));
}

TEST(PassTrace, WhatCannotBeTracedIsRefused) {
  const auto model = lesson_model();
  const auto says = [&](const PassTraceRequest& request) {
    const auto result = trace_pass(model, model->config(), request);
    return result ? std::string() : result.error().line();
  };
  EXPECT_THAT(says({{}, Regime::pt, 0, true}), testing::HasSubstr("1 to 64 tokens"));
  EXPECT_THAT(says({std::vector<TokenId>(65, 258), Regime::pt, 0, true}), testing::HasSubstr("not 65"));
  EXPECT_THAT(says({kIds, Regime::sft, 11, true}), testing::HasSubstr("prompt length"));
  EXPECT_THAT(says({{999}, Regime::pt, 0, true}), testing::HasSubstr("999"));
  const auto plain = with_architecture(model->config(), Architecture::transformer, {});
  ASSERT_TRUE(plain);
  EXPECT_FALSE(trace_pass(model, *plain, {kIds, Regime::pt, 0, true}));
}

}  // namespace
}  // namespace orthros
