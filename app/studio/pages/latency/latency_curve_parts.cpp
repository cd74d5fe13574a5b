#include "app/studio/pages/latency/latency_curve_parts.h"

#include <algorithm>

namespace orthros::studio {
namespace {

constexpr int64_t kModelled = 131'072;
constexpr int kLinePoints = 48;

// Among arms of one architecture, and groups of one arm.
int variantOf(const LatencyView& view, size_t arm, size_t group) {
  int variant = static_cast<int>(group);
  for (size_t other = 0; other < arm; ++other)
    variant += view.report.arms[other].architecture == view.report.arms[arm].architecture ? 1 : 0;
  return variant;
}

}  // namespace

bool sameGroup(const LatencyPoint& a, const LatencyPoint& b) {
  return a.outputs == b.outputs && a.batch == b.batch && a.threads == b.threads;
}

std::vector<LatencyPoint> groupsOf(const LatencyView& view) {
  std::vector<LatencyPoint> groups;
  for (const LatencyCellReport& cell : view.report.cells) {
    const bool known =
        std::ranges::any_of(groups, [&](const LatencyPoint& group) { return sameGroup(group, cell.point); });
    if (!known) groups.push_back(cell.point);
  }
  return groups;
}

widgets::Curve emptyCurve(const LatencyView& view, size_t arm, size_t group, const LatencyPoint& first) {
  const QString text = groupText(view, first);
  widgets::Curve curve;
  curve.label = armNames(view)[static_cast<qsizetype>(arm)];
  if (!text.isEmpty()) curve.label += QStringLiteral(", ") + text;
  curve.architecture = toQt(view.report.arms[arm].architecture);
  curve.variant = variantOf(view, arm, group);
  return curve;
}

widgets::Curve lineOf(const LatencyView& view, size_t arm, widgets::CurveKind kind, const QString& label) {
  widgets::Curve curve;
  curve.label = label;
  curve.architecture = toQt(view.report.arms[arm].architecture);
  curve.variant = variantOf(view, arm, 0);
  curve.kind = kind;
  return curve;
}

widgets::CurveAxis tokensAxis(bool log) {
  return {LatencyText::tr("context T, tokens"), LatencyText::tr("tokens"), log, true, {}};
}

int64_t longestOf(const LatencyView& view) {
  int64_t most = 1;
  for (const LatencyCellReport& cell : view.report.cells) most = std::max(most, cell.point.tokens);
  return most;
}

int64_t shortestOf(const LatencyView& view) {
  int64_t least = longestOf(view);
  for (const LatencyCellReport& cell : view.report.cells) least = std::min(least, cell.point.tokens);
  return least;
}

int64_t modelledTo(const LatencyView& view) {
  return std::max(kModelled, longestOf(view));
}

std::vector<int64_t> spread(int64_t low, int64_t high) {
  std::vector<int64_t> tokens;
  const double steps = std::log(static_cast<double>(high) / static_cast<double>(low)) / kLinePoints;
  for (int i = 0; i <= kLinePoints; ++i) {
    const int64_t at = std::llround(static_cast<double>(low) * std::exp(steps * i));
    if (tokens.empty() || at > tokens.back()) tokens.push_back(at);
  }
  return tokens;
}

widgets::CurvePoint linePoint(int64_t tokens, double value, const QString& note) {
  return {static_cast<double>(tokens), value, widgets::kNoValue, widgets::kNoValue, note};
}

}  // namespace orthros::studio
