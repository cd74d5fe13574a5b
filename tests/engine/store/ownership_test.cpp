// Who may write to a run: its owner while it lives, anybody once it is dead.
#include <fstream>
#include <iostream>
#include <sstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>

#include "engine/store/digest.h"
#include "engine/store/owner.h"
#include "tests/engine/store/child_process.h"
#include "tests/engine/store/store_fixture.h"

namespace orthros::store::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct OwnershipTest : StoreTest {
  RunRecord made = run(experiment().id, "orthros", 0, {sample_cell("a", 256, 0), sample_cell("b", 512, 1)});
  RowId cell = cells_of(made.id)[0].id;

  RunRecord now() const { return value_of(reader()->runs(made.experiment_id)).at(0); }
  std::vector<std::string> event_kinds() const {
    std::vector<std::string> kinds;
    for (const EventRecord& event : value_of(reader()->events(made.id))) kinds.push_back(event.kind);
    return kinds;
  }
  /// As if another process had begun the run.
  void give_to(const std::string& token, const std::string& heartbeat = detail::utc_now()) const {
    SQLite::Database db(path.string(), SQLite::OPEN_READWRITE, 5000);
    SQLite::Statement update(db, "UPDATE run SET status = 'running', owner_token = ?, heartbeat_utc = ?");
    update.bind(1, token);
    update.bind(2, heartbeat);
    update.exec();
    db.exec("UPDATE cell SET status = 'running' WHERE cell_key = 'a'");
  }
  /// This process's token with one of its four parts replaced.
  static std::string token_with(size_t part, const std::string& value) {
    std::string token;
    std::stringstream parts(detail::own_token());
    std::string text;
    for (size_t i = 0; std::getline(parts, text, ':'); ++i)
      token += (i == 0 ? "" : ":") + (i == part ? value : text);
    return token;
  }
};

TEST_F(OwnershipTest, ARunGoesThroughItsStates) {
  EXPECT_EQ(now().status, RunStatus::queued);
  ok(store->begin_run(made.id));
  EXPECT_EQ(now().status, RunStatus::running);
  EXPECT_FALSE(now().started_utc.empty());
  EXPECT_TRUE(now().ended_utc.empty());
  ok(store->begin_cell(cell));
  EXPECT_EQ(cells_of(made.id)[0].status, CellStatus::running);
  EXPECT_EQ(cells_of(made.id)[0].attempts, 1);
  ok(store->end_run(made.id, RunStatus::paused));
  EXPECT_EQ(now().status, RunStatus::paused);
  EXPECT_EQ(cells_of(made.id)[0].status, CellStatus::pending);  // to be done again, nothing of it is lost
  const std::string started = now().started_utc;
  ok(store->begin_run(made.id));
  EXPECT_EQ(now().started_utc, started);
  ok(store->begin_cell(cell));
  EXPECT_EQ(cells_of(made.id)[0].attempts, 2);
  ok(store->end_cell(cell, CellStatus::oom, "out_of_memory", "needs 9 GB"));
  EXPECT_EQ(cells_of(made.id)[0].error_text, "needs 9 GB");
  ok(store->set_attn_impl(made.id, "flash"));
  EXPECT_EQ(now().attn_impl, "flash");
  ok(store->add_event(made.id, "note", "a remark"));
  ok(store->end_run(made.id, RunStatus::failed, "one cell did not fit"));
  EXPECT_EQ(now().error, "one cell did not fit");
  EXPECT_FALSE(now().ended_utc.empty());
  EXPECT_THAT(event_kinds(), ElementsAre("start", "pause", "resume", "note", "fail"));
}

TEST_F(OwnershipTest, AResultIsAHeartbeat) {
  ok(store->begin_run(made.id));
  const std::string before = now().heartbeat_utc;
  const RowId prompt_id = prompt();
  for (int64_t i = 0; now().heartbeat_utc == before && i < 1000; ++i) {
    value_of(store->add_trial(sample_trial(cell, prompt_id, i)));
  }
  EXPECT_GT(now().heartbeat_utc, before);
}

TEST_F(OwnershipTest, RecoverySparesTheLivingAndFreesTheDead) {
  ok(store->begin_run(made.id));
  ok(store->begin_cell(cell));
  EXPECT_THAT(value_of(store->recover()), IsEmpty());
  EXPECT_EQ(now().status, RunStatus::running);

  const std::vector<std::string> dead{token_with(0, "0123456789abcdef"),  // before the last boot
                                      token_with(2, "4194303"),           // no such process
                                      token_with(3, "1"),                 // its pid, reused
                                      "nonsense", ":::"};
  for (const std::string& token : dead) {
    give_to(token);
    EXPECT_THAT(value_of(store->recover()), ElementsAre(made.id)) << token;
    EXPECT_EQ(now().status, RunStatus::interrupted);
    EXPECT_EQ(cells_of(made.id)[0].status, CellStatus::pending);
    EXPECT_EQ(event_kinds().back(), "recover");
    EXPECT_THAT(value_of(store->recover()), IsEmpty());
  }
}

TEST_F(OwnershipTest, InAnotherContainerTheHeartbeatDecides) {
  const std::string token = token_with(1, "00000000");
  give_to(token);
  EXPECT_THAT(value_of(store->recover()), IsEmpty());
  EXPECT_FALSE(store->begin_run(made.id));
  give_to(token, "2020-01-01T00:00:00.000Z");
  EXPECT_THAT(value_of(store->recover()), ElementsAre(made.id));
}

TEST_F(OwnershipTest, ADeadOwnersRunIsTakenOverByBeginning) {
  give_to(token_with(3, "1"));
  EXPECT_EQ(store->add_event(made.id, "note", "").error().code,
            ErrorCode::invalid_argument);  // begin it first
  ok(store->begin_run(made.id));
  EXPECT_EQ(cells_of(made.id)[0].status, CellStatus::pending);
  ok(store->add_event(made.id, "note", ""));
}

TEST_F(OwnershipTest, ARunOfALivingProcessIsLeftAlone) {
  store.reset();
  ChildProcess other([&](ChildProcess::Pipe& pipe) {
    const auto theirs = RunStore::open(path);
    pipe.say(theirs && (*theirs)->begin_run(made.id) ? 1 : 0);
    pipe.wait();
  });
  store = value_of(RunStore::open(path));
  ASSERT_EQ(other.hear(), 1);
  EXPECT_THAT(value_of(store->recover()), IsEmpty());
  const auto refused = [](const auto& result) {
    return !result && result.error().code == ErrorCode::invalid_argument;
  };
  EXPECT_TRUE(refused(store->begin_run(made.id)));
  EXPECT_TRUE(refused(store->end_run(made.id, RunStatus::cancelled)));
  EXPECT_TRUE(refused(store->add_trial(sample_trial(cell, prompt(), 0))));
  EXPECT_TRUE(refused(store->begin_cell(cell)));
  EXPECT_TRUE(refused(store->delete_experiment(made.experiment_id)));
  EXPECT_THAT(store->delete_experiment(made.experiment_id).error().line(), HasSubstr("still running"));

  other.kill();  // and not reaped yet: a zombie owns nothing
  EXPECT_THAT(value_of(store->recover()), ElementsAre(made.id));
  ok(store->begin_run(made.id));
  ok(store->end_run(made.id, RunStatus::done));
  ok(store->delete_experiment(made.experiment_id));
}

TEST_F(OwnershipTest, TwoProcessesWriteToOneFile) {
  const RunRecord theirs = run(made.experiment_id, "transformer", 1, {sample_cell("a", 256, 0)});
  const RowId their_cell = cells_of(theirs.id)[0].id;
  const RowId prompt_id = prompt();
  constexpr int64_t kTrials = 50;
  const auto write_all = [&](RunStore& target, RowId target_run, RowId target_cell) {
    int64_t failures = target.begin_run(target_run) ? 0 : 1;
    for (int64_t i = 0; i < kTrials; ++i) {
      if (!target.add_trial(sample_trial(target_cell, prompt_id, i))) ++failures;
    }
    return failures;
  };
  store.reset();
  ChildProcess other([&](ChildProcess::Pipe& pipe) {
    const auto opened = RunStore::open(path);
    pipe.wait();
    pipe.say(opened ? write_all(**opened, theirs.id, their_cell) : 1000);
  });
  store = value_of(RunStore::open(path));
  other.go();
  EXPECT_EQ(write_all(*store, made.id, cell), 0);
  EXPECT_EQ(other.hear(), 0);
  EXPECT_EQ(value_of(reader()->trials(made.id)).size(), 50U);
  EXPECT_EQ(value_of(reader()->trials(theirs.id)).size(), 50U);
}

TEST_F(OwnershipTest, ProcessesThatStartAtOnceMakeOneStore) {
  store.reset();
  for (int round = 0; round < 5; ++round) {
    const auto fresh = folder.path() / ("fresh" + std::to_string(round));
    std::vector<std::unique_ptr<ChildProcess>> children;
    for (int i = 0; i < 3; ++i) {
      children.push_back(std::make_unique<ChildProcess>([&](ChildProcess::Pipe& pipe) {
        pipe.wait();
        const auto opened = RunStore::open(fresh);
        ExperimentRecord e;
        e.spec_json = "{}";
        const auto made = opened ? (*opened)->create_experiment(e) : Result<ExperimentRecord>(e);
        if (!opened || !made) std::cerr << (opened ? made.error() : opened.error()).line() << "\n";
        pipe.say(opened && made ? 1 : 0);
      }));
    }
    for (const auto& child : children) child->go();
    for (const auto& child : children) EXPECT_EQ(child->hear(), 1);
    EXPECT_EQ(value_of(value_of(RunReader::open(fresh))->experiments()).size(), 3U);
  }
}

TEST_F(OwnershipTest, OnesOwnRunningExperimentIsNotDeletedEither) {
  ok(store->begin_run(made.id));
  EXPECT_EQ(store->delete_experiment(made.experiment_id).error().code, ErrorCode::invalid_argument);
}

TEST(Owner, TheTokenHoldsNoBootId) {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot_id;
  file >> boot_id;
  ASSERT_FALSE(boot_id.empty());
  EXPECT_THAT(detail::own_token(), ::testing::Not(HasSubstr(boot_id)));
  EXPECT_EQ(detail::owner_state(detail::own_token()), detail::OwnerState::alive);
}

}  // namespace
}  // namespace orthros::store::test
