#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/experiments/cost_fit.h"

namespace orthros {
namespace {

constexpr size_t kTerms = 3;
using Vector = std::array<long double, kTerms>;
using Matrix = std::array<Vector, kTerms>;

/// Normal equations of minimising sum (1 - row . x)^2, with rows already divided by the measured time.
struct Normal {
  Matrix gram{};
  Vector right{};
  long double count = 0;

  long double loss(const Vector& x) const {
    long double result = count;
    for (size_t i = 0; i < kTerms; ++i) {
      result -= 2 * right[i] * x[i];
      for (size_t j = 0; j < kTerms; ++j) result += x[i] * gram[i][j] * x[j];
    }
    return result;
  }
};

Normal normal_equations(std::span<const MedianTime> medians, double longest) {
  Normal normal;
  normal.count = static_cast<long double>(medians.size());
  for (const MedianTime& median : medians) {
    const long double weight = 1 / static_cast<long double>(median.seconds);
    const long double u = static_cast<long double>(median.tokens) / longest;
    const Vector row{weight, weight * u, weight * u * u};
    for (size_t i = 0; i < kTerms; ++i) {
      normal.right[i] += row[i];
      for (size_t j = 0; j < kTerms; ++j) normal.gram[i][j] += row[i] * row[j];
    }
  }
  return normal;
}

/// Cholesky on the terms in `subset`; the others stay 0. False when they cannot be told apart.
bool solve_subset(const Normal& normal, unsigned subset, Vector& x) {
  std::array<size_t, kTerms> terms{};
  size_t n = 0;
  for (size_t i = 0; i < kTerms; ++i) {
    if ((subset >> i & 1U) != 0) terms[n++] = i;
  }
  Matrix lower{};
  Vector y{};
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      long double sum = normal.gram[terms[i]][terms[j]];
      for (size_t k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
      if (i == j && !(sum > normal.gram[terms[i]][terms[i]] * 1e-15L)) return false;
      lower[i][j] = i == j ? std::sqrt(sum) : sum / lower[j][j];
    }
    long double sum = normal.right[terms[i]];
    for (size_t k = 0; k < i; ++k) sum -= lower[i][k] * y[k];
    y[i] = sum / lower[i][i];
  }
  x = {};
  for (size_t i = n; i-- > 0;) {
    long double sum = y[i];
    for (size_t k = i + 1; k < n; ++k) sum -= lower[k][i] * x[terms[k]];
    x[terms[i]] = sum / lower[i][i];
  }
  return true;
}

}  // namespace

CostCurve fit_non_negative(std::span<const MedianTime> medians) {
  double longest = 0;
  for (const MedianTime& median : medians) longest = std::max(longest, median.tokens);
  const Normal normal = normal_equations(medians, longest);
  // The optimum is the unconstrained one of its own support, so the best feasible subset is the exact answer.
  Vector best{}, x{};
  long double best_loss = std::numeric_limits<long double>::infinity();
  for (unsigned subset = 1; subset < 1U << kTerms; ++subset) {
    if (!solve_subset(normal, subset, x)) continue;
    const bool feasible = std::all_of(x.begin(), x.end(), [](long double value) { return value >= 0; });
    const long double loss = normal.loss(x);
    if (!feasible || !(loss < best_loss)) continue;
    best_loss = loss;
    best = x;
  }
  const long double scale = longest;
  return {static_cast<double>(best[0]), static_cast<double>(best[1] / scale),
          static_cast<double>(best[2] / (scale * scale))};
}

}  // namespace orthros
