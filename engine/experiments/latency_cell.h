// The protocol of one latency cell: warm up until it settles, then rounds in which the arms take turns A B, B
// A, ... until the medians are known well enough. Knows nothing of the store: it asks its sink to keep each
// sample. Units: ns. Errors: what the sink gives, cancelled. Source: niah-and-latency.md 6.2. Public: no
// torch. Threads: one caller.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/experiments/latency_spec.h"
#include "engine/experiments/latency_target.h"
#include "engine/experiments/run_control.h"

namespace orthros {

struct CellArm {
  LatencyTarget* target = nullptr;
  size_t arm = 0;                        // which of the experiment's arms
  int64_t next_no = 0, next_warmup = 0;  // numbers of its next sample and warm-up
  std::vector<int64_t> kept;  // main figure (ns) of its counted samples, those of an earlier session included
  bool failed = false;
  Error error = {};
};

struct CellSample {
  size_t arm = 0;
  int64_t number = 0;
  bool warmup = false;
  LatencyMeasurement measured;
};
using SampleSink = std::function<Result<void>(const CellSample&)>;

/// The figure that decides when a cell is warm and when it is known: prefill, steps or end to end.
int64_t main_figure_ns(LatencyMode mode, int64_t prefill_ns, int64_t e2e_ns);

/// Arms that fail are marked and left out of what follows; the others go on.
Result<void> run_latency_cell(const LatencySpec& spec, int64_t outputs, std::vector<CellArm>& arms,
                              const SampleSink& sink, const RunControl& control, const Clock& clock);

}  // namespace orthros
