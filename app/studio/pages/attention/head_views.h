// HeadViews: the centre of the attention page: both rows of the pinned query, all rows (pair view), who reads
// the cache, shares by time, and two heads compared. One selection: layer, head, query.
#pragma once

#include <QFrame>

#include "app/studio/pages/attention/attention_capture.h"

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QStackedWidget;

namespace orthros::widgets {
class GridMap;
class PairView;
class RowPlot;
class ShareTimeline;
}  // namespace orthros::widgets

namespace orthros::studio {

class CompareView;

class HeadViews : public QFrame {
  Q_OBJECT
 public:
  enum View { Rows, AllRows, Cache, Timeline, Compare };
  explicit HeadViews(QWidget* parent = nullptr);
  void setCapture(const CapturePointer& capture);
  void setSelection(int layer, int head, qint64 position);
  void setPair(const std::shared_ptr<const widgets::PairData>& pair);
  void setLogScale(bool log);
  void setMarked(qint64 key);
  void setView(View view);
  View view() const;
  QWidget* currentView() const;
  /// In words, for captions: "both rows of query 93".
  QString viewName() const;
  widgets::PairView* pairView() const { return m_pair; }
  CompareView* compareView() const { return m_compare; }
  QHBoxLayout* bar() const { return m_bar; }

 Q_SIGNALS:
  void viewChanged();
  void queryChosen(qint64 position);
  void layerChosen(int layer);
  void keyHovered(qint64 key);

 private:
  QWidget* makeCache();
  QWidget* makeTimeline();
  void showRows();
  void refresh();

  CapturePointer m_capture;
  int m_layer = 0, m_head = 0;
  qint64 m_position = 0;
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
  CompareView* m_compare;
};

}  // namespace orthros::studio
