// A haystack of exactly so many ids, cut at its front, and where needles may stand in it.
// Private to tasks. Units: token ids, depths in ppm. Errors: the codec's; invalid_argument (it gives no ids).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/tasks/sentence_source.h"
#include "engine/tasks/text_codec.h"

namespace orthros {

struct HaystackIds {
  std::vector<int64_t> ids;
  std::vector<int64_t> boundaries{0};  // ids before each place between sentences; 0 and all ids included
};

/// Sentences are encoded one by one, so that every boundary between them is one between ids.
Result<HaystackIds> take_haystack(SentenceSource& source, const TextCodec& codec, int64_t length);

int64_t nearest_boundary(const HaystackIds& haystack, int64_t depth_ppm);

/// Haystack text is drawn from another stream than needles.
uint64_t haystack_seed(uint64_t prompt_seed);

}  // namespace orthros
