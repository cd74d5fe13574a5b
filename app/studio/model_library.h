// ModelLibrary: the models that are open, being opened, or were refused, and the jobs that open, close and
// convert them. Threads: GUI thread; files and weights are read by jobs.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "app/studio/job.h"
#include "app/studio/model_facts.h"
#include "app/studio/settings.h"
#include "engine/model/converter.h"

namespace orthros::studio {

struct OpenedModel {
  enum class State { Reading, Loading, Ready, Refused, Failed, Stopped };
  quint64 id = 0;
  State state = State::Reading;
  QString path, problem;
  ModelFacts facts;  // from Loading on
  QString heldAs;    // when ready: "int4 210 matrices, ..."
  QString computeType;
  std::shared_ptr<const Model> model;  // when ready

  QString name() const;
  bool hasFacts() const { return facts.layers > 0; }
};

class ModelLibrary : public QObject {
  Q_OBJECT
 public:
  ModelLibrary(JobRunner& engine, Settings& settings, QObject* parent = nullptr);

  const std::vector<OpenedModel>& models() const { return m_models; }
  const OpenedModel* find(quint64 id) const;
  const OpenedModel* newestReady() const;

  /// A model that is open already is not read again. Gives its id.
  quint64 open(const QString& path);
  void close(quint64 id);
  /// Opens the result when it is written.
  Job* convert(quint64 id, const ConvertOptions& options, const QString& destination);
  LoadOptions loadOptions() const;

 Q_SIGNALS:
  void changed();
  void modelReady(quint64 id);
  void modelFailed(quint64 id);
  void converted(const QString& folder, const QStringList& notes);
  void convertFailed(const QString& problem);

 private:
  OpenedModel* edit(quint64 id);
  void startLoading(quint64 id, const QString& path);
  void loaded(quint64 id, Result<std::shared_ptr<const Model>>& result);

  JobRunner& m_engine;
  Settings& m_settings;
  std::vector<OpenedModel> m_models;
  quint64 m_nextId = 1;
};

}  // namespace orthros::studio
