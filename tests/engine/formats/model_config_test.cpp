#include "engine/formats/model_config.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/formats/config_samples.h"

namespace orthros {
namespace {

using testing::HasSubstr;

ModelConfig parsed(const Json& json) {
  auto config = parse_model_config(json);
  EXPECT_TRUE(config) << (config ? "" : config.error().line());
  return config.value_or(ModelConfig{});
}

/// The sample with keys replaced; null removes nothing, it is written as null.
Error error_of(Json json, const Json& changes) {
  json.update(changes);
  const auto config = parse_model_config(json);
  EXPECT_FALSE(config) << changes;
  return config ? Error{} : config.error();
}

Json without(Json json, const char* key) {
  json.erase(key);
  return json;
}

TEST(ModelConfig, ReadsLlama31) {
  const ModelConfig config = parsed(test::llama31_8b());
  EXPECT_EQ(config.model_type, "llama");
  EXPECT_EQ(config.base_model_type, "llama");
  EXPECT_EQ(config.hidden_size, 4096);
  EXPECT_EQ(config.intermediate_size, 14336);
  EXPECT_EQ(config.num_hidden_layers, 32);
  EXPECT_EQ(config.num_attention_heads, 32);
  EXPECT_EQ(config.num_key_value_heads, 8);
  EXPECT_EQ(config.head_dim, 128);
  EXPECT_EQ(config.vocab_size, 128256);
  EXPECT_EQ(config.max_position_embeddings, 131072);
  EXPECT_EQ(config.rms_norm_eps, 1e-5);
  EXPECT_EQ(config.rope_theta, 500000.0);
  EXPECT_EQ(config.rope_scaling.type, RopeType::llama3);
  EXPECT_EQ(config.rope_scaling.factor, 8.0);
  EXPECT_EQ(config.rope_scaling.low_freq_factor, 1.0);
  EXPECT_EQ(config.rope_scaling.high_freq_factor, 4.0);
  EXPECT_EQ(config.rope_scaling.original_max_position_embeddings, 8192);
  EXPECT_EQ(config.torch_dtype, "bfloat16");
  EXPECT_EQ(config.bos_token_id, 128000);
  EXPECT_EQ(config.eos_token_ids, (std::vector<int64_t>{128001, 128008, 128009}));
  EXPECT_FALSE(config.qk_norm());
  EXPECT_FALSE(config.has_output_stream());
  EXPECT_EQ(config.layers, std::vector<LayerSpec>(32));
}

TEST(ModelConfig, MissingKeysHaveTheDefaultsOfTheFamily) {
  const ModelConfig config = parsed(test::llama2_7b());
  EXPECT_EQ(config.num_key_value_heads, 32);
  EXPECT_EQ(config.head_dim, 128);
  EXPECT_EQ(config.rope_theta, 10000.0);
  EXPECT_EQ(config.rope_scaling, RopeScaling{});
  EXPECT_EQ(config.eos_token_ids, std::vector<int64_t>{2});
  EXPECT_FALSE(config.tie_word_embeddings);
}

TEST(ModelConfig, ReadsQwen3) {
  const ModelConfig config = parsed(test::qwen3_8b());
  EXPECT_TRUE(config.qk_norm());
  EXPECT_EQ(config.head_dim, 128);
  EXPECT_EQ(config.rope_theta, 1e6);
  EXPECT_EQ(config.layers, std::vector<LayerSpec>(36));
}

TEST(ModelConfig, Transformers5SpellingSaysTheSameAs4) {
  Json five = test::llama31_8b();
  five["rope_parameters"] = five["rope_scaling"];
  five["rope_parameters"]["rope_theta"] = five["rope_theta"];
  five["dtype"] = five["torch_dtype"];
  five["layer_types"] = std::vector<std::string>(32, "full_attention");
  for (const char* key : {"rope_scaling", "rope_theta", "torch_dtype"}) five.erase(key);
  const ModelConfig a = parsed(test::llama31_8b());
  const ModelConfig b = parsed(five);
  EXPECT_EQ(a.rope_scaling, b.rope_scaling);
  EXPECT_EQ(a.rope_theta, b.rope_theta);
  EXPECT_EQ(a.torch_dtype, b.torch_dtype);
  EXPECT_EQ(a.layers, b.layers);
  five["rope_parameters"]["factor"] = 32.0;
  EXPECT_NE(parsed(five).rope_scaling, a.rope_scaling);
}

TEST(ModelConfig, ReadsYarnWithDefaultsAndWithEverything) {
  Json json = test::qwen3_transformers5();
  const RopeScaling plain = parsed(json).rope_scaling;
  EXPECT_EQ(plain.type, RopeType::yarn);
  EXPECT_EQ(plain.factor, 4.0);
  EXPECT_EQ(plain.original_max_position_embeddings, 8192);
  EXPECT_EQ(plain.beta_fast, 32.0);
  EXPECT_EQ(plain.beta_slow, 1.0);
  EXPECT_TRUE(plain.truncate);
  EXPECT_FALSE(plain.attention_factor || plain.mscale || plain.mscale_all_dim);
  json["rope_parameters"].update({{"attention_factor", 1.25},
                                  {"beta_fast", 16},
                                  {"beta_slow", 2},
                                  {"mscale", 0.7},
                                  {"mscale_all_dim", 0},
                                  {"truncate", false}});
  const RopeScaling full = parsed(json).rope_scaling;
  EXPECT_EQ(full.attention_factor, 1.25);
  EXPECT_EQ(full.beta_fast, 16.0);
  EXPECT_EQ(full.beta_slow, 2.0);
  EXPECT_EQ(full.mscale, 0.7);
  EXPECT_FALSE(full.mscale_all_dim);  // transformers takes 0 for missing
  EXPECT_FALSE(full.truncate);
  json["rope_parameters"].erase("factor");
  EXPECT_EQ(parsed(json).rope_scaling.factor, 4.0);  // 32768 / 8192
}

TEST(ModelConfig, ReadsLinearScalingUnderItsOldName) {
  Json json = test::llama2_7b();
  json["rope_scaling"] = {{"type", "linear"}, {"factor", 2}};
  EXPECT_EQ(parsed(json).rope_scaling.type, RopeType::linear);
  EXPECT_EQ(parsed(json).rope_scaling.factor, 2.0);
}

TEST(ModelConfig, UnknownRopeIsRefusedAndNamed) {
  const Json llama = test::llama2_7b();
  for (const char* type : {"dynamic", "longrope", "su", "ntk"}) {
    const Error error = error_of(llama, {{"rope_scaling", {{"rope_type", type}, {"factor", 2.0}}}});
    EXPECT_EQ(error.code, ErrorCode::unsupported);
    EXPECT_THAT(error.message, HasSubstr(type));
  }
  EXPECT_EQ(error_of(llama, {{"rope_parameters", {{"full_attention", {{"rope_theta", 1e4}}}}}}).code,
            ErrorCode::unsupported);
  EXPECT_EQ(error_of(llama, {{"partial_rotary_factor", 0.5}}).code, ErrorCode::unsupported);
}

TEST(ModelConfig, ImpossibleRopeIsRefused) {
  const auto scaled = [](const Json& scaling) {
    return error_of(test::llama31_8b(), {{"rope_scaling", scaling}});
  };
  EXPECT_THAT(scaled({{"rope_type", "llama3"}, {"factor", 8.0}}).message,
              HasSubstr("low_freq_factor is missing"));
  Json llama3 = test::llama31_8b()["rope_scaling"];
  for (const auto& [key, value] : {std::pair<const char*, Json>{"factor", 0},
                                   {"factor", -1},
                                   {"factor", "8"},
                                   {"low_freq_factor", 4.0},
                                   {"high_freq_factor", 0.5},
                                   {"original_max_position_embeddings", 0},
                                   {"original_max_position_embeddings", 1e30}}) {
    Json broken = llama3;
    broken[key] = value;
    EXPECT_EQ(scaled(broken).code, ErrorCode::corrupt_file) << key << value;
  }
  EXPECT_EQ(scaled({{"rope_type", "yarn"}, {"factor", 4.0}, {"beta_fast", 1}, {"beta_slow", 2}}).code,
            ErrorCode::corrupt_file);
  EXPECT_EQ(scaled("linear").code, ErrorCode::corrupt_file);
  for (const Json& theta : {Json(0), Json(-1.0), Json(1e300), Json("x")}) {
    EXPECT_EQ(error_of(test::llama31_8b(), {{"rope_theta", theta}}).code, ErrorCode::corrupt_file);
  }
}

TEST(ModelConfig, UnsupportedModelsAreNamed) {
  const Json llama = test::llama31_8b();
  EXPECT_THAT(
      error_of(llama, {{"model_type", "gemma"}}).line(),
      testing::AllOf(HasSubstr("'gemma'"), HasSubstr("llama"), HasSubstr("qwen3"), HasSubstr("mistral")));
  EXPECT_EQ(error_of(llama, {{"model_type", "gemma"}}).code, ErrorCode::unsupported);
  EXPECT_EQ(error_of(llama, {{"attention_bias", true}}).code, ErrorCode::unsupported);
  EXPECT_EQ(error_of(llama, {{"mlp_bias", true}}).code, ErrorCode::unsupported);
  EXPECT_THAT(error_of(llama, {{"hidden_act", "gelu"}}).message, HasSubstr("'gelu'"));
  EXPECT_EQ(error_of(llama, {{"quantization_config", {{"bits", 4}}}}).code, ErrorCode::unsupported);
  EXPECT_EQ(error_of(llama, {{"model_type", "orthros"}, {"base_model_type", "gemma"}}).code,
            ErrorCode::unsupported);
}

TEST(ModelConfig, EveryRequiredKeyIsMissedByName) {
  for (const char* key : {"model_type", "hidden_size", "intermediate_size", "num_hidden_layers",
                          "num_attention_heads", "vocab_size", "max_position_embeddings"}) {
    const auto config = parse_model_config(without(test::llama31_8b(), key));
    ASSERT_FALSE(config) << key;
    EXPECT_EQ(config.error().code, ErrorCode::corrupt_file);
    EXPECT_THAT(config.error().message, HasSubstr(std::string(key) + " is missing"));
  }
}

TEST(ModelConfig, ImpossibleSizesAreRefused) {
  const std::vector<Json> bad = {0,   -1,   int64_t{1} << 40, UINT64_MAX, INT64_MIN, 1.5,
                                 "8", true, Json::array({1})};
  for (const char* key : {"hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
                          "num_key_value_heads", "vocab_size", "max_position_embeddings", "head_dim"}) {
    for (const Json& value : bad) {
      const Error error = error_of(test::llama31_8b(), {{key, value}});
      EXPECT_EQ(error.code, ErrorCode::corrupt_file) << key << value;
      EXPECT_THAT(error.message, HasSubstr(key));
    }
  }
  EXPECT_THAT(error_of(test::llama31_8b(), {{"num_key_value_heads", 5}}).message, HasSubstr("no multiple"));
  EXPECT_THAT(error_of(test::llama31_8b(), {{"head_dim", 127}}).message, HasSubstr("even"));
  EXPECT_THAT(error_of(test::llama2_7b(), {{"hidden_size", 4095}}).message, HasSubstr("no multiple"));
  EXPECT_EQ(error_of(test::llama31_8b(), {{"rms_norm_eps", 0}}).code, ErrorCode::corrupt_file);
  EXPECT_EQ(error_of(test::llama31_8b(), {{"rms_norm_eps", "1e-5"}}).code, ErrorCode::corrupt_file);
  EXPECT_EQ(error_of(test::llama31_8b(), {{"eos_token_id", "x"}}).code, ErrorCode::corrupt_file);
  EXPECT_EQ(error_of(test::llama31_8b(), {{"eos_token_id", {1, -5}}}).code, ErrorCode::corrupt_file);
  EXPECT_EQ(error_of(test::llama31_8b(), {{"tie_word_embeddings", 1}}).code, ErrorCode::corrupt_file);
  EXPECT_FALSE(parse_model_config(Json::array()));
  EXPECT_FALSE(parse_model_config(nullptr));
}

TEST(ModelConfig, NullAndMinusOneMeanNoToken) {
  Json json = test::llama31_8b();
  json["bos_token_id"] = -1;
  json["eos_token_id"] = nullptr;
  EXPECT_EQ(parsed(json).bos_token_id, std::nullopt);
  EXPECT_TRUE(parsed(json).eos_token_ids.empty());
}

}  // namespace
}  // namespace orthros
