// The legend of a scale: the ramp with its ends, and a tick where a row of equal weights would lie.
#pragma once

#include <QString>
#include <optional>

#include "widgets/theme.h"
#include "widgets/weight_scale.h"

class QPainter;

namespace orthros::widgets {

struct RampLegend {
  QString name;  // "x"
  Ramp ramp = Ramp::Base;
  WeightScale scale;
  std::optional<double> tick;  // place, 0..1
  QString tickText;            // "1/94"
};

/// Draws it with its left end at `x` and its ramp's top at `y`; returns where it ends.
double paintRampLegend(QPainter& painter, double x, double y, const RampLegend& legend);

}  // namespace orthros::widgets
