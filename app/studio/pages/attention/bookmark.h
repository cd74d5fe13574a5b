// Bookmark: what an attention view shows, as a small JSON file: text, window, level, head, query, view,
// scale, pins, regime (none: pre-training), frames of the strip (none: tokens). With the same model it gives
// the same picture. Errors: io, corrupt_file.
#pragma once

#include <QString>
#include <vector>

#include "app/studio/pages/attention/regime_choice.h"
#include "widgets/weight_scale.h"

namespace orthros::studio {

struct Bookmark {
  QString text;
  WindowSpec window;
  CaptureLevel level = CaptureLevel::c3;
  int layer = 0, head = 0, view = 0, measure = 0;
  qint64 query = 0;
  int order = 0, streams = 0, combine = 0;
  widgets::WeightStyle style;
  RegimeChoice regime;
  widgets::Granularity units = widgets::Granularity::Token;
  QString pattern;
  std::vector<qint64> pins;  // more than one: their rows as one
  bool operator==(const Bookmark&) const = default;
};

/// Empty when written, else one line that says what is wrong.
QString writeBookmark(const QString& path, const Bookmark& bookmark);
Result<Bookmark> readBookmark(const QString& path);

}  // namespace orthros::studio
