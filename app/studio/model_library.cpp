#include "app/studio/model_library.h"

#include <QFileInfo>

#include "app/studio/text.h"
#include "engine/model/runtime.h"
#include "widgets/format.h"

namespace orthros::studio {

QString OpenedModel::name() const {
  const QFileInfo info(path);
  return info.isDir() ? info.fileName() : info.completeBaseName();
}

ModelLibrary::ModelLibrary(JobRunner& engine, Settings& settings, QObject* parent)
    : QObject(parent), m_engine(engine), m_settings(settings) {}

const OpenedModel* ModelLibrary::find(quint64 id) const {
  const auto found = std::ranges::find(m_models, id, &OpenedModel::id);
  return found == m_models.end() ? nullptr : &*found;
}

OpenedModel* ModelLibrary::edit(quint64 id) {
  const auto found = std::ranges::find(m_models, id, &OpenedModel::id);
  return found == m_models.end() ? nullptr : &*found;
}

const OpenedModel* ModelLibrary::newestReady() const {
  for (auto it = m_models.rbegin(); it != m_models.rend(); ++it) {
    if (it->state == OpenedModel::State::Ready) return &*it;
  }
  return nullptr;
}

LoadOptions ModelLibrary::loadOptions() const {
  LoadOptions options;
  if (m_settings.computeType() == u"float32") options.compute_type = ScalarType::float32;
  if (m_settings.computeType() == u"bfloat16") options.compute_type = ScalarType::bfloat16;
  for (const WeightFormat format :
       {WeightFormat::float32, WeightFormat::bfloat16, WeightFormat::int8, WeightFormat::int4}) {
    if (m_settings.weightType() == QLatin1String(to_string(format))) options.weight_format = format;
  }
  if (m_settings.kvType() == u"float32") options.kv_type = ScalarType::float32;
  if (m_settings.kvType() == u"bfloat16") options.kv_type = ScalarType::bfloat16;
  options.plan_tokens = m_settings.contextTokens();
  return options;
}

quint64 ModelLibrary::open(const QString& path) {
  const QFileInfo info(path);
  const QString canonical = info.exists() ? info.canonicalFilePath() : info.absoluteFilePath();
  for (auto it = m_models.begin(); it != m_models.end(); ++it) {
    if (it->path != canonical) continue;
    const bool there = it->state == OpenedModel::State::Ready || it->state == OpenedModel::State::Loading ||
                       it->state == OpenedModel::State::Reading;
    if (there) return it->id;
    m_models.erase(it);  // failed before: try again
    break;
  }
  OpenedModel model;
  model.id = m_nextId++;
  model.path = canonical;
  m_models.push_back(model);
  Q_EMIT changed();
  startLoading(model.id, canonical);
  return model.id;
}

void ModelLibrary::startLoading(quint64 id, const QString& path) {
  using Loaded = std::shared_ptr<const Model>;
  const auto work = [this, id, path, options = loadOptions(), threads = m_settings.threads(),
                     device = toStd(m_settings.device())](JobContext& context) -> Result<Loaded> {
    ORTHROS_TRY_VOID(set_num_threads(threads));
    ORTHROS_TRY_VOID(check_device(device));
    context.progress(tr("Read"), 0, 0);
    ORTHROS_TRY(ModelFiles files, open_model(toStd(path)));
    ORTHROS_TRY(const ModelFacts facts, readModelFacts(files, options));
    QMetaObject::invokeMethod(
        this,
        [this, id, facts] {
          if (OpenedModel* model = edit(id)) {
            model->facts = facts;
            model->state = OpenedModel::State::Loading;
            Q_EMIT changed();
          }
        },
        Qt::QueuedConnection);
    ORTHROS_TRY(Loaded model, Model::load(std::move(files), options, context.stop(), context.sink()));
    const LoadReport& report = model->report();
    const QString held = widgets::formatBytes(report.held_bytes);
    const QString seconds = widgets::formatNumber(report.seconds);
    context.setMessage(report.expanded_bytes == 0
                           ? tr("%1 held, loaded in %2 s").arg(held, seconds)
                           : tr("%1 held, %2 more expanded for prefill, loaded in %3 s")
                                 .arg(held, widgets::formatBytes(report.expanded_bytes), seconds));
    return model;
  };
  m_engine.start<Loaded>(tr("Load %1").arg(edit(id)->name()), work, this,
                         [this, id](Result<Loaded>& result) { loaded(id, result); });
}

void ModelLibrary::loaded(quint64 id, Result<std::shared_ptr<const Model>>& result) {
  OpenedModel* model = edit(id);
  if (model == nullptr) return;  // closed meanwhile
  if (result) {
    model->state = OpenedModel::State::Ready;
    model->model = *result;
    const LoadReport& report = model->model->report();
    model->heldAs = toQt(report.weights);
    model->computeType = toQt(to_string(report.compute_type));
    model->facts.plan = toView(report.plan);
    model->facts.kvBytesPerToken = kv_bytes_per_token(model->model->config(), report.kv_type);
    m_settings.addRecentModel(model->path);
    Q_EMIT changed();
    Q_EMIT modelReady(id);
    return;
  }
  const ErrorCode code = result.error().code;
  model->state = code == ErrorCode::out_of_memory ? OpenedModel::State::Refused
                 : code == ErrorCode::cancelled   ? OpenedModel::State::Stopped
                                                  : OpenedModel::State::Failed;
  model->problem = toQt(result.error());
  Q_EMIT changed();
  Q_EMIT modelFailed(id);
}

void ModelLibrary::close(quint64 id) {
  const auto found = std::ranges::find(m_models, id, &OpenedModel::id);
  if (found == m_models.end()) return;
  // Gigabytes are given back on the engine thread, not on this one.
  std::shared_ptr<const Model> model = std::move(found->model);
  m_models.erase(found);
  if (model) {
    const auto holder = std::make_shared<std::shared_ptr<const Model>>(std::move(model));
    m_engine.start<void>(
        tr("Close the model"),
        [holder](JobContext&) -> Result<void> {
          holder->reset();
          return {};
        },
        this, [](Result<void>&) {}, /*quiet=*/true);
  }
  Q_EMIT changed();
}

Job* ModelLibrary::convert(quint64 id, const ConvertOptions& options, const QString& destination) {
  const OpenedModel* source = find(id);
  if (source == nullptr) return nullptr;
  const auto work = [path = source->path, options,
                     destination](JobContext& context) -> Result<ConvertReport> {
    ORTHROS_TRY(const ModelFiles files, open_model(toStd(path)));
    ORTHROS_TRY(ConvertReport report,
                convert_model(files, toStd(destination), options, context.stop(), context.sink()));
    context.setMessage(tr("%1 written").arg(widgets::formatBytes(report.bytes)));
    return report;
  };
  return m_engine.start<ConvertReport>(tr("Convert %1").arg(source->name()), work, this,
                                       [this, destination](Result<ConvertReport>& result) {
                                         if (!result) {
                                           if (result.error().code != ErrorCode::cancelled)
                                             Q_EMIT convertFailed(toQt(result.error()));
                                           return;
                                         }
                                         QStringList notes;
                                         for (const std::string& note : result->notes)
                                           notes.append(toQt(note));
                                         Q_EMIT converted(destination, notes);
                                         open(destination);
                                       });
}

}  // namespace orthros::studio
