// exportPicture: a view as it is drawn, with a title above and a caption below, as SVG, PDF or PNG (three
// times the pixels: about 300 dpi), by the file's suffix.
#pragma once

#include <QString>

class QWidget;

namespace orthros::widgets {

struct PictureText {
  QString title, caption;
};

/// Empty when written, else one line that says what is wrong.
QString exportPicture(QWidget* view, const QString& path, const PictureText& text);

}  // namespace orthros::widgets
