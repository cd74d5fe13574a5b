// What a latency spec comes to before it runs: cells, about how long, and what memory at most. The time is a
// guess from FLOP and bytes at a usual share of what this machine does. Units: seconds, bytes. Threads: plain
// functions.
#pragma once

#include <optional>
#include <vector>

#include "app/studio/pages/latency/latency_runs.h"

namespace orthros::studio {

struct LatencyEstimate {
  int64_t cells = 0;              // points times arms
  std::optional<double> seconds;  // empty: the machine has not been measured yet
  int64_t peak_bytes = 0;         // caches and activations of the largest point, all arms
  int64_t available_bytes = 0;
  bool fits() const { return peak_bytes <= available_bytes; }
};

LatencyEstimate estimateOf(const LatencySpec& spec, const std::vector<LatencyArmSource>& arms,
                           const std::optional<MachineRates>& rates);

}  // namespace orthros::studio
