#include "app/studio/pages/latency/latency_overlay.h"

#include <QCoreApplication>
#include <QMap>

#include "app/studio/text.h"
#include "widgets/format.h"
#include "widgets/needle_map.h"

namespace orthros::studio {
namespace {

class LatencyPaper {
  Q_DECLARE_TR_FUNCTIONS(LatencyPaper)
};

}  // namespace

// Figure 4 is prefill alone, and only its two printed ratios are numbers. Table 4 is a server's: it stands
// beside in/out sweeps and never beside a prefill sweep.
std::optional<OverlayAxis> paperAxis(const LatencyAxis& axis, LatencyMode mode) {
  if (axis.isSpeedUp) {
    if (mode == LatencyMode::prefill && axis.quantity == TimingQuantity::prefill_latency)
      return OverlayAxis{"figure4", "prefill_speedup"};
    return {};
  }
  if (mode != LatencyMode::in_out) return {};
  switch (axis.quantity) {
    case TimingQuantity::time_to_first_token:
    case TimingQuantity::end_to_end_latency:
    case TimingQuantity::output_throughput:
    case TimingQuantity::decode_throughput:
      return OverlayAxis{"table4", quantity_info(axis.quantity).key};
    default:
      return {};
  }
}

Result<Overlay> paperOverlay(const LatencyAxis& axis, LatencyMode mode) {
  if (!paper_data()) return fail(paper_data().error());
  const auto wanted = paperAxis(axis, mode);
  if (!wanted) return fail(ErrorCode::not_found, "the paper reports nothing on this axis");
  return overlay_for(*paper_data(), *wanted);
}

QString paperArchitecture(const QString& series) {
  if (series == u"Transformer") return QStringLiteral("transformer");
  if (series == u"Orthros") return QStringLiteral("orthros");
  if (series == u"Linear Hybrid") return QStringLiteral("hybrid");
  return series == u"Orthros-H" ? QStringLiteral("orthros_hybrid") : QString();
}

std::vector<widgets::Curve> paperCurves(const Overlay& overlay) {
  std::vector<widgets::Curve> curves;
  for (const PaperPoint& point : overlay.points()) {
    const QString label =
        LatencyPaper::tr("Paper, %1: %2").arg(toQt(overlay.exhibit().title), toQt(point.series));
    auto curve = std::ranges::find(curves, label, &widgets::Curve::label);
    if (curve == curves.end()) {
      curves.push_back(
          {label, paperArchitecture(toQt(point.series)), 0, widgets::CurveKind::Reported, true, {}});
      curve = curves.end() - 1;
    }
    curve->points.push_back(
        {static_cast<double>(point.ctx_len), point.value, widgets::kNoValue, widgets::kNoValue,
         toQt(overlay.label(point)) + QStringLiteral(" · ") + toQt(overlay.exhibit().protocol)});
  }
  for (widgets::Curve& curve : curves) std::ranges::sort(curve.points, {}, &widgets::CurvePoint::x);
  return curves;
}

QString paperText(const Overlay& overlay) {
  QMap<QString, int> read;
  for (const PaperPoint& point : overlay.points()) ++read[toQt(to_string(point.read_from))];
  QStringList places;
  for (auto it = read.begin(); it != read.end(); ++it)
    places.append(LatencyPaper::tr("%1 from %2").arg(it.value()).arg(it.key()));
  return LatencyPaper::tr("Paper, %1: %2. Values: %3. Another protocol than this run's.")
      .arg(toQt(overlay.exhibit().title), toQt(overlay.exhibit().protocol),
           places.join(QStringLiteral(", ")));
}

}  // namespace orthros::studio
