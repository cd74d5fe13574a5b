// isMotionReduced: whether moves and pulses are to be cuts, as the user chose (Settings, or --reduced-motion).
// Threads: GUI thread.
#pragma once

namespace orthros::widgets {

bool isMotionReduced();
void setMotionReduced(bool reduced);

}  // namespace orthros::widgets
