// NiahMap: an experiment's trials as a map of lengths x depths for each arm, with intervals, margins,
// controls, effective context and paired comparison of arms. Works on a finished, running or interrupted
// experiment alike. Units: tokens, ppm, nats; shares 0..1. Errors: as RunReader. Source:
// niah-and-latency.md 6.1. Public: no torch. Threads: plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/experiments/delta.h"
#include "engine/experiments/effective_context.h"
#include "engine/experiments/niah_spec.h"
#include "engine/experiments/statistics.h"
#include "engine/store/run_reader.h"

namespace orthros {

/// Trials of one cell, or of a margin, under one arm.
struct NiahShare {
  int64_t hits = 0, n = 0;  // trials whose primary score is 1
  double score_sum = 0, logprob_sum = 0, rank1_sum = 0, mass_sum = 0, uniform_sum = 0;
  int64_t probed = 0;  // trials with attention mass
  store::CellStatus status = store::CellStatus::pending;
  std::string error;
  int64_t depth_low_ppm = -1, depth_high_ppm = -1;  // of the first target, as placed; -1: no trial
  int64_t from_end_sum = 0, placed = 0;  // tokens from the first target's first id to the prompt's end
  int64_t cut = 0;                       // replies that the budget ended and that hold no value

  double accuracy() const { return n > 0 ? static_cast<double>(hits) / static_cast<double>(n) : 0; }
  Interval interval() const { return wilson(hits, n); }
  void add(const NiahShare& other);
  /// `n` needles at this depth, `from_end_sum` tokens from the end together.
  void place(int64_t depth_ppm, int64_t from_end_sum, int64_t n);
};

struct NiahArmMap {
  std::string label;
  std::vector<std::vector<NiahShare>> cells;              // [length][depth]
  std::vector<NiahShare> by_length, by_depth, no_needle;  // margins; control by length
  NiahShare all, needle_only;
  EffectiveContext effective_context;
  std::vector<MapCell> map_cells;  // for comparing with another arm; controls left out
  bool mixed_environments = false;
};

struct NiahPair {
  size_t a = 0, b = 0;  // arms
  DeltaMap delta;
};

struct NiahMap {
  NiahSpec spec;
  double threshold = 0.85;
  std::vector<NiahArmMap> arms;
  std::vector<NiahPair> pairs;  // the first arm against each other one
};

Result<NiahMap> read_niah_map(const store::RunReader& reader, const store::ExperimentRecord& experiment,
                              double threshold = 0.85);

}  // namespace orthros
