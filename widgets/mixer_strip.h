// MixerStrip: one tick a layer, coloured by what the layer mixes tokens with; hover says which.
#pragma once

#include <QList>
#include <QWidget>

namespace orthros::widgets {

struct MixerTick {
  QString architecture;  // colour key of the theme: "transformer", "swa", "orthros", ...
  QString text;          // "layer 3: Orthros attention, window 128 + 4 sinks"
};

class MixerStrip : public QWidget {
  Q_OBJECT
 public:
  explicit MixerStrip(QWidget* parent = nullptr);
  void setTicks(const QList<MixerTick>& ticks);
  QSize sizeHint() const override { return {240, 18}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF tickRect(qsizetype index) const;

  QList<MixerTick> m_ticks;
};

}  // namespace orthros::widgets
