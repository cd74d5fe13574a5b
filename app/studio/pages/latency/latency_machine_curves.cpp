// What a run asked of the machine: memory, shares of the roofline, where the time of a reply goes.
#include <algorithm>

#include "app/studio/pages/latency/latency_curve_parts.h"
#include "engine/model/cost_model.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

using widgets::Curve;
using widgets::CurveKind;
using widgets::CurvePlotData;
using widgets::CurvePoint;

constexpr double kMega = 1e6;
constexpr double kPercent = 100;
constexpr int64_t kChunk = 512;

CurvePoint bytesPoint(const LatencyCellReport& cell, int64_t bytes, const QString& note) {
  CurvePoint point;
  point.x = static_cast<double>(cell.point.tokens);
  if (bytes > 0) {
    point.y = static_cast<double>(bytes) / kMega;
    point.note = note;
  }
  return point;
}

ScalarType kvTypeOf(const LatencyArmReport& arm) {
  return arm.kv_dtype == to_string(ScalarType::bfloat16) ? ScalarType::bfloat16 : ScalarType::float32;
}

// What the cache should take, from the config alone.
void addAnalytic(CurvePlotData& data, const LatencyView& view) {
  const LatencyPoint group = view.report.cells.front().point;
  for (size_t arm = 0; arm < view.report.arms.size(); ++arm) {
    const LatencyArmReport& own = view.report.arms[arm];
    if (!own.config) continue;
    Curve curve =
        lineOf(view, arm, CurveKind::Expected,
               LatencyText::tr("KV from the config, %1").arg(armNames(view)[static_cast<qsizetype>(arm)]));
    curve.legend = arm == 0 ? LatencyText::tr("KV from the config") : QString();
    for (const int64_t tokens : spread(shortestOf(view), longestOf(view))) {
      const int64_t bytes =
          kv_cache_bytes(*own.config, kvTypeOf(own), group.batch, tokens + group.outputs, kChunk);
      curve.points.push_back(
          linePoint(tokens, static_cast<double>(bytes) / kMega, LatencyText::tr("counted from the config")));
    }
    data.curves.push_back(std::move(curve));
  }
}

CurvePoint sharePoint(const LatencyCellReport& cell, const std::optional<RooflineShare>& share) {
  CurvePoint point;
  point.x = static_cast<double>(cell.point.tokens);
  if (!share) return point;
  point.y = share->efficiency * kPercent;
  point.note =
      LatencyText::tr("%1 of the FLOP/s, %2 of the bytes/s that this machine reached by itself; %3")
          .arg(widgets::formatPercent(share->flop_share), widgets::formatPercent(share->byte_share),
               share->compute_bound ? LatencyText::tr("bound by FLOP") : LatencyText::tr("bound by reading"));
  return point;
}

double medianOf(const LatencyArmCell& cell, TimingQuantity quantity) {
  const auto figure = cell.figures.find(quantity);
  return figure == cell.figures.end() ? 0 : figure->second.median;
}

}  // namespace

CurvePlotData memoryData(const LatencyView& view, const LatencyLook& look) {
  CurvePlotData data;
  data.title = LatencyText::tr("Memory");
  data.x = tokensAxis(look.isLog);
  data.y = {LatencyText::tr("MB"), LatencyText::tr("MB"), look.isLog, false, {}};
  if (!look.isLog) data.y.holds = 0;
  data.empty = LatencyText::tr("No sample yet");
  if (view.report.cells.empty()) return data;
  for (const bool peak : {false, true}) {
    auto curves = curvesOf(view, /*withBaseline=*/true, [&](const LatencyCellReport& cell, size_t arm) {
      const LatencyArmCell& own = cell.arms[arm];
      return peak ? bytesPoint(cell, own.peak_bytes, LatencyText::tr("most the whole program took meanwhile"))
                  : bytesPoint(cell, own.kv_bytes, LatencyText::tr("KV cache"));
    });
    for (Curve& curve : curves) {
      // The big plot says which colour is whose; here the first of each kind says what the kind is.
      curve.legend = &curve != &curves.front() ? QString()
                     : peak                    ? LatencyText::tr("peak of the program")
                                               : LatencyText::tr("KV cache");
      curve.label = (peak ? LatencyText::tr("peak, %1") : LatencyText::tr("KV, %1")).arg(curve.label);
      if (peak) curve.variant += 1;
      data.curves.push_back(std::move(curve));
    }
  }
  if (std::ranges::any_of(data.curves, [](const Curve& curve) { return !curve.points.empty(); }))
    addAnalytic(data, view);
  return data;
}

CurvePlotData rooflineData(const LatencyView& view, const LatencyLook& look) {
  CurvePlotData data;
  data.title = LatencyText::tr("Roofline");
  data.x = tokensAxis(look.isLog);
  data.y = {LatencyText::tr("% of the machine's ceiling"), QStringLiteral("%"), false, false, 0.0};
  data.empty = LatencyText::tr("This run has no ceilings of its machine");
  const bool steps = view.report.spec.mode == LatencyMode::decode_at_depth;
  data.curves = curvesOf(view, /*withBaseline=*/true, [&](const LatencyCellReport& cell, size_t arm) {
    const LatencyArmCell& own = cell.arms[arm];
    return sharePoint(cell, steps ? own.step_roofline : own.prefill_roofline);
  });
  for (Curve& curve : data.curves) curve.legend = QString();
  return data;
}

widgets::StackBarsData stackData(const LatencyView& view) {
  widgets::StackBarsData data;
  data.title = LatencyText::tr("End to end");
  data.axis = LatencyText::tr("s");
  data.firstName = LatencyText::tr("to the first token");
  data.secondName = LatencyText::tr("the others");
  data.empty = LatencyText::tr("An in/out sweep shows where the time of a reply goes");
  if (!hasReplies(view)) return data;
  const QStringList names = armNames(view);
  for (const LatencyCellReport& cell : view.report.cells) {
    for (size_t arm = 0; arm < cell.arms.size(); ++arm) {
      const double first = medianOf(cell.arms[arm], TimingQuantity::time_to_first_token);
      const double all = medianOf(cell.arms[arm], TimingQuantity::end_to_end_latency);
      widgets::StackBar bar{pointText(view, cell.point),
                            names[static_cast<qsizetype>(arm)],
                            toQt(view.report.arms[arm].architecture),
                            first,
                            std::max(0.0, all - first),
                            missingText(cell.arms[arm])};
      if (all > 0 || !bar.note.isEmpty()) data.bars.push_back(std::move(bar));
    }
  }
  if (data.bars.empty()) data.empty = LatencyText::tr("No sample yet");
  return data;
}

}  // namespace orthros::studio
