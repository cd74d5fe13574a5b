// What the paper reports, where a plot of this page shows the same thing: one exhibit and one metric for one
// value axis, and nothing for an axis that the paper has no number for. Threads: plain functions.
#pragma once

#include <QString>
#include <optional>

#include "engine/experiments/latency_spec.h"
#include "engine/experiments/paper.h"
#include "engine/experiments/timing.h"
#include "widgets/curve_plot.h"

namespace orthros::studio {

/// What a value axis of the page shows.
struct LatencyAxis {
  TimingQuantity quantity = TimingQuantity::prefill_latency;
  bool isSpeedUp = false;  // ratios of the quantity instead of the quantity
};

/// The exhibit and metric that stand on this axis in this mode; empty: the paper has none.
std::optional<OverlayAxis> paperAxis(const LatencyAxis& axis, LatencyMode mode);
/// The overlay of that axis; not_found where there is none.
Result<Overlay> paperOverlay(const LatencyAxis& axis, LatencyMode mode);
/// A curve for each of the paper's models, hollow, each point with its protocol and where it was read.
std::vector<widgets::Curve> paperCurves(const Overlay& overlay);
/// "Paper, Figure 4: ... ; 3.5 x at 128K from text" for below a picture.
QString paperText(const Overlay& overlay);
/// Key of the theme for a series of the paper.
QString paperArchitecture(const QString& series);

}  // namespace orthros::studio
