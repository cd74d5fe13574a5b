// LatencyReport: an experiment's samples as figures for each cell and arm, speed-ups over the baseline with
// intervals beside the FLOP ratio, fitted curves and crossovers. Works on a finished, running or interrupted
// experiment. Units: as timing.h; ratios baseline / arm. Errors: as RunReader. Source: niah-and-latency.md 3,
// 5, 6.2. Threads: plain values. Public: no torch.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/experiments/ceilings.h"
#include "engine/experiments/cost_fit.h"
#include "engine/experiments/crossover.h"
#include "engine/experiments/equal_work.h"
#include "engine/experiments/latency_spec.h"
#include "engine/experiments/roofline.h"
#include "engine/experiments/statistics.h"
#include "engine/experiments/timing.h"
#include "engine/store/run_reader.h"

namespace orthros {

struct LatencyFigure {
  int64_t n = 0;
  double median = 0, mad = 0, min = 0, p10 = 0, p90 = 0;
  std::optional<double> p99;         // from 100 samples on
  std::optional<Interval> interval;  // 95 % of the median
};

/// One arm in one cell.
struct LatencyArmCell {
  store::CellStatus status = store::CellStatus::pending;
  std::string error;
  std::vector<GenerationTiming> timings;  // counted samples, in the order of their numbers
  std::map<TimingQuantity, LatencyFigure> figures;
  std::optional<double> cold_ms;  // the first call of the process, when it was in this cell: its prefill
  int64_t warmups = 0, excluded = 0, kv_bytes = 0, peak_bytes = 0;
  /// Of the median prefill and of the median step, where the run knows its machine's ceilings.
  std::optional<RooflineShare> prefill_roofline, step_roofline;
};

/// baseline / arm, samples of the same number being pairs; empty where there are none.
struct LatencySpeedUp {
  std::optional<Ratio> prefill, ttft, e2e;
  FlopRatio flop;
};

/// After how many output tokens the end-to-end gain of an arm has thinned out to `gain`.
struct GainAt {
  double gain = 0;
  GainFall fall;
};

struct LatencyCellReport {
  LatencyPoint point;
  std::vector<LatencyArmCell> arms;
  std::vector<LatencySpeedUp> speed_ups;   // by arm; 1 for the baseline itself
  std::vector<std::vector<GainAt>> gains;  // by arm: 2 x, 1.5 x, 1.1 x; empty without decode steps
};

struct LatencyArmReport {
  std::string label, architecture, attn_impl;
  std::optional<ModelConfig> config;
  double flop_balance_tokens = 0;  // T*
  std::optional<CostFit> fit;      // of prefill, where there are 3 lengths or more
  std::vector<SpeedUpPoint> curve;
  std::optional<FirstFaster> first_faster;
  std::vector<ReachedSpeedUp> reached;  // 2 x and 3.5 x
  bool mixed_environments = false;
  std::optional<ArmCeilings> ceilings;  // the best measured before a session of this arm
  std::string kv_dtype;
  std::optional<EqualWork> equal_work;  // the newest that was measured for this arm
};

/// How often samples are drawn anew for the intervals. While a run goes on fewer do: what is computed beside
/// it takes from what it measures.
struct Resampling {
  int medians = 10'000, curves = 2'000;
};

struct LatencyReport {
  LatencySpec spec;
  size_t baseline = 0;  // the first Transformer, else the first arm
  std::vector<LatencyArmReport> arms;
  std::vector<LatencyCellReport> cells;  // in the spec's order
};

Result<LatencyReport> read_latency_report(const store::RunReader& reader,
                                          const store::ExperimentRecord& experiment,
                                          const Resampling& resampling = {});

LatencyFigure summarise(const std::vector<double>& values, int resamples = Resampling{}.medians);

}  // namespace orthros
