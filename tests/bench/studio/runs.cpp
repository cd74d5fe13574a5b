// The Runs page on a store of 10,000 trials in 101 experiments. Goal: at most 300 ms from an unread store to
// a drawn table. And what a look costs when nothing, or one trial, is new.
#include <QApplication>
#include <QHeaderView>
#include <QTableView>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <benchmark/benchmark.h>

#include "app/studio/pages/runs/run_delegate.h"
#include "app/studio/pages/runs/run_table_model.h"
#include "app/studio/text.h"
#include "engine/store/run_reader.h"
#include "engine/store/run_store.h"
#include "widgets/theme.h"

namespace orthros::studio {
namespace {

constexpr int64_t kTrials = 10'000, kCells = 100, kOthers = 100;

template <class T>
T must(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "bench_runs: %s\n", result.error().line().c_str());
    std::exit(1);
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// In the working directory, because a temporary folder may be in memory.
struct Filled {
  std::filesystem::path folder = std::filesystem::current_path() / "runs_bench.tmp";
  std::unique_ptr<store::RunStore> store;
  std::vector<store::CellRecord> cells;
  store::RowId prompt = 0;
  int64_t next = 0;

  Filled() {
    std::filesystem::remove_all(folder);
    store = must(store::RunStore::open(folder / "runs.sqlite"));
    const store::RowId environment = must(store->put_environment({}));
    store::PromptRecord p;
    p.ids = {1, 2, 3};
    prompt = must(store->put_prompt(p, {}));
    for (int64_t e = 0; e <= kOthers; ++e) {
      store::ExperimentRecord experiment;
      experiment.name = "map " + std::to_string(e);
      experiment.spec_json = "{}";
      store::RunRecord run;
      run.experiment_id = must(store->create_experiment(experiment)).id;
      run.environment_id = environment;
      run.arm_label = "model, Orthros w=128 s=4";
      std::vector<store::CellRecord> made(e == 0 ? kCells : 4);
      for (size_t i = 0; i < made.size(); ++i) {
        made[i].key = "cell " + std::to_string(i);
        made[i].ctx_len = 256 * (1 + static_cast<int64_t>(i) / 10);
        made[i].depth_ppm = 0;
      }
      const store::RowId id = must(store->create_run(run, made)).id;
      if (e == 0) cells = must(must(store::RunReader::open(store->path()))->cells(id));
    }
    while (next < kTrials) add();
  }
  ~Filled() {
    store.reset();
    std::filesystem::remove_all(folder);
  }
  void add() {
    store::NiahTrialRecord trial;
    trial.cell_id = cells[static_cast<size_t>(next % kCells)].id;
    trial.trial_no = next++ / kCells;
    trial.prompt_id = prompt;
    trial.output_ids.assign(16, 12'345);
    trial.output_text = "The magic number of amber is 48213.";
    trial.primary = {"value-match/1", 1.0};
    (void)must(store->add_trial(trial));
  }
  QString path() const { return pathToQt(store->path()); }
};

void OpenTable(benchmark::State& state) {
  const Filled filled;
  for (auto _ : state) {
    RunWatch watch(filled.path());
    const auto rows = must(watch.read());
    RunTableModel model;
    RunFilter filter;
    filter.setSourceModel(&model);
    QTableView view;
    view.resize(1180, 620);
    view.verticalHeader()->setDefaultSectionSize(RunDelegate::kRowHeight);
    view.setItemDelegate(new RunDelegate(&view));
    view.setModel(&filter);
    view.setSortingEnabled(true);
    model.setRows(*rows);
    const QPixmap drawn = view.grab();
    benchmark::DoNotOptimize(drawn.width());
  }
}
BENCHMARK(OpenTable)->Unit(benchmark::kMillisecond)->UseRealTime();

void LookWhenNothingIsNew(benchmark::State& state) {
  const Filled filled;
  RunWatch watch(filled.path());
  (void)must(watch.read());
  for (auto _ : state) {
    if (must(watch.read())) state.SkipWithError("something is new");
  }
}
BENCHMARK(LookWhenNothingIsNew)->Unit(benchmark::kMillisecond)->UseRealTime();

void LookAfterATrial(benchmark::State& state) {
  Filled filled;
  RunWatch watch(filled.path());
  RunTableModel model;
  model.setRows(*must(watch.read()));
  for (auto _ : state) {
    state.PauseTiming();
    filled.add();
    state.ResumeTiming();
    model.setRows(*must(watch.read()));
  }
}
BENCHMARK(LookAfterATrial)->Iterations(50)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace orthros::studio

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  orthros::widgets::ThemeHub::instance().apply(orthros::widgets::ThemeMode::Light);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
