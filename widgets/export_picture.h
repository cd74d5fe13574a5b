// exportPicture: a view as it is drawn, as SVG or PNG (three times the pixels), by the file's suffix.
#pragma once

#include <QString>

class QWidget;

namespace orthros::widgets {

/// Empty when written, else one line that says what is wrong.
QString exportPicture(QWidget* view, const QString& path, const QString& title);

}  // namespace orthros::widgets
