// Kill -9 at random moments of `orthros train`, many of them in the middle of a save; every time the last
// checkpoint opens, and in the end the curve and the model are those of a run that was left alone.
#include <map>
#include <random>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/wait.h>

#include "engine/formats/safetensors.h"
#include "tests/app/train_cli.h"

extern char** environ;

namespace orthros::test {
namespace {

constexpr int64_t kSteps = 400;
constexpr int kKills = 16;

class TrainKill : public TrainCli {
 protected:
  /// Starts the program in the test's folder.
  pid_t start() const {
    const std::string command =
        fmt::format("cd '{}' && exec '{}' train c.json --threads 1 --resume --db runs.sqlite >/dev/null 2>&1",
                    folder_.path().string(), ORTHROS_PROGRAM);
    std::string shell = "/bin/sh", option = "-c", text = command;
    char* arguments[] = {shell.data(), option.data(), text.data(), nullptr};
    pid_t pid = -1;
    EXPECT_EQ(::posix_spawn(&pid, "/bin/sh", nullptr, nullptr, arguments, environ), 0);
    return pid;
  }

  int64_t newest_step() const {
    int64_t newest = -1;
    for (const std::string& name : names_in("run")) {
      if (name.starts_with("checkpoint-") && name.ends_with(".safetensors"))
        newest = std::max<int64_t>(newest, std::stoll(name.substr(11, 8)));
    }
    return newest;
  }
  bool saving() const {
    return std::ranges::any_of(names_in("run"),
                               [](const auto& name) { return name.find(".part-") != std::string::npos; });
  }

  /// Step -> "loss,rate,norm" of every point of the last experiment, as the database prints them.
  std::map<int64_t, std::string> curve(const std::string& db) const {
    fs::remove(folder_.path() / "points.csv");
    EXPECT_EQ(run("runs export last --db " + db + " --view v_train --out points.csv").exit_code, 0);
    std::istringstream lines(file("points.csv"));
    std::map<int64_t, std::string> points;
    std::vector<std::string> header;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('#')) continue;
      std::vector<std::string> cells;
      std::istringstream text(line);
      for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
      if (header.empty()) {
        header = cells;
        continue;
      }
      const auto cell = [&](const char* name) {
        return cells.at(static_cast<size_t>(std::ranges::find(header, name) - header.begin()));
      };
      const std::string point = cell("loss [nats]") + "," + cell("lr") + "," + cell("grad_norm");
      const auto [at, is_new] = points.emplace(std::stoll(cell("step")), point);
      EXPECT_EQ(at->second, point) << "a step done twice gave two results";
    }
    return points;
  }
};

TEST_F(TrainKill, TheCurveIsThatOfAnUninterruptedRun) {
  Json json = tiny_training(kSteps);
  json["checkpoint_every"] = 1;
  write_config("c.json", json);
  json["output"] = "straight";
  write_config("straight.json", json);
  ASSERT_EQ(run("train straight.json --threads 1 --db straight.sqlite").exit_code, 0);
  const auto straight = curve("straight.sqlite");
  ASSERT_EQ(straight.size(), static_cast<size_t>(kSteps));

  std::mt19937_64 random(20261130);
  int in_a_save = 0;
  for (int kill = 0; kill < kKills; ++kill) {
    const int64_t before = newest_step();
    ASSERT_LT(before, kSteps) << "the run ended before its kills did";
    const pid_t pid = start();
    const auto ended = [&] { return ::waitpid(pid, nullptr, WNOHANG) != 0; };
    while (newest_step() <= before) ASSERT_FALSE(ended()) << "it ended by itself before kill " << kill;
    // Even ones anywhere; odd ones once a save has begun.
    if (kill % 2 == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
    } else {
      while (!saving()) ASSERT_FALSE(ended());
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 400));
    }
    ASSERT_EQ(::kill(pid, SIGKILL), 0);
    ::waitpid(pid, nullptr, 0);
    in_a_save += saving() ? 1 : 0;
    const int64_t step = newest_step();
    const auto newest =
        SafetensorsFile::open(folder_.path() / fmt::format("run/checkpoint-{:08}.safetensors", step));
    ASSERT_TRUE(newest) << newest.error().line();
    EXPECT_EQ(parse_json(newest->metadata().at("orthros_train_state"), "state")->at("step"), step);
  }
  EXPECT_GE(in_a_save, 3) << "kills that hit no save prove little";

  ASSERT_EQ(run("train c.json --threads 1 --resume --db runs.sqlite").exit_code, 0);
  EXPECT_EQ(file("run/model/model.safetensors"), file("straight/model/model.safetensors"));
  const auto pieces = curve("runs.sqlite");
  EXPECT_GT(pieces.size(), static_cast<size_t>(kSteps) / 4);
  EXPECT_TRUE(pieces.contains(kSteps));
  for (const auto& [step, point] : pieces) EXPECT_EQ(point, straight.at(step)) << "step " << step;
  for (const std::string& name : names_in("run")) EXPECT_EQ(name.find(".part-"), std::string::npos) << name;
}

}  // namespace
}  // namespace orthros::test
