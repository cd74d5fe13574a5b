// Icons: the program's own line drawings, tinted by role; they follow the theme.
#pragma once

#include <QAbstractButton>
#include <QIcon>

#include "widgets/theme.h"

namespace orthros::widgets {

/// `name` is a file of resources/icons without its suffix.
QIcon icon(const QString& name, Role role = Role::Text);
QPixmap iconPixmap(const QString& name, Role role, int size, qreal devicePixelRatio);
/// Sets the icon now and again at every change of theme. Checked buttons take the accent.
void setThemedIcon(QAbstractButton* button, const QString& name, Role role = Role::Text);

}  // namespace orthros::widgets
