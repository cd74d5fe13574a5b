// ModelList: models that are one click away (samples, or those opened before), with what they take on disk.
#pragma once

#include <QAbstractListModel>
#include <QList>

#include "app/studio/sample_models.h"

namespace orthros::studio {

class ModelList : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { PathRole = Qt::UserRole, BytesRole, NoteRole };
  using QAbstractListModel::QAbstractListModel;
  /// Sizes are those now on disk; the note is the folder.
  void setPaths(const QStringList& paths);
  /// The note says what the sample is for.
  void setSamples(const QList<SampleModel>& samples);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  struct Row {
    QString path, name, note;
    qint64 bytes = 0;
  };
  QList<Row> m_rows;
};

}  // namespace orthros::studio
