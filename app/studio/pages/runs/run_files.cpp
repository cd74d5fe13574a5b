#include "app/studio/pages/runs/run_files.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include "app/studio/text.h"

namespace orthros::studio {
namespace {

constexpr int kDaysKept = 30;

// What was deleted long ago is not asked for any more.
void forgetOld(const QString& folder) {
  const QDateTime limit = QDateTime::currentDateTime().addDays(-kDaysKept);
  for (const QFileInfo& file : QDir(folder).entryInfoList({QStringLiteral("*.sqlite")}, QDir::Files)) {
    if (file.lastModified() < limit) QFile::remove(file.absoluteFilePath());
  }
}

}  // namespace

QString viewOfKind(const QString& kind) {
  if (kind == u"niah") return QStringLiteral("v_niah_trial");
  if (kind == u"latency") return QStringLiteral("v_latency");
  return kind == u"training" ? QStringLiteral("v_train") : QString();
}

QString fileNameOf(const RunName& run, const QString& suffix) {
  return QStringLiteral("%1-%2.%3").arg(run.kind, run.uuid.left(8), suffix);
}

Result<void> exportRun(const QString& storePath, const RunName& run, const QString& target) {
  const QString suffix = QFileInfo(target).suffix().toLower();
  const std::filesystem::path database = toStd(storePath), file = toStd(target);
  if (suffix == u"sqlite") return store::export_bundle(database, toStd(run.uuid), file, /*overwrite=*/true);
  const bool csv = suffix == u"csv";
  if (!csv && suffix != u"jsonl") {
    return fail(Error{ErrorCode::invalid_argument, "runs are written as .sqlite, .csv or .jsonl",
                      "choose a name with one of these endings"});
  }
  const QString view = viewOfKind(run.kind);
  if (view.isEmpty()) {
    return fail(Error{ErrorCode::invalid_argument,
                      fmt::format("a {} run has no table of numbers", toStd(run.kind)),
                      "export it as a bundle (.sqlite), or open it and export from its page"});
  }
  return store::export_view(database, toStd(view), toStd(run.uuid),
                            csv ? store::TextFormat::csv : store::TextFormat::jsonl, file,
                            /*overwrite=*/true);
}

QString deletedPath(const QString& storePath, const QString& uuid) {
  return QFileInfo(storePath).absolutePath() + QStringLiteral("/deleted/") + uuid + QStringLiteral(".sqlite");
}

Result<void> deleteRuns(store::RunStore& store, const QList<RunName>& runs, JobContext& context,
                        QList<RunName>& gone) {
  const QString storePath = pathToQt(store.path());
  const QString folder = QFileInfo(deletedPath(storePath, {})).absolutePath();
  if (!QDir().mkpath(folder)) return fail(ErrorCode::io, "cannot make the folder {}", toStd(folder));
  forgetOld(folder);
  for (const RunName& run : runs) {
    context.progress(QCoreApplication::translate("RunText", "Delete"), gone.size(), runs.size());
    ORTHROS_TRY_VOID(context.stop().check("deleting"));
    ORTHROS_TRY_VOID(store::export_bundle(store.path(), toStd(run.uuid),
                                          toStd(deletedPath(storePath, run.uuid)),
                                          /*overwrite=*/true));
    ORTHROS_TRY_VOID(store.delete_experiment(run.id));
    gone.append(run);
  }
  return {};
}

Result<void> undeleteRuns(store::RunStore& store, const QList<RunName>& runs, JobContext& context) {
  QStringList files;
  for (const RunName& run : runs) files.append(deletedPath(pathToQt(store.path()), run.uuid));
  ORTHROS_TRY([[maybe_unused]] const auto report, importRuns(store, files, context));
  for (const QString& file : files) QFile::remove(file);
  return {};
}

Result<store::ImportReport> importRuns(store::RunStore& store, const QStringList& files,
                                       JobContext& context) {
  store::ImportReport sum;
  for (qsizetype i = 0; i < files.size(); ++i) {
    context.progress(QCoreApplication::translate("RunText", "Import"), i, files.size());
    ORTHROS_TRY_VOID(context.stop().check("the import"));
    ORTHROS_TRY(const store::ImportReport report, store::import_bundle(store, toStd(files[i])));
    sum.experiments_added += report.experiments_added;
    sum.experiments_present += report.experiments_present;
    sum.runs_added += report.runs_added;
    sum.cells_added += report.cells_added;
    sum.results_added += report.results_added;
  }
  return sum;
}

}  // namespace orthros::studio
