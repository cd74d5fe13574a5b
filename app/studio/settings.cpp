#include "app/studio/settings.h"

#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>

#include "app/studio/options.h"
#include "app/studio/text.h"
#include "engine/store/run_store.h"

namespace orthros::studio {
namespace {

constexpr qsizetype kRecent = 12;
constexpr int kContextTokens = 4096;

}  // namespace

Settings::Settings(QObject* parent) : QObject(parent) {}

QVariant Settings::value(const QString& key, const QVariant& fallback) const {
  const auto own = m_session.find(key);
  return own != m_session.end() ? *own : m_store.value(key, fallback);
}

void Settings::setValue(const QString& key, const QVariant& value) {
  if (this->value(key, {}) == value) return;
  if (m_transient) {
    m_session.insert(key, value);
  } else {
    m_session.remove(key);
    m_store.setValue(key, value);
  }
  Q_EMIT changed();
}

widgets::ThemeMode Settings::themeMode() const {
  const QString name = value(QStringLiteral("theme"), {}).toString();
  if (name == u"light") return widgets::ThemeMode::Light;
  return name == u"dark" ? widgets::ThemeMode::Dark : widgets::ThemeMode::System;
}

void Settings::setThemeMode(widgets::ThemeMode mode) {
  static const QString names[] = {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};
  setValue(QStringLiteral("theme"), names[static_cast<int>(mode)]);
}

int Settings::threads() const {
  // The file may have been edited by hand.
  return std::clamp(value(QStringLiteral("threads"), 0).toInt(), 0, kMostThreads);
}

void Settings::setThreads(int threads) {
  setValue(QStringLiteral("threads"), threads);
}

QString Settings::computeType() const {
  return value(QStringLiteral("computeType"), QStringLiteral("auto")).toString();
}

void Settings::setComputeType(const QString& type) {
  setValue(QStringLiteral("computeType"), type);
}

QString Settings::weightType() const {
  return value(QStringLiteral("weightType"), QStringLiteral("auto")).toString();
}

void Settings::setWeightType(const QString& type) {
  setValue(QStringLiteral("weightType"), type);
}

QString Settings::kvType() const {
  return value(QStringLiteral("kvType"), QStringLiteral("auto")).toString();
}

void Settings::setKvType(const QString& type) {
  setValue(QStringLiteral("kvType"), type);
}

QString Settings::device() const {
  return value(QStringLiteral("device"), QStringLiteral("cpu")).toString();
}

void Settings::setDevice(const QString& device) {
  setValue(QStringLiteral("device"), device);
}

bool Settings::reducedMotion() const {
  return value(QStringLiteral("reducedMotion"), false).toBool();
}

void Settings::setReducedMotion(bool reduced) {
  setValue(QStringLiteral("reducedMotion"), reduced);
}

QString Settings::language() const {
  return value(QStringLiteral("language"), QStringLiteral("system")).toString();
}

void Settings::setLanguage(const QString& language) {
  setValue(QStringLiteral("language"), language);
}

int Settings::contextTokens() const {
  return value(QStringLiteral("contextTokens"), kContextTokens).toInt();
}

void Settings::setContextTokens(int tokens) {
  setValue(QStringLiteral("contextTokens"), tokens);
}

QString Settings::dataFolder() const {
  return value(QStringLiteral("dataFolder"), pathToQt(store::default_path().parent_path())).toString();
}

void Settings::setDataFolder(const QString& folder) {
  setValue(QStringLiteral("dataFolder"), folder);
}

QString Settings::runStorePath() const {
  return dataFolder() + QStringLiteral("/runs.sqlite");
}

QString Settings::exportFolder() const {
  const QString last = value(QStringLiteral("exportFolder"), {}).toString();
  return QFileInfo(last).isDir() ? last : QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

void Settings::setExportFolder(const QString& folder) {
  setValue(QStringLiteral("exportFolder"), folder);
}

QStringList Settings::recentModels() const {
  QStringList paths = value(QStringLiteral("recentModels"), {}).toStringList();
  paths.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
  return paths;
}

void Settings::addRecentModel(const QString& path) {
  QStringList paths = value(QStringLiteral("recentModels"), {}).toStringList();
  paths.removeAll(path);
  paths.prepend(path);
  setValue(QStringLiteral("recentModels"), QStringList(paths.first(std::min(kRecent, paths.size()))));
  Q_EMIT recentModelsChanged();
}

void Settings::removeRecentModel(const QString& path) {
  QStringList paths = value(QStringLiteral("recentModels"), {}).toStringList();
  paths.removeAll(path);
  setValue(QStringLiteral("recentModels"), paths);
  Q_EMIT recentModelsChanged();
}

QByteArray Settings::lessonProgress() const {
  return value(QStringLiteral("lessonProgress"), {}).toByteArray();
}

void Settings::setLessonProgress(const QByteArray& progress) {
  setValue(QStringLiteral("lessonProgress"), progress);
}

QByteArray Settings::layout(const QString& name) const {
  return m_store.value(QStringLiteral("layout/") + name).toByteArray();
}

void Settings::setLayout(const QString& name, const QByteArray& state) {
  if (!m_transient) m_store.setValue(QStringLiteral("layout/") + name, state);
}

void Settings::forgetLayout() {
  m_store.remove(QStringLiteral("layout"));
}

}  // namespace orthros::studio
