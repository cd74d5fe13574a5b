// ViewTools: how the views of a head show weights: scale, sums of bins, sink lane, streams, and what becomes
// of several pinned queries. One state for all views.
#pragma once

#include <QWidget>

#include "app/studio/pages/attention/pins.h"
#include "widgets/pair_view.h"
#include "widgets/weight_scale.h"

class QComboBox;
class QPushButton;

namespace orthros::studio {

class ViewTools : public QWidget {
  Q_OBJECT
 public:
  using Streams = widgets::PairView::Streams;
  explicit ViewTools(QWidget* parent = nullptr);
  const widgets::WeightStyle& style() const { return m_style; }
  Streams streams() const { return m_streams; }
  void setStyle(const widgets::WeightStyle& style);
  void setStreams(Streams streams);
  void nextScale();
  void toggleSums();
  void toggleLane();
  /// The choice of mean, heaviest, sum is shown while there is more than one pin.
  void setPins(const Pins& pins);

 Q_SIGNALS:
  void styleChanged();
  void streamsChanged();
  void combineChosen(Combine combine);

 private:
  void refresh();

  widgets::WeightStyle m_style;
  Streams m_streams = Streams::Both;
  QComboBox* m_scale;
  QPushButton* m_sums;
  QPushButton* m_lane;
  QPushButton* m_base;
  QPushButton* m_output;
  QComboBox* m_combine;
};

}  // namespace orthros::studio
