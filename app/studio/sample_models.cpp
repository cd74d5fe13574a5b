#include "app/studio/sample_models.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace orthros::studio {
namespace {

constexpr int kLevelsUp = 4;  // build/PRESET/bin lies three below the source tree

struct Known {
  const char* name;
  const char* about;
  const char* cached;  // in the cache's models folder; null: shipped
};

// NOLINTNEXTLINE(modernize-avoid-c-arrays): a table
constexpr Known kKnown[] = {
    {"smollm2", QT_TRANSLATE_NOOP("SampleModels", "A small chat model of 2024, 4-bit"),
     "SmolLM2-135M-Instruct.Q4_1.gguf"},
    {"needle-orthros", QT_TRANSLATE_NOOP("SampleModels", "Retrieves digits; two streams, w = 32"), nullptr},
    {"needle-transformer", QT_TRANSLATE_NOOP("SampleModels", "Retrieves digits; full attention"), nullptr},
    {"needle-swa", QT_TRANSLATE_NOOP("SampleModels", "Fails beyond its window of 32"), nullptr},
    {"needle-orthros-no-so", QT_TRANSLATE_NOOP("SampleModels", "Retrieves digits; without scale-offset"),
     nullptr},
    {"lesson", QT_TRANSLATE_NOOP("SampleModels", "Two layers, w = 4: the model of the lessons"), nullptr},
    {"latency-256", QT_TRANSLATE_NOOP("SampleModels", "Random weights, to time and not to read"),
     "latency-256"},
};

QString pathOf(const Known& known) {
  QString path;
  if (known.cached != nullptr) {
    path = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
           QStringLiteral("/orthros/models/") + QLatin1String(known.cached);
  } else if (const QString folder = sampleModelsFolder(); !folder.isEmpty()) {
    path = folder + QLatin1Char('/') + QLatin1String(known.name);
  }
  return !path.isEmpty() && QFileInfo::exists(path) ? path : QString();
}

}  // namespace

QString sampleModelsFolder() {
  const auto holdsThem = [](const QString& folder) {
    return QFileInfo::exists(folder + QStringLiteral("/lesson/config.json"));
  };
  const QString beside = QDir::cleanPath(QCoreApplication::applicationDirPath() +
                                         QStringLiteral("/../share/orthros/sample_models"));
  if (holdsThem(beside)) return beside;
  QDir folder(QCoreApplication::applicationDirPath());
  for (int level = 0; level < kLevelsUp && folder.cdUp(); ++level) {
    if (const QString here = folder.filePath(QStringLiteral("sample_models")); holdsThem(here)) return here;
  }
  return {};
}

QList<SampleModel> sampleModels() {
  QList<SampleModel> models;
  for (const Known& known : kKnown) {
    const QString path = pathOf(known);
    if (path.isEmpty()) continue;
    const QFileInfo info(path);
    models.append({info.isDir() ? info.fileName() : info.completeBaseName(),
                   QCoreApplication::translate("SampleModels", known.about), path});
  }
  return models;
}

QString sampleModel(const QString& name) {
  for (const Known& known : kKnown) {
    if (name == QLatin1String(known.name)) return pathOf(known);
  }
  return {};
}

}  // namespace orthros::studio
