// FlowLayout: widgets one after another in rows, as words in a paragraph: what has no room in a row begins
// the next. Threads: GUI thread.
#pragma once

#include <QLayout>
#include <QList>

namespace orthros::widgets {

class FlowLayout : public QLayout {
 public:
  using QLayout::QLayout;
  ~FlowLayout() override;
  void addItem(QLayoutItem* item) override { m_items.append(item); }
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
  QLayoutItem* takeAt(int index) override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  Qt::Orientations expandingDirections() const override { return {}; }
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

 private:
  /// Height of all rows; `place` also moves the widgets.
  int arrange(const QRect& rect, bool place) const;

  QList<QLayoutItem*> m_items;
};

}  // namespace orthros::widgets
