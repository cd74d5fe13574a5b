// What the stage shows of a pass at a moment: the engine's tensors, put into the stage's own plain data.
#pragma once

#include "app/studio/pages/lessons/lesson_model.h"
#include "engine/lessons/cell_story.h"
#include "widgets/lesson_stage.h"

namespace orthros::studio {

struct StageSpot {
  Moment moment;
  PassSetting setting;
  int64_t row = 0, head = 0;
  bool operator==(const StageSpot&) const = default;
};

widgets::StageData stageDataOf(const LessonPasses& passes, const StageSpot& spot,
                               const QStringList& highlight);

/// What a cell or a slot of the stage says when it is pointed at; empty for what has no number.
std::optional<CellStory> storyOf(const LessonPasses& passes, const StageSpot& spot,
                                 const widgets::StageTarget& target);

}  // namespace orthros::studio
