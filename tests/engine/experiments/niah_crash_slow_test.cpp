// Acceptance check 8: kill -9 at ten random moments of a 100-cell experiment, each time resumed by a new
// process; in the end the results are those of an uninterrupted one.
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "engine/experiments/niah_experiment.h"
#include "engine/store/run_reader.h"
#include "tests/engine/store/child_process.h"
#include "tests/support/stub_models.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

using store::test::ChildProcess;

NiahSpec hundred_cells() {
  NiahSpec spec;
  spec.lengths = geometric_lengths(200, 600, 10);
  spec.depths_ppm = depth_series(10, DepthSpacing::linear);
  spec.trials = 2;
  spec.controls = false;
  return spec;
}

std::vector<Arm> arms(const std::function<void()>& on_prefill = {}) {
  test::StubBehaviour oracle, windowed;
  windowed.visible = 150;
  if (on_prefill) {
    oracle.before_prefill = windowed.before_prefill = [on_prefill](int64_t) -> Result<void> {
      on_prefill();
      return {};
    };
  }
  return {test::stub_arm("oracle", oracle), test::stub_arm("windowed", windowed)};
}

// Begins the experiment, or takes up the only one there is. True when it came to its end.
bool work(const std::filesystem::path& path, const std::function<void()>& on_prefill) {
  auto store = store::RunStore::open(path);
  if (!store || !(*store)->recover()) return false;
  auto reader = store::RunReader::open(path);
  const auto stored = (*reader)->find_experiment("last");
  auto experiment =
      stored ? NiahExperiment::resume(**store, stored->uuid, hundred_cells(), arms(on_prefill), false)
             : NiahExperiment::create(**store, hundred_cells(), arms(on_prefill), "crash");
  return experiment && experiment->run({});
}

store::Table query(const std::filesystem::path& path, const std::string& sql) {
  auto reader = store::RunReader::open(path);
  EXPECT_TRUE(reader) << reader.error().line();
  auto table = (*reader)->query(sql);
  EXPECT_TRUE(table) << table.error().line();
  return table ? *table : store::Table();
}

constexpr const char* kResults =
    "SELECT r.arm, c.cell_key, c.status, t.trial_no, p.ids_sha256, t.score, t.output_text, t.answer_logprob "
    "FROM niah_trial t JOIN cell c ON c.id = t.cell_id JOIN run r ON r.id = c.run_id "
    "JOIN prompt p ON p.id = t.prompt_id ORDER BY 1, 2, 4";

constexpr int64_t kNoQuota = INT64_MAX / 2;

TEST(NiahCrash, TenKillsLoseAndDoubleNothing) {
  const test::TempFolder folder;
  const auto path = folder / "runs.sqlite";
  std::mt19937_64 random(20261129);
  int kills = 0;
  bool finished = false;
  while (!finished) {
    const auto quota = kills < 10 ? static_cast<int64_t>(random() % 20) : kNoQuota;
    // The child does not wait for its listener, so on a fast or a busy machine it could be far ahead of the
    // kill. It stops by itself a little after its quota: of 400 trials, ten children do at most 10 * (19 +
    // 19).
    ChildProcess child([&](ChildProcess::Pipe& pipe) {
      int64_t prefills = 0;
      const auto on_prefill = [&] {
        if (prefills > quota + 18) pipe.wait();  // for the kill
        pipe.say(prefills++);
      };
      if (work(path, on_prefill)) pipe.say(-1);
    });
    for (int64_t heard = 0; heard <= quota;) {
      const auto number = child.hear();
      ASSERT_TRUE(number) << "the child ended by itself";
      finished = *number == -1;
      if (finished) break;
      ++heard;
    }
    if (finished) break;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 15'000));
    child.kill();
    ++kills;
  }
  EXPECT_EQ(kills, 10);

  const auto whole = folder / "whole.sqlite";
  ASSERT_TRUE(work(whole, {}));
  const store::Table cut = query(path, kResults);
  EXPECT_EQ(cut.rows.size(), 400u);
  EXPECT_EQ(cut.rows, query(whole, kResults).rows);
  EXPECT_EQ(query(path, "PRAGMA integrity_check").rows.at(0).at(0), "ok");
  EXPECT_EQ(query(path, "SELECT count(*) FROM experiment").rows.at(0).at(0), "1");
  // A kill cuts at most one cell of each arm; no other was begun twice.
  const int64_t again =
      std::stoll(query(path, "SELECT coalesce(sum(attempts - 1), 0) FROM cell").rows.at(0).at(0));
  EXPECT_GT(again, 0);
  EXPECT_LE(again, 20);
  EXPECT_EQ(query(path, "SELECT max(attempts) FROM cell").rows.at(0).at(0) == "1", false);
  EXPECT_EQ(query(path, "SELECT count(*) FROM cell WHERE status <> 'done'").rows.at(0).at(0), "0");
}

}  // namespace
}  // namespace orthros
