// CellStory: how one number on the stage was made: its formula, the same with its operands, and the number
// computed from them, so that a test can hold it against the engine's. Markup of formulas: widgets/formula.h.
// Units: none. Public: no torch. Threads: plain functions.
#pragma once

#include <optional>
#include <string>

#include "engine/inference/pass_trace.h"
#include "engine/lessons/step.h"

namespace orthros {

struct CellStory {
  std::string name;       // "q'_{10}[4]"
  std::string formula;    // "(alpha' \odot x'W_Q + beta') ..." with symbols
  std::string operands;   // with numbers
  float value = 0;        // the engine's own
  double recomputed = 0;  // from the operands, in double
};

/// One number of a lane at a moment; empty where the lane holds nothing at that position.
std::optional<CellStory> tensor_story(const PassTrace& trace, const TracedWeights& weights,
                                      const LaneTensor& lane, StreamKind stream, int64_t position,
                                      int64_t column, bool scale_offset);
/// One attention weight.
std::optional<CellStory> weight_story(const PassTrace& trace, int64_t layer, StreamKind stream, int64_t head,
                                      int64_t position, int64_t key);

/// Four significant digits, "0.004000" and never "0.00".
std::string story_number(double value);

}  // namespace orthros
