// RunTableModel: the store's runs as a table. New lists are merged into the old one, so that what a user has
// selected or scrolled to stays. RunFilter: sorted by what a column means, filtered by kind, state, tag, star
// and text. Threads: GUI thread.
#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "app/studio/pages/runs/run_row.h"

namespace orthros::studio {

class RunTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { Star, Kind, Name, Status, When, Duration, Results, Figure, Curve, ColumnCount };
  enum Role { SortRole = Qt::UserRole, RowRole, UuidRole };
  using QAbstractTableModel::QAbstractTableModel;
  void setRows(const QList<RunRow>& rows);
  const QList<RunRow>& rows() const { return m_rows; }
  const RunRow* find(const QString& uuid) const;
  /// All tags in use, sorted.
  QStringList tags() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString text(const RunRow& row, int column) const;
  QString tip(const RunRow& row, int column) const;
  QVariant sortKey(const RunRow& row, int column) const;

  QList<RunRow> m_rows;  // newest first
};

class RunFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit RunFilter(QObject* parent = nullptr);
  void setKind(const QString& kind);      // empty: all
  void setStatus(const QString& status);  // empty: any; "unfinished": what can be resumed
  void setTag(const QString& tag);
  void setStarred(bool starred);
  /// Every word must occur in name, models, tags, note, figure or the beginning of the uuid.
  void setText(const QString& text);
  bool isFiltering() const;

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QString m_kind, m_status, m_tag;
  QStringList m_words;
  bool m_starred = false;
};

}  // namespace orthros::studio
