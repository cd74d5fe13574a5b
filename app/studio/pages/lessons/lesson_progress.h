// LessonProgress: where the reader is in each lesson, what was answered, how deep and how fast; kept in the
// settings as one JSON text. A text that cannot be read is no progress. Threads: GUI thread.
#pragma once

#include <QHash>
#include <QSet>
#include <QString>

#include "engine/lessons/lesson.h"

namespace orthros::studio {

struct LessonProgress {
  QString lesson;  // id
  LessonDepth depth = LessonDepth::idea;
  double speed = 1;
  QHash<QString, int> at;            // item of each lesson
  QHash<QString, QSet<int>> solved;  // questions

  QByteArray toText() const;
  static LessonProgress fromText(const QByteArray& text);
};

}  // namespace orthros::studio
