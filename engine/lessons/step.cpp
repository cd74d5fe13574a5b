#include "engine/lessons/step.h"

#include <algorithm>

namespace orthros {

std::optional<LessonStep> parse_lesson_step(std::string_view name) {
  const auto found = std::ranges::find(kLessonStepNames, name);
  if (found == kLessonStepNames.end()) return {};
  return static_cast<LessonStep>(found - kLessonStepNames.begin());
}

Moment moment_at(int64_t index, int64_t layers) {
  const int64_t layer = std::min(index / kStepsOfLayer, layers - 1);
  return {layer, static_cast<LessonStep>(index - layer * kStepsOfLayer)};
}

int64_t index_of(const Moment& moment, int64_t layers) {
  const auto step = static_cast<int64_t>(moment.step);
  return (step < kStepsOfLayer ? moment.layer : layers - 1) * kStepsOfLayer + step;
}

std::optional<LaneTensor> lane_tensor(const Moment& moment, StreamKind stream, int64_t layers) {
  const bool last = moment.layer + 1 == layers;
  const bool base = stream == StreamKind::base;
  const auto of = [&](PassTensor what) { return LaneTensor{moment.layer, what}; };
  switch (moment.step) {
    case LessonStep::copy:
      return of(PassTensor::x);
    case LessonStep::norm:
      return of(PassTensor::normed);
    case LessonStep::keys_values:
    case LessonStep::shelf:
      return of(base ? PassTensor::projected_key : PassTensor::normed);
    default:
      break;
  }
  if (base && last) return {};
  switch (moment.step) {
    case LessonStep::query:
      return of(base ? PassTensor::query : PassTensor::normed);
    case LessonStep::window:
      return of(base ? PassTensor::attended : PassTensor::normed);
    case LessonStep::query_out:
      return of(base ? PassTensor::attended : PassTensor::query);
    case LessonStep::read:
      return of(PassTensor::attended);
    case LessonStep::project:
      return of(PassTensor::residual);
    case LessonStep::head:
    case LessonStep::sample:
      return of(PassTensor::last_normed);
    default:
      break;
  }
  if (last) return of(PassTensor::last);
  return LaneTensor{moment.layer + 1, PassTensor::x};
}

}  // namespace orthros
