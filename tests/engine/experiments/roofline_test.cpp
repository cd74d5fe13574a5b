// Roofline and FLOP ratios: the published numbers of the Qwen3-8B shape, counts against a plain loop, shares
// that reach 1 exactly at the ceilings.
#include "engine/experiments/roofline.h"

#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/json.h"

namespace orthros {
namespace {

using ::testing::HasSubstr;

ModelConfig read_config(const std::string& name) {
  std::ifstream file(std::string(ORTHROS_FIXTURES) + "/configs/" + name + "/config.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto json = parse_json(text, name);
  EXPECT_TRUE(json) << json.error().line();
  auto config = parse_model_config(*json);
  EXPECT_TRUE(config) << config.error().line();
  return *config;
}

ModelConfig as(const ModelConfig& config, Architecture architecture, int64_t window = 128,
               int64_t sinks = 0) {
  auto result = with_architecture(config, architecture, WindowSpec{window, sinks});
  EXPECT_TRUE(result) << result.error().line();
  return *result;
}

TEST(FlopRatio, OfTheQwen3Shape) {
  const ModelConfig transformer = read_config("qwen3-8b"), orthros = as(transformer, Architecture::orthros);
  EXPECT_EQ(flop_balance_tokens(transformer), 47'104);
  EXPECT_NEAR(prefill_flop_ratio(transformer, orthros, 131'072).paper, 3.76, 0.02);
  EXPECT_NEAR(prefill_flop_ratio(transformer, orthros, 1'048'576).paper, 23.1, 0.1);
  EXPECT_NEAR(prefill_flop_ratio(transformer, orthros, 8'192).paper, 1.17, 0.01);
  // A window eight times as wide must not give the same numbers.
  EXPECT_LT(prefill_flop_ratio(transformer, as(transformer, Architecture::orthros, 1024), 131'072).paper,
            3.72);
}

TEST(FlopRatio, OfWhatRunsIsAnotherNumberOfTheSameSize) {
  const ModelConfig transformer = read_config("qwen3-8b"), orthros = as(transformer, Architecture::orthros);
  for (const int64_t tokens : {1024, 16'384, 131'072}) {
    const FlopRatio ratio = prefill_flop_ratio(transformer, orthros, tokens);
    EXPECT_NE(ratio.engine, ratio.paper);
    EXPECT_NEAR(ratio.engine / ratio.paper, 1, 0.03);
    const FlopRatio same = prefill_flop_ratio(transformer, transformer, tokens);
    EXPECT_EQ(same.paper, 1);
    EXPECT_EQ(same.engine, 1);
  }
}

TEST(Roofline, RatesOfThePapersTable4) {
  const ModelConfig transformer = read_config("qwen3-8b"), orthros = as(transformer, Architecture::orthros);
  // TTFT of two prompts of 128K: 77.249 and 17.016 s. niah-and-latency.md 3 has 178 and 215 TFLOP/s.
  EXPECT_NEAR(2 * prefill_flop(transformer, 131'072).paper / 77.249 / 1e12, 178, 0.6);
  EXPECT_NEAR(2 * prefill_flop(orthros, 131'072).paper / 17.016 / 1e12, 215, 0.6);
}

TEST(Roofline, DecodeOfTheQwen3ShapeMoves53GigabytesAStep) {
  const ModelConfig transformer = read_config("qwen3-8b"), orthros = as(transformer, Architecture::orthros);
  const double weights = read_weight_bytes(transformer, 2);
  const Work step = decode_step_work(transformer, ScalarType::bfloat16, weights, 2, 131'072);
  EXPECT_NEAR(step.bytes / 1e9, 53.8, 0.05);
  const auto seconds = roofline_seconds(step, {1e15, 3.35e12});
  ASSERT_TRUE(seconds);
  EXPECT_NEAR(*seconds * 1e3, 16.1, 0.05);
  // The second stream adds arithmetic and no traffic.
  const Work two_streams = decode_step_work(orthros, ScalarType::bfloat16, weights, 2, 131'072);
  EXPECT_EQ(two_streams.bytes, step.bytes);
  EXPECT_GT(two_streams.flop, step.flop * 1.05);
  EXPECT_LT(two_streams.flop, step.flop * 2);
  const Work window =
      decode_step_work(as(transformer, Architecture::swa, 128, 4), ScalarType::bfloat16, weights, 2, 131'072);
  EXPECT_DOUBLE_EQ(window.bytes - weights,
                   2 * 132 * static_cast<double>(kv_bytes_per_token(transformer, ScalarType::bfloat16)));
}

/// FLOP of one decode step by walking over layers, streams, matrices and keys.
double counted_step_flop(const ModelConfig& config, int64_t tokens) {
  const auto product = [](int64_t in, int64_t out) {
    return 2.0 * static_cast<double>(in) * static_cast<double>(out);
  };
  const int64_t d = config.hidden_size, f = config.intermediate_size;
  double flop = product(d, config.vocab_size);
  for (int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
    const LayerSpec& spec = config.layers[static_cast<size_t>(layer)];
    const bool orthros = spec.mixer == MixerKind::orthros_attention,
               last = layer + 1 == config.num_hidden_layers;
    flop += 2 * product(d, config.kv_size());  // K and V, base row only
    for (int stream = 0; stream < (orthros ? 2 : 1); ++stream) {
      const bool base = stream == 0;
      if (orthros && base && last) continue;
      flop += product(d, config.q_size()) + product(config.q_size(), d) + 2 * product(d, f) + product(f, d);
      for (int64_t key = 0; key < tokens; ++key) {
        const bool seen = (orthros && !base) || spec.window.sees(tokens - 1, key);
        if (seen) flop += 2 * product(1, config.q_size());  // scores and values
      }
    }
  }
  return flop;
}

TEST(Roofline, DecodeFlopIsWhatALoopCounts) {
  const ModelConfig source = read_config("qwen3-8b");
  for (const Architecture architecture :
       {Architecture::transformer, Architecture::swa, Architecture::orthros}) {
    const ModelConfig config = as(source, architecture, 128, 4);
    for (const int64_t tokens : {1, 100, 131, 132, 133, 700}) {
      const Work one = decode_step_work(config, ScalarType::bfloat16, 0, 1, tokens);
      EXPECT_NEAR(one.flop / counted_step_flop(config, tokens), 1, 1e-12) << tokens;
      EXPECT_DOUBLE_EQ(decode_step_work(config, ScalarType::bfloat16, 0, 3, tokens).flop, 3 * one.flop);
    }
  }
}

TEST(Roofline, SharesAreOneAtTheCeilingAndFallWithTime) {
  const MachineCeilings machine{1e12, 1e11};
  const Work compute{4e12, 1e11}, memory{1e12, 4e11};
  const auto at_peak = roofline_share(compute, 4, machine);
  ASSERT_TRUE(at_peak);
  EXPECT_DOUBLE_EQ(at_peak->flop_share, 1);
  EXPECT_DOUBLE_EQ(at_peak->byte_share, 0.25);
  EXPECT_DOUBLE_EQ(at_peak->efficiency, 1);
  EXPECT_TRUE(at_peak->compute_bound);
  const auto slow = roofline_share(memory, 8, machine);
  EXPECT_DOUBLE_EQ(slow->byte_share, 0.5);
  EXPECT_DOUBLE_EQ(slow->efficiency, 0.5);
  EXPECT_FALSE(slow->compute_bound);
  EXPECT_DOUBLE_EQ(*roofline_seconds(memory, machine, slow->efficiency), 8)
      << "an efficiency gives its time back";
  EXPECT_FALSE(roofline_share(compute, 0, machine));
  EXPECT_FALSE(roofline_share(compute, 1, {0, 1e11}));
  EXPECT_FALSE(roofline_share(compute, 1, {1e12, 0}));
  EXPECT_FALSE(roofline_seconds(compute, machine, 0));
}

TEST(Roofline, PrefillWorkGrowsWithTheBatchAndReadsWeightsOnce) {
  const ModelConfig config = read_config("qwen3-8b");
  const double weights = read_weight_bytes(config, 2);
  const Work one = prefill_work(config, ScalarType::bfloat16, weights, 1, 4096);
  const Work four = prefill_work(config, ScalarType::bfloat16, weights, 4, 4096);
  EXPECT_DOUBLE_EQ(four.flop, 4 * one.flop);
  EXPECT_DOUBLE_EQ(four.bytes - weights, 4 * (one.bytes - weights));
  EXPECT_DOUBLE_EQ(one.bytes - weights, 2.0 * 4096 * 147'456);
  EXPECT_GT(one.flop, prefill_flop(config, 4096).engine);
}

TEST(FlopRatio, AMeasuredSpeedUpAboveItIsExplained) {
  EXPECT_EQ(against_flop_ratio({4.54, {4.5, 4.6}}, 3.76), AgainstFlops::above);
  EXPECT_EQ(against_flop_ratio({3.5, {3.4, 3.6}}, 3.76), AgainstFlops::below);
  EXPECT_EQ(against_flop_ratio({3.7, {3.5, 3.9}}, 3.76), AgainstFlops::agrees);
  EXPECT_EQ(against_flop_ratio({3.8, {3.5, 3.9}}, 3.76), AgainstFlops::agrees);
  EXPECT_THAT(explanation(AgainstFlops::above), HasSubstr("baseline's attention"));
  EXPECT_STRNE(explanation(AgainstFlops::below), explanation(AgainstFlops::agrees));
}

}  // namespace
}  // namespace orthros
