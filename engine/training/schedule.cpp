#include "engine/training/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orthros::training {

Result<ScheduleKind> parse_schedule_kind(std::string_view text) {
  if (text == "constant") return ScheduleKind::constant;
  if (text == "cosine") return ScheduleKind::cosine;
  return fail(ErrorCode::invalid_argument, "unknown schedule '{}': constant or cosine", text);
}

double LearningRate::at(int64_t step, double share) const {
  const double warmup = warmup_steps > 0
                            ? std::min(1.0, static_cast<double>(step + 1) / static_cast<double>(warmup_steps))
                            : 1.0;
  const double at = std::clamp(share, 0.0, 1.0);
  double height = 1;
  if (kind == ScheduleKind::cosine) {
    height = final_share + (1 - final_share) * 0.5 * (1 + std::cos(std::numbers::pi * at));
  } else if (at > hold && hold < 1) {
    height = 1 - (1 - final_share) * (at - hold) / (1 - hold);
  }
  return peak * warmup * height;
}

}  // namespace orthros::training
