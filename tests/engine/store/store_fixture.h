// A store in a fresh folder with records that fill every table, each field with a value of its own, so that a
// swapped column is noticed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/store/run_reader.h"
#include "engine/store/run_store.h"
#include "tests/support/temp_folder.h"

namespace orthros::store::test {

template <class T>
T value_of(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().line();
    if constexpr (!std::is_default_constructible_v<T>) std::abort();
  }
  if constexpr (!std::is_void_v<T>) return result ? std::move(*result) : T{};
}
inline void ok(const Result<void>& result) {
  EXPECT_TRUE(result) << (result ? "" : result.error().line());
}

inline EnvironmentRecord sample_environment() {
  EnvironmentRecord e;
  e.os = "Debian 12";
  e.kernel = "Linux 6.1";
  e.cpu_model = "a CPU";
  e.cpu_flags = "avx2 fma";
  e.governor = "performance";
  e.cores = 2;
  e.ram_bytes = 8'000'000'000;
  e.gpu_name = "a GPU";
  e.gpu_driver = "555.1";
  e.cuda = "13.0";
  e.gpu_count = 3;
  e.gpu_memory_bytes = 24'000'000'000;
  e.libtorch = "2.11.0";
  e.qt = "6.4";
  e.sqlite = "3.40.1";
  e.compiler = "gcc 12";
  e.build_type = "Release";
  e.app_version = "0.1.0";
  e.git_commit = "0123456789012345678901234567890123456789";
  e.git_dirty = true;
  e.extra_json = R"({"variables":{"OMP_NUM_THREADS":"2"}})";
  return e;
}

inline ModelRecord sample_model(const std::string& architecture) {
  ModelRecord m;
  m.weights_sha256 = std::string(64, 'a');
  m.architecture = architecture;
  m.config_sha256 = std::string(64, architecture == "orthros" ? 'b' : 'c');
  m.config_json = R"({"hidden_size":64})";
  m.label = "tiny " + architecture;
  m.params_total = 1000;
  m.params_linear = 900;
  m.trained = true;
  m.provenance_json = R"({"source":"test"})";
  return m;
}

inline PromptRecord sample_prompt(int64_t first_id) {
  PromptRecord p;
  p.ids = {first_id, 5, 60'000, -1, 7};
  p.generator = "word_number over filler";
  p.generator_version = 3;
  p.seed = 11;
  p.params_json = R"({"depth":0.5})";
  p.question = "What is the number?";
  p.text = "some text";
  p.needles = {{false, "amber", "48213", 1, 3, 400'000}, {true, "basil", "11111", 3, 4, 700'000}};
  return p;
}

inline CellRecord sample_cell(const std::string& key, int64_t ctx_len, int64_t ordinal) {
  CellRecord c;
  c.key = key;
  c.variant = "word-number";
  c.ordinal = ordinal;
  c.ctx_len = ctx_len;
  c.out_len = 8;
  c.batch = 2;
  c.planned = 4;
  c.depth_ppm = 500'000;
  return c;
}

inline NiahTrialRecord sample_trial(RowId cell, RowId prompt, int64_t number) {
  NiahTrialRecord t;
  t.cell_id = cell;
  t.prompt_id = prompt;
  t.trial_no = number;
  t.output_ids = {48, 213, 2};
  t.output_text = "48213";
  t.expected_json = R"(["48213"])";
  t.finish = "eos";
  t.primary = {"value_match/1", 1.0};
  t.others = {{"exact/1", 0.25}, {"fraction/2", 0.5}};
  t.answer_logprob = -0.75;
  t.answer_rank1 = 0.8;
  t.attn_mass = 0.375;
  t.attn_uniform = 0.01;
  t.probes = {{0, 1, 0.125}, {2, 3, 0.25}};
  t.prefill_ns = 1'234'567;
  t.decode_ns = 7'654'321;
  return t;
}

/// B = 2 (of the cell), N = 5: steps 10, 20, 30, 40 ms after a TTFT of 100 ms.
inline LatencySampleRecord sample_latency(RowId cell, int64_t repetition) {
  LatencySampleRecord s;
  s.cell_id = cell;
  s.rep_no = repetition;
  s.seq_no = 10 + repetition;
  s.n_in = 1000;
  s.n_out = 5;
  s.prefill_ns = 90'000'000;
  s.ttft_ns = 100'000'000;
  s.step_ns = {10'000'000, 20'000'000, 30'000'000, 40'000'000};
  s.e2e_ns = 200'000'000;
  s.device_prefill_ns = 89'000'000;
  s.peak_bytes = 4096;
  s.kv_bytes = 2048;
  s.clock_mhz = 3400.5;
  s.temp_c = 61.5;
  s.load_avg = 0.25;
  s.throttle = true;
  return s;
}

struct StoreTest : ::testing::Test {
  orthros::test::TempFolder folder;
  std::filesystem::path path = folder / "runs.sqlite";
  std::unique_ptr<RunStore> store = value_of(RunStore::open(path));

  std::unique_ptr<RunReader> reader() const { return value_of(RunReader::open(path)); }
  std::vector<std::vector<std::string>> rows(const std::string& sql) const {
    return value_of(reader()->query(sql)).rows;
  }
  std::string scalar(const std::string& sql) const {
    const auto result = rows(sql);
    return result.empty() ? "(no row)" : result[0][0];
  }

  ExperimentRecord experiment(ExperimentKind kind = ExperimentKind::niah, const std::string& name = "a map") {
    ExperimentRecord e;
    e.kind = kind;
    e.name = name;
    e.spec_json = R"({"lengths":[256,512],"trials":4})";
    return value_of(store->create_experiment(e));
  }
  RunRecord run(RowId experiment_id, const std::string& architecture, int64_t arm,
                const std::vector<CellRecord>& cells) {
    RunRecord r;
    r.experiment_id = experiment_id;
    r.environment_id = value_of(store->put_environment(sample_environment()));
    r.model_id = value_of(store->put_model(sample_model(architecture)));
    r.tokenizer_id = value_of(store->put_tokenizer({std::string(64, 'd'), "bpe", "tiny", 512, true}));
    r.arm = arm;
    r.arm_label = architecture + " arm";
    r.device = "cpu";
    r.dtype = "float32";
    r.weights = "int8";
    r.kv_dtype = "bfloat16";
    r.attn_impl = "reference";
    r.settings_json = R"({"chunk":64})";
    r.n_threads = 2;
    r.seed = 42;
    return value_of(store->create_run(r, cells));
  }
  RowId prompt(int64_t first_id = 1) {
    const RowId tokenizer = value_of(store->put_tokenizer({std::string(64, 'd'), "bpe", "tiny", 512, true}));
    return value_of(store->put_prompt(sample_prompt(first_id), tokenizer));
  }
  std::vector<CellRecord> cells_of(RowId run_id) const { return value_of(reader()->cells(run_id)); }

  /// One experiment of every kind of result: every table gets rows. Its uuid.
  std::string fill_every_table();
};

inline std::string StoreTest::fill_every_table() {
  const ExperimentRecord e = experiment();
  const RowId prompt_id = prompt();
  for (const int64_t arm : {0, 1}) {
    const RunRecord r = run(e.id, arm == 0 ? "transformer" : "orthros", arm,
                            {sample_cell("L=256", 256, 0), sample_cell("L=512", 512, 1)});
    ok(store->begin_run(r.id));
    for (const CellRecord& cell : cells_of(r.id)) {
      ok(store->begin_cell(cell.id));
      value_of(store->add_trial(sample_trial(cell.id, prompt_id, 0)));
      value_of(store->add_trial(sample_trial(cell.id, prompt_id, 1)));
      LatencySampleRecord sample = sample_latency(cell.id, 0);
      sample.prompt_id = prompt_id;
      value_of(store->add_sample(sample));
      ok(store->end_cell(cell.id, CellStatus::done));
    }
    const std::vector<GenTokenRecord> tokens{{0, 0, 17, std::string("\x00\xff", 2), 0.5, "[[17,0.5]]", 1000}};
    ok(store->add_tokens(r.id, prompt_id, tokens));
    AttnStepRecord step{3, 5, 1, 777, "decode", {}, {}, prompt_id, {}};
    step.head_rows.push_back({1, 2, true, 4, 5, R"({"entropy":0.5})", std::string("\0\1\2\3", 4), "topk"});
    step.exact_rows.push_back({1, 2, false, 4, {0.25F, 0.75F}});
    step.queries.push_back({1, true, 4, {0.5F, -2.0F}, {1.5F, -1.0F}});
    ok(store->add_attention_step(r.id, step));
    ok(store->add_invariants(r.id, std::vector<InvariantRecord>{{"rows sum to 1", "layer 1", true, 1e-7}}));
    ok(store->add_train_points(r.id, std::vector<TrainPointRecord>{{1, 2.5, 1e-3, 0.9, 1234.5}}));
    ok(store->end_run(r.id, RunStatus::done));
  }
  ok(store->put_paper_points(std::vector<PaperPointRecord>{
      {"Orthros paper", "Table 4", "Transformer", 131072, 128, 2, 8, "ttft", "s", 77.25, "table"}}));
  return e.uuid;
}

}  // namespace orthros::store::test
