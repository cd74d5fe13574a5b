// Crossover: from which length on a model is faster than its baseline, where the speed-up reaches x, and
// after how many generated tokens the gain of the prefill has thinned out to x. Units: tokens, seconds,
// ratios baseline / model. Errors: none; what is undefined is nullopt. Threads: pure functions. Public: no
// torch. Source: niah-and-latency.md 3 (R(x)), 5.7.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/experiments/statistics.h"

namespace orthros {

/// Repetitions of both arms at one length (one entry a length), index i of both from the same A-B-B-A pair.
struct PairedSamples {
  int64_t tokens = 0;
  std::vector<double> baseline_s, model_s;
};

struct SpeedUpPoint {
  int64_t tokens = 0, pairs = 0;
  Ratio ratio;
};
/// Shortest first; lengths without an interval (fewer than 2 pairs) are left out.
std::vector<SpeedUpPoint> speed_up_curve(std::span<const PairedSamples> samples, int resamples = 10'000,
                                         uint64_t seed = 1);

struct FirstFaster {
  int64_t tokens = 0;
  bool holds_beyond = true;  // at every longer measured length too
};
/// The shortest length whose interval lies above 1; one that lies below 1 is a loss and no crossover.
std::optional<FirstFaster> first_faster(std::span<const SpeedUpPoint> curve);
/// The longest length whose interval lies below 1.
std::optional<int64_t> last_slower(std::span<const SpeedUpPoint> curve);

struct ReachedSpeedUp {
  enum class Where { within, before_first, beyond_last };
  double target = 0;
  Where where = Where::within;
  int64_t first_tokens = 0, last_tokens = 0;  // measured range
  std::optional<double> tokens;               // within: interpolated between measured lengths
  /// 95 %; low is 0 and high infinite where the samples leave open that it lies before or beyond what was
  /// measured.
  Interval interval;
  /// "2x at 5310 tokens (95 %: 4980 to 5700)", "3.5x not reached up to 16384 tokens"
  std::string sentence() const;
};
/// First length at which the speed-up reaches `target` from below: log speed-up is linear in log T between
/// lengths.
std::optional<ReachedSpeedUp> length_reaching(std::span<const PairedSamples> samples, double target,
                                              int resamples = 2'000, uint64_t seed = 1);

/// Seconds to the first token and a decode step, of the baseline and of the model.
struct EndToEndTimes {
  double baseline_ttft_s = 0, model_ttft_s = 0, baseline_step_s = 0, model_step_s = 0;
  /// End-to-end speed-up after this many decode steps (N = steps + 1 output tokens).
  double gain(double steps) const;
};
struct GainFall {
  enum class Kind { falls, starts_below, stays_above };
  Kind kind = Kind::falls;
  double steps = 0;  // R(x) = (P_T - x P_O) / (x s_O - s_T); falls only
};
GainFall steps_until_gain(const EndToEndTimes& times, double x);

}  // namespace orthros
