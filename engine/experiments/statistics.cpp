#include "engine/experiments/statistics.h"

#include <algorithm>
#include <cmath>

namespace orthros {
namespace {

constexpr double kNormal975 = 1.959963984540054;

double share_of(int64_t successes, int64_t n) {
  return static_cast<double>(successes) / static_cast<double>(n);
}

/// Correlation of the two outcomes; one that is positive is taken half a trial smaller (Newcombe's method
/// 10).
double corrected_phi(const PairedCounts& counts) {
  const auto a = static_cast<double>(counts.both), b = static_cast<double>(counts.only_a);
  const auto c = static_cast<double>(counts.only_b), d = static_cast<double>(counts.neither);
  const double margins = (a + b) * (c + d) * (a + c) * (b + d);
  if (margins == 0) return 0;
  const double determinant = a * d - b * c;
  const double corrected = determinant > 0 ? std::max(0.0, determinant - (a + b + c + d) / 2) : determinant;
  return corrected / std::sqrt(margins);
}

double combined_width(double x, double y, double phi) {
  return std::sqrt(std::max(0.0, x * x - 2 * phi * x * y + y * y));
}

/// log of n over k; a sum in long double, because lgamma writes a global variable.
long double log_binomial(int64_t n, int64_t k) {
  long double sum = 0;
  for (int64_t i = 0; i < k; ++i) {
    sum += std::log(static_cast<long double>(n - i) / static_cast<long double>(i + 1));
  }
  return sum;
}

}  // namespace

Interval wilson(int64_t successes, int64_t n) {
  if (n <= 0) return {0, 1};
  constexpr double z = kNormal975;
  const auto count = static_cast<double>(n);
  const double share = share_of(successes, n);
  const double centre = share + z * z / (2 * count);
  const double half = z * std::sqrt(share * (1 - share) / count + z * z / (4 * count * count));
  const double scale = 1 + z * z / count;
  // Exact at the ends, where rounding would leave 1 - 1e-16.
  return {successes == 0 ? 0 : (centre - half) / scale, successes == n ? 1 : (centre + half) / scale};
}

double mcnemar_exact(const PairedCounts& counts) {
  const int64_t n = counts.only_a + counts.only_b;
  const int64_t fewer = std::min(counts.only_a, counts.only_b);
  if (n <= 0) return 1;
  // The largest term of the tail by its logarithm, the others relative to it: nothing under- or overflows.
  const long double largest = log_binomial(n, fewer) - static_cast<long double>(n) * std::log(2.0L);
  long double sum = 0, term = 1;
  for (int64_t i = fewer; i >= 0 && term > sum * 1e-20L; --i) {
    sum += term;
    term *= static_cast<long double>(i) / static_cast<long double>(n - i + 1);
  }
  const long double tail = std::exp(largest + std::log(sum));
  return static_cast<double>(std::min(1.0L, 2 * tail));
}

Interval newcombe_paired(const PairedCounts& counts) {
  const int64_t n = counts.n();
  if (n <= 0) return {-1, 1};
  const int64_t successes_a = counts.both + counts.only_a, successes_b = counts.both + counts.only_b;
  const double a = share_of(successes_a, n), b = share_of(successes_b, n);
  const Interval of_a = wilson(successes_a, n), of_b = wilson(successes_b, n);
  const double phi = corrected_phi(counts);
  const double below = combined_width(a - of_a.low, of_b.high - b, phi);
  const double above = combined_width(of_a.high - a, b - of_b.low, phi);
  const double difference = share_of(counts.only_a - counts.only_b, n);
  return {std::max(-1.0, difference - below), std::min(1.0, difference + above)};
}

}  // namespace orthros
