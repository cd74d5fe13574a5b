// LessonTask: what ends a card's task. A card names events, all of which must happen, in any order; a key
// that changes nothing is no event. Events: next, step:on, step:back, row:N, window:K (the window of the row
// in focus holds key K), head, depth, regime:R, output:on|off, scale_offset:on|off, point:NAME or
// point:NAME:POSITION. A card may name the first part alone. Units: positions 1-based. Public: no torch.
// Threads: plain functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/lessons/lesson.h"

namespace orthros {

/// Empty when a card may wait for this event; else what is wrong with it.
std::string problem_of_event(std::string_view wanted);
/// "row:5" is what "row:5" and "row" wait for, and "row:50" is not.
bool is_event(std::string_view happened, std::string_view wanted);
/// Tasks that cannot be done, are done before they are begun, or name an arrow key that does nothing there.
std::vector<std::string> check_task(const LessonCard& card, const PassTrace& trace);

}  // namespace orthros
