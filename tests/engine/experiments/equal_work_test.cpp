// Orthros that sees everything is the Transformer; with a window that is too short it is not, and says so.
#include "engine/experiments/equal_work.h"

#include <cmath>

#include "tests/support/model_fixture.h"

namespace orthros {
namespace {

TEST(EqualWork, AWindowThatHoldsThePromptGivesTheTransformersLogits) {
  const auto model = test::load_fixture("tiny/llama-tokenizer");
  ASSERT_TRUE(model);
  const auto work = measure_equal_work(model);
  ASSERT_TRUE(work) << work.error().line();
  EXPECT_TRUE(work->is_float32);
  EXPECT_GT(work->largest, 0);
  EXPECT_LT(work->worst, 1e-4);
  EXPECT_TRUE(work->is_equal());
}

TEST(EqualWork, AShortWindowIsNoticed) {
  const auto model = test::load_fixture("tiny/llama-tokenizer");
  ASSERT_TRUE(model);
  const auto work = measure_equal_work(model, 64, 4);
  ASSERT_TRUE(work) << work.error().line();
  EXPECT_FALSE(work->is_equal()) << work->worst;
}

TEST(EqualWork, DetailIsReadBack) {
  const EqualWork work{64, 3e-6, 2.5, false};
  const auto read = parse_equal_work(work.detail());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->tokens, 64);
  EXPECT_DOUBLE_EQ(read->worst, 3e-6);
  EXPECT_DOUBLE_EQ(read->largest, 2.5);
  EXPECT_FALSE(read->is_float32);
  for (const char* wrong : {"", "{}", "[1]", R"({"tokens":"x","worst":1,"largest":1,"float32":true})"})
    EXPECT_FALSE(parse_equal_work(wrong)) << wrong;
  EqualWork infinite;
  infinite.worst = HUGE_VAL;
  EXPECT_FALSE(infinite.is_equal());
}

}  // namespace
}  // namespace orthros
