// Training runs: the same curve on every call, resuming to the last digit, and what stops them.
#include "engine/training/trainer.h"

#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/mapped_file.h"
#include "engine/formats/safetensors.h"
#include "engine/tasks/random.h"
#include "tests/engine/training/training_run.h"

namespace orthros::training {
namespace {

using ::testing::HasSubstr;

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

TEST_F(Training, ProbesSayWhatWasAskedRightAndSaid) {
  const test::TempFolder folder;
  std::vector<ProbeEvent> probes;
  std::map<int64_t, double> exact;
  TrainHooks hooks;
  hooks.probe_every = 6;
  hooks.on_probe = [&](const ProbeEvent& probe) { probes.push_back(probe); };
  hooks.on_step = [&](const StepEvent& e) -> Result<void> {
    exact[e.step] = e.exact;
    return {};
  };
  const auto ran = train(parsed(config_json(folder / "run")), hooks);
  ASSERT_TRUE(ran) << ran.error().line();
  std::vector<int64_t> steps;
  for (const ProbeEvent& probe : probes) {
    steps.push_back(probe.step);
    EXPECT_EQ(probe.exact, exact[probe.step]);
    ASSERT_EQ(probe.samples.size(), 4U);  // of each sequence
    for (const AnswerSample& sample : probe.samples) {
      EXPECT_FALSE(sample.asked.empty());
      EXPECT_FALSE(sample.expected.empty());
      if (sample.right) {
        EXPECT_EQ(sample.said, sample.expected);
      }
    }
  }
  EXPECT_EQ(steps, (std::vector<int64_t>{1, 6, 12, 18}));
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
  for (const char* step : {"10", "13"}) {
    std::ofstream(folder.path() / fmt::format("run/checkpoint-000000{}.safetensors.part-1-0", step))
        << "half of one";
  }
  EXPECT_FALSE(run(json, curve)) << "without --resume nothing is overwritten";
  const auto resumed = run(json, curve, true, 1);
  ASSERT_TRUE(resumed) << resumed.error().line();
  EXPECT_EQ(resumed->steps, 10);
  size_t checkpoints = 0;
  for (const auto& entry : fs::directory_iterator(folder.path() / "run")) {
    checkpoints += entry.path().extension() == ".safetensors" ? 1 : 0;
  }
  EXPECT_LE(checkpoints, 2U);
  for (const auto& entry : fs::directory_iterator(folder / "run")) {
    EXPECT_EQ(entry.path().filename().string().find(".part-"), std::string::npos) << entry.path();
  }
  json["optimizer"]["lr"] = 1e-3;
  const auto other = run(json, curve, true, 1);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("another training config"));
}

TEST_F(Training, ADamagedCheckpointNamesTheOneToGoOnFrom) {
  const test::TempFolder folder;
  const Json json = config_json(folder / "run");
  Curve curve;
  ASSERT_TRUE(run(json, curve, false, 3));
  std::ofstream(folder.path() / "run/checkpoint-00000099.safetensors") << "half of one";
  const auto refused = run(json, curve, true, 1);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().line(), HasSubstr("checkpoint-00000099.safetensors is damaged"));
  EXPECT_THAT(refused.error().line(), HasSubstr("delete it to go on from checkpoint-00000003.safetensors"));
  fs::remove(folder.path() / "run/checkpoint-00000099.safetensors");
  EXPECT_TRUE(run(json, curve, true, 1));
}

TEST_F(Training, TwoRunsDoNotShareAFolder) {
  const test::TempFolder folder;
  const Json json = config_json(folder / "run");
  Curve curve;
  TrainHooks hooks = curve.hooks();
  hooks.stop_after = 2;
  std::string second;
  hooks.on_note = [&](const std::string&) {
    if (!second.empty()) return;
    Curve other;
    const auto refused = run(json, other);
    second = refused ? "ran" : refused.error().line();
  };
  ASSERT_TRUE(train(parsed(json), hooks));
  EXPECT_THAT(second, HasSubstr("another training writes into"));
}

/// Decay that makes every matrix nine times larger at each step, until no float holds what they make.
Json diverging(const fs::path& output) {
  Json json = config_json(output);
  json["optimizer"] = {{"lr", 1}, {"warmup_steps", 0}, {"weight_decay", 10}, {"clip_norm", 0}};
  json["stages"][0]["max_steps"] = 400;
  return json;
}

TEST_F(Training, ALossThatIsNoNumberStopsWithStepSeedAndCheckpoint) {
  for (const int64_t ranks : {1, 2}) {
    const test::TempFolder folder;
    Json json = diverging(folder / "run");
    json["checkpoint_every"] = 2;
    json["ranks"] = ranks;
    Curve curve;
    const auto ran = run(json, curve);
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, ErrorCode::internal);
    const auto step = std::ssize(curve.loss);
    EXPECT_THAT(ran.error().message,
                testing::AnyOf(HasSubstr(fmt::format("not a number at step {} (", step)),
                               HasSubstr(fmt::format("not a number at step {} (", step - 1))));
    const auto seed_of = [&](int64_t at) { return Random(5, static_cast<uint64_t>(at)).next(); };
    EXPECT_THAT(ran.error().message,
                testing::AnyOf(HasSubstr(fmt::format("batch seed {}", seed_of(step))),
                               HasSubstr(fmt::format("batch seed {}", seed_of(step - 1)))));
    std::set<std::string> checkpoints;
    for (const auto& entry : fs::directory_iterator(folder / "run"))
      checkpoints.insert(entry.path().filename());
    ASSERT_FALSE(checkpoints.empty());
    EXPECT_THAT(ran.error().message, HasSubstr("the last good checkpoint is " + *checkpoints.rbegin()));
    // Good means that its weights are numbers.
    const auto file = SafetensorsFile::open(folder.path() / "run" / *checkpoints.rbegin());
    ASSERT_TRUE(file);
    const auto bytes = file->find("weights.head")->bytes;
    const std::span values(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float));
    EXPECT_TRUE(std::ranges::all_of(values, [](float value) { return std::isfinite(value); }));
  }
}

TEST_F(Training, WeightsThatAreNoNumbersAreNotKept) {
  const test::TempFolder folder;
  Json json = diverging(folder / "run");
  json["checkpoint_every"] = 1;
  Curve curve;
  const auto ran = run(json, curve);
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.error().message, HasSubstr("the last good checkpoint is checkpoint-"));
  for (const auto& entry : fs::directory_iterator(folder / "run")) {
    const auto file = SafetensorsFile::open(entry.path());
    ASSERT_TRUE(file);
    const auto bytes = file->find("weights.head")->bytes;
    const std::span values(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float));
    EXPECT_TRUE(std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
        << entry.path();
  }
}

TEST_F(Training, NoCheckpointYetIsSaidToo) {
  const test::TempFolder folder;
  Curve curve;
  Json json = diverging(folder / "run");
  json["checkpoint_every"] = 1000;
  const auto none = run(json, curve);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("there is no checkpoint yet"));
}

/// A run of 15 steps whatever its stages say; those left early leave their steps to the last one.
TEST_F(Training, TotalStepsAreTheRunsLength) {
  const auto stages_of = [&](const std::function<void(Json&)>& change) {
    const test::TempFolder folder;
    Json json = config_json(folder / "run");
    json["total_steps"] = 15;
    json["optimizer"]["schedule"] = "cosine";
    json["optimizer"]["final_share"] = 0.1;
    change(json);
    std::vector<int64_t> steps(3);
    double rate = 0;
    TrainHooks hooks;
    hooks.on_step = [&](const StepEvent& e) -> Result<void> {
      EXPECT_EQ(e.total_steps, json["total_steps"]);
      ++steps[static_cast<size_t>(e.stage)];
      rate = e.learning_rate;
      return {};
    };
    const auto ran = train(parsed(json), hooks);
    EXPECT_TRUE(ran && ran->finished && ran->steps == json["total_steps"]);
    // The schedule is over the budget: its last step is near its end, wherever the stages were left.
    EXPECT_LT(rate, 0.15 * 3e-3);
    EXPECT_GT(rate, 0.1 * 3e-3);
    return steps;
  };
  using Steps = std::vector<int64_t>;
  EXPECT_EQ(stages_of([](Json&) {}), (Steps{12, 3, 0}));
  EXPECT_EQ(stages_of([](Json& j) { j["stages"][0]["max_steps"] = 4; }), (Steps{4, 11, 0}));
  const auto left_early = [](Json& j) { j["stages"][0].update({{"leave_at", 0}, {"min_steps", 2}}); };
  EXPECT_EQ(stages_of(left_early), (Steps{2, 13, 0}));
  EXPECT_EQ(stages_of([&](Json& j) {
              left_early(j);
              j["stages"].push_back(j["stages"][1]);
            }),
            (Steps{2, 8, 5}));
  EXPECT_EQ(stages_of([](Json& j) { j["total_steps"] = 9; }), (Steps{9, 0, 0}));
}

TEST_F(Training, TotalStepsAreKeptAcrossAResume) {
  const test::TempFolder folder;
  const auto with_total = [&](const char* name) {
    Json json = config_json(folder.path() / name);
    json["total_steps"] = 18;
    json["stages"][0].update({{"leave_at", 0}, {"min_steps", 3}});
    return json;
  };
  Curve whole, pieces;
  ASSERT_TRUE(run(with_total("a"), whole));
  ASSERT_EQ(whole.loss.size(), 18U);
  for (const int64_t steps : {2, 1, 9, 100}) ASSERT_TRUE(run(with_total("b"), pieces, true, steps));
  EXPECT_EQ(pieces.loss, whole.loss);
  EXPECT_EQ(pieces.rate, whole.rate);
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
      {[](Json& j) { j["total_steps"] = -1; }, "'total_steps'"},
      {[](Json& j) { j["ranks"] = 0; }, "'ranks'"},
      {[](Json& j) { j["ranks"] = 1000; }, "'ranks'"},
      {[](Json& j) { j["stages"][0]["questions_at"] = "somewhere"; }, "'questions_at'"},
      {[](Json& j) { j["stages"][1]["task"] = "repeat"; }, "'period'"},
      {[](Json& j) { j["stages"][1]["period"] = 8; }, "'period'"},
      {[](Json& j) {
         j["stages"][1].update({{"task", "repeat"}, {"period", 1}});
       },
       "'period'"},
      {[](Json& j) { j["stages"][1]["task"] = "pairs"; }, "'values'"},
      {[](Json& j) {
         j["stages"][1].update({{"task", "pairs"}, {"values", {" a"}}, {"fillers", {" b"}}, {"needles", 1}});
       },
       "'keys'"},
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

}  // namespace
}  // namespace orthros::training
