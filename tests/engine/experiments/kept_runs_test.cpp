// Prompts and attention captures as runs: what comes back is what was made.
#include "engine/experiments/kept_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/store/run_reader.h"
#include "tests/support/model_fixture.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

class KeptRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    model_ = test::load_fixture("tiny/llama-tokenizer");
    ASSERT_NE(model_, nullptr);
    const auto config = with_architecture(model_->config(), Architecture::orthros, WindowSpec{8, 2});
    ASSERT_TRUE(config);
    config_ = *config;
    auto arm = arm_of(model_, config_);
    ASSERT_TRUE(arm) << arm.error().line();
    arm_ = std::move(*arm);
    auto opened = store::RunStore::open(folder_ / "runs.sqlite");
    ASSERT_TRUE(opened) << opened.error().line();
    store_ = std::move(*opened);
  }

  test::TempFolder folder_;
  std::shared_ptr<const Model> model_;
  ModelConfig config_;
  Arm arm_;
  std::unique_ptr<store::RunStore> store_;
};

TEST_F(KeptRuns, APromptComesBackWithItsTokensAndWhatElseCouldHaveCome) {
  SessionOptions options;
  options.capacity = 32;
  auto session = Session::create(model_, config_, options);
  ASSERT_TRUE(session);
  KeptPrompt kept;
  kept.name = "hello";
  kept.text = "some text";
  kept.request.prompt = {5, 6, 7, 8};
  kept.request.max_tokens = 6;
  kept.request.sampling.seed = 7;
  kept.request.alternatives = 10;
  kept.request.on_token = [&](const TokenEvent& event) { kept.tokens.push_back(event); };
  const auto result = generate(*session, nullptr, kept.request);
  ASSERT_TRUE(result) << result.error().line();
  kept.result = *result;
  kept.backend = session->backend();
  const auto experiment = keep_prompt(*store_, arm_, kept);
  ASSERT_TRUE(experiment) << experiment.error().line();

  auto reader = store::RunReader::open(folder_ / "runs.sqlite");
  ASSERT_TRUE(reader);
  const auto runs = (*reader)->runs(experiment->id);
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 1u);
  EXPECT_EQ((*runs)[0].status, store::RunStatus::done);
  EXPECT_EQ((*runs)[0].seed, 7);
  const auto tokens = (*reader)->tokens((*runs)[0].id);
  ASSERT_TRUE(tokens);
  ASSERT_EQ(tokens->size(), 6u);
  for (size_t i = 0; i < tokens->size(); ++i) {
    const store::GenTokenRecord& token = (*tokens)[i];
    EXPECT_EQ(token.token_id, result->ids[i]);
    const Json alternatives = Json::parse(token.alternatives_json);
    ASSERT_EQ(alternatives.size(), 10u);
    // Greedy: the chosen one is the best, and its probability is the first.
    EXPECT_EQ(alternatives[0][0], token.token_id);
    EXPECT_NEAR(alternatives[0][1].get<double>(), token.probability, 1e-9);
    double sum = 0, last = 1;
    for (const Json& one : alternatives) {
      EXPECT_LE(one[1].get<double>(), last);
      last = one[1].get<double>();
      sum += last;
    }
    EXPECT_LE(sum, 1 + 1e-9);
  }
  const Json spec = Json::parse((*reader)->find_experiment("last")->spec_json);
  EXPECT_EQ(spec["text"], "some text");
  const Json timings = Json::parse((*runs)[0].settings_json);
  EXPECT_GT(timings["ttft_ms"].get<double>(), 0);
}

TEST_F(KeptRuns, AttentionRowsComeBackExactly) {
  KeptAttention kept;
  kept.request.ids = {5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  kept.request.layer = 1;
  kept.request.head = 0;
  kept.request.rows = {9, 10};
  const auto rows = attention_rows(model_, config_, kept.request);
  ASSERT_TRUE(rows) << rows.error().line();
  kept.rows = *rows;
  const auto experiment = keep_attention(*store_, arm_, kept);
  ASSERT_TRUE(experiment) << experiment.error().line();

  auto reader = store::RunReader::open(folder_ / "runs.sqlite");
  ASSERT_TRUE(reader);
  const auto runs = (*reader)->runs(experiment->id);
  ASSERT_TRUE(runs);
  const auto steps = (*reader)->attention_steps((*runs)[0].id);
  ASSERT_TRUE(steps) << steps.error().line();
  ASSERT_EQ(steps->size(), 1u);
  ASSERT_TRUE((*steps)[0].prompt_id);
  EXPECT_EQ((*reader)->prompt(*(*steps)[0].prompt_id)->ids, kept.request.ids);
  ASSERT_EQ((*steps)[0].exact_rows.size(), 2u);
  std::vector<float> read;
  for (const auto& row : (*steps)[0].exact_rows) {
    EXPECT_TRUE(row.output_stream);
    EXPECT_EQ(row.layer, 1);
    read.insert(read.end(), row.weights.begin(), row.weights.end());
  }
  EXPECT_EQ(read, rows->weights);
  const auto invariants = (*reader)->invariants((*runs)[0].id);
  ASSERT_TRUE(invariants);
  ASSERT_EQ(invariants->size(), 2u);
  for (const auto& invariant : *invariants)
    EXPECT_TRUE(invariant.pass) << invariant.name << " " << invariant.worst;
}

TEST(MostProbable, IsSortedAndTiesGoToTheLowerId) {
  const std::vector<float> logits{1, 3, 3, 0, 2};
  const auto best = most_probable(logits, 3);
  ASSERT_EQ(best.size(), 3u);
  EXPECT_EQ(best[0].id, 1);
  EXPECT_EQ(best[1].id, 2);
  EXPECT_EQ(best[2].id, 4);
  EXPECT_EQ(most_probable(logits, 100).size(), 5u);
  EXPECT_TRUE(most_probable(logits, 0).empty());
}

}  // namespace
}  // namespace orthros
