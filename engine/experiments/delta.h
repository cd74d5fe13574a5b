// Delta map: two arms on the same prompts, cell by cell. Only trials that both arms have on the same prompt
// count, so a half-finished arm is compared fairly. Colour limits are fixed: a picture never rescales to its
// own data. Units: scores and deltas as shares, depth in ppm. Errors: none; a cell without pairs has no
// delta. Threads: pure functions. Public: no torch. Source: niah-and-latency.md 5.2, 6.1.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/experiments/statistics.h"

namespace orthros {

struct ColourLimits {
  double low = 0, high = 1;
};
inline constexpr ColourLimits kAccuracyLimits{0, 1};
inline constexpr ColourLimits kDeltaLimits{-1, 1};
/// Where a value stands between the limits, 0..1, clamped: 0.5 is the middle colour.
double colour_position(double value, ColourLimits limits);

struct TrialScore {
  int64_t trial_no = 0;
  int64_t prompt_id = 0;  // trials are a pair only when they read the same ids
  double score = 0;       // 0..1
};
struct MapCell {
  std::string variant;
  int64_t ctx_len = 0, depth_ppm = 0;
  std::vector<TrialScore> trials;
};

/// A trial with all of its values found; a part of several needles is no success in the paired test.
inline constexpr double kSuccessScore = 1 - 1e-9;

struct DeltaCell {
  std::string variant;
  int64_t ctx_len = 0, depth_ppm = 0;
  std::optional<double> delta;  // mean score of a - mean score of b over pairs, -1..1
  int64_t n_a = 0, n_b = 0;     // trials of each arm, paired or not
  PairedCounts counts;          // of successes, over pairs
  Interval interval;            // of the difference of success shares
};

struct DeltaMap {
  std::vector<DeltaCell> cells;  // of both arms, by variant, length, depth
  PairedCounts counts;           // over the whole map
  double p_value = 1;            // exact McNemar over the whole map
  int64_t unpaired_trials = 0;   // left out because the other arm lacks them or read another prompt
};
DeltaMap delta_map(std::span<const MapCell> a, std::span<const MapCell> b);

}  // namespace orthros
