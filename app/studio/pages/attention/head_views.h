// HeadViews: the centre of the attention page: both rows of the pinned query, all rows (pair view), who reads
// the cache, shares by time, and two heads compared. One selection: layer, head, query.
#pragma once

#include <QFrame>

#include "app/studio/newest_job.h"
#include "app/studio/pages/attention/pins.h"

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QStackedWidget;

namespace orthros::widgets {
class GridMap;
class PairView;
class RowPlot;
class ShareTimeline;
class StepTimeline;
}  // namespace orthros::widgets

namespace orthros::studio {

class CompareView;
class ViewTools;

class HeadViews : public QFrame {
  Q_OBJECT
 public:
  enum View { Rows, AllRows, Cache, Timeline, Compare };
  explicit HeadViews(QWidget* parent = nullptr);
  /// Where drawings are prepared; null: at once.
  void setRunner(JobRunner* runner);
  void setCapture(const CapturePointer& capture);
  /// The same capture with more steps: what is chosen stays.
  void growCapture(const CapturePointer& capture);
  void setSelection(int layer, int head, const Pins& pins);
  void setPair(const std::shared_ptr<const widgets::PairData>& pair);
  ViewTools* tools() const { return m_tools; }
  /// Keys of the sink lane; empty while it is off.
  std::vector<qsizetype> lane() const;
  /// The query under the cursor of the view that is shown; -1: none.
  qint64 cursorQuery() const;
  /// In words, for captions: "log₂", "lift, sink lane: keys 0, 5".
  QString styleText() const;
  void setMarked(qint64 key);
  void setView(View view);
  View view() const;
  QWidget* currentView() const;
  /// In words, for captions: "both rows of query 93".
  QString viewName() const;
  widgets::PairView* pairView() const { return m_pair; }
  widgets::RowPlot* plot() const { return m_plot; }
  CompareView* compareView() const { return m_compare; }
  QHBoxLayout* bar() const { return m_bar; }

 Q_SIGNALS:
  void viewChanged();
  void queryChosen(qint64 position);
  void layerChosen(int layer);
  void keyHovered(qint64 key);
  void styleChanged();

 private:
  QWidget* makeCache();
  QWidget* makeTimeline();
  void showRows();
  void applyStyle();
  void showCache();
  void showTimeline();
  void refresh();

  struct Readers {
    widgets::GridData output, base;
  };
  struct Times {
    widgets::GridData beyond;
    std::vector<widgets::SharePoint> shares;
    widgets::StepSeries steps;
  };
  JobRunner* m_runner = nullptr;
  NewestJob<Readers> m_readers{this};
  NewestJob<Times> m_times{this};

  CapturePointer m_capture;
  int m_layer = 0, m_head = 0;
  Pins m_pins;
  std::shared_ptr<const widgets::PairData> m_pairData;
  ViewTools* m_tools;
  QButtonGroup* m_tabs;
  QHBoxLayout* m_bar;
  QStackedWidget* m_stack;
  widgets::RowPlot* m_plot;
  widgets::PairView* m_pair;
  widgets::GridMap* m_outputReaders;
  widgets::GridMap* m_baseReaders;
  QLabel* m_cacheNote;
  widgets::GridMap* m_beyond;
  widgets::ShareTimeline* m_shares;
  widgets::StepTimeline* m_steps;
  CompareView* m_compare;
};

}  // namespace orthros::studio
