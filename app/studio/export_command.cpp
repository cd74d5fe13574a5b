#include "app/studio/export_command.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "app/studio/pages/attention/attention_export.h"
#include "app/studio/pages/attention/head_views.h"
#include "app/studio/pages/attention/kept_captures.h"
#include "app/studio/pages/attention/regime_choice.h"
#include "app/studio/pages/latency/latency_export.h"
#include "app/studio/pages/niah/niah_figure.h"
#include "app/studio/settings.h"
#include "app/studio/text.h"
#include "widgets/export_picture.h"
#include "widgets/pair_view.h"

namespace orthros::studio {
namespace {

constexpr QSize kFigure(900, 560);

// "": not given. Otherwise a whole number from 0 to most, or the problem.
Result<qint64> numberOf(const QCommandLineParser& parser, const char* name, qint64 fallback, qint64 most) {
  const QString text = parser.value(QString::fromLatin1(name));
  if (text.isEmpty()) return fallback;
  bool number = false;
  const qint64 value = text.toLongLong(&number);
  if (!number || value < 0 || value > most) {
    return fail(ErrorCode::invalid_argument, "--{} {}: a number from 0 to {}", name, toStd(text), most);
  }
  return value;
}

// Where x′ reads most of what x cannot, as the page would choose it.
std::pair<int, int> farthestHead(const AttentionCapture& capture, qint64 position) {
  const auto rows =
      measuresAt(capture, capture.record.has_output ? StreamKind::output : StreamKind::base, position);
  size_t best = 0;
  for (size_t i = 1; i < rows.size(); ++i) {
    if (!(rows[i].beyond <= rows[best].beyond)) best = std::isnan(rows[i].beyond) ? best : i;
  }
  const auto heads = static_cast<size_t>(capture.record.heads);
  return {static_cast<int>(best / heads), static_cast<int>(best % heads)};
}

Result<void> writeLatency(const QCommandLineParser& parser, const QString& store, const QString& run,
                          const QString& out) {
  ORTHROS_TRY(const LatencyView view, readLatency(store, run));
  LatencyLook look;
  look.quantity = quantitiesOf(view).front();
  return writeLatencyFigure(view, look, parser.value(QStringLiteral("plot")), out);
}

Result<void> writeAttention(const QCommandLineParser& parser, const QString& store, const QString& run,
                            const QString& out) {
  ORTHROS_TRY(AttentionCapture read, readKeptCapture(store, run));
  const auto capture = std::make_shared<const AttentionCapture>(std::move(read));
  const AttentionRecord& record = capture->record;
  ORTHROS_TRY(const qint64 query,
              numberOf(parser, "query", capture->lastPosition(), capture->lastPosition()));
  const auto [farLayer, farHead] = farthestHead(*capture, query);
  ORTHROS_TRY(const qint64 layer, numberOf(parser, "layer", farLayer, record.layers - 1));
  ORTHROS_TRY(const qint64 head, numberOf(parser, "head", farHead, record.heads - 1));
  const QString suffix = QFileInfo(out).suffix().toLower();
  if (suffix == u"csv" || suffix == u"npy")
    return writeValues(*capture, static_cast<int>(layer), static_cast<int>(head), out);
  const QStringList views{QStringLiteral("rows"), QStringLiteral("all"), QStringLiteral("cache"),
                          QStringLiteral("timeline")};
  const qsizetype view = views.indexOf(parser.value(QStringLiteral("view")));
  if (view < 0)
    return fail(ErrorCode::invalid_argument, "--view {}: one of {}",
                toStd(parser.value(QStringLiteral("view"))), toStd(views.join(QStringLiteral(", "))));
  HeadViews figure;
  figure.resize(kFigure);
  figure.setCapture(capture);
  const RegimeChoice regime = defaultRegime(*capture);
  Pins pins;
  pins.set(query);
  pins.outputFrom = outputFrom(*capture, regime);
  figure.setPair(pairDataOf(capture, layer, head, pins.outputFrom));
  figure.setSelection(static_cast<int>(layer), static_cast<int>(head), pins);
  figure.setView(static_cast<HeadViews::View>(view));
  figure.grab();  // lays the view out
  const QString title = HeadViews::tr("Layer %1, head %2: %3").arg(layer).arg(head).arg(figure.viewName());
  const QString caption = captionOf(*capture, regimeText(*capture, regime));
  const QString problem = widgets::exportPicture(figure.currentView(), out, {title, caption, true});
  if (!problem.isEmpty()) return fail(ErrorCode::io, "{}", toStd(problem));
  return {};
}

/// Reads a run of the store and writes one figure of it, or its numbers, by the suffix of `out`.
struct FigureMaker {
  const char* name;
  Result<void> (*write)(const QCommandLineParser& parser, const QString& store, const QString& run,
                        const QString& out);
};
constexpr FigureMaker kFigures[] = {
    {"attention", writeAttention}, {"niah", exportNiah}, {"latency", writeLatency}};

QString figureNames() {
  QStringList names;
  for (const FigureMaker& figure : kFigures) names.append(QString::fromLatin1(figure.name));
  return names.join(QStringLiteral(", "));
}

}  // namespace

QString runExport(const QStringList& arguments) {
  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("A kept run as a figure, without a display."));
  parser.addHelpOption();
  parser.addPositionalArgument(QStringLiteral("RUN"),
                               QStringLiteral("uuid of the run, a beginning of it, or last"));
  const auto add = [&parser](const char* name, const char* text, const char* value,
                             const char* fallback = "") {
    parser.addOption({QString::fromLatin1(name), QString::fromLatin1(text), QString::fromLatin1(value),
                      QString::fromLatin1(fallback)});
  };
  add("figure", qPrintable(figureNames()), "FIGURE");
  add("out", "file to write: .svg, .pdf, .png, or .csv, .npy for the values", "FILE");
  add("view", "rows, all, cache or timeline", "VIEW", "rows");
  add("layer", "layer, from 0; with the head left out, the head that reads most beyond the window", "N");
  add("head", "query head, from 0", "N");
  add("query", "position that asks, from 0; the last when left out", "N");
  const QString plots =
      QStringLiteral("of a latency run one plot alone: ") + latencyPlots().join(QStringLiteral(", "));
  add("plot", qPrintable(plots), "PLOT");
  add("data", "folder of the run database", "DIR");
  add("theme", "light or dark", "MODE", "light");
  addNiahFigureOptions(parser);
  parser.process(arguments);
  const QString run = parser.positionalArguments().value(0);
  const QString out = parser.value(QStringLiteral("out"));
  if (run.isEmpty() || out.isEmpty())
    return QStringLiteral("export RUN --figure FIGURE --out FILE: RUN and --out are needed");
  const QString wanted = parser.value(QStringLiteral("figure"));
  const auto figure = std::ranges::find_if(
      kFigures, [&wanted](const FigureMaker& one) { return wanted == QLatin1String(one.name); });
  if (figure == std::end(kFigures))
    return QStringLiteral("--figure %1: one of %2").arg(wanted, figureNames());
  const QString theme = parser.value(QStringLiteral("theme"));
  if (theme != u"light" && theme != u"dark") return QStringLiteral("--theme %1: light or dark").arg(theme);
  widgets::ThemeHub::instance().apply(theme == u"dark" ? widgets::ThemeMode::Dark
                                                       : widgets::ThemeMode::Light);
  const QString store = parser.isSet(QStringLiteral("data"))
                            ? parser.value(QStringLiteral("data")) + QStringLiteral("/runs.sqlite")
                            : Settings().runStorePath();
  const Result<void> written = figure->write(parser, store, run, out);
  return written ? QString() : toQt(written.error());
}

}  // namespace orthros::studio
