// Inputs and target switching shared by the tests of matrices and row operations.
// Threads: on_every_target changes the process-wide choice of instruction set; not inside parallel regions.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "engine/kernels/gemv_kernels.h"

namespace orthros::kernels {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Values of very different sizes: most near 1, some a thousand times larger, some tiny.
inline std::vector<float> heavy_tailed(int64_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> out(static_cast<size_t>(count));
  for (float& v : out) {
    const float spread = normal(random);
    v = normal(random) * std::exp(spread * std::fabs(spread));
  }
  return out;
}

/// Runs `body` once for each Highway target here, and once with the default choice (VNNI where it is).
template <class Body>
void on_every_target(Body body) {
  allow_vnni_for_test(false);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    SCOPED_TRACE(hwy::TargetName(target));
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  allow_vnni_for_test(true);
  SCOPED_TRACE("default");
  body();
}

}  // namespace orthros::kernels
