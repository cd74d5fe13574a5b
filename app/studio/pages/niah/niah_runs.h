// Needle experiments of the run store, for jobs: run or resume one, list them, read one as maps while it runs
// or afterwards. Errors: as the engine and the store; an absent store is an empty list. Threads: any; readers
// have a connection of their own.
#pragma once

#include <QList>
#include <QString>
#include <functional>

#include "app/studio/job.h"
#include "app/studio/pages/niah/niah_arms.h"
#include "engine/experiments/niah_map.h"
#include "engine/experiments/run_control.h"
#include "engine/store/run_store.h"

namespace orthros::studio {

struct NiahPlan {
  NiahSpec spec;
  std::vector<NiahArmSource> arms;
  QString name, resume;              // resume: uuid of what was begun before; empty: begin anew
  bool retryFailed = false;          // resume: also cells that ended without a result
  std::shared_ptr<PauseGate> pause;  // closed: no trial begins; null: cannot be paused
};

/// Runs until the plan is done or the job is stopped; every finished trial is kept at once. `begun` is called
/// with the uuid once it is stored, `advanced` after every trial, both on this thread.
Result<void> runNiah(const NiahPlan& plan, store::RunStore& store, JobContext& context,
                     const std::function<void(const QString&)>& begun, const std::function<void()>& advanced);

/// One experiment, as far as it is.
struct NiahView {
  QString uuid, name, created, specHash;
  Json spec;
  NiahMap map;
  QStringList architectures;       // colour key of each arm
  QList<qint64> windows, reaches;  // of each arm's base stream, tokens; 0: reads all
  QString build;                   // version and commit that ran it
  bool isDone = false;             // every arm ended; what is not can be resumed
  qint64 trials = 0, planned = 0;  // controls included
  qint64 failed = 0;               // cells of all arms that ended without a result
  QString problem;                 // why an arm failed
};
Result<NiahView> readNiah(const QString& storePath, const QString& uuid);

/// Trials that a spec asks of each arm, controls included, and the ids they feed.
struct NiahCount {
  qint64 cells = 0, controls = 0, trials = 0, tokens = 0;
};
NiahCount countOf(const NiahSpec& spec);

}  // namespace orthros::studio
