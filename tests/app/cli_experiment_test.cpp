// orthros niah, latency and runs on a tiny model: what is stored, resumed, exported and refused.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli_fixture.h"

namespace orthros {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

const std::string kModel = std::string(ORTHROS_FIXTURES) + "/tiny/llama-tokenizer";
const std::string kArms = " --arm " + kModel + ":transformer --arm " + kModel + ":swa,w=16,s=2 --arm " +
                          kModel + ":orthros,w=16,s=2";

class ExperimentCli : public test::Cli {
 protected:
  std::string db() const { return " --db " + (folder_.path() / "runs.sqlite").string(); }
  Json niah(const std::string& more = "") const {
    return json_of("niah" + kArms + db() + " --lengths 96,160 --depths 0,50,100 --trials 2" + more);
  }
};

TEST_F(ExperimentCli, NiahMeasuresStoresAndShowsTheSameAgain) {
  const Json made = niah(" --name first");
  ASSERT_EQ(made["arms"].size(), 3u);
  EXPECT_TRUE(made["complete"]);
  for (const Json& arm : made["arms"]) {
    EXPECT_EQ(arm["all"]["n"], 12);
    EXPECT_EQ(arm["cells"].size(), 2u);
    EXPECT_EQ(arm["needle_only"]["n"], 5);
    // The question is longer than this window: a row of SWA sees no needle at all.
    if (arm["label"].get<std::string>().find("SWA") == std::string::npos) {
      EXPECT_GT(arm["all"]["attention_mass"], 0.0);
    } else {
      EXPECT_EQ(arm["all"]["attention_mass"], 0.0);
    }
  }
  ASSERT_EQ(made["pairs"].size(), 2u);
  const std::string id = made["experiment"];
  const Json shown = json_of("runs show " + id.substr(0, 8) + db());
  EXPECT_EQ(shown["figures"]["arms"], made["arms"]);
  EXPECT_EQ(shown["runs"].size(), 3u);
  const Json list = json_of("runs list" + db());
  ASSERT_EQ(list["experiments"].size(), 1u);
  EXPECT_EQ(list["experiments"][0]["name"], "first");
  EXPECT_EQ(list["experiments"][0]["status"], "done");
}

TEST_F(ExperimentCli, TheSameSeedGivesTheSamePromptsAndAnswers) {
  const Json a = niah(), b = niah();
  EXPECT_NE(a["experiment"], b["experiment"]);
  EXPECT_EQ(a["arms"], b["arms"]);
  const Json other = niah(" --seed 7");
  EXPECT_NE(a["arms"], other["arms"]);
  const Json compared = json_of("runs compare " + a["experiment"].get<std::string>() + " " +
                                other["experiment"].get<std::string>() + db());
  bool seed = false;
  for (const Json& d : compared["differences"]) seed = seed || d["key"].get<std::string>().ends_with("seed");
  EXPECT_TRUE(seed) << compared["differences"];
}

TEST_F(ExperimentCli, ResumingWhatIsDoneRunsNothingAndWhatDiffersIsRefused) {
  const Json made = niah();
  const std::string id = made["experiment"];
  const Json again = json_of("niah" + kArms + db() + " --resume last");
  EXPECT_EQ(again["experiment"], id);
  EXPECT_EQ(again["arms"], made["arms"]);
  const std::string fewer = " --arm " + kModel + ":transformer";
  const test::Outcome refused = run("niah" + fewer + db() + " --resume " + id);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("not as it was begun"));
  EXPECT_EQ(run("latency" + kArms + db() + " --resume " + id).exit_code, 1);
  EXPECT_EQ(run("niah" + kArms + db() + " --resume ffffffff").exit_code, 1);
}

TEST_F(ExperimentCli, ALatencyRunThatMeasuredNothingFails) {
  const test::Outcome outcome = run("latency --arm " + kModel + db() + " --lengths 256 --timeout 0.000001");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("nothing could be measured: every run took longer than 1e-06 s"));
}

TEST_F(ExperimentCli, MistakesAreToldInTheUsersOwnWords) {
  const std::string latency = "latency --arm " + kModel;
  refuses(2, latency + " --min-samples 50 --max-samples 5", "--max-samples 5 is below --min-samples 50");
  const std::string niah = "niah --arm " + kModel;
  refuses(2, niah + " --distractors 129", "0 to 128");
  const test::Outcome depths = run(niah + db() + " --depths 50,10");
  EXPECT_EQ(depths.exit_code, 1);
  EXPECT_THAT(depths.err, HasSubstr("depths: 10 % after 50 %"));
  const test::Outcome arm = run(niah + ":foo" + db());
  EXPECT_EQ(arm.exit_code, 1);
  EXPECT_THAT(arm.err, HasSubstr("'foo' is neither transformer, swa or orthros nor a setting"));
  const test::Outcome mega = run(niah + db() + " --lengths 1M,1K");
  EXPECT_EQ(mega.exit_code, 1);
  EXPECT_THAT(mega.err, HasSubstr("lengths: 1024 after 1048576"));
  const test::Outcome folder = run(niah + " --db /dev/null/orthros/runs.sqlite");
  EXPECT_EQ(folder.exit_code, 1);
  EXPECT_THAT(folder.err, HasSubstr("/dev/null/orthros/runs.sqlite"));
}

TEST_F(ExperimentCli, LatencyMeasuresEveryArmAndPairsThem) {
  const Json made =
      json_of("latency" + kArms + db() + " --lengths 32,64,128 --min-samples 5 --max-samples 6");
  ASSERT_EQ(made["cells"].size(), 3u);
  for (const Json& cell : made["cells"]) {
    ASSERT_EQ(cell["arms"].size(), 3u);
    for (const Json& arm : cell["arms"]) {
      EXPECT_EQ(arm["status"], "done");
      EXPECT_GE(arm["figures"]["prefill_ms"]["n"], 5);
      EXPECT_GT(arm["figures"]["prefill_ms"]["median"], 0.0);
      EXPECT_FALSE(arm["figures"].contains("decode_tok_s"));
      EXPECT_GT(arm["speed_up"]["prefill"]["value"], 0.0);
    }
  }
  EXPECT_EQ(made["arms"][2]["architecture"], "orthros");
  const Json in_out = json_of("latency" + kArms + db() +
                              " --mode in-out --lengths 32 --outputs 8 --batches 1,2 --max-samples 5");
  for (const Json& cell : in_out["cells"]) {
    for (const Json& arm : cell["arms"]) EXPECT_GT(arm["figures"]["decode_tok_s"]["median"], 0.0);
  }
}

TEST_F(ExperimentCli, RunsGoOutAndComeBack) {
  const std::string id = niah()["experiment"];
  const std::string bundle = (folder_.path() / "bundle.sqlite").string();
  EXPECT_EQ(run("runs export " + id + db() + " --out " + bundle).exit_code, 0);
  const Json before = json_of("runs show " + id + db());
  EXPECT_EQ(run("runs delete " + id + db()).exit_code, 1) << "deleting without a yes";
  EXPECT_EQ(run("runs delete " + id + db() + " --yes").exit_code, 0);
  EXPECT_EQ(json_of("runs list" + db())["experiments"].size(), 0u);
  EXPECT_EQ(json_of("runs import " + bundle + db())["experiments_added"], 1);
  EXPECT_EQ(json_of("runs show " + id + db())["figures"], before["figures"]);
  const Json twice = json_of("runs import " + bundle + db());
  EXPECT_EQ(twice["experiments_added"], 0);
  EXPECT_EQ(twice["results_added"], 0);
  const std::string csv = (folder_.path() / "niah.csv").string();
  EXPECT_EQ(run("runs export " + id + db() + " --view v_niah_cell --out " + csv).exit_code, 0);
  EXPECT_GT(fs::file_size(csv), 100u);
  const std::string whole = (folder_.path() / "whole.sqlite").string();
  EXPECT_EQ(run("runs export --all" + db() + " --out " + whole).exit_code, 0);
  EXPECT_EQ(json_of("runs list --db " + whole)["experiments"].size(), 1u);
}

TEST_F(ExperimentCli, KeptPromptsAreRuns) {
  EXPECT_EQ(run("generate " + kModel + " --prompt 'a b c' --max-tokens 4 --keep" + db()).exit_code, 0);
  EXPECT_EQ(run("attention " + kModel +
                " --prompt 'a b c' --layer 0 --head 0 --stream base --out a.npy --keep" + db())
                .exit_code,
            0);
  const Json list = json_of("runs list" + db());
  ASSERT_EQ(list["experiments"].size(), 2u);
  EXPECT_EQ(list["experiments"][0]["kind"], "attention");
  EXPECT_EQ(list["experiments"][1]["kind"], "prompt");
  EXPECT_EQ(json_of("runs list --kind prompt" + db())["experiments"].size(), 1u);
}

TEST_F(ExperimentCli, NiahOptionsThatWouldDoNothingAreRefused) {
  EXPECT_EQ(run("niah" + kArms + db() + " --lengths 96 --depths 1 --no-controls").exit_code, 0);
  const auto refused = [&](const std::string& more, const std::string& says) {
    const test::Outcome outcome = run("niah" + kArms + db() + more);
    EXPECT_EQ(outcome.exit_code, 2) << more;
    EXPECT_EQ(outcome.out, "") << more;
    EXPECT_THAT(outcome.err, HasSubstr(says)) << more;
  };
  refused(" --resume last --lengths 96", "--lengths");
  refused(" --resume last --trials 3", "--trials");
  refused(" --retry-failed", "--resume");
  refused(" --lengths 96 --values 3", "multi-value");
  refused(" --lengths 96 --variant multi-key --needles 3", "k-needles");
  refused(" --lengths 96 --variant uuid --digits 3", "--digits");
  refused(" --lengths 96 --depths 0,50 --depth-spacing geometric", "--depth-spacing");
  EXPECT_EQ(run("runs export last" + db() + " --format jsonl --out x").exit_code, 2);
}

TEST_F(ExperimentCli, ATextFolderIsKnownByWhatItHoldsNotByItsName) {
  fs::create_directory(folder_ / "alice");
  std::ofstream(folder_ / "alice" / "text.txt") << "Ships wait in the harbour. The sea is calm today.";
  const Json made = niah(" --haystack alice");
  const std::string id = made["experiment"];
  EXPECT_THAT(run("niah" + kArms + db() + " --resume last").err, HasSubstr("name the folder again"));
  fs::rename(folder_ / "alice", folder_ / "bob");
  EXPECT_EQ(json_of("niah" + kArms + db() + " --resume last --haystack bob")["arms"], made["arms"]);
  std::ofstream(folder_ / "bob" / "text.txt") << "Other words.";
  EXPECT_THAT(run("niah" + kArms + db() + " --resume last --haystack bob").err, HasSubstr("generator"));
  EXPECT_EQ(run("runs export " + id + db() + " --out bundle.sqlite").exit_code, 0);
  const auto bytes = read_text(folder_ / "bundle.sqlite", 1 << 26);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->find("alice"), std::string::npos);
  EXPECT_EQ(bytes->find("bob"), std::string::npos);
}

TEST_F(ExperimentCli, NamesCannotDriveTheTerminalOrTheTable) {
  const std::string name = " --name \"$(printf 'a\\033[31m\\n\\302\\233b\\377%0300d' 7)\"";
  EXPECT_EQ(run("niah" + kArms + db() + " --lengths 96 --depths 1 --no-controls" + name).exit_code, 0);
  for (const char* command : {"runs list", "runs show last", "runs compare last last"}) {
    const std::string out = run(command + db()).out;
    EXPECT_THAT(out, HasSubstr("a?[31m??b")) << command;
    for (const char* control : {"\033", "\302\233", "\377"}) EXPECT_EQ(out.find(control), std::string::npos);
  }
  const std::string list = run("runs list" + db()).out;
  EXPECT_EQ(std::ranges::count(list, '\n'), 2) << list;
  EXPECT_LT(list.size(), 2 * 140u);
}

TEST_F(ExperimentCli, AMapOfEightLengthsFitsIntoAPage) {
  const test::Outcome outcome =
      run("niah" + kArms + db() + " --lengths 96,128,160,192,224,256,288,1K --depths 2 --scorer fraction");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
  EXPECT_THAT(outcome.out, HasSubstr("mean score"));
  EXPECT_THAT(outcome.err, HasSubstr("lengths above 64 tokens"));
}

TEST_F(ExperimentCli, NeedlesThatCannotStandWhereAskedAreReported) {
  fs::create_directory(folder_ / "one");
  std::ofstream(folder_ / "one" / "text.txt") << "word" << std::string(300, 'x') << ". End.";
  const std::string out =
      run("niah" + kArms + db() + " --lengths 200 --depths 0,50,100 --haystack one --no-controls").out;
  EXPECT_THAT(out, HasSubstr("one asked at 50 % stands at"));
}

TEST_F(ExperimentCli, ArmsThatDifferInTheirCacheHaveDifferentNames) {
  const Json made = json_of("niah --arm " + kModel + ":kv=float32 --arm " + kModel + ":kv=bfloat16" + db() +
                            " --lengths 96 --depths 1 --no-controls");
  EXPECT_NE(made["arms"][0]["label"], made["arms"][1]["label"]);
}

TEST_F(ExperimentCli, MistakesAreOneLine) {
  const auto refused = [&](int code, const std::string& arguments, const std::string& says) {
    const test::Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, code) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(says)) << arguments;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  };
  refused(2, "niah" + db(), "--arm");
  refused(2, "runs", "subcommand");
  refused(1, "niah --arm nowhere" + db(), "no such model");
  refused(1, "niah" + kArms + db() + " --lengths 5", "too short");
  refused(1, "niah" + kArms + db() + " --lengths 160,96", "ascending");
  refused(1, "niah" + kArms + db() + " --depths 0,101", "101");
  refused(1, "niah" + kArms + db() + " --depths 0x10,50", "0x10");
  refused(1, "niah" + kArms + db() + " --depths 50.5", "50%");
  refused(1, "niah" + kArms + db() + " --lengths 96,,160", "'' is no length");
  refused(1, "niah" + kArms + db() + " --lengths 1.5K", "1.5K");
  refused(1, "niah" + kArms + db() + " --variant riddle", "riddle");
  refused(1, "niah" + kArms + db() + " --haystack nowhere", "nowhere");
  refused(1, "niah --arm " + std::string(ORTHROS_FIXTURES) + "/tiny/llama-mha" + db(), "no tokenizer");
  refused(1, "niah --arm " + kModel + ":swa,w=0" + db(), "w=0");
  refused(1, "latency" + kArms + db() + " --lengths 0", "0");
  refused(1, "latency" + kArms + db() + " --lengths 64,64", "twice");
  refused(1, "latency" + kArms + db() + " --outputs 4", "in-out");
  refused(1, "latency" + kArms + db() + " --lengths 64 --paper table4", "different things");
  refused(1, "runs show 1234 --db nowhere.sqlite", "nowhere.sqlite");
  std::ofstream(folder_.path() / "text.sqlite") << "this is no database, it only looks like a file";
  refused(1, "runs list --db text.sqlite", "text.sqlite");
  refused(1, "runs import text.sqlite" + db(), "text.sqlite");
}

}  // namespace
}  // namespace orthros
