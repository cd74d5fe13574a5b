#include "engine/experiments/latency_cell.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/experiments/statistics.h"

namespace orthros {
namespace {

class CellRun {
 public:
  CellRun(const LatencySpec& spec, int64_t outputs, std::vector<CellArm>& arms, const SampleSink& sink,
          const RunControl& control, const Clock& clock)
      : spec_(spec), outputs_(outputs), arms_(arms), sink_(sink), control_(control), clock_(clock) {}

  Result<void> run() {
    const int64_t start = clock_.now_ns();
    for (CellArm& arm : arms_) ORTHROS_TRY_VOID(warm_up(arm));
    for (int64_t round = 0; round < spec_.max_samples && !finished(round, start); ++round) {
      std::vector<CellArm*> turn = behind();
      // A B, B A: what drifts slowly then favours none.
      if (round % 2 == 1) std::ranges::reverse(turn);
      for (CellArm* arm : turn) ORTHROS_TRY_VOID(sample(*arm, outputs_, false));
    }
    return {};
  }

 private:
  Result<void> warm_up(CellArm& arm) {
    // Prefill in its full shape and two steps are enough to touch everything that a run touches.
    const int64_t outputs = std::min<int64_t>(outputs_, 3);
    int64_t before = 0;
    for (int64_t i = 0; i < spec_.max_warmups; ++i) {
      ORTHROS_TRY_VOID(sample(arm, outputs, true));
      const auto change = static_cast<double>(std::abs(last_ns_ - before));
      if (arm.failed || (i > 0 && change < spec_.warm_change * static_cast<double>(before))) return {};
      before = last_ns_;
    }
    return {};
  }

  Result<void> sample(CellArm& arm, int64_t outputs, bool warmup) {
    if (arm.failed) return {};
    if (control_.pause) control_.pause->wait(control_.stop);
    ORTHROS_TRY_VOID(control_.stop.check("the experiment"));
    auto measured = arm.target->sample(outputs, limited());
    if (!measured) {
      if (control_.stop.stop_requested()) return control_.stop.check("the experiment");
      arm.failed = true;
      arm.error = measured.error();
      return {};
    }
    last_ns_ = main_figure_ns(spec_.mode, measured->prefill_ns, measured->e2e_ns);
    if (!warmup) arm.kept.push_back(last_ns_);
    const int64_t number = warmup ? arm.next_warmup++ : arm.next_no++;
    return sink_({arm.arm, number, warmup, std::move(*measured)});
  }

  // Samples of one number are a pair. An experiment that was cut inside a round first completes it.
  std::vector<CellArm*> behind() {
    int64_t least = INT64_MAX;
    for (const CellArm& arm : arms_) {
      if (!arm.failed) least = std::min(least, arm.next_no);
    }
    std::vector<CellArm*> turn;
    for (CellArm& arm : arms_) {
      if (!arm.failed && arm.next_no == least) turn.push_back(&arm);
    }
    return turn;
  }

  StopToken limited() const {
    if (spec_.timeout_seconds <= 0) return control_.stop;
    const auto limit = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(spec_.timeout_seconds));
    return control_.stop.until(std::chrono::steady_clock::now() + limit);
  }

  // Every living arm has its samples, and either all medians are narrow or the time is used up.
  bool finished(int64_t round, int64_t start) const {
    bool alive = false, enough = true, narrow = true;
    for (const CellArm& arm : arms_) {
      if (arm.failed) continue;
      alive = true;
      enough = enough && std::ssize(arm.kept) >= spec_.min_samples;
      narrow = narrow && is_narrow(arm.kept);
    }
    if (!alive) return true;
    const double seconds = static_cast<double>(clock_.now_ns() - start) * 1e-9;
    return (enough && narrow) || (round >= 3 && seconds > spec_.cell_seconds) || (enough && full());
  }

  bool full() const {
    return std::ranges::all_of(
        arms_, [&](const CellArm& arm) { return arm.failed || std::ssize(arm.kept) >= spec_.max_samples; });
  }

  bool is_narrow(const std::vector<int64_t>& kept) const {
    const std::vector<double> values(kept.begin(), kept.end());
    const auto interval = bootstrap_median(values, 1000);
    const auto middle = median(values);
    return interval && middle && (interval->high - interval->low) / 2 < spec_.half_width * *middle;
  }

  const LatencySpec& spec_;
  const int64_t outputs_;
  std::vector<CellArm>& arms_;
  const SampleSink& sink_;
  const RunControl& control_;
  const Clock& clock_;
  int64_t last_ns_ = 0;
};

}  // namespace

int64_t main_figure_ns(LatencyMode mode, int64_t prefill_ns, int64_t e2e_ns) {
  return mode == LatencyMode::prefill ? prefill_ns : e2e_ns;
}

Result<void> run_latency_cell(const LatencySpec& spec, int64_t outputs, std::vector<CellArm>& arms,
                              const SampleSink& sink, const RunControl& control, const Clock& clock) {
  return CellRun(spec, outputs, arms, sink, control, clock).run();
}

}  // namespace orthros
