// What the curves of this page are made of: one curve for each arm and each group of points that differ in
// the length alone. Threads: plain functions. Private to this folder.
#pragma once

#include <cmath>

#include "app/studio/pages/latency/latency_curves.h"
#include "app/studio/pages/latency/latency_text.h"
#include "app/studio/text.h"

namespace orthros::studio {

/// One point of each group, in the spec's order.
std::vector<LatencyPoint> groupsOf(const LatencyView& view);
bool sameGroup(const LatencyPoint& a, const LatencyPoint& b);
widgets::Curve emptyCurve(const LatencyView& view, size_t arm, size_t group, const LatencyPoint& first);
/// A line of an arm that nothing was measured for.
widgets::Curve lineOf(const LatencyView& view, size_t arm, widgets::CurveKind kind, const QString& label);
widgets::CurveAxis tokensAxis(bool log);
int64_t shortestOf(const LatencyView& view);
int64_t longestOf(const LatencyView& view);
/// How far fitted curves are drawn: as far as the paper's single device, when nothing longer was measured.
int64_t modelledTo(const LatencyView& view);
/// Lengths where a smooth line is asked.
std::vector<int64_t> spread(int64_t low, int64_t high);
widgets::CurvePoint linePoint(int64_t tokens, double value, const QString& note);

/// `pointFor` makes a CurvePoint of a cell and an arm; one without value or note is still to be measured.
template <class PointFor>
std::vector<widgets::Curve> curvesOf(const LatencyView& view, bool withBaseline, PointFor pointFor) {
  std::vector<widgets::Curve> curves;
  const std::vector<LatencyPoint> groups = groupsOf(view);
  for (size_t arm = 0; arm < view.report.arms.size(); ++arm) {
    if (arm == view.report.baseline && !withBaseline) continue;
    for (size_t group = 0; group < groups.size(); ++group) {
      widgets::Curve curve = emptyCurve(view, arm, group, groups[group]);
      for (const LatencyCellReport& cell : view.report.cells) {
        if (!sameGroup(cell.point, groups[group])) continue;
        const widgets::CurvePoint point = pointFor(cell, arm);
        if (std::isfinite(point.y) || !point.note.isEmpty()) curve.points.push_back(point);
      }
      std::ranges::sort(curve.points, {}, &widgets::CurvePoint::x);
      curves.push_back(std::move(curve));
    }
  }
  return curves;
}

}  // namespace orthros::studio
