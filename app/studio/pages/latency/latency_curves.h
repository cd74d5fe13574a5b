// From a latency report to curves: the chosen quantity, speed-ups with the FLOP ratio beside them, memory
// against what it should be, shares of the roofline, where a long prompt's time goes. Threads: plain
// functions.
#pragma once

#include "app/studio/pages/latency/latency_overlay.h"
#include "app/studio/pages/latency/latency_runs.h"
#include "widgets/curve_plot.h"
#include "widgets/stack_bars.h"

namespace orthros::studio {

struct LatencyLook {
  TimingQuantity quantity = TimingQuantity::prefill_latency;
  bool isLog = true;
  bool hasModel = false;  // fitted curves, and beyond what was measured
  bool hasPaper = false;  // what the paper reports on the same axis
};

/// Quantities that this run has, the one to show first in front.
std::vector<TimingQuantity> quantitiesOf(const LatencyView& view);
/// Whether it generates, so that there is an end to end.
bool hasReplies(const LatencyView& view);
/// The ratio that the speed-up panel shows beside a quantity.
TimingQuantity ratioQuantity(TimingQuantity quantity);

widgets::CurvePlotData curveData(const LatencyView& view, const LatencyLook& look);
widgets::CurvePlotData speedUpData(const LatencyView& view, const LatencyLook& look);
widgets::CurvePlotData memoryData(const LatencyView& view, const LatencyLook& look);
widgets::CurvePlotData rooflineData(const LatencyView& view, const LatencyLook& look);
widgets::StackBarsData stackData(const LatencyView& view);

}  // namespace orthros::studio
