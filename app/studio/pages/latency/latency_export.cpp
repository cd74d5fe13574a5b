#include "app/studio/pages/latency/latency_export.h"

#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>
#include <memory>

#include "app/studio/pages/latency/latency_panels.h"
#include "app/studio/pages/latency/latency_text.h"
#include "app/studio/text.h"
#include "widgets/export_picture.h"
#include "widgets/stack_bars.h"

namespace orthros::studio {
namespace {

constexpr QSize kFigureSize(1180, 560);
constexpr QSize kPlotSize(600, 400);  // of one plot: a column of a page

template <auto Data>
std::unique_ptr<QWidget> curvePlot(const LatencyView& view, const LatencyLook& look) {
  auto plot = std::make_unique<widgets::CurvePlot>();
  plot->setData(Data(view, look));
  return plot;
}

std::unique_ptr<QWidget> partsPlot(const LatencyView& view, const LatencyLook&) {
  if (!hasReplies(view)) return nullptr;
  auto plot = std::make_unique<widgets::StackBars>();
  plot->setData(stackData(view));
  return plot;
}

/// Makes the plot; null where the run has none.
struct PlotMaker {
  const char* name;
  std::unique_ptr<QWidget> (*make)(const LatencyView& view, const LatencyLook& look);
};
constexpr PlotMaker kPlots[] = {{"curves", curvePlot<curveData>},
                                {"speed-up", curvePlot<speedUpData>},
                                {"memory", curvePlot<memoryData>},
                                {"roofline", curvePlot<rooflineData>},
                                {"parts", partsPlot}};

QByteArray number(double value) {
  return QByteArray::number(value, 'g', 9);
}

QByteArray quoted(const std::string& text) {
  return '"' + QByteArray::fromStdString(text).replace('"', "\"\"") + '"';
}

QList<QByteArray> ratioFields(const std::optional<Ratio>& ratio) {
  if (!ratio) return {{}, {}, {}};
  return {number(ratio->value), number(ratio->interval.low), number(ratio->interval.high)};
}

QList<QByteArray> shareField(const std::optional<RooflineShare>& share) {
  constexpr double kPercent = 100;
  return {share ? number(share->efficiency * kPercent) : QByteArray()};
}

QByteArray headerOf() {
  QByteArray text;
  QList<QByteArray> names{"arm",   "status",  "tokens_in", "tokens_out",
                          "batch", "threads", "samples",   "warmups"};
  for (const QuantityInfo& info : timing_quantities()) {
    text += QByteArray("# ") + info.key + ": " + QByteArray::fromStdString(info.heading()) + '\n';
    names.append({QByteArray(info.key) + "_median", QByteArray(info.key) + "_low_95",
                  QByteArray(info.key) + "_high_95"});
  }
  for (const char* ratio : {"prefill_speedup", "ttft_speedup", "e2e_speedup"}) {
    names.append({ratio, QByteArray(ratio) + "_low_95", QByteArray(ratio) + "_high_95"});
  }
  names.append(
      {"flop_ratio", "prefill_roofline_percent", "step_roofline_percent", "kv_bytes", "peak_bytes", "error"});
  text += "# speed-ups: median of the baseline / median of the arm, paired samples; 95 %: bootstrap\n";
  return text + names.join(',') + '\n';
}

QByteArray lineOf(const LatencyView& view, const LatencyCellReport& cell, size_t arm) {
  const LatencyArmCell& own = cell.arms[arm];
  QList<QByteArray> fields{quoted(view.report.arms[arm].label),
                           QByteArray(to_string(own.status)),
                           QByteArray::number(qlonglong{cell.point.tokens}),
                           QByteArray::number(qlonglong{cell.point.outputs}),
                           QByteArray::number(qlonglong{cell.point.batch}),
                           QByteArray::number(qlonglong{cell.point.threads}),
                           QByteArray::number(qlonglong{std::ssize(own.timings)}),
                           QByteArray::number(qlonglong{own.warmups})};
  for (const QuantityInfo& info : timing_quantities()) {
    const auto figure = own.figures.find(info.quantity);
    if (figure == own.figures.end()) {
      fields.append({QByteArray(), QByteArray(), QByteArray()});
      continue;
    }
    const auto& interval = figure->second.interval;
    fields.append({number(figure->second.median), interval ? number(interval->low) : QByteArray(),
                   interval ? number(interval->high) : QByteArray()});
  }
  const LatencySpeedUp& speedUp = cell.speed_ups[arm];
  for (const auto* ratio : {&speedUp.prefill, &speedUp.ttft, &speedUp.e2e})
    fields.append(ratioFields(*ratio));
  fields.append(speedUp.flop.engine > 0 ? number(speedUp.flop.engine) : QByteArray());
  fields.append(shareField(own.prefill_roofline));
  fields.append(shareField(own.step_roofline));
  fields.append({QByteArray::number(qlonglong{own.kv_bytes}), QByteArray::number(qlonglong{own.peak_bytes}),
                 quoted(own.error)});
  return fields.join(',') + '\n';
}

}  // namespace

Result<void> writeLatencyValues(const LatencyView& view, const QString& path) {
  QByteArray text = headerOf();
  for (const LatencyCellReport& cell : view.report.cells) {
    for (size_t arm = 0; arm < cell.arms.size(); ++arm) text += lineOf(view, cell, arm);
  }
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
    return fail(ErrorCode::io, "cannot write {}: {}", toStd(path), toStd(file.errorString()));
  return {};
}

QStringList latencyPlots() {
  QStringList names;
  for (const PlotMaker& plot : kPlots) names.append(QString::fromLatin1(plot.name));
  return names;
}

Result<void> writeLatencyFigure(const LatencyView& view, const LatencyLook& look, const QString& plot,
                                const QString& path) {
  if (QFileInfo(path).suffix().toLower() == u"csv") return writeLatencyValues(view, path);
  std::unique_ptr<QWidget> figure;
  if (plot.isEmpty()) {
    auto panels = std::make_unique<LatencyPanels>();
    panels->resize(kFigureSize);
    panels->show(view, look);
    figure = std::move(panels);
  } else {
    const auto maker = std::ranges::find_if(
        kPlots, [&plot](const PlotMaker& one) { return plot == QLatin1String(one.name); });
    if (maker != std::end(kPlots)) figure = maker->make(view, look);
    if (!figure)
      return fail(ErrorCode::invalid_argument, "this run has no plot {}: one of {}", toStd(plot),
                  toStd(latencyPlots().join(QStringLiteral(", "))));
    figure->resize(kPlotSize);
  }
  figure->grab();  // lays the figure out
  const QString problem = widgets::exportPicture(figure.get(), path, {view.name, captionOf(view)});
  if (!problem.isEmpty()) return fail(ErrorCode::io, "{}", toStd(problem));
  return {};
}

}  // namespace orthros::studio
