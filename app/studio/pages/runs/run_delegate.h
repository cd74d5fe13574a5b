// RunDelegate: the table of runs as it is drawn: star, kind with its icon, name over models and tags, state
// as sign and word, figures in tabular digits, a small curve an arm.
#pragma once

#include <QStyledItemDelegate>

#include "app/studio/pages/runs/run_row.h"
#include "widgets/theme.h"

namespace orthros::studio {

/// The sign of a state, and its colour: never without its word.
std::pair<QString, widgets::Role> statusSign(const QString& status);
/// Icon name of a kind.
QString kindIcon(const QString& kind);
void paintCurves(QPainter& painter, const QRectF& box, const RunRow& row);

class RunDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  static constexpr int kRowHeight = 46;
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace orthros::studio
