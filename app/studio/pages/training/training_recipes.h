// Training recipes and training folders, for jobs: the recipes that travel with the program, one that the
// user chose, and the folders of runs that were begun. Errors: as read_train_config. Threads: any.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

#include "engine/base/result.h"

namespace orthros::studio {

struct TrainingRecipe {
  QString path, name;
  QString architecture;  // key of its colour; empty: not known before the model is read
  QString about;         // "Orthros w=4 s=0, 2 layers"
  QStringList stages;    // one line each
  qint64 steps = 0;
  QString problem;  // why it cannot be run; empty: it can
};

/// A folder that a training writes into.
struct TrainingFolder {
  QString path, name;
  QString recipe;   // empty or gone: the user must choose it again
  QString uuid;     // its experiment in the run store; empty: none
  qint64 step = 0;  // of the last checkpoint
  QString model;    // of a finished run
  bool isFinished() const { return !model.isEmpty(); }
};

/// Those of sample_models/recipes, sorted by name; empty when the program travels without them.
QStringList recipePaths();
TrainingRecipe readRecipe(const QString& path);

/// "training" in the user's data folder: never inside the source tree.
QString trainingRoot(const QString& dataFolder);
/// Folders of that root with a checkpoint or a model, newest first.
QList<TrainingFolder> trainingFolders(const QString& root);
/// ROOT/lesson, or lesson-2, lesson-3... where that holds something.
QString freeFolder(const QString& root, const QString& name);
/// Remembers in a training's folder which recipe it follows.
Result<void> rememberRecipe(const QString& folder, const QString& recipe);

}  // namespace orthros::studio
