// KeptPrompts: the prompt runs of the store, newest first, and what one of them said. Reading is for jobs
// (any thread, a connection of its own); the item model is for the GUI thread.
#pragma once

#include <QAbstractListModel>

#include "app/studio/pages/prompt/prompt_types.h"
#include "engine/base/result.h"

namespace orthros::studio {

struct KeptRow {
  QString uuid, name, arm, created, status;
};

struct KeptRun {
  KeptRow row;
  QString text, armKey, modelName;
  std::vector<TokenId> prompt;  // ids of all that was asked
  bool chat = false;
  WindowSpec window;        // full for a Transformer
  GenerateRequest request;  // sampling, limit and stop strings as they were
  ArmFigures figures;
  QList<widgets::TokenChip>
      tokens;  // alternatives have ids and probabilities; bytes where the run itself had them
};

/// An absent store is an empty list.
Result<QList<KeptRow>> readKeptRows(const QString& storePath);
Result<KeptRun> readKeptRun(const QString& storePath, const QString& uuid);

class KeptPrompts : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { UuidRole = Qt::UserRole, ArmRole, CreatedRole };
  using QAbstractListModel::QAbstractListModel;
  void setRows(const QList<KeptRow>& rows);
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  QList<KeptRow> m_rows;
};

}  // namespace orthros::studio
