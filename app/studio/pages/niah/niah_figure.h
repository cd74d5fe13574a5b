// The needle figure as it goes onto paper: the maps of a kept experiment side by side, with the difference of
// two arms where one is asked for. The page and `orthros-studio export` draw the same. Errors: as reading the
// store, io. Threads: GUI thread.
#pragma once

#include <QCommandLineParser>
#include <memory>

#include "app/studio/pages/niah/niah_runs.h"
#include "widgets/needle_data.h"

namespace orthros::studio {

struct NiahFigure {
  widgets::NeedleStyle style;
  qsizetype pair = -1;  // of the view's pairs; -1: no difference
};
/// Laid out, at the size it is printed.
std::unique_ptr<QWidget> makeNiahFigure(const NiahView& view, const NiahFigure& figure);
/// .svg .pdf .png by the suffix: with title and caption (task, n, spec hash, build).
Result<void> writeNiahFigure(const NiahView& view, const NiahFigure& figure, const QString& path,
                             bool inTheme);

/// For the export command: --measure, --pair, --to-scale, --from-end, --familiar.
void addNiahFigureOptions(QCommandLineParser& parser);
Result<void> exportNiah(const QCommandLineParser& parser, const QString& store, const QString& run,
                        const QString& out);

}  // namespace orthros::studio
