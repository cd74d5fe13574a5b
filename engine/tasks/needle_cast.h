// What one needle prompt is made of besides its haystack: needles, question and answer, as text and ids.
// Private to tasks. Units: token ids, depths in ppm.
#pragma once

#include <vector>

#include "engine/tasks/needle_task.h"
#include "engine/tasks/needle_text.h"

namespace orthros {

struct NeedleCast {
  std::vector<PlacedNeedle> needles;             // targets in the order asked, then distractors
  std::vector<std::vector<int64_t>> needle_ids;  // one for each
  std::vector<size_t> order;                     // of the needles in the prompt
  std::string question;
  std::vector<std::string> expected;
  std::vector<int64_t> question_ids, answer_ids;
  int64_t num_needle_ids = 0;
};

/// How many facts a spec asks for; counts checked.
struct NeedleCounts {
  size_t targets = 1, distractors = 0;
  bool same_key = false;  // all targets are values of one key
};
Result<NeedleCounts> count_needles(const NeedleTaskSpec& spec);

/// attempt: another draw of keys and values for the same seed.
Result<NeedleCast> draw_cast(const NeedleTaskSpec& spec, const NeedleCounts& counts, const TextCodec& codec,
                             const NeedlePromptRequest& request, uint64_t attempt);

/// Ids that needles and question take at most, whatever is drawn.
Result<int64_t> bound_cast_ids(const NeedleTaskSpec& spec, const NeedleCounts& counts,
                               const TextCodec& codec);

}  // namespace orthros
