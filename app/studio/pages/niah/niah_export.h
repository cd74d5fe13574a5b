// Numbers of the needle maps as CSV: one line a cell and arm, margins left out since they follow from it.
// Units: tokens, percent, shares. Errors: io. Threads: any.
#pragma once

#include "app/studio/pages/niah/niah_runs.h"

namespace orthros::studio {

Result<void> writeNiahValues(const NiahView& view, const QString& path);

}  // namespace orthros::studio
