#include "app/studio/pages/training/training_recipes.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "app/studio/sample_models.h"
#include "app/studio/text.h"
#include "engine/formats/mapped_file.h"
#include "engine/model/model_identity.h"
#include "engine/training/train_config.h"
#include "engine/training/training_log.h"
#include "widgets/format.h"
#include "widgets/needle_map.h"

namespace orthros::studio {
namespace {

using training::StageConfig;
using training::StageTask;

constexpr const char* kRecipeFile = "recipe.txt";

struct RecipeText {
  Q_DECLARE_TR_FUNCTIONS(RecipeText)
};

QString taskText(StageTask task) {
  switch (task) {
    case StageTask::needle:
      return RecipeText::tr("needles");
    case StageTask::recall:
      return RecipeText::tr("recall");
    case StageTask::repeat:
      return RecipeText::tr("repetition");
    case StageTask::pairs:
      return RecipeText::tr("pairs");
    case StageTask::text:
      return RecipeText::tr("text");
    case StageTask::tokens:
      return RecipeText::tr("tokens");
  }
  return {};
}

QString stageText(const StageConfig& stage) {
  const auto [low, high] = std::ranges::minmax(stage.lengths);
  const QString length =
      low == high ? widgets::tokensText(low)
                  : QStringLiteral("%1–%2").arg(widgets::tokensText(low), widgets::tokensText(high));
  return RecipeText::tr("%1, %2 tokens, at most %3 steps")
      .arg(taskText(stage.task), length, widgets::formatCount(stage.max_steps));
}

void readModel(const training::ModelSource& source, TrainingRecipe& recipe) {
  if (!source.from.empty()) {
    recipe.architecture = toQt(source.as);
    recipe.about = RecipeText::tr("%1, w=%2 s=%3, from %4")
                       .arg(toQt(source.as))
                       .arg(source.window)
                       .arg(source.sinks)
                       .arg(pathToQt(source.from.filename()));
    std::error_code error;
    if (!std::filesystem::exists(source.from, error))
      recipe.problem = RecipeText::tr(
                           "The model %1 is not where this recipe looks for it: sample_models/smollm2.sh "
                           "puts it and its texts there.")
                           .arg(pathToQt(source.from.filename()));
    return;
  }
  const auto config = parse_model_config(source.config);
  if (!config) {
    recipe.problem = toQt(config.error());
    return;
  }
  recipe.architecture = toQt(architecture_name(*config));
  recipe.about = RecipeText::tr("%1, %2 layers, width %3")
                     .arg(toQt(architecture_label(*config)))
                     .arg(config->layers.size())
                     .arg(config->hidden_size);
}

// checkpoint-00000200.safetensors
qint64 lastStep(const QDir& folder) {
  const QStringList files =
      folder.entryList({QStringLiteral("checkpoint-*.safetensors")}, QDir::Files, QDir::Name);
  return files.isEmpty() ? -1 : files.back().mid(11).section(u'.', 0, 0).toLongLong();
}

}  // namespace

QStringList recipePaths() {
  const QString samples = sampleModelsFolder();
  if (samples.isEmpty()) return {};
  const QDir folder(samples + QStringLiteral("/recipes"));
  QStringList paths;
  for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
    paths.append(folder.filePath(name));
  return paths;
}

TrainingRecipe readRecipe(const QString& path) {
  TrainingRecipe recipe;
  recipe.path = path;
  recipe.name = QFileInfo(path).completeBaseName();
  const auto config = training::read_train_config(toStd(path));
  if (!config) {
    recipe.problem = toQt(config.error());
    return recipe;
  }
  recipe.steps = config->total_steps();
  for (const StageConfig& stage : config->stages) recipe.stages.append(stageText(stage));
  readModel(config->model, recipe);
  return recipe;
}

QString trainingRoot(const QString& dataFolder) {
  return dataFolder + QStringLiteral("/training");
}

QList<TrainingFolder> trainingFolders(const QString& root) {
  QList<TrainingFolder> folders;
  for (const QFileInfo& info : QDir(root).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time)) {
    const QDir folder(info.absoluteFilePath());
    TrainingFolder found;
    found.path = folder.path();
    found.name = info.fileName();
    found.step = std::max<qint64>(0, lastStep(folder));
    if (folder.exists(QStringLiteral("model/config.json")))
      found.model = folder.filePath(QStringLiteral("model"));
    if (!found.isFinished() && lastStep(folder) < 0) continue;
    found.uuid = toQt(training::logged_experiment(toStd(found.path)));
    const auto recipe = read_text(toStd(folder.filePath(QLatin1String(kRecipeFile))), 10'000);
    if (recipe) found.recipe = toQt(*recipe);
    folders.append(found);
  }
  return folders;
}

QString freeFolder(const QString& root, const QString& name) {
  for (int number = 1;; ++number) {
    const QString path = root + u'/' + (number == 1 ? name : QStringLiteral("%1-%2").arg(name).arg(number));
    if (!QFileInfo::exists(path) || QDir(path).isEmpty()) return path;
  }
}

Result<void> rememberRecipe(const QString& folder, const QString& recipe) {
  if (!QDir().mkpath(folder)) return fail(ErrorCode::io, "cannot make the folder {}", toStd(folder));
  return write_text_atomically(toStd(folder + u'/' + QLatin1String(kRecipeFile)), toStd(recipe));
}

}  // namespace orthros::studio
