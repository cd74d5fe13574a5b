// AnswerList: what the model answers as it learns: newest probe first, each answer with what was asked, what
// is right and what the model said, with a sign and a word.
#pragma once

#include <QAbstractListModel>
#include <QWidget>

#include "app/studio/pages/training/training_run.h"

class QLabel;
class QListView;

namespace orthros::studio {

struct AnswerRow {
  qint64 step = 0;
  QString asked, expected, said;
  bool right = false;
};

class AnswerModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { RowRole = Qt::UserRole };
  using QAbstractListModel::QAbstractListModel;
  void clear();
  void add(const TrainingProbe& probe);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  QList<AnswerRow> m_rows;  // newest first
};

class AnswerList : public QWidget {
  Q_OBJECT
 public:
  explicit AnswerList(QWidget* parent = nullptr);
  void clear();
  void add(const std::vector<TrainingProbe>& probes);
  AnswerModel* model() const { return m_model; }

 private:
  QLabel* m_share;
  QListView* m_view;
  AnswerModel* m_model;
};

}  // namespace orthros::studio

Q_DECLARE_METATYPE(orthros::studio::AnswerRow)
