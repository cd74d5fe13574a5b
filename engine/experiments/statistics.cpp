#include "engine/experiments/statistics.h"

#include <algorithm>
#include <cmath>

namespace orthros {

Interval wilson(int64_t successes, int64_t n) {
  if (n <= 0) return {0, 1};
  constexpr double z = 1.959963984540054;
  const auto count = static_cast<double>(n);
  const double share = static_cast<double>(successes) / count;
  const double centre = share + z * z / (2 * count);
  const double half = z * std::sqrt(share * (1 - share) / count + z * z / (4 * count * count));
  const double scale = 1 + z * z / count;
  return {std::max(0.0, (centre - half) / scale), std::min(1.0, (centre + half) / scale)};
}

}  // namespace orthros
