// Derived numbers: the formulas of niah-and-latency.md section 3, in the views and in the stock sqlite3
// shell.
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>

#include "tests/engine/store/store_fixture.h"

namespace orthros::store::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Rows = std::vector<std::vector<std::string>>;

struct ViewsTest : StoreTest {
  /// A latency cell with one sample a prefill time, in ms, of an experiment's arm.
  RowId latency_cell(RowId experiment_id, const std::string& architecture, int64_t arm,
                     const std::vector<int64_t>& prefills_ms) {
    const RunRecord r = run(experiment_id, architecture, arm, {sample_cell("T=1000", 1000, 0)});
    const RowId cell = cells_of(r.id)[0].id;
    for (size_t i = 0; i < prefills_ms.size(); ++i) {
      LatencySampleRecord sample = sample_latency(cell, static_cast<int64_t>(i));
      sample.prefill_ns = prefills_ms[i] * 1'000'000;
      value_of(store->add_sample(sample));
    }
    return cell;
  }
};

TEST_F(ViewsTest, LatencyRatesFollowTheirFormulas) {
  latency_cell(experiment(ExperimentKind::latency).id, "orthros", 0, {90});
  // B = 2, T = 1000, N = 5, TTFT 0.1 s, E2E 0.2 s, steps 10, 20, 30, 40 ms.
  EXPECT_EQ(rows("SELECT prefill_ms, ttft_s, e2e_s, output_tps, decode_tps, decode_tps_all, decode_tps_step, "
                 "tpot_ms, "
                 "round(prefill_tps, 3), step_median_ms, device_prefill_ms FROM v_latency"),
            (Rows{{"90", "0.1", "0.2", "50", "80", "100", "80", "25", "22222.222", "25", "89"}}));
}

TEST_F(ViewsTest, OneGeneratedIdHasNoDecodeRate) {
  const RunRecord r = run(experiment(ExperimentKind::latency).id, "orthros", 0, {sample_cell("a", 1000, 0)});
  LatencySampleRecord sample = sample_latency(cells_of(r.id)[0].id, 0);
  sample.n_out = 1;
  sample.step_ns.clear();
  sample.e2e_ns = sample.ttft_ns;
  value_of(store->add_sample(sample));
  EXPECT_EQ(rows("SELECT output_tps, decode_tps IS NULL, decode_tps_all IS NULL, decode_tps_step IS NULL, "
                 "tpot_ms IS NULL FROM v_latency"),
            (Rows{{"20", "1", "1", "1", "1"}}));
}

TEST_F(ViewsTest, DecodingAtDepthHasOnlyDecodeRates) {
  const RunRecord r = run(experiment(ExperimentKind::latency).id, "orthros", 0, {sample_cell("a", 1000, 0)});
  LatencySampleRecord sample = sample_latency(cells_of(r.id)[0].id, 0);
  sample.prefill_ns = sample.ttft_ns = 0;  // the prompt was read before, untimed
  sample.e2e_ns = 100'000'000;
  value_of(store->add_sample(sample));
  EXPECT_EQ(rows("SELECT prefill_ms, ttft_s, e2e_s, output_tps, prefill_tps, decode_tps_all, decode_tps, "
                 "decode_tps_step, tpot_ms FROM v_latency"),
            (Rows{{"", "", "", "", "", "", "80", "80", "25"}}));
}

TEST_F(ViewsTest, PrintedValuesOfTable4ComeOut) {
  // The paper's 128K/128 row: B = 2, N = 128, TTFT and E2E as printed give 3.0 and 10.4 tok/s.
  const RunRecord r =
      run(experiment(ExperimentKind::latency).id, "transformer", 0, {sample_cell("a", 131072, 0)});
  LatencySampleRecord sample = sample_latency(cells_of(r.id)[0].id, 0);
  sample.n_in = 131072;
  sample.n_out = 128;
  sample.step_ns.clear();
  sample.ttft_ns = 77'250'000'000;
  sample.e2e_ns = 84'911'000'000;
  value_of(store->add_sample(sample));
  EXPECT_EQ(rows("SELECT round(output_tps, 3), round(decode_tps, 2) FROM v_latency"),
            (Rows{{"3.015", "33.15"}}));
}

TEST_F(ViewsTest, MediansLeaveOutWarmupColdAndExcluded) {
  const RowId experiment_id = experiment(ExperimentKind::latency).id;
  const RowId cell = latency_cell(experiment_id, "orthros", 0, {10, 30, 20, 50});
  LatencySampleRecord odd = sample_latency(cell, 0);
  odd.prefill_ns = 9'000'000'000;
  odd.warmup = true;
  value_of(store->add_sample(odd));
  odd.warmup = false;
  odd.cold = true;
  value_of(store->add_sample(odd));
  odd.cold = false;
  odd.rep_no = 9;
  ok(store->exclude_sample(value_of(store->add_sample(odd)), "throttled"));
  EXPECT_EQ(rows("SELECT n, prefill_ms FROM v_latency_cell"), (Rows{{"4", "25"}}));  // even: the mean of two
  odd.rep_no = 10;
  value_of(store->add_sample(odd));
  EXPECT_EQ(rows("SELECT n, prefill_ms FROM v_latency_cell"), (Rows{{"5", "30"}}));
}

TEST_F(ViewsTest, Table4HasSpeedupsOverTheTransformerOfTheSameExperiment) {
  const RowId first = experiment(ExperimentKind::latency).id;
  latency_cell(first, "orthros", 0, {10, 20, 30});
  latency_cell(first, "transformer", 1, {60, 70, 80});
  latency_cell(experiment(ExperimentKind::latency).id, "orthros", 0, {5});  // no Transformer to compare with
  EXPECT_EQ(rows("SELECT architecture, prefill_speedup, e2e_speedup FROM v_table4 ORDER BY experiment_uuid = "
                 "(SELECT uuid FROM experiment ORDER BY id LIMIT 1) DESC, arm"),
            (Rows{{"orthros", "3.5", "1"}, {"transformer", "1", "1"}, {"orthros", "", ""}}));
}

TEST_F(ViewsTest, AMapCellCountsTrialsAndFullScores) {
  const RunRecord r =
      run(experiment().id, "orthros", 0, {sample_cell("a", 256, 0), sample_cell("b", 512, 1)});
  const RowId cell = cells_of(r.id)[0].id;
  const std::array scores{1.0, 0.5, 0.0, 1.0};
  for (size_t i = 0; i < scores.size(); ++i) {
    NiahTrialRecord trial = sample_trial(cell, prompt(), static_cast<int64_t>(i));
    trial.primary.score = scores[i];
    trial.finish = "budget";
    trial.attn_mass = i == 0 ? std::optional(0.5) : std::nullopt;
    value_of(store->add_trial(trial));
  }
  EXPECT_EQ(
      rows("SELECT ctx_len, depth, n, k, mean_score, mean_mass, truncated FROM v_niah_cell ORDER BY ctx_len"),
      (Rows{{"256", "0.5", "4", "2", "0.625", "0.5", "1"}, {"512", "0.5", "0", "0", "", "", "0"}}));
  EXPECT_EQ(rows("SELECT depth_actual, n_tokens FROM v_niah_trial LIMIT 1"), (Rows{{"0.4", "5"}}));
}

/// The SQL of each block of the query page.
std::vector<std::string> page_queries() {
  std::ifstream page(std::string(ORTHROS_SOURCE) + "/engine/store/QUERIES.md");
  std::vector<std::string> queries;
  bool within = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) {
      within = line == "```sql";
      if (within) queries.emplace_back();
    } else if (within) {
      queries.back() += line;
    }
  }
  return queries;
}

/// Output of the stock shell, or nullopt when it is not installed.
std::optional<std::string> shell(const std::filesystem::path& database, const std::string& sql) {
  if (std::system("command -v sqlite3 >/dev/null 2>&1") != 0) return std::nullopt;
  const std::string command = "sqlite3 -batch '" + database.string() + "' \"" + sql + "\" 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string text;
  for (int c = 0; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  if (pipe != nullptr) ::pclose(pipe);
  return text;
}

TEST_F(ViewsTest, TheQueriesOfThePageRunInTheShellWhileAWriterIsActive) {
  const RowId sweep = experiment(ExperimentKind::latency).id;
  latency_cell(sweep, "orthros", 0, {10, 30, 20});
  latency_cell(sweep, "transformer", 1, {60, 80});
  const RunRecord r =
      run(experiment().id, "orthros", 0, {sample_cell("a", 256, 0), sample_cell("b", 512, 1)});
  const RowId prompt_id = prompt();
  value_of(store->add_trial(sample_trial(cells_of(r.id)[0].id, prompt_id, 0)));
  ok(store->begin_run(r.id));

  std::atomic<bool> stop = false;
  std::thread writer([&] {
    const RowId cell = cells_of(r.id)[1].id;
    for (int64_t i = 0; !stop; ++i) value_of(store->add_trial(sample_trial(cell, prompt_id, i)));
  });
  while (scalar("SELECT count(*) FROM niah_trial") == "1") std::this_thread::yield();
  std::vector<std::optional<std::string>> answers;
  for (const std::string& sql : page_queries()) answers.push_back(shell(path, sql));
  stop = true;
  writer.join();

  ASSERT_EQ(answers.size(), 5U);
  if (!answers[0]) GTEST_SKIP() << "no sqlite3 shell here";
  EXPECT_THAT(*answers[0], HasSubstr("orthros arm|256|1.0|1\n"));
  EXPECT_THAT(*answers[0], HasSubstr("orthros arm|512|1.0|"));
  EXPECT_EQ(*answers[1], "orthros|1000|20.0|3\ntransformer|1000|70.0|2\n");
  EXPECT_THAT(*answers[2], HasSubstr("|orthros arm|orthros|3|20.0|"));
  EXPECT_EQ(*answers[3], "0\n");
  EXPECT_THAT(*answers[4], HasSubstr("a map|orthros arm|running|"));
}

}  // namespace
}  // namespace orthros::store::test
