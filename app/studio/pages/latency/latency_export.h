// A latency run as CSV: one line for each point and arm, with every quantity's median and interval, and the
// formulas above. And as a figure without a page. Units: in the column names. Errors: io. Threads: values
// any; the figure GUI thread.
#pragma once

#include "app/studio/pages/latency/latency_curves.h"

namespace orthros::studio {

Result<void> writeLatencyValues(const LatencyView& view, const QString& path);
/// The curves as the page draws them, by the file's suffix: .svg, .pdf, .png; .csv: the values.
Result<void> writeLatencyFigure(const LatencyView& view, const QString& path);

}  // namespace orthros::studio
