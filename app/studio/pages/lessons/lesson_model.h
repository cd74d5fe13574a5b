// The lesson model and the passes of a lesson by it: made on the engine's thread, then only read.
#pragma once

#include <QString>
#include <memory>

#include "engine/lessons/lesson_passes.h"

namespace orthros::studio {

using PassesPointer = std::shared_ptr<const LessonPasses>;

/// In fp32, whatever this machine computes fastest: its numbers are shown. not_found when the path is empty.
Result<std::shared_ptr<const Model>> loadLessonModel(const QString& path, const StopToken& stop);

}  // namespace orthros::studio
