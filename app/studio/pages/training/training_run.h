// Training runs for jobs: one is run or resumed and kept in the run store; kept ones are read again.
// Errors: as engine/training and the store. Threads: any; what happens is told on the job's thread.
#pragma once

#include <QList>
#include <QString>
#include <functional>
#include <vector>

#include "app/studio/job.h"
#include "engine/store/run_store.h"
#include "engine/training/trainer.h"

namespace orthros::studio {

struct TrainingPlan {
  QString recipe, output, name;  // name: in the run store; empty: the recipe's
  bool resume = false;
  qint64 steps = 0;  // of this call; 0: to the recipe's end
  int threads = 0;   // 0: all cores
};

struct TrainingPoint {
  qint64 step = 0;
  double loss = 0, rate = 0, norm = 0, tokensPerSecond = 0;
};

struct TrainingProbe {
  qint64 step = 0;
  double exact = 0;
  std::vector<training::AnswerSample> samples;
};

/// What a training tells while it runs, gathered between two looks.
struct TrainingNews {
  QString uuid;  // once it is in the store
  std::vector<TrainingPoint> points;
  std::vector<TrainingProbe> probes;
  qint64 totalSteps = 0, stage = 0;
  double score = 0;
};

struct TrainingEnd {
  qint64 steps = 0;
  double loss = 0, score = 0, seconds = 0;
  bool isFinished = false;
  QString model;
};

/// `tell` gets news some times a second, and the last of them before this returns.
Result<TrainingEnd> runTraining(const TrainingPlan& plan, store::RunStore& store, JobContext& context,
                                const std::function<void(TrainingNews)>& tell);

/// A kept run's curves; points of runs that were resumed are joined, a step that was done twice counts last.
struct TrainingCurves {
  QString uuid, name, created, status, architecture, problem;
  std::vector<TrainingPoint> points;
};
Result<TrainingCurves> readTraining(const QString& storePath, const QString& uuid);

struct KeptTraining {
  QString uuid, name, created, status;
  qint64 steps = 0;  // points
};
/// Newest first; an absent store is an empty list.
Result<QList<KeptTraining>> readKeptTrainings(const QString& storePath);

}  // namespace orthros::studio
