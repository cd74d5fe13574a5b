// orthros latency --isolate: real workers, what they measure, and what is left when one of them is killed.
#include <algorithm>

#include <gmock/gmock.h>

#include "tests/app/cli_fixture.h"

namespace orthros {
namespace {

using ::testing::HasSubstr;

const std::string kModel = test::kTiny + "llama-tokenizer";
const std::string kArms = " --arm " + kModel + ":transformer --arm " + kModel + ":orthros,w=16,s=2";

class IsolatedLatency : public test::Cli {
 protected:
  std::string db() const { return " --db " + (folder_.path() / "runs.sqlite").string(); }
};

TEST_F(IsolatedLatency, IsTheSameExperimentAsInOneProcess) {
  const std::string shape = " --lengths 16,32 --max-samples 5";
  const Json apart = json_of("latency --isolate" + kArms + db() + shape);
  ASSERT_EQ(apart["cells"].size(), 2u);
  for (const Json& cell : apart["cells"]) {
    for (const Json& arm : cell["arms"]) {
      EXPECT_EQ(arm["status"], "done");
      EXPECT_EQ(arm["figures"]["prefill_ms"]["n"], 5);
      EXPECT_GT(arm["kv_bytes"], 0);
      EXPECT_GT(arm["roofline"]["prefill"]["efficiency"], 0.0);
    }
  }
  // Arms of workers have the identity of arms here: either way goes on with what the other began.
  const Json together = json_of("latency --resume last" + kArms + db());
  EXPECT_EQ(together["experiment"], apart["experiment"]);
  EXPECT_EQ(together["arms"][0]["label"], apart["arms"][0]["label"]);
  EXPECT_EQ(together["arms"][1]["attention"], apart["arms"][1]["attention"]);
  EXPECT_EQ(json_of("runs show last" + db())["figures"]["arms"], together["arms"]);
}

TEST_F(IsolatedLatency, AMistakeInAnArmIsOneLineFromTheWorker) {
  const test::Outcome outcome = run("latency --isolate --arm nowhere" + db());
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("no such model"));
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
}

TEST_F(IsolatedLatency, AWorkerThatNobodyAsksEnds) {
  const test::Outcome outcome = run("latency-worker");  // stdin is /dev/null
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(run("--help").out, ::testing::Not(HasSubstr("latency-worker")));
}

}  // namespace
}  // namespace orthros
