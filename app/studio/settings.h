// Settings: what the user chose, typed, kept by QSettings. Command-line options go through the same setters,
// and are not kept when `transient` is on. Layout is written only when it changed. Threads: GUI thread.
#pragma once

#include <QObject>
#include <QSettings>
#include <QStringList>

#include "widgets/theme.h"

namespace orthros::studio {

class Settings : public QObject {
  Q_OBJECT
 public:
  explicit Settings(QObject* parent = nullptr);
  /// Later changes hold for this session alone (command-line options).
  void setTransient(bool transient) { m_transient = transient; }

  widgets::ThemeMode themeMode() const;
  void setThemeMode(widgets::ThemeMode mode);
  int threads() const;  // 0: all cores
  void setThreads(int threads);
  QString computeType() const;  // "auto", "float32", "bfloat16"
  void setComputeType(const QString& type);
  QString weightType() const;  // as held: "auto", "float32", "bfloat16", "int8", "int4"
  void setWeightType(const QString& type);
  QString kvType() const;  // "auto", "float32", "bfloat16"
  void setKvType(const QString& type);
  QString device() const;  // "cpu" or "cuda"
  void setDevice(const QString& device);
  bool reducedMotion() const;
  void setReducedMotion(bool reduced);
  QString language() const;  // "system", "en", "zh_CN"; in force at the next start
  void setLanguage(const QString& language);
  int contextTokens() const;  // what memory plans and sessions reckon with
  void setContextTokens(int tokens);
  /// Holds runs.sqlite and converted models.
  QString dataFolder() const;
  void setDataFolder(const QString& folder);
  QString runStorePath() const;

  /// Where the last export went; at first the user's documents.
  QString exportFolder() const;
  void setExportFolder(const QString& folder);

  /// Newest first; those that are gone are left out.
  QStringList recentModels() const;
  void addRecentModel(const QString& path);
  void removeRecentModel(const QString& path);

  /// Of the lessons page: where the reader is, as JSON.
  QByteArray lessonProgress() const;
  void setLessonProgress(const QByteArray& progress);

  QByteArray layout(const QString& name) const;
  void setLayout(const QString& name, const QByteArray& state);
  void forgetLayout();

 Q_SIGNALS:
  void changed();
  void recentModelsChanged();

 private:
  QVariant value(const QString& key, const QVariant& fallback) const;
  void setValue(const QString& key, const QVariant& value);

  QSettings m_store;
  QVariantMap m_session;
  bool m_transient = false;
};

}  // namespace orthros::studio
