// StackBars: one bar of two parts for each case, the first part's share written on it: where a time goes.
// Bars of one group stand together. Units: those of the axis label. Threads: GUI thread.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

namespace orthros::widgets {

struct StackBar {
  QString group, label;
  QString architecture;          // key of the theme
  double first = 0, second = 0;  // both 0: why there is none stands in the note
  QString note;
};

struct StackBarsData {
  QString title, axis;            // "End to end", "s"
  QString firstName, secondName;  // "prefill", "decode"
  std::vector<StackBar> bars;
  QString empty;
};

class StackBars : public QWidget {
  Q_OBJECT
 public:
  explicit StackBars(QWidget* parent = nullptr);
  void setData(const StackBarsData& data);
  const StackBarsData& data() const { return m_data; }
  QRectF barRect(size_t bar) const;
  QString readout(size_t bar) const;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Row {
    double top = 0;
    bool isGroup = false;
    size_t bar = 0;
  };
  std::vector<Row> rows() const;
  double rowHeight() const;
  double scale() const;
  double labelWidth() const;

  StackBarsData m_data;
};

}  // namespace orthros::widgets
