// Tick marks of a CurvePlot: round numbers on linear axes, decades (with 2 and 5 where there is room) on
// logarithmic ones, powers of two on axes that count tokens. Threads: GUI thread.
#pragma once

#include "widgets/plot_library.h"

namespace orthros::widgets {

enum class TickKind { Numbers, LogNumbers, Tokens, LogTokens };

/// `most`: how many labels there is room for.
QSharedPointer<QCPAxisTicker> makeTicker(TickKind kind, int most);

}  // namespace orthros::widgets
