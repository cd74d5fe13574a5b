// Cli: runs the real program in a fresh folder and looks at exit code, streams and the files it leaves.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "engine/formats/json.h"
#include "engine/formats/mapped_file.h"
#include "tests/support/temp_folder.h"

namespace orthros::test {

namespace fs = std::filesystem;

inline const std::string kTiny = std::string(ORTHROS_FIXTURES) + "/tiny/";

struct Outcome {
  int exit_code = -1;
  std::string out, err;
};

class Cli : public ::testing::Test {
 protected:
  /// `before` is shell text that comes ahead of the program, `streams` replaces where its output goes.
  Outcome run(const std::string& arguments, const std::string& before = "",
              const std::string& streams = "") const {
    const fs::path out = folder_.path() / ".out", err = folder_.path() / ".err";
    const std::string command =
        fmt::format("cd '{}' && {} '{}' {} >'{}' 2>'{}' </dev/null {}", folder_.path().string(), before,
                    ORTHROS_PROGRAM, arguments, out.string(), err.string(), streams);
    const int status = std::system(command.c_str());
    Outcome outcome;
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    outcome.out = read_text(out, 1 << 26).value_or("");
    outcome.err = read_text(err, 1 << 26).value_or("");
    return outcome;
  }

  Json json_of(const std::string& arguments) const {
    const Outcome outcome = run(arguments + " --json");
    EXPECT_EQ(outcome.exit_code, 0) << arguments << ": " << outcome.err;
    auto json = parse_json(outcome.out, "stdout");
    EXPECT_TRUE(json) << outcome.out;
    return json ? *json : Json();
  }

  // One line on stderr, nothing on stdout, no file left behind.
  void refuses(int exit_code, const std::string& arguments, const std::string& says) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << arguments << " said: " << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(left_behind(), std::vector<std::string>()) << arguments;
  }

  /// Names in the folder, but for the streams' own.
  std::vector<std::string> left_behind() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      if (name != ".out" && name != ".err") names.push_back(name);
    }
    return names;
  }

  TempFolder folder_;
};

}  // namespace orthros::test
