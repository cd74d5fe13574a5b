// The run store: what a result costs while an experiment runs, and how fast a map is read again. Goals: at
// most 1 ms median for a committed trial, at most 200 ms for 10,000 trials. Commits wait for the disk: the
// bare fsync of a page on the same disk is printed beside them as their floor.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include "engine/store/run_reader.h"
#include "engine/store/run_store.h"

namespace orthros::store {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kCells = 100, kTrialsOfCell = 100;

template <class T>
T must(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "store_bench: %s\n", result.error().line().c_str());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// In the working directory, because a temporary folder may be in memory.
std::filesystem::path folder() {
  return std::filesystem::current_path() / "store_bench.tmp";
}

NiahTrialRecord trial(RowId cell, RowId prompt, int64_t number) {
  NiahTrialRecord t;
  t.cell_id = cell;
  t.prompt_id = prompt;
  t.trial_no = number;
  t.output_ids.assign(16, 12'345);
  t.output_text = "The magic number of amber is 48213.";
  t.expected_json = R"(["48213"])";
  t.finish = "budget";
  t.primary = {"value-match/1", 1.0};
  t.others = {{"exact/1", 0.0}, {"first-answer/1", 1.0}};
  t.answer_logprob = -0.25;
  t.answer_rank1 = 1.0;
  t.attn_mass = 0.125;
  t.attn_uniform = 0.001;
  return t;
}

/// A store with one run of 100 cells; `trials` of them are stored.
struct Filled {
  std::unique_ptr<RunStore> store;
  std::vector<CellRecord> cells;
  RowId run = 0, prompt = 0;

  explicit Filled(int64_t trials) {
    std::filesystem::remove_all(folder());
    store = must(RunStore::open(folder() / "runs.sqlite"));
    ExperimentRecord e;
    e.spec_json = "{}";
    RunRecord r;
    r.experiment_id = must(store->create_experiment(e)).id;
    r.environment_id = must(store->put_environment({}));
    std::vector<CellRecord> made(kCells);
    for (size_t i = 0; i < made.size(); ++i) made[i].key = "cell " + std::to_string(i);
    run = must(store->create_run(r, made)).id;
    cells = must(must(RunReader::open(store->path()))->cells(run));
    PromptRecord p;
    for (int64_t i = 0; i < 4096; ++i) p.ids.push_back((i * 7919) % 49'152);
    prompt = must(store->put_prompt(p, {}));
    for (int64_t i = 0; i < trials; ++i) add(i);
  }
  ~Filled() {
    store.reset();
    std::filesystem::remove_all(folder());
  }
  void add(int64_t i) {
    (void)must(store->add_trial(trial(cells[static_cast<size_t>(i / kTrialsOfCell % kCells)].id, prompt,
                                      i % kTrialsOfCell + i / (kCells * kTrialsOfCell) * kTrialsOfCell)));
  }
};

double median_ms(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void AddTrial(benchmark::State& state) {
  Filled filled(0);
  std::vector<double> times;
  int64_t i = 0;
  for (auto _ : state) {
    const auto begin = Clock::now();
    filled.add(i++);
    times.push_back(ms_since(begin));
  }
  std::sort(times.begin(), times.end());
  state.counters["p99_ms"] = times[times.size() * 99 / 100];
  state.counters["median_ms"] = median_ms(times);
}
BENCHMARK(AddTrial)->Iterations(2000)->Unit(benchmark::kMillisecond)->UseRealTime();

void AppendAndSync(benchmark::State& state) {
  std::filesystem::create_directories(folder());
  const std::string name = (folder() / "floor").string();
  const int file = ::open(name.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0644);
  const std::vector<char> pages(static_cast<size_t>(state.range(0)) * 4120, 'x');
  std::vector<double> times;
  for (auto _ : state) {
    const auto begin = Clock::now();
    if (::write(file, pages.data(), pages.size()) < 0 || ::fdatasync(file) != 0)
      state.SkipWithError("no disk");
    times.push_back(ms_since(begin));
  }
  state.counters["median_ms"] = median_ms(times);
  ::close(file);
  std::filesystem::remove_all(folder());
}
BENCHMARK(AppendAndSync)->Arg(1)->Arg(8)->Iterations(1000)->Unit(benchmark::kMillisecond)->UseRealTime();

void ReadTrials(benchmark::State& state) {
  const Filled filled(kCells * kTrialsOfCell);
  const auto reader = must(RunReader::open(filled.store->path()));
  std::vector<double> times;
  for (auto _ : state) {
    const auto begin = Clock::now();
    const auto trials = must(reader->trials(filled.run));
    times.push_back(ms_since(begin));
    if (trials.size() != static_cast<size_t>(kCells * kTrialsOfCell))
      state.SkipWithError("trials are missing");
  }
  state.counters["median_ms"] = median_ms(times);
}
BENCHMARK(ReadTrials)->Iterations(20)->Unit(benchmark::kMillisecond)->UseRealTime();

void ListExperiments(benchmark::State& state) {
  const Filled filled(1000);
  for (int64_t i = 0; i < 200; ++i) {
    ExperimentRecord e;
    e.spec_json = "{}";
    (void)must(filled.store->create_experiment(e));
  }
  const auto reader = must(RunReader::open(filled.store->path()));
  for (auto _ : state) benchmark::DoNotOptimize(must(reader->experiments()));
}
BENCHMARK(ListExperiments)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace orthros::store

BENCHMARK_MAIN();
