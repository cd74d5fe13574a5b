// exportPicture: a view as it is drawn, with a title above and a caption below, as SVG (texts as outlines),
// PDF (fonts inside) or PNG (300 dpi), by the file's suffix. In light colours whatever the theme, unless it
// says otherwise.
#pragma once

#include <QString>

class QWidget;

namespace orthros::widgets {

struct PictureText {
  QString title, caption;
  bool inTheme = false;  // as the screen is, dark when it is dark
};

/// Empty when written, else one line that says what is wrong.
QString exportPicture(QWidget* view, const QString& path, const PictureText& text);

}  // namespace orthros::widgets
