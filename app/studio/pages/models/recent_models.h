// RecentModels: models opened before, newest first, with what they take on disk.
#pragma once

#include <QAbstractListModel>
#include <QList>

namespace orthros::studio {

class RecentModels : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { PathRole = Qt::UserRole, BytesRole };
  using QAbstractListModel::QAbstractListModel;
  /// Sizes are those now on disk.
  void setPaths(const QStringList& paths);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  struct Row {
    QString path, name;
    qint64 bytes = 0;
  };
  QList<Row> m_rows;
};

}  // namespace orthros::studio
