#include "app/studio/pages/runs/run_row.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <cmath>

#include "app/studio/text.h"
#include "widgets/format.h"
#include "widgets/needle_map.h"

namespace orthros::studio {
namespace {

struct RunText {
  Q_DECLARE_TR_FUNCTIONS(RunText)
};

struct FigureWords {
  QString unit, meaning;
};

FigureWords wordsOf(const store::Overview& overview) {
  using enum store::FigureKind;
  const QString at = widgets::tokensText(overview.at);
  switch (overview.kind) {
    case accuracy:
      return {QStringLiteral("%"), RunText::tr("Share of needles found, over the whole map")};
    case prefill_ms:
      return {RunText::tr("ms at %1").arg(at), RunText::tr("Median prefill of %1 tokens").arg(at)};
    case step_ms:
      return {RunText::tr("ms a step at %1").arg(at),
              RunText::tr("Median time of one decode step after %1 tokens").arg(at)};
    case decode_tps:
      return {RunText::tr("tok/s"), RunText::tr("Decoding speed")};
    case tokens:
      return {RunText::tr("tokens"), RunText::tr("Length of the text")};
    case loss:
      return {
          RunText::tr("nats"),
          RunText::tr("Loss, mean over the last steps up to step %1").arg(widgets::formatCount(overview.at))};
    case none:
      break;
  }
  return {};
}

QString valueText(store::FigureKind kind, double value) {
  if (kind == store::FigureKind::tokens) return widgets::formatCount(static_cast<qint64>(value));
  return widgets::formatNumber(kind == store::FigureKind::accuracy ? value * 100 : value);
}

// Prompts and captures are stored after the fact: how long that took says nothing.
bool isTimed(store::ExperimentKind kind) {
  using enum store::ExperimentKind;
  return kind == niah || kind == latency || kind == training;
}

void setFigures(RunRow& row, const store::Overview& overview) {
  const FigureWords words = wordsOf(overview);
  bool any = false;
  for (const store::ArmOverview& arm : overview.arms) {
    row.armFigures.append(arm.figure ? valueText(overview.kind, *arm.figure) : QStringLiteral("–"));
    if (!any && arm.figure) row.figureValue = *arm.figure;
    any = any || arm.figure;
    RunCurve curve{toQt(arm.architecture), {}};
    for (size_t i = 0; i < arm.x.size(); ++i) curve.points.append({arm.x[i], arm.y[i]});
    if (curve.points.size() > 1) row.curves.append(curve);
  }
  if (!any) {
    row.armFigures.clear();
    return;
  }
  row.figure = row.armFigures.join(QStringLiteral(" · ")) + u' ' + words.unit;
  row.unit = words.unit;
  row.meaning = words.meaning;
  row.sharesScale = overview.kind == store::FigureKind::accuracy;
  row.logarithmic =
      overview.kind == store::FigureKind::prefill_ms || overview.kind == store::FigureKind::step_ms;
}

}  // namespace

bool RunRow::canResume() const {
  return (kind == u"niah" || kind == u"latency" || kind == u"training") && status != u"done" &&
         status != u"running";
}

QString kindText(const QString& kind) {
  if (kind == u"niah") return RunText::tr("NIAH");
  if (kind == u"latency") return RunText::tr("Latency");
  if (kind == u"prompt") return RunText::tr("Prompt");
  if (kind == u"attention") return RunText::tr("Attention");
  if (kind == u"training") return RunText::tr("Training");
  return kind == u"convert" ? RunText::tr("Conversion") : kind;
}

QString statusText(const QString& status) {
  if (status == u"queued") return RunText::tr("waiting");
  if (status == u"running") return RunText::tr("running");
  if (status == u"paused") return RunText::tr("paused");
  if (status == u"interrupted") return RunText::tr("interrupted");
  if (status == u"cancelled") return RunText::tr("stopped");
  if (status == u"failed") return RunText::tr("failed");
  return status == u"done" ? RunText::tr("done") : status;
}

QString resultsText(const RunRow& row) {
  const QString count = widgets::formatCount(row.results);
  if (row.kind == u"niah") return RunText::tr("%1 trials").arg(count);
  if (row.kind == u"latency") return RunText::tr("%1 samples").arg(count);
  if (row.kind == u"prompt") return RunText::tr("%1 tokens").arg(count);
  if (row.kind == u"training") return RunText::tr("%1 steps").arg(count);
  return RunText::tr("%1 results").arg(count);
}

QStringList splitTags(const QString& tags) {
  QStringList list;
  for (const QString& tag : tags.split(u',')) {
    const QString plain = tag.simplified();
    if (!plain.isEmpty() && !list.contains(plain)) list.append(plain);
  }
  return list;
}

std::pair<QString, QStringList> shortArms(const QStringList& labels) {
  const QString separator = QStringLiteral(", ");
  QStringList models;
  for (const QString& label : labels) models.append(label.left(label.lastIndexOf(separator)));
  if (models.isEmpty() || !labels.front().contains(separator)) return {{}, labels};
  QStringList distinct = models;
  if (distinct.removeDuplicates() == 0 && labels.size() > 1) return {{}, models};  // one model an arm
  if (distinct.size() > 1) return {{}, labels};
  QStringList readings;
  for (const QString& label : labels) readings.append(label.mid(models.front().size() + separator.size()));
  return {models.front(), readings};
}

RunRow rowOf(const store::Overview& overview) {
  const store::ExperimentSummary& summary = overview.summary;
  const store::ExperimentRecord& experiment = summary.experiment;
  RunRow row;
  row.id = experiment.id;
  row.uuid = toQt(experiment.uuid);
  row.kind = toQt(to_string(experiment.kind));
  row.status = toQt(to_string(summary.status));
  row.name = toQt(experiment.name).simplified();
  row.tags = splitTags(toQt(experiment.tags)).join(QStringLiteral(", "));
  row.note = toQt(experiment.note);
  row.problem = toQt(overview.problem);
  row.created = QDateTime::fromString(toQt(experiment.created_utc), Qt::ISODateWithMs).toLocalTime();
  row.starred = experiment.starred;
  row.seconds = isTimed(experiment.kind) ? overview.busy_seconds : 0;
  row.results = summary.results;
  row.cells = summary.cells;
  row.cellsDone = summary.cells_done;
  QStringList labels;
  for (const store::ArmOverview& arm : overview.arms) labels.append(toQt(arm.label));
  const auto [model, arms] = shortArms(labels);
  row.arms = arms;
  row.models = arms.join(QStringLiteral(" · "));
  if (!model.isEmpty()) row.models.prepend(model + QStringLiteral(": "));
  setFigures(row, overview);
  return row;
}

Result<std::optional<QList<RunRow>>> RunWatch::read() {
  if (!QFileInfo::exists(m_path)) {
    m_reader.reset();
    m_version = -1;
    if (m_wasAbsent) return std::nullopt;
    m_wasAbsent = true;
    return QList<RunRow>();
  }
  m_wasAbsent = false;
  if (!m_reader) {
    ORTHROS_TRY(m_reader, store::RunReader::open(toStd(m_path)));
    m_version = -1;
  }
  ORTHROS_TRY(const int64_t version, m_reader->data_version());
  if (version == m_version) return std::nullopt;
  ORTHROS_TRY(const std::vector<store::Overview> overviews, store::read_overviews(*m_reader));
  m_version = version;
  QList<RunRow> rows;
  for (const store::Overview& overview : overviews) rows.append(rowOf(overview));
  return rows;
}

}  // namespace orthros::studio
