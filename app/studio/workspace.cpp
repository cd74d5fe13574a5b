#include "app/studio/workspace.h"

#include <QDir>
#include <QFileInfo>

#include "app/studio/text.h"
#include "engine/inference/attention_record.h"

namespace orthros::studio {

Workspace::Workspace(QObject* parent)
    : QObject(parent),
      m_engine(QStringLiteral("engine")),
      m_files(QStringLiteral("files")),
      m_library(m_engine, m_settings) {
  connect(&m_library, &ModelLibrary::modelReady, this, &Workspace::setCurrentModel);
  connect(&m_library, &ModelLibrary::changed, this, [this] {
    if (m_current != 0 && m_library.find(m_current) == nullptr) {
      const OpenedModel* next = m_library.newestReady();
      setCurrentModel(next == nullptr ? 0 : next->id);
    }
  });
}

Workspace::~Workspace() {
  // Jobs refer to the library and the store: they end first.
  m_engine.shutDown();
  m_files.shutDown();
}

void Workspace::setCurrentModel(quint64 id) {
  if (m_current == id) return;
  m_current = id;
  Q_EMIT currentModelChanged();
}

std::optional<WindowSpec> Workspace::currentWindow() const {
  const OpenedModel* model = currentModel();
  if (model == nullptr || !model->model) return {};
  const auto window = common_window(model->model->config());
  if (!window || window->is_full()) return {};
  return *window;
}

Result<store::RunStore*> Workspace::runStore(const QString& path) {
  const std::scoped_lock lock(m_storeMutex);
  if (!m_store) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    ORTHROS_TRY(m_store, store::RunStore::open(toStd(path)));
    // Runs whose program has died are no longer running: they can be resumed.
    ORTHROS_TRY([[maybe_unused]] const auto recovered, m_store->recover());
  }
  return m_store.get();
}

}  // namespace orthros::studio
