// Data parallel runs: the curve of one rank, whatever the number of ranks; wrong sums of gradients and wrong
// shares of a batch are told apart; ends of one rank end all.
#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/formats/mapped_file.h"
#include "engine/training/batch_source.h"
#include "tests/engine/training/training_run.h"

namespace orthros::training {
namespace {

using ::testing::HasSubstr;

/// Largest difference of losses and norms, relative to the expected ones.
double distance(const Curve& actual, const Curve& expected) {
  if (actual.loss.size() != expected.loss.size()) return INFINITY;
  double worst = 0;
  for (size_t i = 0; i < expected.loss.size(); ++i) {
    worst = std::max(worst, std::abs(actual.loss[i] - expected.loss[i]) / expected.loss[i]);
    worst = std::max(worst, std::abs(actual.norm[i] - expected.norm[i]) / expected.norm[i]);
  }
  return worst;
}

/// Rounding differs: rows of other sequences stand beside a row in its product.
constexpr double kRounding = 2e-3;

Json with_ranks(const fs::path& output, int64_t ranks) {
  Json json = config_json(output);
  json["ranks"] = ranks;
  return json;
}

TEST_F(Training, ManyRanksGiveTheCurveOfOne) {
  const test::TempFolder folder;
  Curve one;
  ASSERT_TRUE(run(config_json(folder / "one"), one));
  ASSERT_EQ(one.loss.size(), 20U);
  // Batches hold 4 sequences: even shares, uneven ones, and ranks without any.
  for (const int64_t ranks : {2, 3, 6}) {
    Curve many, again;
    const auto done = run(with_ranks(folder.path() / fmt::format("{}", ranks), ranks), many);
    ASSERT_TRUE(done) << done.error().line();
    EXPECT_LT(distance(many, one), kRounding) << ranks << " ranks";
    EXPECT_EQ(many.rate, one.rate);
    EXPECT_EQ(many.exact, one.exact) << "shares of all answers, not of a rank's";
    ASSERT_TRUE(run(with_ranks(folder.path() / fmt::format("{} again", ranks), ranks), again));
    EXPECT_EQ(again.loss, many.loss) << "the same sums in the same order";
  }
}

TEST_F(Training, RanksShareEveryKindOfStep) {
  const test::TempFolder folder;
  const auto compare = [&](const std::string& name, const std::function<void(Json&)>& change) {
    Curve one, two;
    Json json = config_json(folder.path() / (name + "-1"));
    change(json);
    ASSERT_TRUE(run(json, one)) << name;
    json["output"] = (folder.path() / (name + "-2")).string();
    json["ranks"] = 2;
    const auto ran = run(json, two);
    ASSERT_TRUE(ran) << name << ": " << ran.error().line();
    EXPECT_LT(distance(two, one), kRounding) << name;
    EXPECT_EQ(two.exact, one.exact) << name;
  };
  compare("accumulated", [](Json& j) { j["accumulate"] = 2; });
  compare("recomputed", [](Json& j) { j["recompute_layers"] = true; });
  compare("sliding", [](Json& j) { j["model"]["layer_types"] = {"sliding_attention", "full_attention"}; });
  compare("distilled", [](Json& j) {
    j["model"] = {
        {"from", (test::fixtures() / "tiny/llama-tokenizer").string()}, {"as", "orthros"}, {"window", 4}};
    j["loss"] = "distillation";
    j["trainable"] = "scale_offset+norms+qo";
  });
}

/// Does the sums of losses and scores as it should, and those of gradients not.
class WrongComm final : public Comm {
 public:
  enum class Mistake { none, mean, left_out, first_alone };
  WrongComm(Comm& right, Mistake mistake) : right_(right), mistake_(mistake) {}

  int rank() const override { return right_.rank(); }
  int size() const override { return right_.size(); }
  Result<void> all_reduce(std::span<double> values) override { return right_.all_reduce(values); }
  Result<void> barrier() override { return right_.barrier(); }
  Result<void> all_reduce(std::span<float> values) override {
    if (mistake_ == Mistake::left_out) return {};
    if (mistake_ == Mistake::first_alone && rank() > 0) std::ranges::fill(values, 0.0f);
    ORTHROS_TRY_VOID(right_.all_reduce(values));
    if (mistake_ == Mistake::mean) {
      for (float& value : values) value /= static_cast<float>(size());
    }
    return {};
  }

 private:
  Comm& right_;
  Mistake mistake_;
};

TEST_F(Training, AWrongSumOfGradientsIsAnotherCurve) {
  const test::TempFolder folder;
  Curve one;
  ASSERT_TRUE(run(config_json(folder / "one"), one));
  using enum WrongComm::Mistake;
  for (const auto mistake : {none, mean, left_out, first_alone}) {
    Curve curve;
    const TrainConfig config =
        parsed(with_ranks(folder.path() / fmt::format("wrong-{}", static_cast<int>(mistake)), 2));
    const auto ran = run_thread_ranks(2, [&](Comm& comm) -> Result<void> {
      WrongComm wrong(comm, mistake);
      ORTHROS_TRY_VOID(train_rank(config, curve.hooks(), wrong));
      return {};
    });
    ASSERT_TRUE(ran) << ran.error().line();
    if (mistake == none) {
      EXPECT_LT(distance(curve, one), kRounding);
    } else {
      EXPECT_GT(distance(curve, one), 10 * kRounding) << static_cast<int>(mistake);
    }
  }
}

TEST_F(Training, RanksResumeToTheLastDigitAndWriteOnce) {
  const test::TempFolder folder;
  Curve whole, pieces;
  ASSERT_TRUE(run(with_ranks(folder / "a", 2), whole));
  for (const int64_t steps : {3, 7, 2, 100}) {
    const auto part = run(with_ranks(folder / "b", 2), pieces, true, steps);
    ASSERT_TRUE(part) << part.error().line();
    size_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder / "b")) files += entry.is_regular_file() ? 1 : 0;
    EXPECT_LE(files, 2U) << "the last and the best checkpoint";
  }
  EXPECT_EQ(pieces.loss, whole.loss);
  EXPECT_EQ(pieces.norm, whole.norm);
  const auto bytes = [&](const char* run) {
    return *read_text(folder.path() / run / "model/model.safetensors", 1 << 26);
  };
  EXPECT_EQ(bytes("a"), bytes("b"));
}

TEST_F(Training, AStopEndsAllRanksWithACheckpoint) {
  const test::TempFolder folder;
  const StopSource source;
  Curve curve;
  TrainHooks hooks = curve.hooks();
  hooks.stop = source.token();
  int64_t steps = 0;
  hooks.on_step = [&](const StepEvent& e) -> Result<void> {
    steps = e.step;
    if (e.step == 5) source.request_stop();
    return {};
  };
  const auto ran = train(parsed(with_ranks(folder / "run", 3)), hooks);
  ASSERT_TRUE(ran) << ran.error().line();
  EXPECT_FALSE(ran->finished);
  EXPECT_EQ(steps, 5);
  EXPECT_TRUE(fs::exists(folder / "run/checkpoint-00000005.safetensors"));
}

TEST_F(Training, AnErrorOfTheFirstRankEndsAllRanks) {
  const test::TempFolder folder;
  TrainHooks hooks;
  hooks.on_step = [](const StepEvent& e) -> Result<void> {
    if (e.step == 4) return fail(ErrorCode::io, "the run database is full");
    return {};
  };
  const auto ran = train(parsed(with_ranks(folder / "run", 3)), hooks);
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().message, "the run database is full");
  Json json = with_ranks(folder / "other", 2);
  json["tokenizer"] = "/nowhere";
  Curve curve;
  EXPECT_FALSE(run(json, curve));
}

TEST_F(Training, TheTeamIsItsOldSizeAfterwards) {
  ASSERT_TRUE(set_num_threads(2));
  const test::TempFolder folder;
  Curve curve;
  ASSERT_TRUE(run(with_ranks(folder / "run", 2), curve, false, 2));
  EXPECT_EQ(num_threads(), 2);
}

TEST(BatchShare, RanksHaveEverySequenceOnce) {
  Batch batch;
  batch.sequences = 5, batch.length = 3, batch.rows_per_sequence = 2, batch.rows_per_answer = 2;
  for (int64_t b = 0; b < 5; ++b) {
    batch.ids.insert(batch.ids.end(), {10 * b, 10 * b + 1, 10 * b + 2});
    batch.rows.insert(batch.rows.end(), {0, 1});
    batch.targets.insert(batch.targets.end(), {10 * b + 1, 10 * b + 2});
    batch.weights.insert(batch.weights.end(), {0.05f, 0.15f});
  }
  for (const int ranks : {1, 2, 3, 5, 8}) {
    Batch all;
    int64_t fewest = 5, most = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const Batch share = share_of(batch, rank, ranks);
      ASSERT_EQ(std::ssize(share.ids), share.sequences * 3);
      ASSERT_EQ(std::ssize(share.rows), share.sequences * 2);
      EXPECT_EQ(share.length, 3);
      EXPECT_EQ(share.rows_per_answer, 2);
      fewest = std::min(fewest, share.sequences), most = std::max(most, share.sequences);
      all.ids.insert(all.ids.end(), share.ids.begin(), share.ids.end());
      all.targets.insert(all.targets.end(), share.targets.begin(), share.targets.end());
      all.weights.insert(all.weights.end(), share.weights.begin(), share.weights.end());
    }
    EXPECT_LE(most - fewest, 1);
    EXPECT_EQ(all.ids, batch.ids);
    EXPECT_EQ(all.targets, batch.targets);
    EXPECT_EQ(all.weights, batch.weights);
  }
}

}  // namespace
}  // namespace orthros::training
