// RunDetails: one run in the drawer: name, tags and note to write, and what is known of it to read. What is
// being written is not overwritten when the store changes.
#pragma once

#include <QWidget>

#include "app/studio/pages/runs/run_row.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QTimer;

namespace orthros::studio {

enum class RunField { Name, Tags, Note, Starred };

class RunDetails : public QWidget {
  Q_OBJECT
 public:
  explicit RunDetails(QWidget* parent = nullptr);
  void setRun(const RunRow& row);
  /// Hands on what was written and not yet said.
  void commit();

 Q_SIGNALS:
  void edited(qint64 id, RunField field, const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showFacts();

  RunRow m_row;
  QLabel* m_sign;
  QLabel* m_state;
  QLineEdit* m_name;
  QLineEdit* m_tags;
  QPlainTextEdit* m_note;
  QLabel* m_problem;
  QFormLayout* m_facts;
  QTimer* m_noteTimer;
};

}  // namespace orthros::studio
