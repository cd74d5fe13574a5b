// Training runs: the same curve on every call, resuming to the last digit, what stops them, and what their
// data looks like.
#include "engine/training/trainer.h"

#include <fstream>
#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/mapped_file.h"
#include "engine/model/runtime.h"
#include "engine/training/batch_source.h"
#include "tests/support/model_fixture.h"
#include "tests/support/temp_folder.h"

namespace orthros::training {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Json model_json(const std::string& type) {
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

Json config_json(const fs::path& output) {
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

TrainConfig parsed(const Json& json) {
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
  std::vector<double> loss, norm, rate;
  std::string note;
};

Result<TrainSummary> run(const Json& json, Curve& curve, bool resume = false, int64_t stop_after = 0) {
  TrainHooks hooks;
  hooks.resume = resume;
  hooks.stop_after = stop_after;
  hooks.on_step = [&](const StepEvent& e) -> Result<void> {
    curve.loss.push_back(e.loss);
    curve.norm.push_back(e.gradient_norm);
    curve.rate.push_back(e.learning_rate);
    return {};
  };
  return train(parsed(json), hooks);
}

TEST_F(Training, ResumedRunsContinueToTheLastDigit) {
  for (const char* dtype : {"float32", "bfloat16"}) {
    const test::TempFolder folder;
    Json straight = config_json(folder / "a"), parts = config_json(folder / "b");
    straight["dtype"] = parts["dtype"] = dtype;
    Curve whole, pieces;
    const auto done = run(straight, whole);
    ASSERT_TRUE(done) << done.error().line();
    EXPECT_TRUE(done->finished);
    ASSERT_EQ(whole.loss.size(), 20U);
    // Across a checkpoint of its own rhythm, and across the border of the stages.
    for (const int64_t steps : {3, 7, 2, 1, 100}) {
      const auto part = run(parts, pieces, true, steps);
      ASSERT_TRUE(part) << part.error().line();
      EXPECT_EQ(part->finished, steps == 100);
    }
    EXPECT_EQ(pieces.loss, whole.loss) << dtype;
    EXPECT_EQ(pieces.norm, whole.norm) << dtype;
    EXPECT_EQ(pieces.rate, whole.rate) << dtype;
    const auto bytes = [](const fs::path& path) { return *read_text(path, 1 << 26); };
    EXPECT_EQ(bytes(folder.path() / "a/model/model.safetensors"),
              bytes(folder.path() / "b/model/model.safetensors"));
    // The comparison can fail: another seed is another curve.
    Json other = config_json(folder / "c");
    other["seed"] = 6;
    other["dtype"] = dtype;
    Curve different;
    ASSERT_TRUE(run(other, different));
    EXPECT_NE(different.loss, whole.loss);
  }
}

/// The whole of it in one curve: data, initialisation, both streams, gradients, optimiser, schedule. Other
/// machines round otherwise, hence a tolerance; any change of meaning moves it far more.
TEST_F(Training, TwentyStepsGiveTheKnownCurve) {
  const std::vector<double> known{5.78224, 5.75189, 5.71009, 5.67585, 5.63863, 5.46077, 5.47181,
                                  5.32710, 5.14766, 5.06135, 4.93474, 4.81900, 5.67389, 5.62276,
                                  5.67274, 5.48087, 5.50343, 5.47078, 5.48802, 5.27798};
  const test::TempFolder folder;
  Curve curve;
  ASSERT_TRUE(run(config_json(folder / "run"), curve));
  ASSERT_EQ(curve.loss.size(), known.size());
  for (size_t i = 0; i < known.size(); ++i)
    EXPECT_NEAR(curve.loss[i], known[i], 2e-3 * known[i]) << "step " << i;
}

TEST_F(Training, TheFinishedModelOpensAndLearnt) {
  const test::TempFolder folder;
  Json json = config_json(folder / "run");
  json["stages"] =
      Json::array({{{"task", "recall"}, {"max_steps", 60}, {"length", 16}, {"batch", 16}, {"keys", 8}}});
  Curve curve;
  const auto done = run(json, curve);
  ASSERT_TRUE(done) << done.error().line();
  EXPECT_LT(curve.loss.back(), 0.6 * curve.loss.front());
  auto files = open_model(done->model);
  ASSERT_TRUE(files) << files.error().line();
  EXPECT_TRUE(files->config.has_output_stream());
  EXPECT_TRUE(files->tokenizer.has_value());
  EXPECT_EQ(done->parameters, count_parameters(files->config).total());
  // A finished run is not run again, nor resumed.
  EXPECT_FALSE(run(json, curve));
  EXPECT_FALSE(run(json, curve, true));
}

TEST_F(Training, CheckpointsKeepTheLastAndTheBestAndSurviveRubbish) {
  const test::TempFolder folder;
  Json json = config_json(folder / "run");
  Curve curve;
  ASSERT_TRUE(run(json, curve, false, 9));
  const fs::path last = folder.path() / "run/checkpoint-00000009.safetensors";
  EXPECT_TRUE(fs::exists(last));
  // Killed in the middle of a save: a part file beside whole ones.
  std::ofstream(folder.path() / "run/checkpoint-00000010.safetensors.part-1-0") << "half a checkpoint";
  EXPECT_FALSE(run(json, curve)) << "without --resume nothing is overwritten";
  const auto resumed = run(json, curve, true, 1);
  ASSERT_TRUE(resumed) << resumed.error().line();
  EXPECT_EQ(resumed->steps, 10);
  size_t checkpoints = 0;
  for (const auto& entry : fs::directory_iterator(folder.path() / "run")) {
    checkpoints += entry.path().extension() == ".safetensors" ? 1 : 0;
  }
  EXPECT_LE(checkpoints, 2U);
  json["optimizer"]["lr"] = 1e-3;
  const auto other = run(json, curve, true, 1);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("another training config"));
}

TEST_F(Training, ALossThatIsNoNumberStopsWithStepSeedAndCheckpoint) {
  const test::TempFolder folder;
  Json json = config_json(folder / "run");
  json["checkpoint_every"] = 2;
  json["optimizer"] = {{"lr", 10}, {"warmup_steps", 0}, {"clip_norm", 0}};
  json["initialisation"] = {{"embedding", 100}, {"head", 100}};
  json["model"]["rms_norm_eps"] = 1e-30;
  json["stages"][0]["max_steps"] = 400;
  Curve curve;
  const auto ran = run(json, curve);
  if (ran) GTEST_SKIP() << "this machine's numbers stayed finite";
  EXPECT_THAT(ran.error().message, HasSubstr("not a number at step"));
  EXPECT_THAT(ran.error().message, HasSubstr("batch seed"));
  EXPECT_THAT(ran.error().message, HasSubstr("checkpoint"));
}

TEST_F(Training, ConversionMovesOnlyWhatItMay) {
  const test::TempFolder folder;
  Json json = config_json(folder / "run");
  json["model"] = {{"from", (test::fixtures() / "tiny/llama-tokenizer").string()},
                   {"as", "orthros"},
                   {"window", 4},
                   {"sinks", 1}};
  json["trainable"] = "scale_offset";
  json["loss"] = "distillation";
  json["stages"] = Json::array({{{"task", "text"},
                                 {"max_steps", 80},
                                 {"length", 24},
                                 {"batch", 4},
                                 {"file", (folder / "text.txt").string()}}});
  std::ofstream(folder / "text.txt")
      << std::string(20, ' ') +
             "The quick brown fox jumps over the lazy dog. It was a long day, and nobody knew why. "
             "Seven ships sailed north before the winter came to the harbour and the town.";
  Curve curve;
  const auto done = run(json, curve);
  ASSERT_TRUE(done) << done.error().line();
  // Batches differ: the last ten steps are held against the first ten, before the scale-offsets moved much.
  const auto mean = [](auto first) { return std::accumulate(first, first + 10, 0.0) / 10; };
  EXPECT_LT(mean(curve.loss.end() - 10), 0.9 * mean(curve.loss.begin()));
  const auto before = SafetensorsFile::open(test::fixtures() / "tiny/llama-tokenizer/model.safetensors");
  const auto after = SafetensorsFile::open(done->model / "model.safetensors");
  ASSERT_TRUE(before && after);
  const TensorEntry* a = before->find("model.layers.0.self_attn.q_proj.weight");
  const TensorEntry* b = after->find("model.layers.0.self_attn.q_proj.weight");
  ASSERT_TRUE(a != nullptr && b != nullptr);
  EXPECT_TRUE(a->dtype != b->dtype || std::ranges::equal(a->bytes, b->bytes));
  EXPECT_NE(after->find("model.layers.0.self_attn.alpha_out"), nullptr);
}

TEST(TrainConfig, UnknownAndWrongKeysAreNamed) {
  const std::vector<std::pair<std::function<void(Json&)>, std::string>> mistakes{
      {[](Json& j) { j["lr"] = 1; }, "'lr'"},
      {[](Json& j) { j["optimizer"]["momentum"] = 1; }, "'momentum'"},
      {[](Json& j) { j["stages"][1]["needles"] = 3; }, "'needles'"},
      {[](Json& j) { j["stages"][0].erase("needles"); }, "'needles'"},
      {[](Json& j) { j["stages"][0]["length"] = "long"; }, "'length'"},
      {[](Json& j) { j["stages"][0]["grammar"] = "rhyme"; }, "'grammar'"},
      {[](Json& j) { j["stages"] = Json::array(); }, "'stages'"},
      {[](Json& j) { j.erase("output"); }, "'output'"},
      {[](Json& j) { j["seed"] = -1; }, "'seed'"},
      {[](Json& j) { j["dtype"] = "int8"; }, "'dtype'"},
      {[](Json& j) { j["loss"] = "distillation"; }, "distillation"}};
  EXPECT_TRUE(parse_train_config(config_json("/tmp/x"), "/"));
  for (const auto& [change, name] : mistakes) {
    Json json = config_json("/tmp/x");
    change(json);
    const auto config = parse_train_config(json, "/");
    ASSERT_FALSE(config) << name;
    EXPECT_THAT(config.error().message, HasSubstr(name));
  }
  Json moved = config_json("/tmp/y");
  EXPECT_EQ(parsed(moved).sha256, parsed(config_json("/tmp/x")).sha256);
  moved["seed"] = 9;
  EXPECT_NE(parsed(moved).sha256, parsed(config_json("/tmp/x")).sha256);
}

TEST_F(Training, DataThatIsTooShortIsRefused) {
  const test::TempFolder folder;
  std::ofstream(folder / "text.txt") << "Too short.";
  Json json = config_json(folder / "run");
  json["stages"] = Json::array(
      {{{"task", "text"}, {"max_steps", 5}, {"length", 64}, {"file", (folder / "text.txt").string()}}});
  Curve curve;
  auto ran = run(json, curve);
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.error().message, HasSubstr("text.txt"));
  json["stages"] = Json::array({{{"task", "needle"}, {"max_steps", 5}, {"length", 20}, {"needles", 8}}});
  ran = run(json, curve);
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.error().message, HasSubstr("needles"));
}

Tokenizer fixture_tokenizer() {
  auto files = open_model(test::fixtures() / "tiny/llama-tokenizer");
  EXPECT_TRUE(files && files->tokenizer);
  return *files->tokenizer;
}

StageConfig needle_stage(NeedleGrammar grammar, QuestionPlace place) {
  StageConfig stage;
  stage.max_steps = 1;
  stage.lengths = {400};
  stage.batch = 3;
  stage.needles = {5};
  stage.questions = 3;
  stage.place = place;
  stage.grammars = {grammar};
  return stage;
}

/// Every question's answer stands in an earlier needle with the same name, and nowhere else.
TEST(NeedleBatches, AnswersCanBeFoundBeforeTheirQuestions) {
  const Tokenizer tokenizer = fixture_tokenizer();
  for (const NeedleGrammar grammar : {NeedleGrammar::pair, NeedleGrammar::word, NeedleGrammar::number}) {
    for (const QuestionPlace place : {QuestionPlace::end, QuestionPlace::scattered}) {
      const auto source = make_batch_source(needle_stage(grammar, place), tokenizer, 320);
      ASSERT_TRUE(source) << source.error().line();
      for (uint64_t seed = 0; seed < 20; ++seed) {
        const auto batch = (*source)->make(seed);
        ASSERT_TRUE(batch) << batch.error().line();
        ASSERT_EQ(batch->ids.size(), 1200U);
        const int64_t n = batch->rows_per_sequence, per_answer = batch->rows_per_answer;
        ASSERT_EQ(n, 3 * per_answer);
        std::set<std::vector<int64_t>> answers;
        for (int64_t b = 0; b < 3; ++b) {
          const int64_t* ids = batch->ids.data() + b * 400;
          for (int64_t i = 0; i < n; ++i) {
            const int64_t row = batch->rows[static_cast<size_t>(b * n + i)];
            EXPECT_EQ(ids[row + 1], batch->targets[static_cast<size_t>(b * n + i)]);
            if (i == 0) continue;
            EXPECT_GT(row, batch->rows[static_cast<size_t>(b * n + i - 1)]);
          }
          for (int64_t q = 0; q < 3; ++q) {
            // The last id of the name, then the answer: twice in the sequence up to here, needle and
            // question.
            const int64_t row = batch->rows[static_cast<size_t>(b * n + q * per_answer)];
            const std::vector<int64_t> pattern(ids + row, ids + row + 1 + per_answer);
            int64_t found = 0;
            for (int64_t at = 0; at <= row; ++at)
              found += std::equal(pattern.begin(), pattern.end(), ids + at) ? 1 : 0;
            EXPECT_GE(found, 2);
            answers.insert(pattern);
          }
        }
        EXPECT_GT(answers.size(), 6U);
        float total = 0;
        for (const float weight : batch->weights) total += weight;
        EXPECT_NEAR(total, 1, 1e-5);
        EXPECT_EQ((*source)->make(seed)->ids, batch->ids);
        EXPECT_NE((*source)->make(seed + 1)->ids, batch->ids);
      }
    }
  }
}

TEST(NeedleBatches, QuestionsAtTheEndEndTheSequence) {
  const auto source =
      make_batch_source(needle_stage(NeedleGrammar::number, QuestionPlace::end), fixture_tokenizer(), 320);
  ASSERT_TRUE(source);
  const auto batch = (*source)->make(3);
  ASSERT_TRUE(batch);
  for (int64_t b = 0; b < 3; ++b) {
    EXPECT_EQ(batch->rows[static_cast<size_t>((b + 1) * batch->rows_per_sequence - 1)], 400 - 3);
  }
}

TEST(TextBatches, TargetsAreTheNextTokens) {
  const test::TempFolder folder;
  std::ofstream ids(folder / "ids.txt");
  for (int i = 0; i < 100; ++i) ids << i << "\n";
  ids.close();
  StageConfig stage;
  stage.task = StageTask::tokens;
  stage.lengths = {30};
  stage.batch = 4;
  stage.file = folder / "ids.txt";
  const auto source = make_batch_source(stage, fixture_tokenizer(), 320);
  ASSERT_TRUE(source) << source.error().line();
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto batch = (*source)->make(seed);
    ASSERT_TRUE(batch);
    ASSERT_EQ(batch->targets.size(), 120U);
    for (size_t i = 0; i < 120; ++i) EXPECT_EQ(batch->targets[i], batch->ids[i] + 1);
  }
  EXPECT_FALSE(make_batch_source(stage, fixture_tokenizer(), 50)) << "ids beyond the vocabulary";
}

}  // namespace
}  // namespace orthros::training
