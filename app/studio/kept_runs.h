// Kept runs: the experiments of one kind in the run store, newest first, as a list and as a menu. The list is
// for jobs: any thread, a connection of its own. Errors: as the store; an absent store is an empty list.
#pragma once

#include <QCoreApplication>
#include <QList>
#include <QString>
#include <functional>
#include <string>

#include "engine/base/result.h"
#include "engine/store/run_reader.h"

class QMenu;

namespace orthros::studio {

class Workspace;

/// Where these texts stand for translators.
struct KeptText {
  Q_DECLARE_TR_FUNCTIONS(KeptText)
};

struct ListedRun {
  QString uuid, name, arms, created, status;  // created: local time
};
Result<QList<ListedRun>> readKeptRuns(const QString& storePath, store::ExperimentKind kind);

/// "2026-11-30 04:42", local; a time that cannot be read stands as it is.
QString localTime(const std::string& utc);

/// Reads the list and fills the menu with it, an action of name PREFIX-UUID each. GUI thread; `menu` bounds
/// it.
void fillKeptRuns(Workspace& workspace, QMenu* menu, store::ExperimentKind kind, const QString& prefix,
                  std::function<void(const QString& uuid)> open);

}  // namespace orthros::studio
