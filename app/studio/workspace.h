// Workspace: what all pages share: settings, the engine thread and its jobs, the open models, the current
// one, and the run store. Threads: GUI thread, except runStore.
#pragma once

#include <QObject>
#include <memory>
#include <mutex>
#include <optional>

#include "app/studio/job.h"
#include "app/studio/model_library.h"
#include "app/studio/settings.h"
#include "engine/store/run_store.h"

namespace orthros::studio {

class Workspace : public QObject {
  Q_OBJECT
 public:
  explicit Workspace(QObject* parent = nullptr);
  ~Workspace() override;

  Settings& settings() { return m_settings; }
  /// The one thread of all torch work.
  JobRunner& engine() { return m_engine; }
  /// Short reads of files and of the run store.
  JobRunner& files() { return m_files; }
  ModelLibrary& library() { return m_library; }

  const OpenedModel* currentModel() const { return m_library.find(m_current); }
  void setCurrentModel(quint64 id);
  /// What all its layers read, where it was trained with a window: to begin with on a page. nullopt: it reads
  /// everything, its layers differ, or there is no model.
  std::optional<WindowSpec> currentWindow() const;

  /// Opened at first use and kept. Any thread; the path is read when the store is first needed.
  Result<store::RunStore*> runStore(const QString& path);
  /// Told by whoever kept a run.
  void announceRun() { Q_EMIT runKept(); }

 Q_SIGNALS:
  void currentModelChanged();
  void runKept();

 private:
  Settings m_settings;
  JobRunner m_engine;
  JobRunner m_files;
  ModelLibrary m_library;
  quint64 m_current = 0;
  std::mutex m_storeMutex;
  std::unique_ptr<store::RunStore> m_store;
};

}  // namespace orthros::studio
