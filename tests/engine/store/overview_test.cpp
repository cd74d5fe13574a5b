// The list of runs: arms, figures and curves of every kind, read with a fixed number of statements.
#include "engine/store/overview.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

#include "tests/engine/store/store_fixture.h"

namespace orthros::store::test {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

struct OverviewTest : StoreTest {
  std::vector<Overview> read() const { return value_of(read_overviews(*reader())); }
  RowId trial(RowId cell, RowId prompt_id, int64_t number, double score) {
    NiahTrialRecord t = sample_trial(cell, prompt_id, number);
    t.primary.score = score;
    return value_of(store->add_trial(t));
  }
  void sample(RowId cell, int64_t repetition, int64_t prefill_ms, const char* excluded = "") {
    LatencySampleRecord s = sample_latency(cell, repetition);
    s.prefill_ns = prefill_ms * 1'000'000;
    s.ttft_ns = s.prefill_ns;
    s.e2e_ns = s.ttft_ns + 100'000'000;
    s.excluded = excluded;
    value_of(store->add_sample(s));
  }
};

TEST_F(OverviewTest, AnEmptyStoreHasNone) {
  EXPECT_THAT(read(), IsEmpty());
}

TEST_F(OverviewTest, NeedleAccuracyLeavesControlsOut) {
  const ExperimentRecord e = experiment();
  CellRecord control = sample_cell("control", 512, 2);
  control.depth_ppm.reset();
  const RunRecord a =
      run(e.id, "transformer", 0, {sample_cell("L=256", 256, 0), sample_cell("L=512", 512, 1), control});
  run(e.id, "orthros", 1, {});
  const RowId prompt_id = prompt();
  const auto cells = cells_of(a.id);
  for (int64_t i = 0; i < 4; ++i) trial(cells[0].id, prompt_id, i, 1);
  for (int64_t i = 0; i < 4; ++i) trial(cells[1].id, prompt_id, i, i == 0 ? 1 : 0.5);  // half is no hit
  trial(cells[2].id, prompt_id, 0, 0);
  const auto all = read();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].kind, FigureKind::accuracy);
  EXPECT_EQ(all[0].summary.results, 9);
  ASSERT_EQ(all[0].arms.size(), 2U);
  EXPECT_THAT(all[0].arms[0].figure, Optional(DoubleEq(5.0 / 8)));
  EXPECT_THAT(all[0].arms[0].x, ElementsAre(256, 512));
  EXPECT_THAT(all[0].arms[0].y, ElementsAre(1, 0.25));
  EXPECT_EQ(all[0].arms[0].architecture, "transformer");
  EXPECT_EQ(all[0].arms[1].figure, std::nullopt);
}

TEST_F(OverviewTest, LatencyIsTheMedianAtTheLongestSharedLength) {
  const ExperimentRecord e = experiment(ExperimentKind::latency);
  const RunRecord a = run(e.id, "transformer", 0, {sample_cell("a", 256, 0), sample_cell("b", 512, 1)});
  const RunRecord b = run(e.id, "orthros", 1, {sample_cell("a", 256, 0)});
  const auto cells = cells_of(a.id);
  for (const int64_t i : {0, 1, 2, 3}) sample(cells[0].id, i, 10 * (i + 1));
  sample(cells[0].id, 4, 9'000, "throttled");
  sample(cells[1].id, 0, 80);
  sample(cells_of(b.id)[0].id, 0, 5);
  const auto all = read();
  EXPECT_EQ(all[0].kind, FigureKind::prefill_ms);
  EXPECT_EQ(all[0].at, 256);
  EXPECT_THAT(all[0].arms[0].figure, Optional(DoubleEq(25)));
  EXPECT_THAT(all[0].arms[0].y, ElementsAre(25, 80));
  EXPECT_THAT(all[0].arms[1].figure, Optional(DoubleEq(5)));
}

TEST_F(OverviewTest, DecodingAtDepthHasStepTimes) {
  const ExperimentRecord e = experiment(ExperimentKind::latency);
  const RunRecord a = run(e.id, "transformer", 0, {sample_cell("a", 256, 0)});
  LatencySampleRecord s = sample_latency(cells_of(a.id)[0].id, 0);
  s.prefill_ns = s.ttft_ns = 0;
  value_of(store->add_sample(s));
  const auto all = read();
  EXPECT_EQ(all[0].kind, FigureKind::step_ms);
  EXPECT_THAT(all[0].arms[0].figure, Optional(DoubleEq(25)));  // of 10, 20, 30 and 40 ms
}

TEST_F(OverviewTest, LossIsThinnedAndJoinsResumedRuns) {
  const ExperimentRecord e = experiment(ExperimentKind::training);
  for (const int64_t from : {0, 480}) {
    const RunRecord r = run(e.id, "orthros", 0, {});
    ok(store->begin_run(r.id));
    std::vector<TrainPointRecord> points;
    for (int64_t i = 0; i < 480; ++i) points.push_back({from + i, static_cast<double>(from + i), 0, 0, 0});
    ok(store->add_train_points(r.id, points));
    ok(store->end_run(r.id, from == 0 ? RunStatus::cancelled : RunStatus::done));
  }
  const auto all = read();
  EXPECT_EQ(all[0].kind, FigureKind::loss);
  ASSERT_EQ(all[0].arms.size(), 1U);
  EXPECT_EQ(all[0].arms[0].x.size(), 48U);
  EXPECT_EQ(all[0].at, 959);
  EXPECT_THAT(all[0].arms[0].figure, Optional(DoubleEq(949.5)));  // steps 940 to 959
  EXPECT_EQ(all[0].summary.status, RunStatus::done);
}

TEST_F(OverviewTest, TimeAtWorkLeavesPausesOut) {
  const ExperimentRecord e = experiment();
  const RunRecord r = run(e.id, "orthros", 0, {});
  ok(store->begin_run(r.id));
  ok(store->end_run(r.id, RunStatus::failed, "no room"));
  {
    SQLite::Database file(path.string(), SQLite::OPEN_READWRITE);
    file.exec("UPDATE run SET heartbeat_utc = '2026-01-01T03:00:30.000Z'; DELETE FROM run_event");
    file.exec(
        "INSERT INTO run_event(run_id, utc, kind, detail) VALUES"
        "(1, '2026-01-01T00:00:00.000Z', 'start', ''), (1, '2026-01-01T00:00:05.000Z', 'note', ''),"
        "(1, '2026-01-01T00:00:10.000Z', 'pause', ''), (1, '2026-01-01T03:00:00.000Z', 'resume', ''),"
        "(1, '2026-01-02T00:00:00.000Z', 'recover', '')");
  }
  const auto all = read();
  EXPECT_NEAR(all[0].busy_seconds, 40, 0.01);  // 10 s, then 30 s until the last sign of life
  EXPECT_EQ(all[0].problem, "no room");
}

TEST_F(OverviewTest, PromptsAndCapturesHaveTheirFigures) {
  const ExperimentRecord said = experiment(ExperimentKind::prompt);
  RunRecord r;
  r.experiment_id = said.id;
  r.environment_id = value_of(store->put_environment(sample_environment()));
  r.settings_json = R"({"decode_tok_s": 12.5})";
  value_of(store->create_run(r, {}));
  const ExperimentRecord seen = experiment(ExperimentKind::attention);
  const RunRecord captured = run(seen.id, "orthros", 0, {});
  AttnStepRecord step;
  step.regime = "prefill";
  step.prompt_id = prompt();
  ok(store->add_attention_step(captured.id, step));
  for (const Overview& overview : read()) {
    const bool is_prompt = overview.summary.experiment.id == said.id;
    EXPECT_EQ(overview.kind, is_prompt ? FigureKind::decode_tps : FigureKind::tokens);
    EXPECT_THAT(overview.arms.at(0).figure, Optional(DoubleEq(is_prompt ? 12.5 : 5)));
  }
}

}  // namespace orthros::store::test
