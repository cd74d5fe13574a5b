// Re-scoring: stored answers judged again by the scorers of this program. Outputs are never touched; a score
// is added beside the earlier ones, each under its scorer's name and version. Errors: store errors,
// corrupt_file for unreadable expectations. Threads: one caller. Public: no torch.
#pragma once

#include <cstdint>

#include "engine/base/job_control.h"
#include "engine/store/run_store.h"
#include "engine/tasks/scorers.h"

namespace orthros {

struct RescoreReport {
  int64_t trials = 0, added = 0;
};
/// Every scorer on every trial of a needle experiment; scores that are there already count as not added.
Result<RescoreReport> rescore(store::RunStore& store, store::RowId experiment, const StopToken& stop = {},
                              const ProgressSink& progress = {});

}  // namespace orthros
