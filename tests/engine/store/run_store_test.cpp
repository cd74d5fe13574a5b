// The store's rules: what is written comes back, nothing twice, failed calls change nothing.
#include "engine/store/run_store.h"

#include <cmath>
#include <limits>
#include <thread>

#include <gmock/gmock.h>

#include "tests/engine/store/store_fixture.h"

namespace orthros::store::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct RunStoreTest : StoreTest {};

TEST_F(RunStoreTest, ExperimentsComeBackNewestFirstWithTheirState) {
  const ExperimentRecord first = experiment(ExperimentKind::niah, "first");
  const ExperimentRecord second = experiment(ExperimentKind::latency, "second");
  const RunRecord r = run(first.id, "orthros", 0, {sample_cell("a", 256, 0), sample_cell("b", 512, 1)});
  ok(store->begin_run(r.id));
  ok(store->end_cell(cells_of(r.id)[0].id, CellStatus::done));
  value_of(store->add_trial(sample_trial(cells_of(r.id)[0].id, prompt(), 0)));
  ok(store->set_note(first.id, "look at this"));
  ok(store->set_tags(first.id, "paper,figure"));
  ok(store->set_starred(first.id, true));
  ok(store->set_name(first.id, "renamed"));

  const auto all = value_of(reader()->experiments());
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].experiment.uuid, second.uuid);
  EXPECT_EQ(all[0].runs, 0);
  EXPECT_EQ(all[1].experiment.uuid, first.uuid);
  EXPECT_EQ(all[1].experiment.name, "renamed");
  EXPECT_EQ(all[1].experiment.note, "look at this");
  EXPECT_EQ(all[1].experiment.tags, "paper,figure");
  EXPECT_TRUE(all[1].experiment.starred);
  EXPECT_EQ(all[1].experiment.spec_sha256.size(), 64U);
  EXPECT_EQ(all[1].runs, 1);
  EXPECT_EQ(all[1].cells, 2);
  EXPECT_EQ(all[1].cells_done, 1);
  EXPECT_EQ(all[1].results, 1);
  EXPECT_EQ(all[1].status, RunStatus::running);
  EXPECT_THAT(all[1].arms, ElementsAre("orthros arm"));
  EXPECT_EQ(value_of(reader()->experiments(ExperimentKind::latency)).size(), 1U);
}

TEST_F(RunStoreTest, ExperimentsAreFoundByUuidBeginningOrLast) {
  EXPECT_EQ(reader()->find_experiment("last").error().code, ErrorCode::not_found);
  const ExperimentRecord first = experiment();
  const ExperimentRecord second = experiment();
  EXPECT_EQ(value_of(reader()->find_experiment(first.uuid)).id, first.id);
  EXPECT_EQ(value_of(reader()->find_experiment(first.uuid.substr(0, 8))).id, first.id);
  EXPECT_EQ(value_of(reader()->find_experiment("last")).id, second.id);
  const ExperimentRecord sweep = experiment(ExperimentKind::latency);
  EXPECT_EQ(value_of(reader()->find_experiment("last")).id, sweep.id);
  EXPECT_EQ(value_of(reader()->find_experiment("last", ExperimentKind::niah)).id, second.id);
  EXPECT_EQ(value_of(reader()->find_experiment(first.uuid, ExperimentKind::latency)).id, first.id);
  EXPECT_EQ(reader()->find_experiment("last", ExperimentKind::training).error().code, ErrorCode::not_found);
  EXPECT_EQ(reader()->find_experiment("abc").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(reader()->find_experiment("zzzzzzzz").error().code, ErrorCode::not_found);
}

TEST_F(RunStoreTest, AnAmbiguousBeginningIsRefused) {
  ExperimentRecord e;
  e.spec_json = "{}";
  e.uuid = "aaaaaaaa-0000-4000-8000-000000000001";
  value_of(store->create_experiment(e));
  e.uuid = "aaaaaaaa-0000-4000-8000-000000000002";
  value_of(store->create_experiment(e));
  EXPECT_EQ(reader()->find_experiment("aaaaaaaa").error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(value_of(reader()->find_experiment(e.uuid)).uuid, e.uuid);
}

TEST_F(RunStoreTest, RunsAndCellsComeBackField) {
  const RunRecord made =
      run(experiment().id, "orthros", 3, {sample_cell("b", 512, 1), sample_cell("a", 256, 0)});
  const auto runs = value_of(reader()->runs(made.experiment_id));
  ASSERT_EQ(runs.size(), 1U);
  const RunRecord& r = runs[0];
  EXPECT_EQ(r.uuid, made.uuid);
  EXPECT_EQ(r.arm, 3);
  EXPECT_EQ(r.arm_label, "orthros arm");
  EXPECT_EQ(r.device, "cpu");
  EXPECT_EQ(r.dtype, "float32");
  EXPECT_EQ(r.weights, "int8");
  EXPECT_EQ(r.kv_dtype, "bfloat16");
  EXPECT_EQ(r.attn_impl, "reference");
  EXPECT_EQ(r.settings_json, R"({"chunk":64})");
  EXPECT_EQ(r.n_threads, 2);
  EXPECT_EQ(r.seed, 42);
  EXPECT_EQ(r.status, RunStatus::queued);
  const auto cells = cells_of(r.id);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].key, "a");  // by ordinal
  EXPECT_EQ(cells[0].ctx_len, 256);
  EXPECT_EQ(cells[0].out_len, 8);
  EXPECT_EQ(cells[0].batch, 2);
  EXPECT_EQ(cells[0].planned, 4);
  EXPECT_EQ(cells[0].depth_ppm, 500'000);
  EXPECT_EQ(cells[0].variant, "word-number");
  EXPECT_EQ(cells[0].status, CellStatus::pending);
}

TEST_F(RunStoreTest, SharedRowsAreStoredOnceAndComeBack) {
  const RowId environment = value_of(store->put_environment(sample_environment()));
  EXPECT_EQ(value_of(store->put_environment(sample_environment())), environment);
  EnvironmentRecord other = sample_environment();
  other.git_dirty = false;
  EXPECT_NE(value_of(store->put_environment(other)), environment);

  const RowId model = value_of(store->put_model(sample_model("orthros")));
  EXPECT_EQ(value_of(store->put_model(sample_model("orthros"))), model);
  EXPECT_NE(value_of(store->put_model(sample_model("transformer"))), model);

  const EnvironmentRecord e = value_of(reader()->environment(environment));
  EXPECT_EQ(e.cpu_model, "a CPU");
  EXPECT_EQ(e.gpu_memory_bytes, 24'000'000'000);
  EXPECT_EQ(e.cuda, "13.0");
  EXPECT_TRUE(e.git_dirty);
  const ModelRecord m = value_of(reader()->model(model));
  EXPECT_EQ(m.architecture, "orthros");
  EXPECT_EQ(m.params_linear, 900);
  EXPECT_TRUE(m.trained);
  EXPECT_EQ(reader()->model(99).error().code, ErrorCode::not_found);
}

TEST_F(RunStoreTest, APromptIsStoredOnceWithItsNeedles) {
  const RowId id = prompt();
  EXPECT_EQ(prompt(), id);
  EXPECT_NE(prompt(2), id);
  const PromptRecord p = value_of(reader()->prompt(id));
  EXPECT_EQ(p.ids, sample_prompt(1).ids);
  EXPECT_EQ(p.n_tokens, 5);
  EXPECT_EQ(p.question, "What is the number?");
  EXPECT_EQ(p.generator_version, 3);
  EXPECT_EQ(p.seed, 11);
  ASSERT_EQ(p.needles.size(), 2U);
  EXPECT_EQ(p.needles[0].value, "48213");
  EXPECT_EQ(p.needles[0].tok_end, 3);
  EXPECT_TRUE(p.needles[1].distractor);
  EXPECT_EQ(p.needles[1].depth_actual_ppm, 700'000);
  EXPECT_EQ(value_of(reader()->find_prompt(p.ids_sha256)), id);
  EXPECT_EQ(value_of(reader()->find_prompt(std::string(64, '0'))), std::nullopt);
  // The same ids of another tokenizer mean another text.
  EXPECT_NE(value_of(store->put_prompt(sample_prompt(1), std::nullopt)), id);
  EXPECT_EQ(scalar("SELECT count(*) FROM needle"), "6");
}

TEST_F(RunStoreTest, APromptKnownByItsHashGetsItsIdsLater) {
  const PromptRecord whole = value_of(reader()->prompt(value_of(store->put_prompt(sample_prompt(1), {}))));
  PromptRecord hash_only;
  hash_only.ids_sha256 = std::string(64, 'e');
  hash_only.n_tokens = 1000;
  const RowId id = value_of(store->put_prompt(hash_only, {}));
  EXPECT_TRUE(value_of(reader()->prompt(id)).ids.empty());
  EXPECT_EQ(value_of(reader()->prompt(id)).n_tokens, 1000);
  PromptRecord wrong = sample_prompt(1);
  wrong.ids_sha256 = hash_only.ids_sha256;
  EXPECT_EQ(store->put_prompt(wrong, {}).error().code, ErrorCode::invalid_argument);
  wrong.ids_sha256 = whole.ids_sha256;
  EXPECT_EQ(value_of(store->put_prompt(wrong, {})), whole.id);
}

TEST_F(RunStoreTest, ANeedleOutsideItsPromptIsRefused) {
  PromptRecord p = sample_prompt(1);
  p.needles[0].tok_end = 6;
  EXPECT_EQ(store->put_prompt(p, {}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(scalar("SELECT count(*) FROM prompt"), "0");
}

TEST_F(RunStoreTest, ATrialComesBackWithScoresAndProbes) {
  const RunRecord r = run(experiment().id, "orthros", 0, {sample_cell("a", 256, 0)});
  const NiahTrialRecord made = sample_trial(cells_of(r.id)[0].id, prompt(), 0);
  const RowId id = value_of(store->add_trial(made));
  const auto trials = value_of(reader()->trials(r.id, true));
  ASSERT_EQ(trials.size(), 1U);
  const NiahTrialRecord& t = trials[0];
  EXPECT_EQ(t.id, id);
  EXPECT_EQ(t.output_ids, made.output_ids);
  EXPECT_EQ(t.output_text, "48213");
  EXPECT_EQ(t.expected_json, R"(["48213"])");
  EXPECT_EQ(t.finish, "eos");
  EXPECT_EQ(t.primary.scorer, "value_match/1");
  EXPECT_EQ(t.primary.score, 1.0);
  ASSERT_EQ(t.others.size(), 2U);
  EXPECT_EQ(t.others[1].scorer, "fraction/2");
  EXPECT_EQ(t.others[1].score, 0.5);
  EXPECT_EQ(t.answer_logprob, -0.75);
  EXPECT_EQ(t.answer_rank1, 0.8);
  EXPECT_EQ(t.attn_mass, 0.375);
  EXPECT_EQ(t.attn_uniform, 0.01);
  ASSERT_EQ(t.probes.size(), 2U);
  EXPECT_EQ(t.probes[1].layer, 2);
  EXPECT_EQ(t.probes[1].head, 3);
  EXPECT_EQ(t.probes[1].mass, 0.25);
  EXPECT_EQ(t.prefill_ns, 1'234'567);
  EXPECT_EQ(t.decode_ns, 7'654'321);
  EXPECT_EQ(t.done_utc.size(), 24U);
  EXPECT_TRUE(value_of(reader()->trials(r.id))[0].probes.empty());
}

TEST_F(RunStoreTest, ASampleComesBackWithItsSteps) {
  const RunRecord r = run(experiment(ExperimentKind::latency).id, "orthros", 0, {sample_cell("a", 1000, 0)});
  LatencySampleRecord made = sample_latency(cells_of(r.id)[0].id, 2);
  made.cold = true;
  const RowId id = value_of(store->add_sample(made));
  ok(store->exclude_sample(id, "throttled"));
  const LatencySampleRecord s = value_of(reader()->samples(r.id)).at(0);
  EXPECT_EQ(s.step_ns, made.step_ns);
  EXPECT_EQ(s.rep_no, 2);
  EXPECT_EQ(s.seq_no, 12);
  EXPECT_EQ(s.n_in, 1000);
  EXPECT_EQ(s.n_out, 5);
  EXPECT_EQ(s.prefill_ns, 90'000'000);
  EXPECT_EQ(s.ttft_ns, 100'000'000);
  EXPECT_EQ(s.e2e_ns, 200'000'000);
  EXPECT_EQ(s.device_prefill_ns, 89'000'000);
  EXPECT_EQ(s.peak_bytes, 4096);
  EXPECT_EQ(s.kv_bytes, 2048);
  EXPECT_EQ(s.clock_mhz, 3400.5);
  EXPECT_EQ(s.temp_c, 61.5);
  EXPECT_EQ(s.load_avg, 0.25);
  EXPECT_TRUE(s.throttle);
  EXPECT_TRUE(s.cold);
  EXPECT_FALSE(s.warmup);
  EXPECT_EQ(s.excluded, "throttled");
  EXPECT_EQ(s.prompt_id, std::nullopt);
}

TEST_F(RunStoreTest, TokensAttentionInvariantsAndTrainingComeBack) {
  fill_every_table();
  const auto open = reader();
  const RowId run_id = value_of(open->runs(value_of(open->find_experiment("last")).id)).at(1).id;
  const GenTokenRecord token = value_of(open->tokens(run_id)).at(0);
  EXPECT_EQ(token.token_id, 17);
  EXPECT_EQ(token.bytes, std::string("\x00\xff", 2));
  EXPECT_EQ(token.probability, 0.5);
  EXPECT_EQ(token.elapsed_ns, 1000);
  const AttnStepRecord step = value_of(open->attention_steps(run_id)).at(0);
  EXPECT_EQ(step.step, 3);
  EXPECT_EQ(step.t_in, 5);
  EXPECT_EQ(step.t_out, 1);
  EXPECT_EQ(step.regime, "decode");
  EXPECT_EQ(value_of(open->prompt(step.prompt_id.value())).ids, sample_prompt(1).ids);
  EXPECT_EQ(step.head_rows.at(0).bins, std::string("\0\1\2\3", 4));
  EXPECT_EQ(step.head_rows.at(0).top_k, "topk");
  EXPECT_EQ(step.head_rows.at(0).support, 5);
  EXPECT_TRUE(step.head_rows.at(0).output_stream);
  EXPECT_THAT(step.exact_rows.at(0).weights, ElementsAre(0.25F, 0.75F));
  ASSERT_EQ(step.queries.size(), 1U);
  EXPECT_EQ(step.queries[0].layer, 1);
  EXPECT_TRUE(step.queries[0].output_stream);
  EXPECT_EQ(step.queries[0].position, 4);
  EXPECT_THAT(step.queries[0].projected, ElementsAre(0.5F, -2.0F));
  EXPECT_THAT(step.queries[0].scaled, ElementsAre(1.5F, -1.0F));
  EXPECT_EQ(value_of(open->invariants(run_id)).at(0).worst, 1e-7);
  EXPECT_EQ(value_of(open->train_points(run_id)).at(0).grad_norm, 0.9);
  EXPECT_EQ(value_of(open->paper_points()).at(0).value, 77.25);
}

TEST_F(RunStoreTest, ADivergedTrainingStepIsKeptAsNotANumber) {
  const RunRecord r = run(experiment(ExperimentKind::training).id, "orthros", 0, {});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ok(store->add_train_points(r.id, std::vector<TrainPointRecord>{{1, nan, 1e-3, HUGE_VAL, 10}}));
  const TrainPointRecord p = value_of(reader()->train_points(r.id)).at(0);
  EXPECT_TRUE(std::isnan(p.loss));
  EXPECT_TRUE(std::isinf(p.grad_norm));
  EXPECT_EQ(p.lr, 1e-3);
}

TEST_F(RunStoreTest, NothingIsStoredTwice) {
  const RunRecord r = run(experiment().id, "orthros", 0, {sample_cell("a", 256, 0)});
  const RowId cell = cells_of(r.id)[0].id;
  const RowId prompt_id = prompt();
  value_of(store->add_trial(sample_trial(cell, prompt_id, 0)));
  const auto again = store->add_trial(sample_trial(cell, prompt_id, 0));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(again.error().line(), HasSubstr("stored already"));
  EXPECT_EQ(scalar("SELECT count(*) FROM attn_probe"), "2");

  value_of(store->add_sample(sample_latency(cell, 0)));
  EXPECT_EQ(store->add_sample(sample_latency(cell, 0)).error().code, ErrorCode::invalid_argument);
  LatencySampleRecord warmup = sample_latency(cell, 0);
  warmup.warmup = true;
  value_of(store->add_sample(warmup));

  ok(store->add_cells(r.id, std::vector<CellRecord>{sample_cell("a", 999, 5), sample_cell("b", 512, 1)}));
  const auto cells = cells_of(r.id);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].ctx_len, 256);
}

TEST_F(RunStoreTest, AFailedCallChangesNothing) {
  const RunRecord r = run(experiment().id, "orthros", 0, {sample_cell("a", 256, 0)});
  NiahTrialRecord trial = sample_trial(cells_of(r.id)[0].id, prompt(), 0);
  trial.probes.push_back(trial.probes.front());  // refused after the trial's own row is written
  EXPECT_FALSE(store->add_trial(trial));
  EXPECT_EQ(scalar("SELECT (SELECT count(*) FROM niah_trial) + (SELECT count(*) FROM attn_probe)"), "0");

  std::vector<CellRecord> cells{sample_cell("x", 1, 0), sample_cell("y", 1, 0)};
  cells[1].depth_ppm = 1'000'001;
  EXPECT_FALSE(store->add_cells(r.id, cells));
  EXPECT_EQ(cells_of(r.id).size(), 1U);
}

TEST_F(RunStoreTest, ImpossibleValuesAreRefused) {
  const RunRecord r = run(experiment().id, "orthros", 0, {sample_cell("a", 256, 0)});
  const RowId cell = cells_of(r.id)[0].id;
  const auto refused = [](const auto& result) {
    return !result && result.error().code == ErrorCode::invalid_argument;
  };
  LatencySampleRecord sample = sample_latency(cell, 0);
  sample.e2e_ns = sample.ttft_ns - 1;
  EXPECT_TRUE(refused(store->add_sample(sample)));
  sample = sample_latency(cell, 0);
  sample.step_ns.push_back(1);
  EXPECT_TRUE(refused(store->add_sample(sample)));
  NiahTrialRecord trial = sample_trial(cell, prompt(), 0);
  trial.primary.score = 1.5;
  EXPECT_TRUE(refused(store->add_trial(trial)));
  trial.primary.score = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(refused(store->add_trial(trial)));
  trial = sample_trial(cell, 12345, 0);
  EXPECT_TRUE(refused(store->add_trial(trial)));
  trial = sample_trial(99, 1, 0);
  EXPECT_EQ(store->add_trial(trial).error().code, ErrorCode::not_found);
  ExperimentRecord e;
  e.spec_json = "{not json";
  EXPECT_TRUE(refused(store->create_experiment(e)));
  EXPECT_TRUE(refused(store->end_run(r.id, RunStatus::running)));
  EXPECT_TRUE(refused(store->exclude_sample(1, "")));
  EXPECT_EQ(store->set_note(99, "x").error().code, ErrorCode::not_found);
  EXPECT_EQ(store->begin_run(99).error().code, ErrorCode::not_found);
}

TEST_F(RunStoreTest, ReScoringAddsAndNeverEdits) {
  const RunRecord r = run(experiment().id, "orthros", 0, {sample_cell("a", 256, 0)});
  const RowId trial = value_of(store->add_trial(sample_trial(cells_of(r.id)[0].id, prompt(), 0)));
  ok(store->add_score(trial, {"exact/2", 1}));
  ok(store->add_score(trial, {"exact/2", 1}));
  EXPECT_EQ(store->add_score(trial, {"exact/2", 0}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(store->add_score(trial, {"value_match/1", 0}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(store->add_score(99, {"exact/2", 1}).error().code, ErrorCode::not_found);
  const NiahTrialRecord t = value_of(reader()->trials(r.id)).at(0);
  EXPECT_EQ(t.primary.score, 1.0);
  EXPECT_EQ(t.others.size(), 3U);
}

TEST_F(RunStoreTest, DeletingTakesAllOfAnExperimentAndNothingElse) {
  const std::string uuid = fill_every_table();
  const std::string kept = fill_every_table();
  const auto open = reader();
  ok(store->delete_experiment(value_of(open->find_experiment(uuid)).id));
  for (const char* table :
       {"run", "cell", "niah_trial", "rescore", "attn_probe", "latency_sample", "gen_token", "attn_step",
        "attn_head_row", "attn_exact_row", "attn_query", "invariant", "train_point"}) {
    const std::string count = scalar(std::string("SELECT count(*) FROM ") + table);
    EXPECT_NE(count, "0") << table;
    ok(store->set_note(value_of(open->find_experiment(kept)).id, count));
  }
  EXPECT_EQ(scalar("SELECT count(*) FROM prompt"), "1");  // the other experiment uses it
  ok(store->delete_experiment(value_of(open->find_experiment(kept)).id));
  for (const char* table : {"run", "cell", "niah_trial", "rescore", "attn_probe", "latency_sample",
                            "gen_token", "attn_step", "attn_head_row", "attn_exact_row", "attn_query",
                            "invariant", "train_point", "run_event", "prompt", "needle"}) {
    EXPECT_EQ(scalar(std::string("SELECT count(*) FROM ") + table), "0") << table;
  }
  EXPECT_EQ(store->delete_experiment(1).error().code, ErrorCode::not_found);
}

TEST_F(RunStoreTest, ManyThreadsMayWriteAndAReaderSeesThem) {
  const RunRecord r = run(experiment().id, "orthros", 0, {sample_cell("a", 256, 0)});
  const RowId cell = cells_of(r.id)[0].id;
  const RowId prompt_id = prompt();
  const auto open = reader();
  const int64_t before = value_of(open->data_version());
  std::vector<std::thread> threads;
  for (int64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int64_t i = 0; i < 25; ++i)
        value_of(store->add_trial(sample_trial(cell, prompt_id, thread * 25 + i)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(value_of(open->trials(r.id)).size(), 100U);
  EXPECT_NE(value_of(open->data_version()), before);
}

TEST(RunStore, DefaultPathFollowsTheXdgRule) {
  ::setenv("XDG_DATA_HOME", "/somewhere", 1);
  EXPECT_EQ(default_path(), "/somewhere/orthros/runs.sqlite");
  ::setenv("XDG_DATA_HOME", "relative", 1);
  ::setenv("HOME", "/home/nobody", 1);
  EXPECT_EQ(default_path(), "/home/nobody/.local/share/orthros/runs.sqlite");
  ::unsetenv("XDG_DATA_HOME");
  EXPECT_EQ(default_path(), "/home/nobody/.local/share/orthros/runs.sqlite");
}

}  // namespace
}  // namespace orthros::store::test
