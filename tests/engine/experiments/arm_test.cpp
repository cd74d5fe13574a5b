// Arms as written on a command line, and as opened from a real folder.
#include "engine/experiments/arm.h"

#include <cmath>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orthros {
namespace {

TEST(ParseArm, TakesAModelAlone) {
  const auto arm = parse_arm("models/smol.gguf");
  ASSERT_TRUE(arm);
  EXPECT_EQ(arm->model, "models/smol.gguf");
  EXPECT_FALSE(arm->architecture);
}

TEST(ParseArm, TakesArchitectureAndSettings) {
  const auto arm = parse_arm("m:orthros,w=64,s=4,dtype=float32,weights=int8,kv=bfloat16");
  ASSERT_TRUE(arm) << arm.error().line();
  EXPECT_EQ(arm->model, "m");
  EXPECT_EQ(arm->architecture, Architecture::orthros);
  EXPECT_EQ(arm->window, 64);
  EXPECT_EQ(arm->sinks, 4);
  EXPECT_EQ(arm->dtype, ScalarType::float32);
  EXPECT_EQ(arm->weights, WeightFormat::int8);
  EXPECT_EQ(arm->kv_dtype, ScalarType::bfloat16);
}

TEST(ParseArm, AColonInAPathIsNoDivider) {
  const auto plain = parse_arm("a:b/model");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->model, "a:b/model");
  const auto both = parse_arm("a:b/model:swa,w=8");
  ASSERT_TRUE(both);
  EXPECT_EQ(both->model, "a:b/model");
  EXPECT_EQ(both->architecture, Architecture::swa);
}

TEST(ParseArm, RefusesWhatIsNotThere) {
  for (const char* bad :
       {"", ":swa", "m:swa,w=0", "m:swa,w=-3", "m:swa,w=x", "m:swa,w=", "m:swa,q=1", "m:swa,orthros",
        "m:transformer,w=8", "m:swa,dtype=int8", "m:swa,weights=fp4", "m:swa,,w=3",
        "m:swa,w=99999999999999999999", "m:swa,w=3,w=4", "m:swa,kv=float32,kv=float32"}) {
    const auto arm = parse_arm(bad);
    EXPECT_FALSE(arm) << bad;
    if (!arm) {
      EXPECT_EQ(arm.error().code, ErrorCode::invalid_argument) << bad;
    }
  }
}

TEST(OpenArms, OneFolderReadThreeWaysIsLoadedOnceAndNamedWithoutItsPath) {
  const std::string model = std::string(ORTHROS_FIXTURES) + "/tiny/llama-tokenizer";
  std::vector<ArmSpec> specs;
  for (const char* how : {":transformer", ":swa,w=8,s=2", ":orthros,w=8,s=2"})
    specs.push_back(*parse_arm(model + how));
  const auto arms = open_arms(specs, {});
  ASSERT_TRUE(arms) << arms.error().line();
  ASSERT_EQ(arms->size(), 3u);
  EXPECT_EQ((*arms)[0].label, "llama-tokenizer, Transformer");
  EXPECT_EQ((*arms)[2].label, "llama-tokenizer, Orthros w=8 s=2");
  EXPECT_EQ((*arms)[0].record.weights_sha256, (*arms)[2].record.weights_sha256);
  EXPECT_NE((*arms)[0].record.config_sha256, (*arms)[2].record.config_sha256);
  for (const Arm& arm : *arms) {
    EXPECT_THAT(arm.identity().dump() + arm.record.config_json + arm.record.provenance_json,
                ::testing::Not(::testing::HasSubstr("fixtures")));
    ASSERT_TRUE(arm.tokenizer);
    ASSERT_TRUE(arm.model->open({1, 16, 8, true}));
    ASSERT_TRUE(arm.model->prefill({{5, 6, 7}}, {}, nullptr));
    EXPECT_FALSE(arm.model->logits(0).empty());
    arm.model->close();
    EXPECT_FALSE(arm.model->prefill({{5}}, {}, nullptr));
  }
}

// Acceptance check 16: the arms of a comparison do equal work on equal memory.
TEST(OpenArms, OrthrosWithAWindowBeyondThePromptIsTheTransformerAndHoldsAsMuch) {
  const std::string model = std::string(ORTHROS_FIXTURES) + "/tiny/llama-tokenizer";
  LoadOptions exact;
  exact.compute_type = ScalarType::float32;
  const auto arms = open_arms(
      {*parse_arm(model), *parse_arm(model + ":orthros,w=64"), *parse_arm(model + ":orthros,w=2")}, exact);
  ASSERT_TRUE(arms) << arms.error().line();
  std::vector<TokenId> ids(40);
  std::iota(ids.begin(), ids.end(), 5);
  std::vector<std::vector<float>> logits;
  std::vector<int64_t> bytes;
  for (const Arm& arm : *arms) {
    ASSERT_TRUE(arm.model->open({1, 48, 16, false}));
    ASSERT_TRUE(arm.model->prefill({ids}, {}, nullptr));
    logits.emplace_back(arm.model->logits(0).begin(), arm.model->logits(0).end());
    bytes.push_back(arm.model->kv_bytes());
  }
  double same = 0, other = 0;
  for (size_t i = 0; i < logits[0].size(); ++i) {
    same = std::max(same, static_cast<double>(std::abs(logits[0][i] - logits[1][i])));
    other = std::max(other, static_cast<double>(std::abs(logits[0][i] - logits[2][i])));
  }
  EXPECT_LT(same, 1e-4);
  EXPECT_GT(other, 1e-3) << "a narrow window must be told apart";
  EXPECT_EQ(bytes[0], bytes[1]);
}

TEST(TellApart, EqualLabelsOfDifferentModelsGetAHashAndOfOneModelANumber) {
  const auto made = [](const char* label, char weights) {
    Arm arm;
    arm.label = label;
    arm.record.weights_sha256 = std::string(64, weights);
    return arm;
  };
  std::vector<Arm> arms{made("model, SWA w=8 s=0", 'a'), made("model, SWA w=8 s=0", 'b'),
                        made("model, SWA w=8 s=0", 'b'), made("other, SWA w=8 s=0", 'c')};
  tell_apart({&arms[0], &arms[1], &arms[2], &arms[3]});
  EXPECT_EQ(arms[0].label, "model #aaaaaa, SWA w=8 s=0");
  EXPECT_EQ(arms[1].label, "model #bbbbbb, SWA w=8 s=0");
  EXPECT_EQ(arms[2].label, "model #bbbbbb, SWA w=8 s=0 (2)");
  EXPECT_EQ(arms[3].label, "other, SWA w=8 s=0");
  EXPECT_EQ(arms[2].record.label, arms[2].label);
}

TEST(OpenArms, AMissingModelIsNamed) {
  const auto arms = open_arms({*parse_arm("no-such-model:swa")}, {});
  ASSERT_FALSE(arms);
  EXPECT_THAT(arms.error().line(), ::testing::HasSubstr("no-such-model"));
}

}  // namespace
}  // namespace orthros
