// Needle experiments with models of known behaviour: acceptance checks 3, 5, 6, 8 (in process), 9, 10 of
// niah-and-latency.md 6.4.
#include "engine/experiments/niah_experiment.h"

#include <thread>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/experiments/niah_map.h"
#include "engine/experiments/rescore.h"
#include "tests/support/store_test.h"
#include "tests/support/stub_models.h"

namespace orthros {
namespace {

using store::CellStatus;
using store::RunStatus;
using test::stub_arm;
using test::StubBehaviour;
using test::StubModel;

NiahSpec small_spec() {
  NiahSpec spec;
  spec.lengths = {200, 400};
  spec.depths_ppm = {0, 500'000, 1'000'000};
  spec.trials = 2;
  return spec;
}

class NiahExperimentTest : public test::StoreTest {
 protected:
  NiahExperiment create(const NiahSpec& spec, std::vector<Arm> arms) {
    auto experiment = NiahExperiment::create(*store_, spec, std::move(arms), "test");
    EXPECT_TRUE(experiment) << experiment.error().line();
    return std::move(*experiment);
  }
  NiahMap map_of(const std::string& uuid) const {
    return read_stored(
        uuid, [](const auto& reader, const auto& experiment) { return read_niah_map(reader, experiment); });
  }
};

StubBehaviour seeing(int64_t visible) {
  StubBehaviour behaviour;
  behaviour.visible = visible;
  return behaviour;
}
StubBehaviour blind() {
  StubBehaviour behaviour;
  behaviour.blind = true;
  return behaviour;
}

/// Experiments kept before there was a choice of names must still be found by their spec.
TEST(NiahSpecJson, NamesStandThereOnlyWhenTheyAreChosen) {
  NiahSpec spec = small_spec();
  EXPECT_FALSE(to_json(spec)["task"].contains("names"));
  EXPECT_EQ(niah_spec_from_json(to_json(spec))->task.names, NeedleNames::common);
  spec.task.names = NeedleNames::held_out;
  const auto back = niah_spec_from_json(to_json(spec));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->task.names, NeedleNames::held_out);
  EXPECT_EQ(to_json(*back), to_json(spec));
  Json wrong = to_json(spec);
  wrong["task"]["names"] = "famous";
  EXPECT_FALSE(niah_spec_from_json(wrong));
}

TEST_F(NiahExperimentTest, ARunHasTheSeedThatWasGiven) {
  NiahSpec spec = small_spec();
  spec.seed = 999'999'999;
  create(spec, {stub_arm("a", {})});
  EXPECT_EQ(value("SELECT seed FROM run"), "999999999");
  spec.seed = std::numeric_limits<uint64_t>::max() - 1;
  create(spec, {stub_arm("a", {})});
  EXPECT_EQ(value("SELECT seed FROM run ORDER BY id DESC"), "-2");
}

TEST_F(NiahExperimentTest, AnOracleScoresOneABlindModelZeroAndControlsSayWhy) {
  NiahExperiment experiment = create(small_spec(), {stub_arm("oracle", {}), stub_arm("blind", blind())});
  ASSERT_TRUE(experiment.run({}));
  const NiahMap map = map_of(experiment.experiment().uuid);
  ASSERT_EQ(map.arms.size(), 2u);
  EXPECT_EQ(map.arms[0].all.hits, 12);
  EXPECT_EQ(map.arms[0].all.n, 12);
  EXPECT_EQ(map.arms[1].all.hits, 0);
  EXPECT_EQ(map.arms[1].all.n, 12);
  for (const NiahShare& control : map.arms[0].no_needle) {
    EXPECT_EQ(control.n, 2);
    EXPECT_EQ(control.hits, 0);
  }
  EXPECT_EQ(map.arms[0].needle_only.hits, 5);
  EXPECT_EQ(map.arms[0].needle_only.n, 5);
  EXPECT_EQ(map.arms[0].effective_context.length, 400);
  EXPECT_FALSE(map.arms[1].effective_context.length);
  ASSERT_EQ(map.pairs.size(), 1u);
  EXPECT_EQ(map.pairs[0].delta.counts.only_a, 12);
  EXPECT_LT(map.pairs[0].delta.p_value, 0.001);
  EXPECT_EQ(value("SELECT group_concat(DISTINCT status) FROM run"), "done");
}

// Green exactly where the needle lies within what the model sees.
TEST_F(NiahExperimentTest, AWindowedModelIsGreenOnlyWhereTheNeedleIsInSight) {
  constexpr int64_t kSeen = 128;
  NiahSpec spec = small_spec();
  spec.depths_ppm = {0, 250'000, 500'000, 750'000, 900'000, 1'000'000};
  NiahExperiment experiment = create(spec, {stub_arm("windowed", seeing(kSeen))});
  ASSERT_TRUE(experiment.run({}));
  const store::Table rows = query(
      "SELECT t.score, p.n_tokens, n.tok_begin FROM niah_trial t JOIN cell c ON c.id = t.cell_id "
      "JOIN prompt p ON p.id = t.prompt_id JOIN needle n ON n.prompt_id = p.id "
      "WHERE c.depth_ppm IS NOT NULL");
  ASSERT_EQ(rows.rows.size(), 24u);
  int green = 0, red = 0;
  for (const auto& row : rows.rows) {
    const int64_t from_end = std::stoll(row[1]) - std::stoll(row[2]);
    const bool hit = std::stod(row[0]) >= 1;
    EXPECT_EQ(hit, from_end <= kSeen) << "needle begins " << from_end << " ids from the end";
    (hit ? green : red) += 1;
  }
  EXPECT_GT(green, 0);
  EXPECT_GT(red, 0);
}

TEST_F(NiahExperimentTest, StoredPromptsHoldWhatTheySay) {
  NiahExperiment experiment = create(small_spec(), {stub_arm("a", {}), stub_arm("b", {})});
  ASSERT_TRUE(experiment.run({}));
  auto reader = store::RunReader::open(path());
  ASSERT_TRUE(reader);
  const TextCodec codec = test::byte_codec();
  const store::Table trials = query(
      "SELECT DISTINCT t.prompt_id, c.ctx_len, c.depth_ppm FROM niah_trial t JOIN cell c ON c.id = t.cell_id "
      "WHERE c.depth_ppm IS NOT NULL");
  ASSERT_EQ(trials.rows.size(), 12u);
  for (const auto& row : trials.rows) {
    const auto prompt = (*reader)->prompt(std::stoll(row[0]));
    ASSERT_TRUE(prompt) << prompt.error().line();
    EXPECT_EQ(std::ssize(prompt->ids), std::stoll(row[1]));
    ASSERT_EQ(prompt->needles.size(), 1u);
    const store::NeedleRecord& needle = prompt->needles[0];
    const std::string text =
        *codec.decode({prompt->ids.begin() + needle.tok_begin, prompt->ids.begin() + needle.tok_end});
    EXPECT_EQ(text, fmt::format(" The magic number of {} is {}.", needle.key, needle.value));
    const std::string whole = *codec.decode(prompt->ids);
    const size_t first = whole.find(needle.value);
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(whole.find(needle.value, first + 1), std::string::npos) << "the value stands twice";
  }
}

TEST_F(NiahExperimentTest, ArmsReadTheSameIdsInEveryCell) {
  NiahExperiment experiment = create(small_spec(), {stub_arm("a", {}), stub_arm("b", blind())});
  ASSERT_TRUE(experiment.run({}));
  const std::string mismatches =
      "SELECT count(*) FROM niah_trial a JOIN cell ca ON ca.id = a.cell_id JOIN run ra ON ra.id = ca.run_id "
      "JOIN run rb ON rb.experiment_id = ra.experiment_id AND rb.arm = 1 JOIN cell cb ON cb.run_id = rb.id "
      "AND cb.cell_key "
      "= "
      "ca.cell_key JOIN niah_trial b ON b.cell_id = cb.id AND b.trial_no = a.trial_no WHERE ra.arm = 0 AND ";
  EXPECT_EQ(value(mismatches + "a.prompt_id <> b.prompt_id"), "0");
  EXPECT_EQ(value(mismatches + "a.prompt_id = b.prompt_id"), "21");
}

TEST_F(NiahExperimentTest, ArmsTakeTurns) {
  std::vector<std::string> order;
  const auto hook = [&](const std::string& name) {
    StubBehaviour behaviour;
    behaviour.before_prefill = [&order, name](int64_t) -> Result<void> {
      order.push_back(name);
      return {};
    };
    return stub_arm(name, behaviour);
  };
  NiahSpec spec = small_spec();
  spec.lengths = {200};
  spec.depths_ppm = {0};
  spec.controls = false;
  spec.trials = 4;
  NiahExperiment experiment = create(spec, {hook("A"), hook("B"), hook("C")});
  ASSERT_TRUE(experiment.run({}));
  EXPECT_THAT(order, ::testing::ElementsAre("A", "B", "C", "C", "B", "A", "A", "B", "C", "C", "B", "A"));
}

TEST_F(NiahExperimentTest, OutOfMemoryCostsTheCellAndSkipsLongerOnes) {
  StubBehaviour small;
  small.memory_limit = 400;
  NiahSpec spec = small_spec();
  spec.lengths = {200, 400, 800};
  spec.controls = false;
  NiahExperiment experiment = create(spec, {stub_arm("small", small), stub_arm("large", {})});
  ASSERT_TRUE(experiment.run({}));
  const NiahMap map = map_of(experiment.experiment().uuid);
  for (const NiahShare& cell : map.arms[0].cells[0]) EXPECT_EQ(cell.status, CellStatus::done);
  EXPECT_EQ(map.arms[0].cells[1][0].status, CellStatus::oom);
  EXPECT_EQ(map.arms[0].cells[1][1].status, CellStatus::skipped);
  EXPECT_EQ(map.arms[0].cells[2][2].status, CellStatus::skipped);
  EXPECT_THAT(map.arms[0].cells[2][2].error, ::testing::HasSubstr("out of memory already in cell L=400"));
  EXPECT_EQ(map.arms[1].all.hits, 18);
}

TEST_F(NiahExperimentTest, AnErrorInOneTrialCostsItsCellOnly) {
  StubBehaviour broken;
  broken.before_prefill = [](int64_t call) -> Result<void> {
    if (call == 3) return fail(ErrorCode::internal, "injected");
    return {};
  };
  NiahExperiment experiment = create(small_spec(), {stub_arm("broken", broken)});
  ASSERT_TRUE(experiment.run({}));
  EXPECT_EQ(value("SELECT count(*) FROM cell WHERE status = 'error'"), "1");
  EXPECT_EQ(value("SELECT count(*) FROM cell WHERE status = 'done'"), "8");
}

TEST_F(NiahExperimentTest, StoppedAndResumedEqualsUninterrupted) {
  StopSource stop;
  StubBehaviour stopping;
  stopping.before_prefill = [&](int64_t call) -> Result<void> {
    if (call == 5) stop.request_stop();
    return {};
  };
  NiahExperiment first = create(small_spec(), {stub_arm("a", stopping), stub_arm("b", seeing(150))});
  RunControl control;
  control.stop = stop.token();
  const auto stopped = first.run(control);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  EXPECT_EQ(value("SELECT group_concat(DISTINCT status) FROM run"), "interrupted");
  const int64_t kept = std::stoll(value("SELECT count(*) FROM niah_trial"));
  EXPECT_GT(kept, 5);
  EXPECT_LT(kept, 42);

  const Arm a = stub_arm("a", {}), b = stub_arm("b", seeing(150));
  auto second = NiahExperiment::resume(*store_, first.experiment().uuid, small_spec(), {a, b}, false);
  ASSERT_TRUE(second) << second.error().line();
  ASSERT_TRUE(second->run({}));
  const auto ran = static_cast<StubModel&>(*a.model).prefills + static_cast<StubModel&>(*b.model).prefills;
  EXPECT_EQ(ran, 42 - kept);

  NiahExperiment whole = create(small_spec(), {stub_arm("a", {}), stub_arm("b", seeing(150))});
  ASSERT_TRUE(whole.run({}));
  const std::string results =
      "SELECT r.arm, c.cell_key, t.trial_no, p.ids_sha256, t.score, t.output_text FROM niah_trial t "
      "JOIN cell c ON c.id = t.cell_id JOIN run r ON r.id = c.run_id JOIN experiment e ON e.id = "
      "r.experiment_id "
      "JOIN prompt p ON p.id = t.prompt_id WHERE e.uuid = '{}' ORDER BY 1, 2, 3";
  EXPECT_EQ(query(fmt::format(fmt::runtime(results), first.experiment().uuid)).rows,
            query(fmt::format(fmt::runtime(results), whole.experiment().uuid)).rows);
}

TEST_F(NiahExperimentTest, ResumeRefusesWhatDiffersAndSaysWhat) {
  NiahExperiment first = create(small_spec(), {stub_arm("a", {})});
  ASSERT_TRUE(first.run({}));
  const std::string& uuid = first.experiment().uuid;
  const auto refused = [&](const NiahSpec& spec, const Arm& arm) {
    const auto resumed = NiahExperiment::resume(*store_, uuid, spec, {arm}, false);
    EXPECT_FALSE(resumed);
    return resumed ? std::string() : resumed.error().line();
  };
  Arm other_weights = stub_arm("a", {});
  other_weights.record.weights_sha256 = std::string(64, 'c');
  EXPECT_THAT(refused(small_spec(), other_weights), ::testing::HasSubstr("weights_sha256"));
  Arm other_tokenizer = stub_arm("a", {});
  other_tokenizer.tokenizer->sha256 = std::string(64, 'd');
  EXPECT_THAT(refused(small_spec(), other_tokenizer), ::testing::HasSubstr("tokenizer_sha256"));
  NiahSpec other_spec = small_spec();
  other_spec.seed = 7;
  EXPECT_THAT(refused(other_spec, stub_arm("a", {})), ::testing::HasSubstr("seed"));
  EXPECT_TRUE(NiahExperiment::resume(*store_, uuid, small_spec(), {stub_arm("a", {})}, false));
}

TEST_F(NiahExperimentTest, NoTrialStartsWhilePaused) {
  auto gate = std::make_shared<PauseGate>();
  std::atomic<int64_t> started{0};
  StubBehaviour counting;
  counting.before_prefill = [&](int64_t call) -> Result<void> {
    started = call + 1;
    if (call == 2) gate->pause();  // asked for in the middle of a trial
    return {};
  };
  NiahExperiment experiment = create(small_spec(), {stub_arm("a", counting)});
  RunControl control;
  control.pause = gate;
  std::thread runner([&] { EXPECT_TRUE(experiment.run(control)); });
  while (started < 3) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(started, 3);
  gate->resume();
  runner.join();
  EXPECT_EQ(started, 21);
}

// Check 7: what an older program stored is judged by today's scorers, and its answers stay as they are.
TEST_F(NiahExperimentTest, ReScoringAddsAndNeverEditsAnswers) {
  NiahExperiment experiment = create(small_spec(), {stub_arm("a", seeing(150))});
  ASSERT_TRUE(experiment.run({}));
  const std::string answers =
      "SELECT group_concat(output_text || output_ids || score || scorer, '|') FROM niah_trial";
  const std::string before = value(answers);
  const std::string scores = value("SELECT count(*) FROM rescore");
  {
    // As if only the primary score had been known then.
    SQLite::Database db(path().string(), SQLite::OPEN_READWRITE);
    db.exec("DELETE FROM rescore");
  }
  const auto report = rescore(*store_, experiment.experiment().id);
  ASSERT_TRUE(report) << report.error().line();
  EXPECT_EQ(report->trials, 21);
  EXPECT_EQ(report->added, 21 * 3);
  EXPECT_EQ(value(answers), before);
  EXPECT_EQ(value("SELECT count(*) FROM rescore"), scores);
  EXPECT_EQ(rescore(*store_, experiment.experiment().id)->added, 0);
}

TEST_F(NiahExperimentTest, ArmsWithDifferentTokenizersAreRefused) {
  Arm other = stub_arm("b", {});
  other.tokenizer->sha256 = std::string(64, 'd');
  const auto refused = NiahExperiment::create(*store_, small_spec(), {stub_arm("a", {}), other}, "");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().line(), ::testing::HasSubstr("different tokenizers"));
}

TEST_F(NiahExperimentTest, AttentionMassIsStoredByLayerAndHead) {
  NiahSpec spec = small_spec();
  spec.lengths = {200};
  spec.depths_ppm = {0};
  NiahExperiment experiment = create(spec, {stub_arm("a", {})});
  ASSERT_TRUE(experiment.run({}));
  EXPECT_EQ(value("SELECT count(*) FROM attn_probe"), "28");  // 2 trials and 5 needle-only ones, 2 x 2 heads
  EXPECT_EQ(value("SELECT max(mass) = 1 FROM attn_probe"), "1");
  EXPECT_EQ(value("SELECT count(*) FROM niah_trial WHERE attn_mass IS NULL"), "2");  // no needle, no span
}

// The first ids draw attention whatever they say: a needle that begins there is not attended to for it.
TEST_F(NiahExperimentTest, AttentionSinksAreNoPartOfTheNeedle) {
  for (const int64_t sinks : {0, 6}) {
    std::vector<Arm> arms{stub_arm("full", {}), stub_arm("windowed", {})};
    if (sinks > 0) arms[1].config.layers[1].window = WindowSpec{128, sinks};
    NiahExperiment experiment = create(small_spec(), std::move(arms));
    ASSERT_TRUE(experiment.run({}));
    const store::Table rows = query(
        "SELECT t.attn_uniform * p.n_tokens, n.tok_begin, n.tok_end FROM niah_trial t "
        "JOIN cell c ON c.id = t.cell_id JOIN run r ON r.id = c.run_id JOIN prompt p ON p.id = t.prompt_id "
        "JOIN needle n ON n.prompt_id = p.id WHERE c.depth_ppm IS NOT NULL "
        "AND r.experiment_id = (SELECT max(id) FROM experiment)");
    ASSERT_EQ(rows.rows.size(), 24u);
    int at_the_start = 0;
    for (const auto& row : rows.rows) {
      const double begin = std::stod(row[1]), end = std::stod(row[2]), first = sinks > 4 ? 6 : 4;
      EXPECT_NEAR(std::stod(row[0]), end - std::max(begin, first), 1e-6) << begin << " to " << end;
      at_the_start += begin < first ? 1 : 0;
    }
    EXPECT_GE(at_the_start, 8);  // depth 0, and what snaps to it
  }
}

TEST_F(NiahExperimentTest, AMapSaysWhereNeedlesReallyStand) {
  NiahExperiment experiment = create(small_spec(), {stub_arm("a", {})});
  ASSERT_TRUE(experiment.run({}));
  const NiahMap map = map_of(experiment.experiment().uuid);
  const auto& cells = map.arms[0].cells;
  EXPECT_EQ(cells[0][0].depth_low_ppm, 0);
  EXPECT_EQ(cells[0][2].depth_high_ppm, 1'000'000);
  for (const char* bound : {"min", "max"}) {
    const std::string placed = value(fmt::format(
        "SELECT {}(n.depth_actual_ppm) FROM needle n JOIN niah_trial t ON t.prompt_id = n.prompt_id "
        "JOIN cell c ON c.id = t.cell_id WHERE c.ctx_len = 400 AND c.depth_ppm = 500000",
        bound));
    EXPECT_EQ(bound == std::string("min") ? cells[1][1].depth_low_ppm : cells[1][1].depth_high_ppm,
              std::stoll(placed));
  }
  EXPECT_EQ(map.arms[0].all.depth_low_ppm, 0);
  EXPECT_EQ(map.arms[0].all.depth_high_ppm, 1'000'000);
}

TEST_F(NiahExperimentTest, WhatCannotBeStoredOrMakesNoDifferenceIsRefusedBeforeTheWork) {
  NiahSpec endless = small_spec();
  endless.lengths = {200, 20'000'000};
  const auto too_long = NiahExperiment::create(*store_, endless, {stub_arm("a", {})}, "");
  ASSERT_FALSE(too_long);
  EXPECT_THAT(too_long.error().line(), testing::HasSubstr("at most 16777216"));
  NiahSpec spread = small_spec();
  spread.task.variant = NeedleVariant::k_needles;
  const auto depths = NiahExperiment::create(*store_, spread, {stub_arm("a", {})}, "");
  ASSERT_FALSE(depths);
  EXPECT_THAT(depths.error().line(), testing::HasSubstr("evenly"));
  EXPECT_EQ(value("SELECT count(*) FROM experiment"), "0");
}

}  // namespace
}  // namespace orthros
