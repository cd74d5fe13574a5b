// The program of these tests is also the worker that some of them start.
#include "tests/engine/experiments/fake_worker.h"

#include <csignal>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/experiments/latency_worker.h"
#include "engine/experiments/line_channel.h"
#include "engine/experiments/worker_protocol.h"
#include "tests/support/stub_models.h"

namespace orthros::test {
namespace {

constexpr int64_t kMs = 1'000'000;

void misbehave(const std::string& how) {
  if (how == "kill") std::raise(SIGKILL);
  if (how == "abort") std::signal(SIGABRT, SIG_DFL), std::abort();
  if (how == "exit") ::_exit(3);
  while (how == "hang") ::pause();
}

StubBehaviour stub_behaviour(FalseClock& clock, const std::string& how) {
  StubBehaviour behaviour;
  behaviour.clock = &clock;
  if (how == "memory") behaviour.memory_limit = 200;
  behaviour.prefill_ns = [how](int64_t call, int64_t tokens) {
    if (tokens >= 256) misbehave(how);
    return call == 0 ? 300 * kMs : tokens * kMs;
  };
  behaviour.step_ns = [](int64_t call) { return (call % 3 + 1) * kMs; };
  return behaviour;
}

int serve_stub(const std::string& how) {
  FalseClock clock;
  exit_when_closed(STDIN_FILENO);
  const auto opener = [&](const ArmSpec& spec, const LoadOptions&,
                          const ProgressSink& progress) -> Result<Arm> {
    report(progress, "load", 1, 2);
    if (spec.model == "none") return fail(Error{ErrorCode::not_found, "no such model: none", "look again"});
    return stub_arm(how == "other" ? "other " + std::to_string(::getpid()) : spec.model,
                    stub_behaviour(clock, how));
  };
  return serve({STDIN_FILENO, STDOUT_FILENO, opener, clock}) ? 0 : 1;
}

int answer_with(const std::string& text, bool from_the_start) {
  LineChannel channel(STDIN_FILENO, STDOUT_FILENO);
  for (bool first = true;; first = false) {
    const auto request = channel.receive();
    if (!request || !*request) return 0;
    if (first && !from_the_start) {
      if (!channel.send(worker::to_json(stub_arm("raw", {})))) return 1;
    } else if ((*request)->contains("open") && !from_the_start) {
      if (!channel.send({{"done", true}})) return 1;
    } else {
      if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) return 1;
      if (!text.ends_with('\n')) return 0;
    }
  }
}

}  // namespace

int run_fake_worker(const std::string& mode) {
  const std::string kind = mode.substr(0, mode.find(':'));
  const std::string rest = mode.size() > kind.size() ? mode.substr(kind.size() + 1) : std::string();
  return kind == "stub" ? serve_stub(rest) : answer_with(rest, kind == "first");
}

}  // namespace orthros::test

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--fake-worker") return orthros::test::run_fake_worker(argv[2]);
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
