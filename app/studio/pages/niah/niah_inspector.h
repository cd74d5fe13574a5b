// NiahInspector: the trials of one cell under one arm: what was answered, how sure, how much attention lay on
// the needle, the prompt around it, and the way to the attention explorer. Threads: GUI thread; the store is
// read by jobs.
#pragma once

#include <QFrame>

#include "app/studio/pages/attention/attention_request.h"
#include "app/studio/pages/niah/niah_runs.h"
#include "app/studio/pages/niah/niah_trials.h"
#include "app/studio/workspace.h"
#include "widgets/needle_data.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTableWidget;

namespace orthros::studio {

class NiahInspector : public QFrame {
  Q_OBJECT
 public:
  explicit NiahInspector(Workspace& workspace, QWidget* parent = nullptr);
  /// The trials of a cell; the arm that was looked at stays. Hides itself for a margin.
  void look(const NiahView& view, widgets::NeedleIndex cell, qsizetype arm = -1);
  /// The same experiment, further: reads again only when the cell has more trials.
  void follow(const NiahView& view);
  /// What is shown, in order; empty while it is read.
  const std::vector<NiahTrial>& trials() const { return m_trials; }
  QSize sizeHint() const override { return {340, 400}; }

 Q_SIGNALS:
  void attentionRequested(const AttentionRequest& request);
  void closed();
  void shown();  // trials and the prompt of the chosen one are read

 private:
  QWidget* makeHead();
  void readTrials();
  void showTrials(std::vector<NiahTrial> trials);
  void chooseTrial();
  void showPrompt(const Result<NiahPrompt>& prompt);
  void openAttention();
  const NiahTrial* chosen() const;

  Workspace& m_workspace;
  NiahView m_view;
  widgets::NeedleIndex m_cell;
  quint64 m_asked = 0;  // newest request: an older answer is dropped
  std::vector<NiahTrial> m_trials;
  NiahPrompt m_prompt;
  Result<NiahArmSource> m_arm;  // of the arm that is looked at, when it is open
  QLabel* m_title;
  QComboBox* m_arms;
  QTableWidget* m_table;
  QLabel* m_facts;
  QPlainTextEdit* m_text;
  QLabel* m_problem;
  QPushButton* m_explore;
};

}  // namespace orthros::studio
