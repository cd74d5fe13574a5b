// RunComparison: two or more runs side by side: only what differs in spec, models and environment, then their
// figures. Runs are called A, B, C... in the order they stand in.
#pragma once

#include <QWidget>

#include "app/studio/pages/runs/run_row.h"
#include "app/studio/workspace.h"
#include "engine/store/transfer.h"

class QLabel;
class QTableWidget;

namespace orthros::widgets {
class Notice;
}

namespace orthros::studio {

/// More columns than this nobody reads.
constexpr qsizetype kMostCompared = 6;

class RunComparison : public QWidget {
  Q_OBJECT
 public:
  explicit RunComparison(Workspace& workspace, QWidget* parent = nullptr);
  void setRuns(const QList<RunRow>& rows);
  QString csv() const;

 Q_SIGNALS:
  void shown();

 private:
  void showFigures();
  void readDifferences();
  void showDifferences(const std::vector<store::Difference>& differences);

  Workspace& m_workspace;
  QList<RunRow> m_rows;
  QLabel* m_legend;
  QLabel* m_same;
  QTableWidget* m_differences;
  QTableWidget* m_figures;
  widgets::Notice* m_notice;
};

}  // namespace orthros::studio
