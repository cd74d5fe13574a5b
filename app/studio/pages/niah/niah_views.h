// From an experiment's maps to what is drawn and said: one NeedleMapData an arm, the difference of two arms,
// and the line below each. Threads: plain functions.
#pragma once

#include "app/studio/pages/niah/niah_runs.h"
#include "widgets/needle_map.h"

namespace orthros::studio {

widgets::NeedleMapData mapDataOf(const NiahView& view, size_t arm);
/// A − B for one of the report's pairs.
widgets::NeedleMapData deltaDataOf(const NiahView& view, size_t pair);
/// What all arms' labels begin with is left out.
QStringList shortLabels(const NiahView& view);
/// The shortest that tells arms apart: models where they differ, else the short labels.
QStringList armNames(const NiahView& view);
/// "54/54, 100 % (95 %: ...) · effective context ≥ 1024 · without needle 0/9".
QString armNote(const NiahView& view, size_t arm);
/// Paired counts, difference with interval, exact McNemar.
QString deltaNote(const NiahView& view, size_t pair);
/// For pictures: task, trials, seed, spec hash, build.
QString captionOf(const NiahView& view);

}  // namespace orthros::studio
