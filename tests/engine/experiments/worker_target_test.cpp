// Samples taken in a worker process: the same as here, and what becomes of an experiment whose worker dies,
// talks nonsense, hangs or cannot be started.
#include "engine/experiments/worker_target.h"

#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/experiments/latency_report.h"
#include "engine/experiments/worker_protocol.h"
#include "engine/model/model_identity.h"
#include "tests/engine/experiments/fake_worker.h"
#include "tests/support/stub_models.h"
#include "tests/support/temp_folder.h"

namespace orthros {
namespace {

using store::CellStatus;
using test::fake_worker;
using ::testing::HasSubstr;

LatencyRequest request_of(int64_t tokens, int64_t outputs = 1, bool decode_only = false) {
  LatencyRequest request;
  request.prompts = {std::vector<TokenId>(static_cast<size_t>(tokens), 7)};
  request.outputs = outputs;
  request.decode_only = decode_only;
  return request;
}

WorkerOptions options_of(const std::string& mode, const StopToken& stop = {}) {
  WorkerOptions options;
  options.command = fake_worker(mode);
  options.spec.model = mode.starts_with("stub") ? mode : "raw";
  options.stop = stop;
  return options;
}

std::shared_ptr<WorkerTarget> started(const std::string& mode, const StopToken& stop = {}) {
  auto target = WorkerTarget::start(options_of(mode, stop));
  EXPECT_TRUE(target) << target.error().line();
  return target ? *target : nullptr;
}

void expect_equal(const LatencyMeasurement& a, const LatencyMeasurement& b) {
  EXPECT_EQ(a.outputs, b.outputs);
  EXPECT_EQ(a.prefill_ns, b.prefill_ns);
  EXPECT_EQ(a.ttft_ns, b.ttft_ns);
  EXPECT_EQ(a.e2e_ns, b.e2e_ns);
  EXPECT_EQ(a.step_ns, b.step_ns);
  EXPECT_EQ(a.kv_bytes, b.kv_bytes);
  EXPECT_EQ(a.backend, b.backend);
}

TEST(WorkerTarget, TakesTheSamplesThatTheSameModelGivesHere) {
  test::FalseClock clock;
  test::StubBehaviour behaviour;
  behaviour.clock = &clock;
  behaviour.prefill_ns = [](int64_t call, int64_t tokens) { return (call == 0 ? 300 : tokens) * 1'000'000; };
  behaviour.step_ns = [](int64_t call) { return (call % 3 + 1) * 1'000'000; };
  LocalTarget local(test::stub_arm("stub", behaviour).model, clock);
  const auto target = started("stub");
  ASSERT_TRUE(target);
  for (const LatencyRequest& request : {request_of(40, 5), request_of(90, 1), request_of(50, 4, true)}) {
    ASSERT_TRUE(local.open(request));
    ASSERT_TRUE(target->open(request));
    for (int i = 0; i < 3; ++i) {
      const auto here = local.sample(request.outputs, {});
      const auto there = target->sample(request.outputs, {});
      ASSERT_TRUE(here && there);
      expect_equal(*here, *there);
      EXPECT_GT(there->peak_bytes, 0);
    }
    target->close();
  }
}

TEST(WorkerTarget, TheArmIsTheOneThatTheWorkerOpened) {
  const auto target = started("stub");
  ASSERT_TRUE(target);
  const Arm here = test::stub_arm("stub", {});
  const Arm& there = target->arm();
  EXPECT_EQ(there.identity(), here.identity());
  EXPECT_EQ(there.special_ids, here.special_ids);
  EXPECT_EQ(there.eos, here.eos);
  EXPECT_EQ(architecture_json(there.config), architecture_json(here.config));
  ASSERT_TRUE(there.tokenizer);
  EXPECT_EQ(there.tokenizer->sha256, here.tokenizer->sha256);
  EXPECT_EQ(there.tokenizer->vocab_size, here.tokenizer->vocab_size);
  EXPECT_EQ(there.record.config_json, here.record.config_json);
  EXPECT_EQ(there.record.params_total, here.record.params_total);
  EXPECT_EQ(there.model, nullptr);
}

TEST(WorkerTarget, AWorkerThatWasKilledIsOutOfMemoryAndTheNextOpenStartsAnother) {
  const auto target = started("stub:kill");
  ASSERT_TRUE(target);
  ASSERT_TRUE(target->open(request_of(256)));
  const auto killed = target->sample(1, {});
  ASSERT_FALSE(killed);
  EXPECT_EQ(killed.error().code, ErrorCode::out_of_memory);
  EXPECT_THAT(killed.error().line(), HasSubstr("killed"));
  EXPECT_FALSE(target->sample(1, {})) << "what was opened is gone with the worker";
  target->close();
  ASSERT_TRUE(target->open(request_of(128)));
  EXPECT_TRUE(target->sample(1, {}));
}

TEST(WorkerTarget, OtherDeathsAreDefectsAndSayHow) {
  for (const auto& [mode, says] :
       {std::pair{"stub:abort", "signal 6"}, std::pair{"stub:exit", "exit code 3"}}) {
    const auto target = started(mode);
    ASSERT_TRUE(target);
    ASSERT_TRUE(target->open(request_of(300)));
    const auto died = target->sample(1, {});
    ASSERT_FALSE(died);
    EXPECT_EQ(died.error().code, ErrorCode::internal);
    EXPECT_THAT(died.error().line(), HasSubstr(says));
    ASSERT_TRUE(target->open(request_of(128)));
    EXPECT_TRUE(target->sample(1, {}));
  }
}

TEST(WorkerTarget, WhatTheWorkerReportsComesThroughAndTheWorkerGoesOn) {
  const auto target = started("stub:memory");
  ASSERT_TRUE(target);
  const auto refused = target->open(request_of(500));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::out_of_memory);
  EXPECT_THAT(refused.error().message, HasSubstr("501 tokens do not fit"));
  ASSERT_TRUE(target->open(request_of(100, 3)));
  // Its calls are counted in one process: the first one ever is the slow one.
  EXPECT_EQ(target->sample(3, {})->prefill_ns, 300'000'000);
  EXPECT_EQ(target->sample(3, {})->prefill_ns, 100'000'000);
  EXPECT_FALSE(target->sample(4, {})) << "more than was opened";

  WorkerOptions options = options_of("stub");
  options.spec.model = "none";
  const auto missing = WorkerTarget::start(options);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_EQ(missing.error().line(), "no such model: none (look again)");
}

const std::string kTimes = R"("prefill_ns":5,"ttft_ns":6,"e2e_ns":10)";
std::string sample_text(const std::string& times, const std::string& steps, const std::string& outputs) {
  return fmt::format(R"({{"outputs":{},{},"step_ns":{},"kv_bytes":0,"peak_bytes":0,"backend":"x"}})", outputs,
                     times, steps);
}

TEST(WorkerProtocol, ASampleThatDoesNotAddUpIsRefused) {
  const auto accepts = [](const std::string& text, bool decode_only = false) {
    return worker::measurement_from_json(Json::parse(text), decode_only ? 2 : 3, decode_only).has_value();
  };
  EXPECT_TRUE(accepts(sample_text(kTimes, "[2,2]", "3")));
  EXPECT_TRUE(accepts(sample_text(R"("prefill_ns":0,"ttft_ns":0,"e2e_ns":4)", "[2,2]", "3"), true));
  EXPECT_FALSE(accepts(sample_text(R"("prefill_ns":0,"ttft_ns":1,"e2e_ns":5)", "[2,2]", "3"), true));
  for (const std::string steps :
       {"[4]", "[2,2,2]", "[1,2]", "[5,-1]", "[2,2.0]", "[9223372036854775807,9223372036854775807]",
        "[18446744073709551615,4]", "[1e300,4]", "[null,4]", "[[2],2]", "7", "null"}) {
    EXPECT_FALSE(accepts(sample_text(kTimes, steps, "3"))) << steps;
  }
  for (const std::string times :
       {R"("prefill_ns":-5,"ttft_ns":6,"e2e_ns":10)", R"("prefill_ns":7,"ttft_ns":6,"e2e_ns":10)",
        R"("prefill_ns":"5","ttft_ns":6,"e2e_ns":10)", R"("prefill_ns":5,"e2e_ns":10)",
        R"("prefill_ns":5,"ttft_ns":9223372036854775803,"e2e_ns":9223372036854775807)"}) {
    EXPECT_FALSE(accepts(sample_text(times, "[2,2]", "3"))) << times;
  }
  for (const std::string outputs : {"2", "1152921504606846976", "3.0", "true"}) {
    EXPECT_FALSE(accepts(sample_text(kTimes, "[2,2]", outputs))) << outputs;
  }
}

TEST(WorkerTarget, NonsenseIsAnErrorAndNeverMore) {
  for (const std::string line : {"no json\n", "[1]\n", "{}\n", "{\"sample\":{}}\n", "{\"error\":7}\n",
                                 "{\"error\":{\"code\":\"cancelled\",\"message\":\"by me\",\"hint\":\"\"}}\n",
                                 "{\"sample\":", "", "\xff\xfe\n", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n"}) {
    const auto target = started("raw:" + line);
    ASSERT_TRUE(target);
    ASSERT_TRUE(target->open(request_of(8, 3)));
    const auto sample = target->sample(3, {});
    ASSERT_FALSE(sample) << line;
    EXPECT_EQ(sample.error().code, ErrorCode::internal) << line << sample.error().line();
  }
  const auto target = started("raw:{\"sample\":" + sample_text(kTimes, "[2,2]", "3") + "}\n");
  ASSERT_TRUE(target->open(request_of(8, 3)));
  EXPECT_TRUE(target->sample(3, {})) << "the same, but right";
  EXPECT_FALSE(target->sample(2, {})) << "right, but not what was asked for";
  EXPECT_TRUE(target->open(request_of(8, 3))) << "a new worker after the nonsense";
}

TEST(WorkerTarget, AnArmThatCannotBeReadIsRefused) {
  for (const std::string line :
       {"{\"arm\":7}\n", "{\"arm\":{}}\n", "{\"done\":true}\n", "hello\n", "",
        "{\"arm\":{\"config\":{\"model_type\":\"llama\"},\"record\":{},\"label\":\"x\"}}\n"}) {
    const auto target = WorkerTarget::start(options_of("first:" + line));
    ASSERT_FALSE(target) << line;
    EXPECT_EQ(target.error().code, ErrorCode::internal) << line << target.error().line();
  }
}

TEST(WorkerTarget, AProgramThatIsNoWorkerOrNotThereIsAClearError) {
  WorkerOptions options;
  options.command = {"/nowhere/orthros"};
  const auto nowhere = WorkerTarget::start(options);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::io);
  EXPECT_THAT(nowhere.error().line(), HasSubstr("cannot start the worker /nowhere/orthros"));
  options.command = {"/bin/false"};
  const auto other = WorkerTarget::start(options);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().line(), HasSubstr("exit code 1"));
  options.command = {"/bin/cat"};
  EXPECT_FALSE(WorkerTarget::start(options)) << "an echo is no answer";
  options.command = {};
  EXPECT_FALSE(WorkerTarget::start(options));
  options = options_of("stub");
  options.spec.model = "\xff";
  EXPECT_THAT(WorkerTarget::start(options).error().line(), HasSubstr("UTF-8"));
}

TEST(WorkerTarget, AModelThatChangedWhileItsWorkerWasGoneIsRefused) {
  const auto target = started("stub:other");
  ASSERT_TRUE(target);
  ASSERT_TRUE(target->open(request_of(8)));
  StopSource stop;
  stop.request_stop();
  ASSERT_FALSE(target->sample(1, stop.token()));
  const auto again = target->open(request_of(8));
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().line(), HasSubstr("not what they were"));
}

// A worker that never answers: only the stop lets these return.
TEST(WorkerTarget, StoppingEndsAWorkerInTheMiddleOfASample) {
  StopSource stop;
  const auto target = started("stub:hang", stop.token());
  ASSERT_TRUE(target);
  ASSERT_TRUE(target->open(request_of(256)));
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  const auto stopped = target->sample(1, stop.token());
  later.join();
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  target->close();
  EXPECT_EQ(target->open(request_of(8)).error().code, ErrorCode::cancelled) << "and starts none any more";
}

class WorkerExperiment : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = store::RunStore::open(folder_.path() / "runs.sqlite");
    ASSERT_TRUE(opened) << opened.error().line();
    store_ = std::move(*opened);
  }
  LatencyReport measure(LatencySpec spec, const std::vector<std::string>& modes) {
    std::vector<LatencyArm> arms;
    for (const std::string& mode : modes) {
      const auto target = started(mode);
      arms.push_back({target->arm(), target});
    }
    spec.points = latency_points({64, 128, 256, 512}, {}, {}, {});
    auto experiment = LatencyExperiment::create(*store_, spec, std::move(arms), "test");
    EXPECT_TRUE(experiment) << experiment.error().line();
    EXPECT_TRUE(experiment->keep_ceilings({10, 100, 200, 2}));
    const auto ran = experiment->run({});
    EXPECT_TRUE(ran) << ran.error().line();
    auto reader = store::RunReader::open(folder_.path() / "runs.sqlite");
    auto report = read_latency_report(**reader, experiment->experiment());
    EXPECT_TRUE(report) << report.error().line();
    return *report;
  }
  static std::vector<CellStatus> statuses(const LatencyReport& report, size_t arm) {
    std::vector<CellStatus> result;
    for (const LatencyCellReport& cell : report.cells) result.push_back(cell.arms[arm].status);
    return result;
  }

  test::TempFolder folder_;
  std::unique_ptr<store::RunStore> store_;
};
using ::testing::Each;
using ::testing::ElementsAre;

TEST_F(WorkerExperiment, AKilledWorkerCostsItsCellAndLargerOnesAreSkipped) {
  const LatencyReport report = measure({}, {"stub:kill", "stub"});
  EXPECT_THAT(statuses(report, 0),
              ElementsAre(CellStatus::done, CellStatus::done, CellStatus::oom, CellStatus::skipped));
  EXPECT_THAT(statuses(report, 1), Each(CellStatus::done));
  EXPECT_THAT(report.cells[2].arms[0].error, HasSubstr("want of memory"));
  EXPECT_THAT(report.cells[3].arms[0].error, HasSubstr("oom already in cell T=256"));
  EXPECT_EQ(report.cells[2].arms[1].timings.size(), 5u);
}

TEST_F(WorkerExperiment, AWorkerThatDiesOtherwiseComesBackForEveryCell) {
  EXPECT_THAT(statuses(measure({}, {"stub:exit", "stub"}), 0),
              ElementsAre(CellStatus::done, CellStatus::done, CellStatus::error, CellStatus::error));
}

TEST_F(WorkerExperiment, AHangingWorkerMeetsTheTimeLimit) {
  LatencySpec spec;
  spec.timeout_seconds = 2;
  const LatencyReport report = measure(spec, {"stub:hang", "stub"});
  EXPECT_THAT(statuses(report, 0),
              ElementsAre(CellStatus::done, CellStatus::done, CellStatus::timeout, CellStatus::skipped));
  EXPECT_THAT(statuses(report, 1), Each(CellStatus::done));
}

TEST_F(WorkerExperiment, SharesOfTheRooflineComeFromTheCeilingsOfTheRun) {
  const LatencyReport report = measure({}, {"stub"});
  ASSERT_TRUE(report.arms[0].ceilings);
  EXPECT_EQ(report.arms[0].ceilings->machine.bytes_per_second, 10e9);
  EXPECT_EQ(report.arms[0].ceilings->machine.flop_per_second, 100e9) << "of the type computed in";
}

// Forks: the child starts two workers, one of them in the middle of a sample, and is killed.
TEST(WorkerTarget, NoWorkerOutlivesTheProgramThatStartedIt) {
  ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto busy = started("stub:hang"), idle = started("stub");
    if (!busy || !idle || !busy->open(request_of(256)) || !idle->open(request_of(8))) ::_exit(1);
    (void)!::write(ready[1], "r", 1);
    (void)busy->sample(1, {});
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ::kill(child, SIGKILL);
  // The workers become children of this process, and end: all three are there to be reaped.
  for (int ended = 0; ended < 3; ++ended) EXPECT_GT(::waitpid(-1, nullptr, 0), 0);
  EXPECT_EQ(::waitpid(-1, nullptr, 0), -1);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  ::close(ready[0]);
  ::close(ready[1]);
}

}  // namespace
}  // namespace orthros
