// Latency experiments on a false clock: acceptance checks 10 to 14 of niah-and-latency.md 6.4.
#include "engine/experiments/latency_experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/experiments/latency_report.h"
#include "tests/support/store_test.h"
#include "tests/support/stub_models.h"

namespace orthros {
namespace {

using store::CellStatus;
using test::FalseClock;
using test::stub_arm;
using test::StubBehaviour;
using test::StubModel;

constexpr int64_t kMs = 1'000'000;

LatencySpec spec_of(LatencyMode mode, std::vector<LatencyPoint> points) {
  LatencySpec spec;
  spec.mode = mode;
  spec.points = std::move(points);
  return spec;
}

class LatencyExperimentTest : public test::StoreTest {
 protected:
  Arm arm(const std::string& label, StubBehaviour behaviour) {
    behaviour.clock = &clock_;
    return stub_arm(label, behaviour);
  }
  StubBehaviour timed(int64_t prefill_ns, int64_t step_ns) {
    StubBehaviour behaviour;
    behaviour.prefill_ns = [=](int64_t, int64_t) { return prefill_ns; };
    behaviour.step_ns = [=](int64_t) { return step_ns; };
    return behaviour;
  }
  Result<LatencyExperiment> create(const LatencySpec& spec, std::vector<Arm> arms) {
    return LatencyExperiment::create(*store_, spec, local_latency_arms(std::move(arms), clock_), "test");
  }
  LatencyReport measure(const LatencySpec& spec, std::vector<Arm> arms) {
    auto experiment = create(spec, std::move(arms));
    EXPECT_TRUE(experiment) << experiment.error().line();
    const auto ran = experiment->run({}, clock_);
    EXPECT_TRUE(ran) << ran.error().line();
    return report(experiment->experiment().uuid);
  }
  LatencyReport report(const std::string& uuid) const {
    return read_stored(uuid, [](const auto& reader, const auto& experiment) {
      return read_latency_report(reader, experiment);
    });
  }

  FalseClock clock_;
};

TEST_F(LatencyExperimentTest, FiguresOfAStubThatSleepsAreThoseOfTheDefinitions) {
  const LatencyReport made =
      measure(spec_of(LatencyMode::in_out, {{64, 11, 2, 0}}), {arm("a", timed(100 * kMs, 10 * kMs))});
  const auto& figures = made.cells[0].arms[0].figures;
  const auto median_of = [&](TimingQuantity quantity) { return figures.at(quantity).median; };
  EXPECT_NEAR(median_of(TimingQuantity::prefill_latency), 100, 2);
  EXPECT_NEAR(median_of(TimingQuantity::time_to_first_token), 0.1, 0.002);
  EXPECT_NEAR(median_of(TimingQuantity::end_to_end_latency), 0.2, 0.002);
  EXPECT_NEAR(median_of(TimingQuantity::output_throughput), 110, 110 * 0.03);
  EXPECT_NEAR(median_of(TimingQuantity::decode_throughput), 200, 200 * 0.03);
  EXPECT_NEAR(median_of(TimingQuantity::time_per_output_token), 10, 0.1);
  EXPECT_EQ(figures.at(TimingQuantity::prefill_latency).n, 5);
}

TEST_F(LatencyExperimentTest, RunAndPromptHaveTheSeedThatWasGiven) {
  LatencySpec spec = spec_of(LatencyMode::prefill, {{64, 1, 1, 0}});
  spec.seed = 999'999'999;
  measure(spec, {arm("a", timed(100 * kMs, 10 * kMs))});
  EXPECT_EQ(value("SELECT seed FROM run"), "999999999");
  EXPECT_EQ(value("SELECT seed FROM prompt"), "999999999");
}

TEST_F(LatencyExperimentTest, OneTokenHasNoDecodeRate) {
  const LatencyReport made =
      measure(spec_of(LatencyMode::prefill, {{64, 1, 1, 0}}), {arm("a", timed(100 * kMs, 10 * kMs))});
  EXPECT_FALSE(made.cells[0].arms[0].figures.contains(TimingQuantity::decode_throughput));
  EXPECT_TRUE(made.cells[0].arms[0].figures.contains(TimingQuantity::prefill_throughput));
  EXPECT_EQ(value("SELECT count(*) FROM v_latency WHERE decode_tps IS NOT NULL"), "0");
}

TEST_F(LatencyExperimentTest, EverySampleAddsUpAndHasAllItsTokensWhateverTheModelWants) {
  StubBehaviour ending = timed(100 * kMs, 7 * kMs);
  ending.only_eos = true;
  const LatencyReport made = measure(spec_of(LatencyMode::in_out, {{32, 9, 1, 0}}), {arm("eos", ending)});
  ASSERT_GE(made.cells[0].arms[0].timings.size(), 5u);
  for (const GenerationTiming& timing : made.cells[0].arms[0].timings) {
    EXPECT_EQ(timing.output_tokens, 9);
    ASSERT_EQ(timing.step_ns.size(), 8u);
    int64_t sum = timing.ttft_ns;
    for (const int64_t step : timing.step_ns) sum += step;
    EXPECT_NEAR(static_cast<double>(sum), static_cast<double>(timing.e2e_ns),
                0.01 * static_cast<double>(sum));
  }
}

TEST_F(LatencyExperimentTest, ASlowFirstCallIsShownAsColdAndCountsNowhere) {
  StubBehaviour behaviour = timed(0, 0);
  behaviour.prefill_ns = [](int64_t call, int64_t) { return call == 0 ? 1000 * kMs : 100 * kMs; };
  const LatencyReport made = measure(spec_of(LatencyMode::prefill, {{64, 1, 1, 0}}), {arm("a", behaviour)});
  const LatencyArmCell& cell = made.cells[0].arms[0];
  EXPECT_NEAR(cell.figures.at(TimingQuantity::prefill_latency).median, 100, 1e-6);
  ASSERT_TRUE(cell.cold_ms);
  EXPECT_NEAR(*cell.cold_ms, 1000, 1e-6);
  EXPECT_GE(cell.warmups, 2);
  EXPECT_EQ(value("SELECT count(*) FROM latency_sample WHERE warmup = 0 AND prefill_ns > 500000000"), "0");
}

// Each call of either arm is 1 % slower than the one before: taking turns, the arms come out equal.
TEST_F(LatencyExperimentTest, DriftFavoursNoArm) {
  double pace = 1;
  StubBehaviour drifting;
  drifting.prefill_ns = [&pace](int64_t, int64_t) { return static_cast<int64_t>(100e6 * (pace *= 1.01)); };
  drifting.step_ns = [](int64_t) { return kMs; };
  LatencySpec spec = spec_of(LatencyMode::prefill, {{64, 1, 1, 0}});
  spec.min_samples = spec.max_samples = 20;
  const LatencyReport made = measure(spec, {arm("a", drifting), arm("b", drifting)});
  const auto& speed_up = made.cells[0].speed_ups[1].prefill;
  ASSERT_TRUE(speed_up);
  EXPECT_LT(speed_up->interval.low, 1.0);
  EXPECT_GT(speed_up->interval.high, 1.0);
  EXPECT_NEAR(speed_up->value, 1.0, 0.005);

  // One after the other would have said otherwise.
  std::vector<double> first, second;
  pace = 1;
  for (int i = 0; i < 20; ++i) first.push_back(static_cast<double>(drifting.prefill_ns(0, 0)));
  for (int i = 0; i < 20; ++i) second.push_back(static_cast<double>(drifting.prefill_ns(0, 0)));
  const auto sequential = bootstrap_paired_ratio(first, second);
  ASSERT_TRUE(sequential);
  EXPECT_LT(sequential->interval.high, 0.95);
}

TEST_F(LatencyExperimentTest, OutOfMemoryCostsTheCellAndSkipsLargerOnes) {
  StubBehaviour small = timed(100 * kMs, kMs);
  small.memory_limit = 200;
  const LatencySpec spec = spec_of(LatencyMode::prefill, latency_points({64, 128, 256, 512}, {}, {1, 2}, {}));
  const LatencyReport made = measure(spec, {arm("small", small), arm("large", timed(50 * kMs, kMs))});
  int oom = 0, skipped = 0, done = 0;
  for (const LatencyCellReport& cell : made.cells) {
    const int64_t need = (cell.point.tokens + 1) * cell.point.batch;
    const CellStatus status = cell.arms[0].status;
    (status == CellStatus::oom ? oom : status == CellStatus::skipped ? skipped : done) += 1;
    EXPECT_EQ(status == CellStatus::done, need < 200) << cell.point.key();
    EXPECT_EQ(cell.arms[1].status, CellStatus::done);
  }
  EXPECT_GE(oom, 1);
  EXPECT_GE(skipped, 3);
  EXPECT_EQ(done, 3);
  EXPECT_THAT(value("SELECT error_text FROM cell WHERE status = 'skipped' LIMIT 1"),
              ::testing::HasSubstr("oom already in cell T="));
}

TEST_F(LatencyExperimentTest, DominatedCellsAreTriedWhenAskedFor) {
  StubBehaviour small = timed(100 * kMs, kMs);
  small.memory_limit = 100;
  auto experiment = create(spec_of(LatencyMode::prefill, {{64, 1, 1, 0}, {128, 1, 1, 0}, {256, 1, 1, 0}}),
                           {arm("small", small)});
  ASSERT_TRUE(experiment);
  RunControl control;
  control.try_dominated = true;
  ASSERT_TRUE(experiment->run(control, clock_));
  EXPECT_EQ(value("SELECT group_concat(status) FROM (SELECT status FROM cell ORDER BY ordinal)"),
            "done,oom,oom");
}

TEST_F(LatencyExperimentTest, AShorterPrefillIsWorthLessTheLongerTheAnswer) {
  const LatencyReport made =
      measure(spec_of(LatencyMode::in_out, {{64, 5, 1, 0}}),
              {arm("a", timed(1000 * kMs, 10 * kMs)), arm("b", timed(200 * kMs, 10 * kMs))});
  ASSERT_EQ(made.cells[0].gains[1].size(), 3u);
  const GainAt& twice = made.cells[0].gains[1][0];
  EXPECT_EQ(twice.gain, 2);
  // (1000 + 10 n) = 2 (200 + 10 n)
  EXPECT_NEAR(twice.fall.steps, 60, 1e-6);
  EXPECT_TRUE(made.cells[0].gains[0].empty());
}

TEST_F(LatencyExperimentTest, ThePapersFiguresLieBesideTheMeasured) {
  measure(spec_of(LatencyMode::prefill, {{64, 1, 1, 0}}), {arm("a", timed(kMs, kMs))});
  EXPECT_EQ(value("SELECT count(*) FROM paper_point WHERE metric = 'prefill_speedup'"), "2");
  measure(spec_of(LatencyMode::prefill, {{64, 1, 1, 0}}), {arm("a", timed(kMs, kMs))});
  EXPECT_EQ(value("SELECT count(*) FROM paper_point WHERE metric = 'prefill_speedup'"), "2");
}

TEST_F(LatencyExperimentTest, OutOfMemoryInTheMiddleOfACellLeavesTheOtherArmGoing) {
  StubBehaviour failing = timed(100 * kMs, kMs);
  failing.before_prefill = [](int64_t call) -> Result<void> {
    if (call == 4) return fail(ErrorCode::out_of_memory, "injected");
    return {};
  };
  const LatencyReport made =
      measure(spec_of(LatencyMode::prefill, {{64, 1, 1, 0}}), {arm("a", failing), arm("b", timed(kMs, kMs))});
  EXPECT_EQ(made.cells[0].arms[0].status, CellStatus::oom);
  EXPECT_EQ(made.cells[0].arms[1].status, CellStatus::done);
  EXPECT_EQ(made.cells[0].arms[1].timings.size(), 5u);
}

TEST_F(LatencyExperimentTest, StoppedAndResumedKeepsSamplesAndTakesOnlyTheMissing) {
  StopSource stop;
  StubBehaviour stopping = timed(100 * kMs, kMs);
  stopping.before_prefill = [&](int64_t call) -> Result<void> {
    if (call == 4) stop.request_stop();
    return {};
  };
  const LatencySpec spec = spec_of(LatencyMode::prefill, {{64, 1, 1, 0}, {128, 1, 1, 0}});
  auto first = create(spec, {arm("a", stopping), arm("b", timed(50 * kMs, kMs))});
  ASSERT_TRUE(first);
  RunControl control;
  control.stop = stop.token();
  const auto stopped = first->run(control, clock_);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  const std::string uuid = first->experiment().uuid;
  EXPECT_EQ(value("SELECT group_concat(DISTINCT status) FROM run"), "interrupted");
  EXPECT_EQ(value("SELECT count(*) FROM latency_sample WHERE warmup = 0"), "4");

  auto second = LatencyExperiment::resume(
      *store_, uuid, spec,
      local_latency_arms({arm("a", timed(100 * kMs, kMs)), arm("b", timed(50 * kMs, kMs))}, clock_), false);
  ASSERT_TRUE(second) << second.error().line();
  ASSERT_TRUE(second->run({}, clock_));
  EXPECT_EQ(value("SELECT count(*) FROM latency_sample WHERE warmup = 0"), "20");
  EXPECT_EQ(
      value("SELECT count(*) FROM (SELECT DISTINCT cell_id, rep_no FROM latency_sample WHERE warmup = 0)"),
      "20");
  const LatencyReport made = report(uuid);
  ASSERT_TRUE(made.cells[0].speed_ups[1].prefill);
  EXPECT_NEAR(made.cells[0].speed_ups[1].prefill->value, 2, 1e-9);
}

TEST_F(LatencyExperimentTest, DecodeAtDepthReadsThePromptOnce) {
  const Arm a = arm("a", timed(1000 * kMs, 10 * kMs));
  const LatencyReport made = measure(spec_of(LatencyMode::decode_at_depth, {{256, 8, 1, 0}}), {a});
  EXPECT_EQ(static_cast<StubModel&>(*a.model).prefills, 1);
  const auto& figures = made.cells[0].arms[0].figures;
  EXPECT_NEAR(figures.at(TimingQuantity::decode_throughput).median, 100, 1e-6);
  EXPECT_FALSE(figures.contains(TimingQuantity::prefill_latency));
  EXPECT_FALSE(figures.contains(TimingQuantity::time_to_first_token));
}

TEST_F(LatencyExperimentTest, ANoisyCellTakesMoreSamplesThanAQuietOne) {
  StubBehaviour noisy;
  noisy.prefill_ns = [](int64_t call, int64_t) { return (80 + 10 * (call % 5)) * kMs; };
  const LatencySpec spec = spec_of(LatencyMode::prefill, {{64, 1, 1, 0}});
  const LatencyReport quiet = measure(spec, {arm("quiet", timed(100 * kMs, kMs))});
  const LatencyReport loud = measure(spec, {arm("noisy", noisy)});
  EXPECT_EQ(quiet.cells[0].arms[0].timings.size(), 5u);
  EXPECT_GT(loud.cells[0].arms[0].timings.size(), 10u);
}

TEST(LatencySpecTest, PromptsAreTheSameEverywhereAndHoldNoSpecialId) {
  const LatencySpec spec;
  const auto prompts = random_prompts(spec, {100, 1, 2, 0}, 1000, {0, 1, 2, 3});
  EXPECT_EQ(prompts, random_prompts(spec, {100, 1, 2, 0}, 1000, {0, 1, 2, 3}));
  ASSERT_EQ(prompts.size(), 2u);
  EXPECT_NE(prompts[0], prompts[1]);
  for (const auto& prompt : prompts) {
    EXPECT_EQ(prompt.size(), 100u);
    for (const int64_t id : prompt) EXPECT_TRUE(id > 3 && id < 1000);
  }
  // As another machine must have them.
  const std::vector<int64_t> beginning(prompts[0].begin(), prompts[0].begin() + 4);
  EXPECT_THAT(beginning, ::testing::ElementsAre(979, 570, 958, 720));
}

TEST(LatencySpecTest, JsonGoesRoundAndBadSpecsAreRefused) {
  LatencySpec spec;
  spec.mode = LatencyMode::grid;
  spec.points = latency_points({64, 32}, {1, 8}, {1, 2}, {1, 2});
  const auto back = latency_spec_from_json(to_json(spec));
  ASSERT_TRUE(back) << back.error().line();
  EXPECT_EQ(to_json(*back), to_json(spec));
  EXPECT_EQ(spec.points.size(), 16u);
  EXPECT_FALSE(check(LatencySpec{}));
  spec.points.push_back(spec.points.front());
  EXPECT_FALSE(check(spec));
  spec.points = {{0, 1, 1, 0}};
  EXPECT_FALSE(check(spec));
  EXPECT_FALSE(latency_spec_from_json(Json{{"mode", "prefill"}}));
}

}  // namespace
}  // namespace orthros
