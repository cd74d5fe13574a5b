// A training run small enough for a test: 20 steps of two stages on a tiny model, and the curve it makes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/model/runtime.h"
#include "engine/training/trainer.h"
#include "tests/support/model_fixture.h"
#include "tests/support/temp_folder.h"

namespace orthros::training {

namespace fs = std::filesystem;

inline Json model_json(const std::string& type) {
  Json json = {{"model_type", type},          {"base_model_type", "llama"},
               {"hidden_size", 32},           {"intermediate_size", 48},
               {"num_hidden_layers", 2},      {"num_attention_heads", 2},
               {"num_key_value_heads", 2},    {"head_dim", 16},
               {"vocab_size", 320},           {"max_position_embeddings", 512},
               {"rms_norm_eps", 1e-5},        {"rope_theta", 10000.0},
               {"tie_word_embeddings", false}};
  if (type == "orthros") {
    json["layer_types"] = {"orthros_attention", "orthros_attention"};
    json["window_size"] = 8;
    json["num_sink_tokens"] = 0;
    json["scale_offset"] = true;
  } else {
    json.erase("base_model_type");
  }
  return json;
}

inline Json config_json(const fs::path& output) {
  return {{"model", model_json("orthros")},
          {"tokenizer", (test::fixtures() / "tiny/llama-tokenizer").string()},
          {"output", output.string()},
          {"seed", 5},
          {"checkpoint_every", 7},
          {"optimizer", {{"lr", 3e-3}, {"warmup_steps", 5}}},
          {"stages",
           Json::array(
               {{{"task", "needle"},
                 {"max_steps", 12},
                 {"length", 48},
                 {"batch", 4},
                 {"needles", 3},
                 {"questions", 2},
                 {"grammar", "pair"},
                 {"digits", 1},
                 {"names", 6},
                 {"window", 4}},
                {{"task", "recall"}, {"max_steps", 8}, {"length", {24, 32}}, {"batch", 4}, {"keys", 40}}})}};
}

inline TrainConfig parsed(const Json& json) {
  auto config = parse_train_config(json, "/");
  EXPECT_TRUE(config) << config.error().line();
  return std::move(*config);
}

// One thread: at these sizes a team costs more than it gives.
class Training : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(set_num_threads(1)); }
};

struct Curve {
  std::vector<double> loss, norm, rate, exact;

  TrainHooks hooks() {
    TrainHooks hooks;
    hooks.on_step = [this](const StepEvent& e) -> Result<void> {
      loss.push_back(e.loss);
      norm.push_back(e.gradient_norm);
      rate.push_back(e.learning_rate);
      exact.push_back(e.exact);
      return {};
    };
    return hooks;
  }
};

inline Result<TrainSummary> run(const Json& json, Curve& curve, bool resume = false, int64_t stop_after = 0) {
  TrainHooks hooks = curve.hooks();
  hooks.resume = resume;
  hooks.stop_after = stop_after;
  return train(parsed(json), hooks);
}

}  // namespace orthros::training
