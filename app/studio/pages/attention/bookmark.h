// Bookmark: what an attention view shows, as a small JSON file: text, window, level, head, query, view. With
// the same model it gives the same picture. Errors: io, corrupt_file.
#pragma once

#include <QString>

#include "engine/inference/attention_record.h"

namespace orthros::studio {

struct Bookmark {
  QString text;
  WindowSpec window;
  CaptureLevel level = CaptureLevel::c3;
  int layer = 0, head = 0, view = 0, measure = 0;
  qint64 query = 0;
  bool operator==(const Bookmark&) const = default;
};

/// Empty when written, else one line that says what is wrong.
QString writeBookmark(const QString& path, const Bookmark& bookmark);
Result<Bookmark> readBookmark(const QString& path);

}  // namespace orthros::studio
