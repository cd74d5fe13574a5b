// KeptDelegate: a kept run in two lines: what was asked; which arm, when.
#pragma once

#include <QStyledItemDelegate>

namespace orthros::studio {

class KeptDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace orthros::studio
