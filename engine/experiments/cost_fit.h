// Cost fit: seconds = a + b T + c T^2 with non-negative coefficients, fitted to medians by relative error, so
// that short prompts count as much as long ones. What comes out of the curve is a model and says so. Units:
// tokens, seconds. Errors: invalid_argument (fewer than 3 lengths, or times that are not positive). Threads:
// pure functions. Public: no torch. Source: niah-and-latency.md 5.8; Lawson, Hanson 1974 (NNLS).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/experiments/statistics.h"

namespace orthros {

/// Repetitions at one length.
struct LengthSamples {
  int64_t tokens = 0;
  std::vector<double> seconds;
};

struct CostCurve {
  double constant_s = 0;   // a
  double linear_s = 0;     // b, a token
  double quadratic_s = 0;  // c, a token squared
  double seconds(double tokens) const { return constant_s + tokens * (linear_s + tokens * quadratic_s); }
  /// Part of the time at this length that grows with the square of it.
  double quadratic_share(double tokens) const;
};

struct CostIntervals {
  Interval constant_s, linear_s, quadratic_s;
};

struct ModelledTime {
  static constexpr const char* label = "model";  // to stand beside the number wherever it is shown
  double seconds = 0;
  std::optional<Interval> interval;
  bool extrapolated = false;  // outside the measured lengths: draw it dashed
};

struct CostFit {
  CostCurve curve;
  /// 95 %, from noise (samples resampled at every length) and misfit (the curve's residuals with random
  /// signs); nullopt when a length has a single sample.
  std::optional<CostIntervals> intervals;
  std::vector<CostCurve> resampled;  // behind the intervals
  int64_t min_tokens = 0, max_tokens = 0;
  double worst_relative_residual = 0;  // of a median against the curve

  /// Whether the interval of c holds 0: "linear as far as measured". nullopt without intervals.
  std::optional<bool> quadratic_consistent_with_zero() const;
  ModelledTime predict(int64_t tokens) const;
};

/// Entries of one length are pooled.
Result<CostFit> fit_cost(std::span<const LengthSamples> samples, int resamples = 2'000, uint64_t seed = 1);

/// One measured median, all values positive; the exact weighted non-negative least squares of at least 3
/// lengths.
struct MedianTime {
  double tokens = 0, seconds = 0;
};
CostCurve fit_non_negative(std::span<const MedianTime> medians);

}  // namespace orthros
