// What a latency report says in words: names of arms and points, why a cell is empty, where an arm overtakes
// the baseline, and the caption of pictures. Threads: plain functions.
#pragma once

#include <QCoreApplication>
#include <QList>

#include "app/studio/pages/latency/latency_runs.h"
#include "widgets/fact_strip.h"

namespace orthros::studio {

/// Translations of everything that this page says outside its widgets.
class LatencyText {
  Q_DECLARE_TR_FUNCTIONS(LatencyText)
};

/// What all arms' labels begin with is left out.
QStringList armNames(const LatencyView& view);
QString quantityName(TimingQuantity quantity);
/// "TTFT": for heads of columns and axes.
QString shortName(TimingQuantity quantity);
/// What differs among the run's points besides the length: "32 out, batch 2"; empty: nothing.
QString groupText(const LatencyView& view, const LatencyPoint& point);
/// "512 tokens, 32 out"
QString pointText(const LatencyView& view, const LatencyPoint& point);
/// Why an arm has no figure in a cell; empty where it has, or is still to be measured.
QString missingText(const LatencyArmCell& cell);
/// One row for each arm but the baseline: from where on it is faster, where it reaches 2 x and 3.5 x, T*,
/// what the fit says, and whether both kept the same cache.
QList<widgets::FactRow> crossoverFacts(const LatencyView& view);
/// Whether an arm has three lengths, so that a curve could be fitted.
bool hasFits(const LatencyView& view);
/// For pictures: mode, points, seed, spec hash, build.
QString captionOf(const LatencyView& view);

}  // namespace orthros::studio
