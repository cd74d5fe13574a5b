#include "app/studio/pages/latency/latency_curves.h"

#include <algorithm>

#include "app/studio/pages/latency/latency_curve_parts.h"
#include "engine/experiments/roofline.h"
#include "widgets/format.h"

namespace orthros::studio {
namespace {

using widgets::Curve;
using widgets::CurveKind;
using widgets::CurvePlotData;
using widgets::CurvePoint;

constexpr double kMsPerSecond = 1e3;

QString sampleNote(const LatencyArmCell& cell, const LatencyFigure& figure) {
  QStringList parts{LatencyText::tr("n %1").arg(figure.n)};
  if (figure.mad > 0) parts.append(LatencyText::tr("MAD %1").arg(widgets::formatNumber(figure.mad)));
  if (cell.cold_ms && *cell.cold_ms > 0)
    parts.append(LatencyText::tr("first call of the program %1, not counted")
                     .arg(widgets::formatMilliseconds(*cell.cold_ms)));
  if (cell.excluded > 0) parts.append(LatencyText::tr("%1 excluded").arg(cell.excluded));
  parts.append(missingText(cell));
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

CurvePoint pointOf(const LatencyCellReport& cell, size_t arm, TimingQuantity quantity) {
  const LatencyArmCell& own = cell.arms[arm];
  CurvePoint point;
  point.x = static_cast<double>(cell.point.tokens);
  const auto figure = own.figures.find(quantity);
  if (figure == own.figures.end()) {
    point.note = missingText(own);
    return point;
  }
  point.y = figure->second.median;
  if (figure->second.interval) {
    point.low = figure->second.interval->low;
    point.high = figure->second.interval->high;
  }
  point.note = sampleNote(own, figure->second);
  return point;
}

QString modelLabel(const LatencyView& view, size_t arm) {
  return LatencyText::tr("model, %1").arg(armNames(view)[static_cast<qsizetype>(arm)]);
}

// a + b T + c T² as it was fitted.
void addModels(CurvePlotData& data, const LatencyView& view) {
  for (size_t arm = 0; arm < view.report.arms.size(); ++arm) {
    const auto& fit = view.report.arms[arm].fit;
    if (!fit) continue;
    Curve curve = lineOf(view, arm, CurveKind::Model, modelLabel(view, arm));
    for (const int64_t tokens : spread(fit->min_tokens, modelledTo(view))) {
      const ModelledTime time = fit->predict(tokens);
      curve.points.push_back(linePoint(
          tokens, time.seconds * kMsPerSecond,
          time.extrapolated ? LatencyText::tr("model, beyond what was measured") : LatencyText::tr("model")));
    }
    data.curves.push_back(std::move(curve));
  }
}

void addPaper(CurvePlotData& data, const LatencyAxis& axis, LatencyMode mode) {
  const auto overlay = paperOverlay(axis, mode);
  if (!overlay) return;
  for (Curve& curve : paperCurves(*overlay)) data.curves.push_back(std::move(curve));
}

const std::optional<Ratio>& ratioOf(const LatencySpeedUp& speedUp, TimingQuantity quantity) {
  if (quantity == TimingQuantity::time_to_first_token) return speedUp.ttft;
  return quantity == TimingQuantity::end_to_end_latency ? speedUp.e2e : speedUp.prefill;
}

CurvePoint ratioPoint(const LatencyCellReport& cell, size_t arm, TimingQuantity quantity) {
  CurvePoint point;
  point.x = static_cast<double>(cell.point.tokens);
  const auto& ratio = ratioOf(cell.speed_ups[arm], quantity);
  if (!ratio) {
    point.note = missingText(cell.arms[arm]);
    return point;
  }
  point.y = ratio->value;
  point.low = ratio->interval.low;
  point.high = ratio->interval.high;
  point.note = LatencyText::tr("%1 pairs").arg(std::ssize(cell.arms[arm].timings));
  if (quantity != TimingQuantity::end_to_end_latency && cell.speed_ups[arm].flop.engine > 0)
    point.note +=
        QStringLiteral(" · ") +
        LatencyText::tr("FLOP ratio %1").arg(widgets::formatNumber(cell.speed_ups[arm].flop.engine));
  return point;
}

void addFlopRatio(CurvePlotData& data, const LatencyView& view, size_t arm, int64_t to) {
  const auto& base = view.report.arms[view.report.baseline].config;
  const auto& own = view.report.arms[arm].config;
  if (!base || !own) return;
  Curve curve = lineOf(view, arm, CurveKind::Expected,
                       LatencyText::tr("FLOP ratio, %1").arg(armNames(view)[static_cast<qsizetype>(arm)]));
  if (view.report.arms.size() == 2) curve.legend = LatencyText::tr("FLOP ratio");
  for (const int64_t tokens : spread(shortestOf(view), to)) {
    curve.points.push_back(linePoint(tokens, prefill_flop_ratio(*base, *own, tokens).engine,
                                     LatencyText::tr("what the FLOP alone would give")));
  }
  data.curves.push_back(std::move(curve));
}

void addModelRatio(CurvePlotData& data, const LatencyView& view, size_t arm) {
  const auto& base = view.report.arms[view.report.baseline].fit;
  const auto& own = view.report.arms[arm].fit;
  if (!base || !own) return;
  Curve curve = lineOf(view, arm, CurveKind::Model, modelLabel(view, arm));
  if (view.report.arms.size() == 2) curve.legend = LatencyText::tr("model");
  for (const int64_t tokens : spread(shortestOf(view), modelledTo(view))) {
    const double seconds = own->curve.seconds(static_cast<double>(tokens));
    if (!(seconds > 0)) continue;
    curve.points.push_back(linePoint(tokens, base->curve.seconds(static_cast<double>(tokens)) / seconds,
                                     LatencyText::tr("ratio of the fitted curves: a model")));
  }
  data.curves.push_back(std::move(curve));
}

}  // namespace

bool hasReplies(const LatencyView& view) {
  return view.report.spec.mode != LatencyMode::decode_at_depth &&
         std::ranges::any_of(view.report.cells, [](const auto& cell) { return cell.point.outputs > 1; });
}

std::vector<TimingQuantity> quantitiesOf(const LatencyView& view) {
  using Q = TimingQuantity;
  if (view.report.spec.mode == LatencyMode::decode_at_depth)
    return {Q::decode_throughput, Q::time_per_output_token};
  if (!hasReplies(view)) return {Q::prefill_latency, Q::prefill_throughput};
  return {Q::time_to_first_token, Q::end_to_end_latency, Q::prefill_latency,
          Q::output_throughput,   Q::decode_throughput,  Q::time_per_output_token};
}

TimingQuantity ratioQuantity(TimingQuantity quantity) {
  return quantity == TimingQuantity::time_to_first_token || quantity == TimingQuantity::end_to_end_latency
             ? quantity
             : TimingQuantity::prefill_latency;
}

CurvePlotData curveData(const LatencyView& view, const LatencyLook& look) {
  const QuantityInfo& info = quantity_info(look.quantity);
  CurvePlotData data;
  data.title = quantityName(look.quantity);
  data.x = tokensAxis(look.isLog);
  data.y = {
      LatencyText::tr("%1, median and 95 %").arg(toQt(info.unit)), toQt(info.unit), look.isLog, false, {}};
  if (!look.isLog) data.y.holds = 0;
  data.empty = LatencyText::tr("No sample yet");
  data.curves = curvesOf(view, /*withBaseline=*/true, [&](const LatencyCellReport& cell, size_t arm) {
    return pointOf(cell, arm, look.quantity);
  });
  if (look.hasModel && look.quantity == TimingQuantity::prefill_latency) addModels(data, view);
  if (look.hasPaper) addPaper(data, {look.quantity, false}, view.report.spec.mode);
  return data;
}

CurvePlotData speedUpData(const LatencyView& view, const LatencyLook& look) {
  CurvePlotData data;
  data.title = LatencyText::tr("Speed-up");
  if (view.report.arms.size() < 2 || view.report.spec.mode == LatencyMode::decode_at_depth) {
    data.empty = view.report.arms.size() < 2 ? LatencyText::tr("A second arm gives a speed-up")
                                             : LatencyText::tr("No prefill is timed in this mode");
    return data;
  }
  const TimingQuantity quantity = ratioQuantity(look.quantity);
  const QString base = armNames(view)[static_cast<qsizetype>(view.report.baseline)];
  data.x = tokensAxis(look.isLog);
  data.y = {LatencyText::tr("×, %1 of %2 / arm").arg(shortName(quantity), base), QStringLiteral("×"),
            look.isLog, false, 1.0};
  data.guides.push_back({Qt::Horizontal, 1, LatencyText::tr("as fast")});
  data.empty = LatencyText::tr("No pair of samples yet");
  data.curves = curvesOf(view, /*withBaseline=*/false, [&](const LatencyCellReport& cell, size_t arm) {
    return ratioPoint(cell, arm, quantity);
  });
  const bool ofPrefill = quantity == TimingQuantity::prefill_latency;
  const bool measured =
      std::ranges::any_of(data.curves, [](const Curve& curve) { return !curve.points.empty(); });
  for (size_t arm = 0; arm < view.report.arms.size() && measured; ++arm) {
    if (arm == view.report.baseline) continue;
    if (quantity != TimingQuantity::end_to_end_latency)
      addFlopRatio(data, view, arm, look.hasModel ? modelledTo(view) : longestOf(view));
    if (look.hasModel && ofPrefill) addModelRatio(data, view, arm);
  }
  if (look.hasPaper) addPaper(data, {quantity, true}, view.report.spec.mode);
  return data;
}

}  // namespace orthros::studio
