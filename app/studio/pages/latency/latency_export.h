// A latency run as CSV: one line for each point and arm, with every quantity's median and interval, and the
// formulas above. And as a figure without a page. Units: in the column names. Errors: io. Threads: values
// any; the figure GUI thread.
#pragma once

#include <QStringList>

#include "app/studio/pages/latency/latency_curves.h"

namespace orthros::studio {

Result<void> writeLatencyValues(const LatencyView& view, const QString& path);
/// Names of the plots that go onto paper alone: curves, speed-up, memory, roofline, parts.
QStringList latencyPlots();
/// By the file's suffix: .svg, .pdf, .png; .csv: the values. One of latencyPlots(), or, with `plot` empty,
/// all of them as the page draws them. Errors besides: invalid_argument for a plot that the run does not
/// have.
Result<void> writeLatencyFigure(const LatencyView& view, const LatencyLook& look, const QString& plot,
                                const QString& path);

}  // namespace orthros::studio
