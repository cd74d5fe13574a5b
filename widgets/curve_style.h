// CurveStyle: how a curve looks, from what it stands for. An architecture has its colour, its dash and its
// mark, so that none is told by colour alone. Threads: GUI thread.
#pragma once

#include "widgets/curve_plot.h"
#include "widgets/plot_library.h"

namespace orthros::widgets {

struct CurveStyle {
  QPen pen;
  QCPScatterStyle mark;
};
/// `architecture`: a key of the theme; anything else is drawn muted. `variant` tells curves of one
/// architecture apart: 0 has filled marks, others hollow ones and a finer dash.
CurveStyle curveStyle(CurveKind kind, const QString& architecture, int variant);
/// The same for a curve of a plot: the line of a dense one is solid, since between many points a dash is read
/// as a gap.
CurveStyle curveStyle(const Curve& curve);

}  // namespace orthros::widgets
