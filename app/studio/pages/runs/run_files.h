// Runs as files, for jobs: bundles, CSV and JSONL out; bundles in; deleting, with a bundle kept aside so that
// it can be undone. Errors: as engine/store/transfer.h, and invalid_argument for what has no such form.
// Threads: any.
#pragma once

#include <QList>
#include <QString>

#include "app/studio/job.h"
#include "engine/store/run_store.h"
#include "engine/store/transfer.h"

namespace orthros::studio {

struct RunName {
  qint64 id = 0;
  QString uuid, kind, name;
};

/// The view that CSV and JSONL of a kind hold: "v_niah_trial"; empty: this kind has none.
QString viewOfKind(const QString& kind);
/// "niah-1a2b3c4d.sqlite"
QString fileNameOf(const RunName& run, const QString& suffix);
/// By suffix: .sqlite a bundle, .csv and .jsonl its numbers. A file that is there is replaced.
Result<void> exportRun(const QString& storePath, const RunName& run, const QString& target);

/// Bundles of deleted runs lie in the store's folder, in "deleted", for 30 days.
QString deletedPath(const QString& storePath, const QString& uuid);
/// Exports each run, then deletes it; stops at the first that cannot be. Returns those that are gone.
Result<void> deleteRuns(store::RunStore& store, const QList<RunName>& runs, JobContext& context,
                        QList<RunName>& gone);
Result<void> undeleteRuns(store::RunStore& store, const QList<RunName>& runs, JobContext& context);

/// One line on what several bundles brought: the report's numbers added up.
Result<store::ImportReport> importRuns(store::RunStore& store, const QStringList& files, JobContext& context);

}  // namespace orthros::studio
