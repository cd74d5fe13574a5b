// orthros train: what a run leaves, what it says when it cannot, and that nothing of an earlier save is lost.
#include <gmock/gmock.h>

#include "tests/app/train_cli.h"

namespace orthros::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kTrain = "train c.json --threads 1";

TEST_F(TrainCli, ARunLeavesAModelAndItsPoints) {
  write_config("c.json", tiny_training(8));
  const Json made = json_of(kTrain + " --db runs.sqlite");
  EXPECT_EQ(made["steps"], 8);
  EXPECT_TRUE(made["finished"]);
  EXPECT_EQ(made["model"], "model");
  EXPECT_EQ(json_of("info run/model")["model_type"], "orthros");
  const Json list = json_of("runs list --db runs.sqlite");
  ASSERT_EQ(list["experiments"].size(), 1U);
  EXPECT_EQ(list["experiments"][0]["kind"], "training");
  ASSERT_EQ(run("runs export last --db runs.sqlite --view v_train --out points.csv").exit_code, 0);
  const std::string points = file("points.csv");
  EXPECT_THAT(points, HasSubstr("loss"));
  EXPECT_EQ(std::ranges::count(points, '\n') - std::ranges::count(points, '#'), 9)
      << "a header and a line a step";
}

TEST_F(TrainCli, RanksAreAKeyOfTheConfig) {
  Json json = tiny_training(6);
  write_config("c.json", json);
  const Json one = json_of(kTrain + " --no-store");
  json["output"] = "two";
  json["ranks"] = 2;
  write_config("c.json", json);
  const Json two = json_of("train c.json --threads 2 --no-store");
  EXPECT_NEAR(one["loss"].get<double>(), two["loss"].get<double>(), 2e-3);
  EXPECT_EQ(one["tokens"], two["tokens"]);
}

TEST_F(TrainCli, MistakesAreNamedAndLeaveNothing) {
  struct Mistake {
    std::function<void(Json&)> make;
    std::string says;
  };
  std::ofstream(folder_ / "text.txt") << "Too short.";
  const Json text = {{"task", "text"}, {"max_steps", 5}, {"length", 64}, {"file", "text.txt"}};
  const std::vector<Mistake> mistakes{
      {[](Json& j) { j["learning_rate"] = 1; }, "unknown key 'learning_rate'"},
      {[](Json& j) { j["stages"][0]["window_size"] = 4; }, "unknown key 'window_size'"},
      {[](Json& j) { j["stages"][0].erase("length"); }, "'length'"},
      {[](Json& j) { j["ranks"] = 0; }, "'ranks'"},
      {[](Json& j) { j["tokenizer"] = "nowhere"; }, "nowhere"},
      {[](Json& j) { j["model"]["vocab_size"] = 100; }, "tokenizer"},
      {[&](Json& j) { j["stages"][0] = text; }, "text.txt has"},
      // Of the second stage, which the first would be trained for in vain.
      {[&](Json& j) { j["stages"].push_back(text); }, "less than a sequence of 64"},
      {[](Json& j) {
         j["stages"].push_back({{"task", "needle"}, {"max_steps", 1}, {"length", 20}, {"needles", 8}});
       },
       "use fewer needles or a longer sequence"},
      {[](Json& j) { j["stages"][0]["keys"] = 4; }, "pairs"}};
  for (const auto& [make, says] : mistakes) {
    Json json = tiny_training(5);
    make(json);
    write_config("c.json", json);
    const Outcome outcome = run(kTrain + " --db runs.sqlite");
    EXPECT_EQ(outcome.exit_code, 1) << says;
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_THAT(left_behind(), testing::UnorderedElementsAre("c.json", "text.txt")) << says;
  }
  std::ofstream(folder_ / "c.json") << "{\"model\": ";
  EXPECT_EQ(run(kTrain + " --no-store").exit_code, 1);
  EXPECT_EQ(run("train nowhere.json --no-store").exit_code, 1);
}

/// A save that does not fit leaves the one before it, which goes on to the same end once there is room.
TEST_F(TrainCli, AFullDiskLosesNothingThatWasKept) {
  Json json = tiny_training(12);
  json["checkpoint_every"] = 4;
  write_config("c.json", json);
  json["output"] = "straight";
  write_config("straight.json", json);
  ASSERT_EQ(run("train straight.json --threads 1 --no-store").exit_code, 0);
  ASSERT_EQ(run(kTrain + " --no-store --steps 5").exit_code, 0);
  ASSERT_THAT(names_in("run"), testing::Contains("checkpoint-00000005.safetensors"));
  const auto before = names_in("run");
  const std::string kept = file("run/checkpoint-00000005.safetensors");

  const Outcome full = run(kTrain + " --no-store --resume", "ulimit -f 100;");
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_THAT(full.err, HasSubstr("cannot write"));
  EXPECT_THAT(full.err, HasSubstr("checkpoint-00000008.safetensors"));
  EXPECT_THAT(full.err, HasSubstr("free some space"));
  EXPECT_EQ(names_in("run"), before) << "neither less nor more";
  EXPECT_EQ(file("run/checkpoint-00000005.safetensors"), kept);

  ASSERT_EQ(run(kTrain + " --no-store --resume").exit_code, 0);
  EXPECT_EQ(file("run/model/model.safetensors"), file("straight/model/model.safetensors"));
}

/// All ranks end when the first cannot save.
TEST_F(TrainCli, AFullDiskEndsEveryRank) {
  Json json = tiny_training(4);
  json["ranks"] = 3;
  json["checkpoint_every"] = 2;
  write_config("c.json", json);
  const Outcome full = run("train c.json --no-store", "ulimit -f 100;");
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_THAT(full.err, HasSubstr("free some space"));
  EXPECT_THAT(names_in("run"), IsEmpty());
}

TEST_F(TrainCli, AnotherConfigOrAForgottenResumeIsRefused) {
  Json json = tiny_training(6);
  write_config("c.json", json);
  ASSERT_EQ(run(kTrain + " --no-store --steps 2").exit_code, 0);
  const Outcome again = run(kTrain + " --no-store");
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("--resume"));
  json["seed"] = 7;
  write_config("c.json", json);
  const Outcome other = run(kTrain + " --no-store --resume");
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_THAT(other.err, HasSubstr("belongs to another training config"));
  EXPECT_THAT(names_in("run"), ElementsAre("checkpoint-00000002.safetensors"));
}

TEST_F(TrainCli, ALossThatIsNoNumberSaysWhereItHappened) {
  Json json = tiny_training(400);
  json["checkpoint_every"] = 2;
  json["optimizer"] = {{"lr", 1}, {"warmup_steps", 0}, {"weight_decay", 10}, {"clip_norm", 0}};
  write_config("c.json", json);
  const Outcome outcome = run(kTrain + " --no-store");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err,
              testing::ContainsRegex("is not a number at step [0-9]+ .batch seed [0-9]+.; the last good "
                                     "checkpoint is checkpoint-[0-9]+.safetensors"));
}

}  // namespace
}  // namespace orthros::test
