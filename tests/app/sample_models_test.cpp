// The models in the repository do what their scores say: `orthros niah` finds the same, on a few cells.
#include <gtest/gtest.h>

#include "engine/base/sha256.h"
#include "tests/app/cli_fixture.h"

namespace orthros {
namespace {

const std::string kModels = ORTHROS_SAMPLE_MODELS;

class SampleModels : public test::Cli {};

TEST_F(SampleModels, RetrieveAsTheirMapsSay) {
  std::string arms;
  for (const char* name : {"needle-transformer", "needle-orthros", "needle-orthros-no-so", "needle-swa"})
    arms += " --arm " + kModels + "/" + name;
  const Json map =
      json_of("niah" + arms + " --lengths 256,1024,4096 --depths 0,50,100 --trials 4 --no-attention --db " +
              (folder_.path() / "runs.sqlite").string());
  ASSERT_EQ(map["arms"].size(), 4u);
  for (size_t i = 0; i < 3; ++i) {
    const Json& arm = map["arms"][i];
    for (const Json& depth : arm["by_depth"]) {
      EXPECT_EQ(depth["n"], 12);
      EXPECT_GE(depth["hits"], 11) << arm["label"] << depth;
    }
  }
  // The control answers what its window holds and nothing else.
  const Json& swa = map["arms"][3]["by_depth"];
  EXPECT_LE(swa[0]["hits"], 1);
  EXPECT_LE(swa[1]["hits"], 1);
  EXPECT_GE(swa[2]["hits"], 11);
}

TEST_F(SampleModels, ScoresBelongToTheseWeights) {
  for (const char* name : {"needle-transformer", "needle-orthros", "needle-orthros-no-so", "needle-swa"}) {
    const std::string scores_name = kModels + "/scores/" + name + "-seed-1.json";
    const auto scores = parse_json(read_text(scores_name, 1 << 24).value_or(""), scores_name);
    ASSERT_TRUE(scores) << scores.error().line();
    const auto weights = read_text(kModels + "/" + name + "/model.safetensors", 1 << 24);
    ASSERT_TRUE(weights) << weights.error().line();
    EXPECT_EQ((*scores)["weights_sha256"], sha256_hex(*weights)) << name;
  }
}

TEST_F(SampleModels, TheLessonModelAnswersPairs) {
  const std::string pairs = " Ann red and Ben blue then so Ida gold now";
  for (const auto& [name, colour] : {std::pair{"Ann", "red"}, {"Ben", "blue"}, {"Ida", "gold"}}) {
    const test::Outcome outcome =
        run("generate " + kModels + "/lesson --max-tokens 1 --temperature 0 --prompt '" + pairs + " " + name +
            "'");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(colour), std::string::npos) << name << ": " << outcome.out;
  }
}

}  // namespace
}  // namespace orthros
