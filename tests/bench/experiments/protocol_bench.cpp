// The protocols of experiments against the wall clock, with models that really sleep: the times that the
// tests of checks 9, 11, 13 and 14 (niah-and-latency.md 6.4) take from a false clock. Prints; asserts
// nothing.
#include <chrono>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/experiments/latency_experiment.h"
#include "engine/experiments/latency_report.h"
#include "engine/experiments/niah_experiment.h"
#include "tests/support/stub_models.h"

namespace orthros {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;
using SteadyTime = std::chrono::steady_clock::time_point;

void sleep_ms(double ms) {
  std::this_thread::sleep_for(Milliseconds(ms));
}

// The stub passes time on a false clock that nobody reads, by sleeping.
Arm sleeper(const std::string& label, std::function<double(int64_t)> prefill_ms, double step_ms) {
  static test::FalseClock unread;
  test::StubBehaviour behaviour;
  behaviour.clock = &unread;
  behaviour.prefill_ns = [prefill_ms](int64_t call, int64_t) -> int64_t {
    sleep_ms(prefill_ms(call));
    return 0;
  };
  behaviour.step_ns = [step_ms](int64_t) -> int64_t {
    sleep_ms(step_ms);
    return 0;
  };
  return test::stub_arm(label, behaviour);
}

LatencyReport measure(store::RunStore& store, const LatencySpec& spec, std::vector<Arm> arms) {
  auto experiment =
      LatencyExperiment::create(store, spec, local_latency_arms(std::move(arms)), "protocol").value();
  (void)experiment.run({});
  const auto reader = std::move(store::RunReader::open(store.path()).value());
  return read_latency_report(*reader, experiment.experiment()).value();
}

double median_of(const LatencyReport& report, TimingQuantity quantity) {
  return report.cells[0].arms[0].figures.at(quantity).median;
}

void definitions(store::RunStore& store) {
  LatencySpec spec;
  spec.mode = LatencyMode::in_out;
  spec.points = {{64, 11, 2, 0}};
  spec.max_samples = 5;
  const LatencyReport report = measure(store, spec,
                                       {sleeper(
                                           "sleeper", [](int64_t) { return 100.0; }, 10)});
  fmt::print(
      "check 11: prefill {:.2f} ms (100), TTFT {:.4f} s (0.1), E2E {:.4f} s (0.2), output {:.1f} tok/s "
      "(110), "
      "decode {:.1f} tok/s (200)\n",
      median_of(report, TimingQuantity::prefill_latency),
      median_of(report, TimingQuantity::time_to_first_token),
      median_of(report, TimingQuantity::end_to_end_latency),
      median_of(report, TimingQuantity::output_throughput),
      median_of(report, TimingQuantity::decode_throughput));
}

void cold_call(store::RunStore& store) {
  LatencySpec spec;
  spec.points = {{64, 1, 1, 0}};
  spec.max_samples = 5;
  const auto slow_first = [](int64_t call) { return call == 0 ? 500.0 : 50.0; };
  const LatencyReport report = measure(store, spec, {sleeper("cold", slow_first, 1)});
  fmt::print("check 13: median {:.2f} ms (50), cold call {:.1f} ms (500)\n",
             median_of(report, TimingQuantity::prefill_latency), report.cells[0].arms[0].cold_ms.value_or(0));
}

void drift(store::RunStore& store) {
  LatencySpec spec;
  spec.points = {{64, 1, 1, 0}};
  spec.min_samples = spec.max_samples = 20;
  double pace = 20;
  const auto slower = [&pace](int64_t) { return pace *= 1.01; };
  const LatencyReport report = measure(store, spec, {sleeper("a", slower, 1), sleeper("b", slower, 1)});
  const Ratio ratio = report.cells[0].speed_ups[1].prefill.value();
  fmt::print("check 14: speed-up of equal arms under 1 % drift a call {:.4f} [{:.4f} {:.4f}] (1)\n",
             ratio.value, ratio.interval.low, ratio.interval.high);
}

// Nothing starts while paused; how soon the next trial starts after resume.
void pausing(store::RunStore& store) {
  auto gate = std::make_shared<PauseGate>();
  SteadyTime next_start;
  test::FalseClock unread;
  test::StubBehaviour behaviour;
  behaviour.clock = &unread;
  behaviour.before_prefill = [&](int64_t call) -> Result<void> {
    if (call == 3) next_start = std::chrono::steady_clock::now();
    return {};
  };
  behaviour.prefill_ns = [&](int64_t call, int64_t) -> int64_t {
    if (call == 2) gate->pause();
    sleep_ms(20);
    return 0;
  };
  NiahSpec spec;
  spec.lengths = {200};
  spec.depths_ppm = {0};
  spec.trials = 4;
  spec.controls = false;
  auto experiment =
      NiahExperiment::create(store, spec, {test::stub_arm("paused", behaviour)}, "pause").value();
  RunControl control;
  control.pause = gate;
  std::thread runner([&] { (void)experiment.run(control); });
  while (!gate->paused()) sleep_ms(1);
  sleep_ms(200);
  const SteadyTime resumed = std::chrono::steady_clock::now();
  const bool started_while_paused = next_start != SteadyTime();
  gate->resume();
  runner.join();
  fmt::print(
      "check 9: {} trial started in the 200 ms of the pause; the next one began {:.2f} ms after resume\n",
      started_while_paused ? "a" : "no", Milliseconds(next_start - resumed).count());
}

}  // namespace
}  // namespace orthros

int main() {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("orthros-protocol-{}", ::getpid());
  std::filesystem::create_directories(folder);
  {
    const auto store = std::move(orthros::store::RunStore::open(folder / "runs.sqlite").value());
    orthros::definitions(*store);
    orthros::cold_call(*store);
    orthros::drift(*store);
    orthros::pausing(*store);
  }
  std::filesystem::remove_all(folder);
}
