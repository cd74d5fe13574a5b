// SqlPane: any reading question to the run store in SQL: saved examples, a table of answers, errors as text.
// The connection cannot write; a long question can be stopped; at most kMostRows rows are shown.
#pragma once

#include <QAbstractTableModel>
#include <QPointer>
#include <QWidget>

#include "app/studio/job.h"
#include "app/studio/workspace.h"
#include "engine/store/run_reader.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace orthros::widgets {
class Notice;
}

namespace orthros::studio {

struct SqlExample {
  QString title, sql;
};
/// As in engine/store/QUERIES.md.
QList<SqlExample> sqlExamples();

class SqlTableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setTable(store::Table table);
  const store::Table& table() const { return m_table; }
  /// RFC 4180, with a line of headers.
  QString csv() const;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  store::Table m_table;
  std::vector<bool> m_isNumber;  // of each column
};

class SqlPane : public QWidget {
  Q_OBJECT
 public:
  static constexpr qint64 kMostRows = 10'000;
  explicit SqlPane(Workspace& workspace, QWidget* parent = nullptr);
  void run();
  void stop();
  bool isRunning() const { return m_job != nullptr && m_job->isActive(); }
  void setSql(const QString& sql);
  void copyCsv() const;

 Q_SIGNALS:
  void finished();

 private:
  QWidget* makeTop();
  void showAnswer(Result<store::Table>& table, double ms);
  void refresh();

  Workspace& m_workspace;
  QComboBox* m_examples;
  QPlainTextEdit* m_text;
  QPushButton* m_run;
  QPushButton* m_copy;
  QLabel* m_count;
  widgets::Notice* m_notice;
  QTableView* m_view;
  SqlTableModel* m_model;
  QPointer<Job> m_job;
};

}  // namespace orthros::studio
