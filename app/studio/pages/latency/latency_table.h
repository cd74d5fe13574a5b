// LatencyTable: the figures of a run in the paper's Table 4 layout: one row for each point and arm, every
// column with its formula as tooltip. Columns that nothing was measured for are left out. The paper's own
// rows stand below, where it measured the same. Threads: GUI thread.
#pragma once

#include <QAbstractTableModel>

#include "app/studio/pages/latency/latency_runs.h"

namespace orthros::studio {

class LatencyTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setView(const LatencyView& view, bool hasPaper);
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Column {
    QString header, formula;
    bool isText = false;
    bool operator==(const Column&) const = default;
  };
  struct Row {
    QStringList texts;
    QString tip, architecture;
    bool isPaper = false;
  };
  QList<Column> m_columns;
  QList<Row> m_rows;
};

}  // namespace orthros::studio
