#include "app/studio/pages/models/recent_models.h"

#include <QFileInfo>

#include "app/studio/model_facts.h"
#include "widgets/format.h"

namespace orthros::studio {

void RecentModels::setPaths(const QStringList& paths) {
  beginResetModel();
  m_rows.clear();
  for (const QString& path : paths) {
    const QFileInfo info(path);
    m_rows.append({path, info.isDir() ? info.fileName() : info.completeBaseName(), sizeOnDisk(path)});
  }
  endResetModel();
}

int RecentModels::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant RecentModels::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = m_rows[index.row()];
  switch (role) {
    case Qt::DisplayRole:
      return row.name;
    case Qt::ToolTipRole:
    case PathRole:
      return row.path;
    case BytesRole:
      return row.bytes;
    case Qt::AccessibleDescriptionRole:
    case Qt::StatusTipRole:
      return widgets::formatBytes(row.bytes);
    default:
      return {};
  }
}

}  // namespace orthros::studio
