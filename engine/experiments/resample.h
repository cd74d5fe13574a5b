// Resampler: seeded random numbers whose sequence is ours, so that an interval is the same under every
// standard library. Units: indices 0..n-1. Threads: one object, one thread. Source: SplitMix64 (Steele, Lea,
// Flood 2014); multiply-shift range reduction (Lemire 2019), bias < n / 2^32.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/experiments/statistics.h"

namespace orthros {

class Resampler {
 public:
  explicit Resampler(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  }
  /// Uniform index below n, for n < 2^32.
  size_t index(size_t n) { return static_cast<size_t>(((next() >> 32) * static_cast<uint64_t>(n)) >> 32); }
  bool coin() { return (next() >> 63) != 0; }

 private:
  uint64_t state_;
};

/// Median of values that may be reordered; they must not be empty. One definition for estimates and
/// resamples.
double median_in_place(std::span<double> values);

/// Central 95 % of resampled statistics (reorders them); they must not be empty. Infinities are allowed.
Interval percentile_interval(std::vector<double>& resampled);

bool all_finite(std::span<const double> values);

}  // namespace orthros
