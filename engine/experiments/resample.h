// Resampler: seeded random numbers whose sequence is ours, so that an interval is the same under every
// standard library. Units: indices 0..n-1. Threads: one object, one thread. Source: multiply-shift range
// reduction (Lemire 2019), bias < n / 2^32.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/experiments/statistics.h"
#include "engine/tasks/random.h"

namespace orthros {

class Resampler {
 public:
  explicit Resampler(uint64_t seed) : random_(seed) {}

  uint64_t next() { return random_.next(); }
  /// Uniform index below n, for n < 2^32.
  size_t index(size_t n) { return static_cast<size_t>(((next() >> 32) * static_cast<uint64_t>(n)) >> 32); }
  bool coin() { return (next() >> 63) != 0; }

 private:
  Random random_;
};

/// Median of values that may be reordered; they must not be empty. One definition for estimates and
/// resamples.
double median_in_place(std::span<double> values);

/// Central 95 % of resampled statistics (reorders them); they must not be empty. Infinities are allowed.
Interval percentile_interval(std::vector<double>& resampled);

bool all_finite(std::span<const double> values);

}  // namespace orthros
