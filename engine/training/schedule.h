// LearningRate: warm-up, then cosine, or constant with a linear decay at the end.
// Units: steps; shares of the whole run in 0..1. Errors: none. Threads: pure. Public: no torch.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/base/result.h"

namespace orthros::training {

enum class ScheduleKind { constant, cosine };
Result<ScheduleKind> parse_schedule_kind(std::string_view text);

struct LearningRate {
  ScheduleKind kind = ScheduleKind::constant;
  double peak = 2e-3;
  int64_t warmup_steps = 100;
  double hold = 0.6;          // constant: share of the run before the decay begins
  double final_share = 0.05;  // of the peak, at the end

  /// Rate of the step (0-based) that stands at `share` of the run.
  double at(int64_t step, double share) const;
};

}  // namespace orthros::training
