#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/model_config.h"
#include "tests/support/gguf_builder.h"

namespace orthros {
namespace {

using test::GgufBuilder;
using testing::HasSubstr;

/// Keys of a small model; tensors are left to the tests.
GgufBuilder keys_of(const std::string& arch, uint32_t head_dim = 64) {
  GgufBuilder builder;
  builder.string("general.architecture", arch)
      .u32(arch + ".block_count", 2)
      .u32(arch + ".context_length", 8192);
  builder.u32(arch + ".embedding_length", 4 * head_dim).u32(arch + ".feed_forward_length", 96);
  builder.u32(arch + ".attention.head_count", 4).u32(arch + ".attention.head_count_kv", 2);
  builder.f32(arch + ".attention.layer_norm_rms_epsilon", 1e-5f).f32(arch + ".rope.freq_base", 500000.0f);
  builder.u32("tokenizer.ggml.bos_token_id", 1).u32("tokenizer.ggml.eos_token_id", 2);
  return builder;
}

GgufBuilder& add_embedding(GgufBuilder& builder, uint32_t type = 8) {
  const size_t bytes = type == 0 ? 32 * 10 * 4 : 34 * 10;
  return builder.tensor("token_embd.weight", {32, 10}, type, std::vector<std::byte>(bytes));
}

Result<ModelConfig> read(const GgufBuilder& builder) {
  static std::vector<std::byte> bytes;
  bytes = builder.build();
  ORTHROS_TRY(const GgufFile file, GgufFile::parse(bytes));
  return model_config_from_gguf(file);
}

ModelConfig config_of(const GgufBuilder& builder) {
  auto config = read(builder);
  EXPECT_TRUE(config) << (config ? "" : config.error().line());
  return config.value_or(ModelConfig{});
}

Error error_of(const GgufBuilder& builder) {
  const auto config = read(builder);
  EXPECT_FALSE(config);
  return config ? Error{} : config.error();
}

std::vector<std::byte> divisors(double theta, int64_t pairs, double factor, double low, double high,
                                double original) {
  test::ByteWriter writer;
  for (int64_t i = 0; i < pairs; ++i) {
    // Meta's reference, in the form of interpolated frequencies.
    const double frequency = std::pow(theta, -static_cast<double>(i) / static_cast<double>(pairs));
    const double wavelength = 2 * M_PI / frequency;
    double scaled = frequency;
    if (wavelength > original / low) {
      scaled = frequency / factor;
    } else if (wavelength >= original / high) {
      const double smooth = (original / wavelength - low) / (high - low);
      scaled = (1 - smooth) * frequency / factor + smooth * frequency;
    }
    writer.put(static_cast<float>(frequency / scaled));
  }
  return {writer.bytes().begin(), writer.bytes().end()};
}

TEST(ModelConfigGguf, ReadsLlama) {
  GgufBuilder builder = keys_of("llama");
  const ModelConfig config = config_of(add_embedding(builder));
  EXPECT_EQ(config.model_type, "llama");
  EXPECT_EQ(config.hidden_size, 256);
  EXPECT_EQ(config.intermediate_size, 96);
  EXPECT_EQ(config.num_hidden_layers, 2);
  EXPECT_EQ(config.num_attention_heads, 4);
  EXPECT_EQ(config.num_key_value_heads, 2);
  EXPECT_EQ(config.head_dim, 64);
  EXPECT_EQ(config.vocab_size, 10);
  EXPECT_EQ(config.max_position_embeddings, 8192);
  EXPECT_EQ(config.rms_norm_eps, 1e-5);  // not 1e-5 rounded to fp32
  EXPECT_EQ(config.rope_theta, 500000.0);
  EXPECT_EQ(config.rope_scaling, RopeScaling{});
  EXPECT_TRUE(config.tie_word_embeddings);
  EXPECT_EQ(config.torch_dtype, "Q8_0");
  EXPECT_EQ(config.bos_token_id, 1);
  EXPECT_EQ(config.eos_token_ids, std::vector<int64_t>{2});
}

TEST(ModelConfigGguf, SourceIsAConfigThatTransformersReads) {
  GgufBuilder builder = keys_of("qwen3");
  builder.u32("qwen3.attention.key_length", 32).u32("qwen3.attention.value_length", 32);
  builder.u32("tokenizer.ggml.padding_token_id", 3).u32("tokenizer.ggml.eot_token_id", 5);
  const ModelConfig config = config_of(add_embedding(builder, 0));
  EXPECT_EQ(config.source["architectures"], Json::array({"Qwen3ForCausalLM"}));
  EXPECT_EQ(config.source["model_type"], "qwen3");
  EXPECT_EQ(config.source["torch_dtype"], "float32");
  EXPECT_EQ(config.source["head_dim"], 32);
  EXPECT_EQ(config.source["pad_token_id"], 3);
  EXPECT_EQ(config.source["eos_token_id"], Json::array({2, 5}));
  const auto again = parse_model_config(config.source);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->head_dim, 32);
  EXPECT_EQ(again->layers, config.layers);
  EXPECT_TRUE(again->qk_norm());
}

TEST(ModelConfigGguf, AnOutputMatrixMeansUntiedEmbeddings) {
  GgufBuilder builder = keys_of("llama");
  add_embedding(builder).tensor("output.weight", {32, 10}, 8, std::vector<std::byte>(340));
  EXPECT_FALSE(config_of(builder).tie_word_embeddings);
}

TEST(ModelConfigGguf, DerivesLlama3ScalingFromTheDivisors) {
  for (const double factor : {8.0, 32.0}) {
    GgufBuilder builder = keys_of("llama");
    add_embedding(builder).tensor("rope_freqs.weight", {32}, 0, divisors(5e5, 32, factor, 1, 4, 8192));
    const RopeScaling scaling = config_of(builder).rope_scaling;
    EXPECT_EQ(scaling.type, RopeType::llama3);
    EXPECT_EQ(scaling.factor, factor);
    EXPECT_EQ(scaling.low_freq_factor, 1.0);
    EXPECT_EQ(scaling.high_freq_factor, 4.0);
    EXPECT_EQ(scaling.original_max_position_embeddings, 8192);
  }
  GgufBuilder ones = keys_of("llama");
  add_embedding(ones).tensor("rope_freqs.weight", {32}, 0, divisors(5e5, 32, 1, 1, 4, 8192));
  EXPECT_EQ(config_of(ones).rope_scaling, RopeScaling{});
}

TEST(ModelConfigGguf, DivisorsOfAnotherFormulaAreRefused) {
  const std::vector<std::vector<std::byte>> wrong = {
      divisors(5e5, 32, 8, 1, 3, 8192), divisors(5e5, 32, 8, 2, 4, 8192),   divisors(5e5, 32, 8, 1, 4, 4096),
      divisors(1e4, 32, 8, 1, 4, 8192), divisors(5e5, 32, 7.5, 1, 4, 8192), std::vector<std::byte>(128)};
  for (const auto& bytes : wrong) {
    GgufBuilder builder = keys_of("llama");
    add_embedding(builder).tensor("rope_freqs.weight", {32}, 0, bytes);
    EXPECT_EQ(error_of(builder).code, ErrorCode::unsupported);
    EXPECT_THAT(error_of(builder).message, HasSubstr("rope_freqs.weight"));
  }
  GgufBuilder short_one = keys_of("llama");
  add_embedding(short_one).tensor("rope_freqs.weight", {16}, 0, divisors(5e5, 16, 8, 1, 4, 8192));
  EXPECT_EQ(error_of(short_one).code, ErrorCode::corrupt_file);
}

TEST(ModelConfigGguf, ReadsRopeScalingKeys) {
  GgufBuilder yarn = keys_of("qwen3");
  yarn.string("qwen3.rope.scaling.type", "yarn").f32("qwen3.rope.scaling.factor", 4.0f);
  yarn.u32("qwen3.rope.scaling.original_context_length", 2048)
      .f32("qwen3.rope.scaling.yarn_beta_fast", 16.0f);
  const RopeScaling scaling = config_of(add_embedding(yarn)).rope_scaling;
  EXPECT_EQ(scaling.type, RopeType::yarn);
  EXPECT_EQ(scaling.factor, 4.0);
  EXPECT_EQ(scaling.original_max_position_embeddings, 2048);
  EXPECT_EQ(scaling.beta_fast, 16.0);
  GgufBuilder linear = keys_of("llama");
  linear.string("llama.rope.scaling.type", "linear").f32("llama.rope.scaling.factor", 2.0f);
  EXPECT_EQ(config_of(add_embedding(linear)).rope_scaling.type, RopeType::linear);
  GgufBuilder none = keys_of("llama");
  none.string("llama.rope.scaling.type", "none");
  EXPECT_EQ(config_of(add_embedding(none)).rope_scaling, RopeScaling{});
  GgufBuilder other = keys_of("llama");
  other.string("llama.rope.scaling.type", "longrope").f32("llama.rope.scaling.factor", 2.0f);
  EXPECT_EQ(error_of(add_embedding(other)).code, ErrorCode::unsupported);
  GgufBuilder factor = keys_of("llama");
  factor.string("llama.rope.scaling.type", "yarn").f32("llama.rope.scaling.factor", 2.0f);
  factor.f32("llama.rope.scaling.attn_factor", 1.5f);
  EXPECT_EQ(error_of(add_embedding(factor)).code, ErrorCode::unsupported);
}

TEST(ModelConfigGguf, AWindowMakesItMistral) {
  GgufBuilder builder = keys_of("llama");
  builder.u32("llama.attention.sliding_window", 64);
  const ModelConfig config = config_of(add_embedding(builder));
  EXPECT_EQ(config.model_type, "mistral");
  EXPECT_EQ(config.layers.front().window.window, 64);
  EXPECT_EQ(config.source["architectures"], Json::array({"MistralForCausalLM"}));
}

TEST(ModelConfigGguf, ListsOfEqualHeadCountsAreOneCount) {
  GgufBuilder equal;
  equal.string("general.architecture", "llama").u32("llama.block_count", 2).u32("llama.context_length", 64);
  equal.u32("llama.embedding_length", 32)
      .u32("llama.feed_forward_length", 96)
      .u32("llama.attention.head_count", 4);
  GgufBuilder unequal = equal;
  equal.i32s("llama.attention.head_count_kv", {2, 2});
  unequal.i32s("llama.attention.head_count_kv", {2, 4});
  EXPECT_EQ(config_of(add_embedding(equal)).num_key_value_heads, 2);
  EXPECT_EQ(error_of(add_embedding(unequal)).code, ErrorCode::unsupported);
}

TEST(ModelConfigGguf, WhatIsNotComputedHereIsRefused) {
  GgufBuilder gemma = keys_of("gemma2");
  EXPECT_THAT(error_of(gemma).line(), testing::AllOf(HasSubstr("'gemma2'"), HasSubstr("qwen3")));
  GgufBuilder experts = keys_of("llama");
  experts.u32("llama.expert_count", 8);
  EXPECT_EQ(error_of(add_embedding(experts)).code, ErrorCode::unsupported);
  GgufBuilder bias = keys_of("llama");
  add_embedding(bias).tensor("blk.0.attn_q.bias", {32}, 0, std::vector<std::byte>(128));
  EXPECT_EQ(error_of(bias).code, ErrorCode::unsupported);
  GgufBuilder partial = keys_of("llama");
  partial.u32("llama.rope.dimension_count", 32);
  EXPECT_EQ(error_of(add_embedding(partial)).code, ErrorCode::unsupported);
  GgufBuilder values = keys_of("llama");
  values.u32("llama.attention.value_length", 32);
  EXPECT_EQ(error_of(add_embedding(values)).code, ErrorCode::unsupported);
  EXPECT_EQ(error_of(GgufBuilder().u32("a", 1)).code, ErrorCode::not_found);
  EXPECT_EQ(
      error_of(GgufBuilder().string("general.architecture", "llama").strings("tokenizer.ggml.tokens", {"a"}))
          .code,
      ErrorCode::corrupt_file);
}

}  // namespace
}  // namespace orthros
