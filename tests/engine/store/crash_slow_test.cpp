// SIGKILL at random moments: whatever was acknowledged is there, once, and the file is sound.
#include <random>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "tests/engine/store/child_process.h"
#include "tests/engine/store/store_fixture.h"

namespace orthros::store::test {
namespace {

constexpr int64_t kCells = 100, kTrials = 5;

struct CrashTest : ::testing::Test {
  orthros::test::TempFolder folder;
  std::filesystem::path path = folder / "runs.sqlite";
  RowId run_id = 0;

  void create() {
    const auto store = value_of(RunStore::open(path));
    ExperimentRecord e;
    e.spec_json = "{}";
    RunRecord r;
    r.experiment_id = value_of(store->create_experiment(e)).id;
    r.environment_id = value_of(store->put_environment(sample_environment()));
    std::vector<CellRecord> cells;
    for (int64_t i = 0; i < kCells; ++i) cells.push_back(sample_cell("cell " + std::to_string(i), 256, i));
    run_id = value_of(store->create_run(r, cells)).id;
  }

  /// Resumes the run and finishes it, as an experiment would: only what is missing. Says each acknowledged
  /// trial. Stops after `limit` trials and waits for its kill: it does not wait for its listener, and on a
  /// fast or a busy machine would be done with all of them before the tenth.
  static void work(const std::filesystem::path& file, RowId run, const ChildProcess::Pipe& pipe,
                   int64_t limit = kCells * kTrials) {
    const auto store = RunStore::open(file);
    const auto reader = RunReader::open(file);
    if (!store || !reader || !(*store)->recover() || !(*store)->begin_run(run)) return;
    const auto trials = (*reader)->trials(run);
    const auto cells = (*reader)->cells(run);
    if (!trials || !cells) return;
    std::set<std::pair<RowId, int64_t>> present;
    for (const NiahTrialRecord& trial : *trials) present.emplace(trial.cell_id, trial.trial_no);
    for (const CellRecord& cell : *cells) {
      if (cell.status == CellStatus::done) continue;
      if (!(*store)->begin_cell(cell.id)) return;
      for (int64_t i = 0; i < kTrials; ++i) {
        if (present.contains({cell.id, i})) continue;
        const auto prompt = (*store)->put_prompt(sample_prompt(cell.ordinal * kTrials + i), std::nullopt);
        if (!prompt || !(*store)->add_trial(sample_trial(cell.id, *prompt, i))) return;
        pipe.say(cell.ordinal * kTrials + i);
        if (--limit == 0) pipe.wait();
      }
      if (!(*store)->end_cell(cell.id, CellStatus::done)) return;
    }
    if ((*store)->end_run(run, RunStatus::done)) pipe.say(-1);
  }

  /// Trials in the store as ordinals; each at most once by their key, checked with integrity.
  std::multiset<int64_t> stored() const {
    const auto reader = value_of(RunReader::open(path));
    EXPECT_EQ(value_of(reader->query("PRAGMA integrity_check")).rows.at(0).at(0), "ok");
    EXPECT_TRUE(value_of(reader->query("PRAGMA foreign_key_check")).rows.empty());
    std::multiset<int64_t> found;
    for (const auto& row : value_of(reader->query("SELECT c.ordinal * 5 + t.trial_no FROM niah_trial t "
                                                  "JOIN cell c ON c.id = t.cell_id"))
                               .rows) {
      found.insert(std::stoll(row[0]));
    }
    return found;
  }
};

TEST_F(CrashTest, AcknowledgedTrialsSurviveSigkillAndNoneIsDoubled) {
  create();
  std::mt19937 random(20'260'131);
  std::set<int64_t> acknowledged;
  constexpr int64_t kKills = 10;
  for (int64_t round = 0; round < kKills; ++round) {
    // After some answers and then some more microseconds, so that the kill falls within a transaction.
    const int64_t answers = 1 + static_cast<int64_t>(random() % 29);
    ChildProcess child([&](ChildProcess::Pipe& pipe) { work(path, run_id, pipe, answers + 20); });
    for (int64_t i = 0; i < answers; ++i) {
      const auto number = child.hear();
      ASSERT_TRUE(number && *number >= 0) << "the child ended early in round " << round;
      acknowledged.insert(*number);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
    child.kill();
    while (const auto number = child.hear()) acknowledged.insert(*number);
    const auto found = stored();
    for (const int64_t number : acknowledged) EXPECT_EQ(found.count(number), 1U) << "trial " << number;
    // At most the one whose answer the kill cut off, a round.
    EXPECT_LE(static_cast<int64_t>(found.size() - acknowledged.size()), round + 1);
  }
  ChildProcess last([&](ChildProcess::Pipe& pipe) { work(path, run_id, pipe); });
  int64_t number = 0;
  while (const auto heard = last.hear()) number = *heard;
  EXPECT_EQ(number, -1);
  const auto found = stored();
  EXPECT_EQ(found.size(), static_cast<size_t>(kCells * kTrials));
  EXPECT_EQ(std::set<int64_t>(found.begin(), found.end()).size(), found.size());

  const auto reader = value_of(RunReader::open(path));
  int64_t again = 0;
  for (const CellRecord& cell : value_of(reader->cells(run_id))) {
    EXPECT_EQ(cell.status, CellStatus::done);
    EXPECT_GE(cell.attempts, 1);
    again += cell.attempts - 1;
  }
  EXPECT_LE(again, kKills);  // only cells that a kill cut
  EXPECT_EQ(value_of(reader->query("SELECT count(*) FROM prompt")).rows[0][0], "500");
}

}  // namespace
}  // namespace orthros::store::test
