// A run of some minutes in which a tiny Orthros learns to recall what lies far beyond its window. It can only
// learn it through the gradient that the output stream sends into the base stream's keys and values.
#include <gtest/gtest.h>

#include "tests/engine/training/training_run.h"

namespace orthros::training {
namespace {

TEST(Recall, ATinyOrthrosLearnsIt) {
  const test::TempFolder folder;
  Json json = config_json(folder / "run");
  json["seed"] = 1;
  json["checkpoint_every"] = 1000;
  json["model"].update({{"hidden_size", 64}, {"intermediate_size", 192}, {"head_dim", 32}});
  json["optimizer"] = {{"lr", 4e-3}, {"warmup_steps", 100}, {"schedule", "constant"}, {"hold", 1}};
  json["stages"] = Json::array({{{"task", "recall"},
                                 {"max_steps", 600},
                                 {"length", 32},
                                 {"batch", 128},
                                 {"keys", 64},
                                 {"leave_at", 0.9}}});
  Curve curve;
  const auto done = run(json, curve);
  ASSERT_TRUE(done) << done.error().line();
  EXPECT_GE(done->score, 0.9) << "after " << done->steps << " steps";
}

}  // namespace
}  // namespace orthros::training
