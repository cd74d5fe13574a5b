// Bytes and FLOP against the figures of ORTHROS.md and of the paper.
#include "engine/model/cost_model.h"

#include <gtest/gtest.h>

#include "engine/model/model_files.h"
#include "engine/model/weight_plan.h"

namespace orthros {
namespace {

ModelFiles open_config(const char* name) {
  auto files = open_model(std::filesystem::path(ORTHROS_FIXTURES) / "configs" / name, WeightsNeeded::no);
  EXPECT_TRUE(files) << files.error().line();
  return std::move(*files);
}

TEST(CostModel, PublishedSizesOfTwoEightBillionModels) {
  EXPECT_EQ(count_parameters(open_config("llama-3.1-8b").config).total(), 8'030'261'248);
  EXPECT_EQ(count_parameters(open_config("qwen3-8b").config).total(), 8'190'735'360);
  EXPECT_EQ(kv_bytes_per_token(open_config("llama-3.1-8b").config, ScalarType::bfloat16), 131'072);
  EXPECT_EQ(kv_bytes_per_token(open_config("qwen3-8b").config, ScalarType::bfloat16), 147'456);
}

TEST(CostModel, FlopRatiosOfThePaper) {
  const ModelConfig transformer = open_config("qwen3-8b").config;
  const auto orthros = with_architecture(transformer, Architecture::orthros, WindowSpec{128, 0});
  ASSERT_TRUE(orthros);
  const auto ratio = [&](int64_t tokens) {
    return prefill_flop(transformer, tokens).paper / prefill_flop(*orthros, tokens).paper;
  };
  EXPECT_NEAR(ratio(131072), 3.76, 0.01);
  EXPECT_NEAR(ratio(1048576), 23.1, 0.05);
  EXPECT_NEAR(1 + 131072 / flop_balance_tokens(transformer), 3.78, 0.01);
}

TEST(CostModel, LastLayerSavingIsThatOfEveryArchitecture) {
  const ModelConfig config = open_config("qwen3-8b").config;
  for (const Architecture architecture : {Architecture::transformer, Architecture::swa, Architecture::orthros}) {
    const auto as = with_architecture(config, architecture, WindowSpec{128, 4});
    ASSERT_TRUE(as);
    const PrefillFlop flop = prefill_flop(*as, 32768);
    EXPECT_LT(flop.engine, flop.paper);
    // The saving is about one layer of 36, less the keys and values that are still made.
    EXPECT_GT(flop.engine, flop.paper * (1 - 1.2 / 36));
    EXPECT_LT(flop.engine, flop.paper * (1 - 0.8 / 36));
  }
}

TEST(CostModel, SwaForgetsAndOrthrosKeeps) {
  const ModelConfig config = open_config("llama-3.1-8b").config;
  const auto swa = with_architecture(config, Architecture::swa, WindowSpec{128, 4});
  const auto orthros = with_architecture(config, Architecture::orthros, WindowSpec{128, 4});
  ASSERT_TRUE(swa && orthros);
  const int64_t full = kv_cache_bytes(config, ScalarType::bfloat16, 1, 100'000, 512);
  EXPECT_EQ(full, 100'000 * kv_bytes_per_token(config, ScalarType::bfloat16));
  EXPECT_EQ(kv_cache_bytes(*orthros, ScalarType::bfloat16, 1, 100'000, 512), full);
  EXPECT_EQ(kv_cache_bytes(*swa, ScalarType::bfloat16, 1, 100'000, 512), 644 * kv_bytes_per_token(config, ScalarType::bfloat16));
}

TEST(MemoryPlan, WhatDoesNotFitIsRefusedWithItsNumbers) {
  const ModelFiles files = open_config("llama-3.1-8b");
  const auto plan = make_weight_plan(files.config, *files.weights, {});
  ASSERT_TRUE(plan) << plan.error().line();
  EXPECT_EQ(plan->held_bytes(), 2 * (8'030'261'248 - count_parameters(files.config).other));
  MemoryRequest request;
  request.weight_bytes = plan->held_bytes();
  request.kv_type = ScalarType::bfloat16;
  request.tokens = 100'000'000;
  const MemoryPlan memory = plan_memory(files.config, request);
  EXPECT_EQ(memory.kv_bytes, 100'000'000 * int64_t{131'072});
  const auto refused = check_fits(memory, "the model");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::out_of_memory);
  EXPECT_NE(refused.error().message.find("KV cache 13.11 TB"), std::string::npos) << refused.error().message;
  EXPECT_NE(refused.error().message.find("weights 16.06 GB"), std::string::npos) << refused.error().message;
  request.tokens = 10;
  request.weight_bytes = 1;
  EXPECT_TRUE(check_fits(plan_memory(files.config, request), "the model"));
}

TEST(FormatBytes, FourSignificantDigits) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(46'080), "46.08 kB");
  EXPECT_EQ(format_bytes(999'999), "1 MB");
  EXPECT_EQ(format_bytes(16'060'522'496), "16.06 GB");
}

}  // namespace
}  // namespace orthros
