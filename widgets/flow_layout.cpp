#include "widgets/flow_layout.h"

#include <algorithm>

namespace orthros::widgets {

FlowLayout::~FlowLayout() {
  qDeleteAll(m_items);
}

QLayoutItem* FlowLayout::takeAt(int index) {
  return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const {
  return arrange({0, 0, width, 0}, false);
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : m_items) {
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  }
  const QMargins margins = contentsMargins();
  return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool place) const {
  const QRect inside = rect.marginsRemoved(contentsMargins());
  QList<QLayoutItem*> row;
  int y = inside.y();
  int wide = 0;
  int high = 0;
  const auto finishRow = [&] {
    int x = inside.x();
    for (QLayoutItem* item : row) {
      const QSize size = item->sizeHint();
      if (place)
        item->setGeometry({{x, y + (high - size.height()) / 2},
                           QSize(std::min(size.width(), inside.width()), size.height())});
      x += size.width() + spacing();
    }
    row.clear();
  };
  for (QLayoutItem* item : m_items) {
    if (item->isEmpty()) continue;  // hidden
    const QSize size = item->sizeHint();
    if (!row.isEmpty() && wide + spacing() + size.width() > inside.width()) {
      finishRow();
      y += high + spacing();
      wide = high = 0;
    }
    wide += (row.isEmpty() ? 0 : spacing()) + size.width();
    high = std::max(high, size.height());
    row.append(item);
  }
  finishRow();
  return y + high - rect.y() + contentsMargins().bottom();
}

}  // namespace orthros::widgets
