#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/model_config.h"
#include "tests/engine/formats/config_samples.h"

namespace orthros {
namespace {

using testing::HasSubstr;

ModelConfig parsed(const Json& json) {
  auto config = parse_model_config(json);
  EXPECT_TRUE(config) << (config ? "" : config.error().line());
  return config.value_or(ModelConfig{});
}

LayerSpec sliding(int64_t window, int64_t sinks = 0, bool scale_offset = false) {
  return {MixerKind::sliding_attention, {window, sinks}, scale_offset};
}

Json orthros_json() {
  Json json = test::qwen3_8b();
  json.update({{"model_type", "orthros"},
               {"base_model_type", "qwen3"},
               {"num_hidden_layers", 3},
               {"window_size", 128},
               {"num_sink_tokens", 4},
               {"scale_offset", true},
               {"layer_types", {"orthros_attention", "full_attention", "sliding_attention"}}});
  return json;
}

/// All that a config means; `source` may differ.
void expect_same_meaning(const ModelConfig& a, const ModelConfig& b) {
  EXPECT_EQ(a.model_type, b.model_type);
  EXPECT_EQ(a.base_model_type, b.base_model_type);
  EXPECT_EQ(a.hidden_size, b.hidden_size);
  EXPECT_EQ(a.intermediate_size, b.intermediate_size);
  EXPECT_EQ(a.num_hidden_layers, b.num_hidden_layers);
  EXPECT_EQ(a.num_attention_heads, b.num_attention_heads);
  EXPECT_EQ(a.num_key_value_heads, b.num_key_value_heads);
  EXPECT_EQ(a.head_dim, b.head_dim);
  EXPECT_EQ(a.vocab_size, b.vocab_size);
  EXPECT_EQ(a.max_position_embeddings, b.max_position_embeddings);
  EXPECT_EQ(a.rms_norm_eps, b.rms_norm_eps);
  EXPECT_EQ(a.rope_theta, b.rope_theta);
  EXPECT_EQ(a.rope_scaling, b.rope_scaling);
  EXPECT_EQ(a.tie_word_embeddings, b.tie_word_embeddings);
  EXPECT_EQ(a.torch_dtype, b.torch_dtype);
  EXPECT_EQ(a.bos_token_id, b.bos_token_id);
  EXPECT_EQ(a.eos_token_ids, b.eos_token_ids);
  EXPECT_EQ(a.layers, b.layers);
}

std::vector<Json> samples() {
  Json mistral_v03 = test::mistral_7b_v01();
  mistral_v03["sliding_window"] = nullptr;
  return {test::llama31_8b(),     test::llama2_7b(), test::qwen3_8b(), test::qwen3_transformers5(),
          test::mistral_7b_v01(), mistral_v03,       orthros_json()};
}

TEST(ModelConfigLayers, MistralsWindowHoldsInEveryLayer) {
  EXPECT_EQ(parsed(test::mistral_7b_v01()).layers, std::vector<LayerSpec>(32, sliding(4096)));
  Json json = test::mistral_7b_v01();
  json["sliding_window"] = nullptr;
  EXPECT_EQ(parsed(json).layers, std::vector<LayerSpec>(32));
  json.erase("sliding_window");  // transformers' default
  EXPECT_EQ(parsed(json).layers, std::vector<LayerSpec>(32, sliding(4096)));
  json["sliding_window"] = 0;
  EXPECT_EQ(parse_model_config(json).error().code, ErrorCode::corrupt_file);
}

TEST(ModelConfigLayers, QwensWindowHoldsFromMaxWindowLayersOn) {
  Json json = test::qwen3_8b();
  json.update({{"num_hidden_layers", 4}, {"sliding_window", 64}, {"max_window_layers", 3}});
  EXPECT_EQ(parsed(json).layers, std::vector<LayerSpec>(4));  // use_sliding_window is false
  json["use_sliding_window"] = true;
  EXPECT_EQ(parsed(json).layers, (std::vector<LayerSpec>{{}, {}, {}, sliding(64)}));
  json["layer_types"] = {"sliding_attention", "full_attention", "full_attention", "sliding_attention"};
  EXPECT_EQ(parsed(json).layers, (std::vector<LayerSpec>{sliding(64), {}, {}, sliding(64)}));
  json["use_sliding_window"] = false;
  EXPECT_THAT(parse_model_config(json).error().message, HasSubstr("no sliding_window is in use"));
}

TEST(ModelConfigLayers, LayerTypesMustFit) {
  Json json = test::llama31_8b();
  json["layer_types"] = std::vector<std::string>(31, "full_attention");
  EXPECT_EQ(parse_model_config(json).error().code, ErrorCode::corrupt_file);
  json["layer_types"] = std::vector<std::string>(32, "sliding_attention");
  EXPECT_FALSE(parse_model_config(json));
  json["layer_types"] = std::vector<std::string>(32, "orthros_attention");
  EXPECT_FALSE(parse_model_config(json));
  json["layer_types"] = std::vector<std::string>(32, "linear_attention");
  EXPECT_EQ(parse_model_config(json).error().code, ErrorCode::unsupported);
  json["layer_types"] = std::vector<int>(32, 1);
  EXPECT_EQ(parse_model_config(json).error().code, ErrorCode::corrupt_file);
}

TEST(ModelConfigLayers, ReadsAnOrthrosCheckpoint) {
  const ModelConfig config = parsed(orthros_json());
  EXPECT_EQ(config.model_type, "orthros");
  EXPECT_EQ(config.base_model_type, "qwen3");
  EXPECT_TRUE(config.qk_norm());
  EXPECT_TRUE(config.has_output_stream());
  const LayerSpec first{MixerKind::orthros_attention, {128, 4}, true};
  EXPECT_EQ(config.layers, (std::vector<LayerSpec>{first, {}, sliding(128, 4, true)}));
}

TEST(ModelConfigLayers, BrokenOrthrosKeysAreRefused) {
  for (const auto& [key, value] :
       std::vector<std::pair<const char*, Json>>{{"window_size", 0},
                                                 {"window_size", -1},
                                                 {"window_size", nullptr},
                                                 {"window_size", 1e9},
                                                 {"num_sink_tokens", -1},
                                                 {"scale_offset", "yes"},
                                                 {"scale_offset", {true, false}},
                                                 {"scale_offset", {true, true, true}},
                                                 {"scale_offset", {1, false, false}},
                                                 {"layer_types", nullptr},
                                                 {"layer_types", {"orthros_attention"}},
                                                 {"base_model_type", nullptr}}) {
    Json json = orthros_json();
    json[key] = value;
    const auto config = parse_model_config(json);
    ASSERT_FALSE(config) << key << value;
    EXPECT_EQ(config.error().code, ErrorCode::corrupt_file);
    EXPECT_THAT(config.error().message, HasSubstr(key));
  }
}

TEST(ModelConfigLayers, WhatIsWrittenIsReadBack) {
  for (const Json& sample : samples()) {
    const ModelConfig config = parsed(sample);
    expect_same_meaning(parsed(model_config_to_json(config, nullptr)), config);
    ModelConfig bare = config;
    bare.source = nullptr;  // made by hand, as for a new model
    expect_same_meaning(parsed(model_config_to_json(bare, nullptr)), bare);
    for (const Architecture to : {Architecture::transformer, Architecture::swa, Architecture::orthros}) {
      const auto other = with_architecture(config, to, {64, 2});
      ASSERT_TRUE(other) << other.error().line();
      expect_same_meaning(parsed(model_config_to_json(*other, {{"source", "x"}})), *other);
    }
  }
}

TEST(ModelConfigLayers, AnUnchangedConfigIsWrittenAsItWas) {
  for (const Json& sample : samples()) {
    const Json written = model_config_to_json(parsed(sample), nullptr);
    for (const auto& [key, value] : sample.items()) EXPECT_EQ(written.at(key), value) << key;
  }
}

TEST(ModelConfigLayers, ToOrthrosAndBackRestoresTheSourceExactly) {
  for (const Json& sample : samples()) {
    if (sample["model_type"] == "orthros") continue;
    const ModelConfig source = parsed(sample);
    for (const Architecture to : {Architecture::swa, Architecture::orthros}) {
      const Json converted =
          model_config_to_json(*with_architecture(source, to, {128, 4}), {{"source", "x"}});
      EXPECT_EQ(converted["model_type"], "orthros");
      EXPECT_EQ(converted["base_model_type"], sample["model_type"]);
      EXPECT_EQ(converted["window_size"], 128);
      EXPECT_EQ(converted["num_sink_tokens"], 4);
      EXPECT_EQ(converted["scale_offset"], false);
      EXPECT_EQ(converted["conversion"]["source"], "x");
      const char* kind = to == Architecture::swa ? "sliding_attention" : "orthros_attention";
      EXPECT_EQ(converted["layer_types"], Json(std::vector<std::string>(source.layers.size(), kind)));
      EXPECT_EQ(parsed(converted).has_output_stream(), to == Architecture::orthros);
      const auto back = with_architecture(parsed(converted), Architecture::transformer, {});
      ASSERT_TRUE(back);
      expect_same_meaning(*back, source);
      const Json restored = model_config_to_json(*back, {{"source", "x"}});
      EXPECT_EQ(restored, model_config_to_json(source, nullptr));
      for (const char* key : {"base_model_type", "base_layer_types", "window_size", "num_sink_tokens",
                              "scale_offset", "conversion"}) {
        EXPECT_FALSE(restored.contains(key)) << key;
      }
    }
  }
}

TEST(ModelConfigLayers, ScaleOffsetStaysOnlyWhereItWas) {
  const auto swa = with_architecture(parsed(orthros_json()), Architecture::swa, {32, 0});
  ASSERT_TRUE(swa);
  EXPECT_EQ(swa->layers, (std::vector<LayerSpec>{sliding(32, 0, true), sliding(32), sliding(32, 0, true)}));
  const auto plain = with_architecture(parsed(test::llama31_8b()), Architecture::orthros, {32, 0});
  for (const LayerSpec& layer : plain->layers) EXPECT_FALSE(layer.scale_offset);
  const auto transformer = with_architecture(parsed(orthros_json()), Architecture::transformer, {});
  EXPECT_EQ(transformer->layers, std::vector<LayerSpec>(3));
}

TEST(ModelConfigLayers, ImpossibleWindowsAreInvalidArguments) {
  const ModelConfig config = parsed(test::llama31_8b());
  for (const WindowSpec window :
       {WindowSpec{0, 0}, WindowSpec{-1, 0}, WindowSpec{8, -1}, WindowSpec{INT64_MAX, 0}}) {
    for (const Architecture to : {Architecture::swa, Architecture::orthros}) {
      EXPECT_EQ(with_architecture(config, to, window).error().code, ErrorCode::invalid_argument);
    }
  }
  EXPECT_THAT(with_architecture(config, Architecture::swa, {}).error().hint, HasSubstr("--as transformer"));
  EXPECT_EQ(*parse_architecture("swa"), Architecture::swa);
  EXPECT_EQ(parse_architecture("SWA").error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace orthros
