#include "app/studio/pages/prompt/kept_delegate.h"

#include <QPainter>

#include "app/studio/pages/prompt/kept_prompts.h"
#include "widgets/theme.h"

namespace orthros::studio {

QSize KeptDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {200, 48};
}

void KeptDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  using widgets::Role;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  if (selected || option.state.testFlag(QStyle::State_MouseOver)) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(widgets::color(selected ? Role::AccentSoft : Role::Raised));
    painter->drawRoundedRect(option.rect, 4, 4);
  }
  const QRect text = option.rect.adjusted(8, 6, -8, -6);
  painter->setPen(widgets::color(Role::Text));
  painter->drawText(text, Qt::AlignTop | Qt::AlignLeft,
                    option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, text.width()));
  QFont caption = option.font;
  caption.setPixelSize(11);
  const QFontMetrics metrics(caption);
  const QString created = index.data(KeptPrompts::CreatedRole).toString();
  const QString arm = index.data(KeptPrompts::ArmRole).toString();
  painter->setFont(caption);
  painter->setPen(widgets::color(Role::Muted));
  painter->drawText(text, Qt::AlignBottom | Qt::AlignRight, created);
  painter->drawText(
      text, Qt::AlignBottom | Qt::AlignLeft,
      metrics.elidedText(arm, Qt::ElideLeft, text.width() - metrics.horizontalAdvance(created) - 12));
  painter->restore();
}

}  // namespace orthros::studio
