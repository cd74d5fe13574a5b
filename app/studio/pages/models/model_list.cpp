#include "app/studio/pages/models/model_list.h"

#include <QDir>
#include <QFileInfo>

#include "app/studio/model_facts.h"
#include "widgets/format.h"

namespace orthros::studio {

void ModelList::setPaths(const QStringList& paths) {
  beginResetModel();
  m_rows.clear();
  for (const QString& path : paths) {
    const QFileInfo info(path);
    QString folder = info.path();
    if (folder.startsWith(QDir::homePath() + u'/'))
      folder.replace(0, QDir::homePath().size(), QStringLiteral("~"));
    m_rows.append({path, info.isDir() ? info.fileName() : info.completeBaseName(), folder, sizeOnDisk(path)});
  }
  endResetModel();
}

void ModelList::setSamples(const QList<SampleModel>& samples) {
  beginResetModel();
  m_rows.clear();
  for (const SampleModel& sample : samples)
    m_rows.append({sample.path, sample.name, sample.about, sizeOnDisk(sample.path)});
  endResetModel();
}

int ModelList::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ModelList::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = m_rows[index.row()];
  switch (role) {
    case Qt::DisplayRole:
      return row.name;
    case Qt::ToolTipRole:
      return QString(row.note + QLatin1Char('\n') + row.path);
    case PathRole:
      return row.path;
    case BytesRole:
      return row.bytes;
    case NoteRole:
      return row.note;
    case Qt::AccessibleDescriptionRole:
    case Qt::StatusTipRole:
      return QStringLiteral("%1, %2").arg(row.note, widgets::formatBytes(row.bytes));
    default:
      return {};
  }
}

}  // namespace orthros::studio
