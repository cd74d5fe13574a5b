#include "widgets/motion.h"

namespace orthros::widgets {
namespace {

bool g_reduced = false;  // of the whole program, like the theme

}  // namespace

bool isMotionReduced() {
  return g_reduced;
}

void setMotionReduced(bool reduced) {
  g_reduced = reduced;
}

}  // namespace orthros::widgets
