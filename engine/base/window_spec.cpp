#include "engine/base/window_spec.h"

namespace orthros {
namespace {

// Sum of min(t+1, cap) for t in [0, end).
int64_t capped_triangle(int64_t end, int64_t cap) {
  const int64_t ramp = std::min(end, cap);
  return ramp * (ramp + 1) / 2 + (end - ramp) * cap;
}

}  // namespace

int64_t total_support(const WindowSpec& spec, int64_t begin, int64_t end) {
  const int64_t cap = spec.is_full() ? end : spec.window + spec.sinks;
  return capped_triangle(end, cap) - capped_triangle(begin, cap);
}

}  // namespace orthros
