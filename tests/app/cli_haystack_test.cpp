// orthros haystack and the names of orthros niah: the text that needles are hidden in, as asked for.
#include <regex>
#include <set>

#include <gmock/gmock.h>

#include "tests/app/cli_fixture.h"

namespace orthros::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class HaystackCli : public Cli {
 protected:
  std::string text(const std::string& arguments) const {
    const Outcome outcome = run("haystack " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }

  /// Names and numbers of the needles in a text.
  static std::vector<std::pair<std::string, std::string>> needles(const std::string& text) {
    static const std::regex needle(" The magic number of ([A-Z][a-z]+) is ([0-9]+)\\.");
    std::vector<std::pair<std::string, std::string>> found;
    for (std::sregex_iterator at(text.begin(), text.end(), needle), end; at != end; ++at)
      found.emplace_back((*at)[1], (*at)[2]);
    return found;
  }
};

TEST_F(HaystackCli, PrintsAsManySentencesAndNeedlesAsAskedFor) {
  const std::string plain = text("--sentences 40");
  EXPECT_EQ(std::ranges::count(plain, '.'), 40);
  EXPECT_TRUE(plain.ends_with(".\n"));
  EXPECT_TRUE(needles(plain).empty());
  const std::string mixed = text("--sentences 40 --needle-every 4 --digits 3");
  const auto found = needles(mixed);
  ASSERT_EQ(found.size(), 10U);
  std::string without =
      std::regex_replace(mixed, std::regex(" The magic number of [A-Z][a-z]+ is [0-9]{3}\\."), "");
  EXPECT_EQ(without, plain) << "needles change nothing of the text around them";
  // The needle stands after its sentences, not before them.
  EXPECT_THAT(mixed.substr(0, mixed.find(" The magic")), Not(HasSubstr("magic")));
  EXPECT_EQ(std::ranges::count(mixed.substr(0, mixed.find(" The magic")), '.'), 4);
}

TEST_F(HaystackCli, TheSameSeedPrintsTheSameText) {
  const std::string arguments = "--sentences 30 --needle-every 3 --seed ";
  EXPECT_EQ(text(arguments + "5"), text(arguments + "5"));
  EXPECT_NE(text(arguments + "5"), text(arguments + "6"));
}

TEST_F(HaystackCli, HeldOutNamesAreOthers) {
  std::set<std::string> common, held_out;
  for (const auto& [name, number] : needles(text("--sentences 500 --needle-every 1"))) common.insert(name);
  for (const auto& [name, number] : needles(text("--sentences 500 --needle-every 1 --names held-out")))
    held_out.insert(name);
  EXPECT_GT(common.size(), 200U);
  EXPECT_GT(held_out.size(), 20U);
  for (const std::string& name : held_out) EXPECT_FALSE(common.contains(name)) << name;
}

TEST_F(HaystackCli, KindsDiffer) {
  const std::string filler = text("--kind filler"), noise = text("--kind noise"),
                    lines = text("--kind key-value-lines");
  EXPECT_NE(filler, noise);
  EXPECT_THAT(lines, HasSubstr("\nThe entry for "));
  EXPECT_THAT(filler, Not(HasSubstr("The entry for ")));
}

TEST_F(HaystackCli, MistakesAreRefused) {
  refuses(2, "haystack --kind hay", "--kind");
  refuses(2, "haystack --names famous", "--names");
  refuses(2, "haystack --sentences 0", "--sentences");
  refuses(2, "haystack --digits 19", "--digits");
  refuses(2, "haystack --needle-every -1", "--needle-every");
  EXPECT_EQ(run("haystack --sentences 100000", "", ">/dev/full").exit_code, 1);
}

TEST_F(HaystackCli, NiahAsksForHeldOutNames) {
  const std::string arms =
      " --arm " + kTiny + "llama-tokenizer:transformer --db " + (folder_ / "runs.sqlite").string();
  const std::string niah = "niah" + arms + " --threads 1 --lengths 160 --depths 1 --trials 2 --no-controls";
  const Json common = json_of(niah), held_out = json_of(niah + " --names held-out");
  EXPECT_NE(common["experiment"], held_out["experiment"]);
  const auto prompts = [&](const Json& made) {
    fs::remove(folder_ / "trials.csv");
    const Outcome shown = run("runs export " + made["experiment"].get<std::string>() + " --db " +
                              (folder_ / "runs.sqlite").string() + " --view v_niah_trial --out trials.csv");
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    return read_text(folder_ / "trials.csv", 1 << 20).value_or("");
  };
  EXPECT_NE(prompts(common), prompts(held_out));
  EXPECT_EQ(run("niah" + arms + " --names famous").exit_code, 2);
  const Outcome keys = run("niah" + arms + " --variant key-value --names held-out");
  EXPECT_EQ(keys.exit_code, 2);
  EXPECT_THAT(keys.err, HasSubstr("--names"));
  const Outcome resumed = run("niah" + arms + " --resume last --names common");
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_THAT(resumed.err, HasSubstr("--names: a resumed experiment has its own"));
}

}  // namespace
}  // namespace orthros::test
