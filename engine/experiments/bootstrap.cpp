#include <algorithm>
#include <cmath>

#include "engine/experiments/resample.h"
#include "engine/experiments/statistics.h"

namespace orthros {
namespace {

/// Type 7 on sorted values; between equal neighbours no arithmetic, so that infinities stay themselves.
double sorted_quantile(std::span<const double> sorted, double q) {
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(position);
  const double low = sorted[below], high = sorted[std::min(below + 1, sorted.size() - 1)];
  const double part = position - static_cast<double>(below);
  return part == 0 || low == high ? low : low + part * (high - low);
}

}  // namespace

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

double median_in_place(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const double below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

Interval percentile_interval(std::vector<double>& resampled) {
  std::sort(resampled.begin(), resampled.end());
  return {sorted_quantile(resampled, 0.025), sorted_quantile(resampled, 0.975)};
}

std::optional<double> quantile(std::span<const double> values, double q) {
  if (values.empty() || !all_finite(values) || !(q >= 0 && q <= 1)) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted_quantile(sorted, q);
}

std::optional<double> median(std::span<const double> values) {
  if (values.empty() || !all_finite(values)) return std::nullopt;
  std::vector<double> copy(values.begin(), values.end());
  return median_in_place(copy);
}

std::optional<double> mad(std::span<const double> values) {
  const std::optional<double> centre = median(values);
  if (!centre) return std::nullopt;
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (const double value : values) deviations.push_back(std::abs(value - *centre));
  return median_in_place(deviations);
}

std::optional<Interval> bootstrap_median(std::span<const double> values, int resamples, uint64_t seed) {
  if (values.size() < 2 || resamples < 1 || !all_finite(values)) return std::nullopt;
  Resampler random(seed);
  std::vector<double> sample(values.size()), medians;
  medians.reserve(static_cast<size_t>(resamples));
  for (int i = 0; i < resamples; ++i) {
    for (double& value : sample) value = values[random.index(values.size())];
    medians.push_back(median_in_place(sample));
  }
  return percentile_interval(medians);
}

std::optional<Ratio> bootstrap_paired_ratio(std::span<const double> a, std::span<const double> b,
                                            int resamples, uint64_t seed) {
  if (a.size() < 2 || a.size() != b.size() || resamples < 1) return std::nullopt;
  const auto positive = [](double value) { return value > 0; };
  if (!all_finite(a) || !all_finite(b) || !std::all_of(b.begin(), b.end(), positive)) return std::nullopt;
  Resampler random(seed);
  std::vector<double> sample_a(a.size()), sample_b(b.size()), ratios;
  ratios.reserve(static_cast<size_t>(resamples));
  for (int i = 0; i < resamples; ++i) {
    for (size_t j = 0; j < a.size(); ++j) {
      const size_t pair = random.index(a.size());
      sample_a[j] = a[pair];
      sample_b[j] = b[pair];
    }
    ratios.push_back(median_in_place(sample_a) / median_in_place(sample_b));
  }
  return Ratio{*median(a) / *median(b), percentile_interval(ratios)};
}

}  // namespace orthros
