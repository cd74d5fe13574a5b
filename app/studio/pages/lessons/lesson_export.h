// Exports of lessons: one page a card and the questions at the end, as PDF; the page draws what it shows as
// for any picture (widgets/export_picture.h). Errors: one line, empty when written. Threads: GUI thread.
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace orthros::studio {

struct LessonPageText {
  QString heading, body;
};

/// `turn(i)` brings card i on the figure and returns its text; questions follow as text.
QString writeLessonPdf(const QString& path, const QString& title, int cards, QWidget* figure,
                       const std::function<LessonPageText(int)>& turn, const QStringList& questions);

}  // namespace orthros::studio
