#include "engine/experiments/cost_fit.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/experiments/resample.h"

namespace orthros {
namespace {

constexpr int kCoefficients = 3;

Result<std::map<int64_t, std::vector<double>>> pool(std::span<const LengthSamples> samples) {
  std::map<int64_t, std::vector<double>> pools;
  for (const LengthSamples& entry : samples) {
    for (const double seconds : entry.seconds) {
      if (entry.tokens < 1 || !std::isfinite(seconds) || !(seconds > 0)) {
        return fail(ErrorCode::invalid_argument, "a cost fit needs positive times; {} tokens took {} s",
                    entry.tokens, seconds);
      }
      pools[entry.tokens].push_back(seconds);
    }
  }
  if (std::ssize(pools) < kCoefficients) {
    return fail(ErrorCode::invalid_argument, "a cost fit needs at least 3 measured lengths; there are {}",
                pools.size());
  }
  return pools;
}

struct FitInput {
  std::vector<std::vector<double>> samples;  // by length
  std::vector<MedianTime> medians;
};

FitInput fit_input(const std::map<int64_t, std::vector<double>>& pools) {
  FitInput input;
  for (const auto& [tokens, seconds] : pools) {
    input.samples.push_back(seconds);
    input.medians.push_back({static_cast<double>(tokens), *median(seconds)});
  }
  return input;
}

/// Residuals of the medians, relative to the curve and freed of their shrinking by the fit; none for 3
/// lengths, which a curve of 3 coefficients meets exactly.
std::vector<double> misfits(const FitInput& input, const CostCurve& curve) {
  const auto n = static_cast<double>(input.medians.size());
  const double inflation = n > kCoefficients ? std::sqrt(n / (n - kCoefficients)) : 0;
  std::vector<double> result;
  for (const MedianTime& median : input.medians) {
    result.push_back(inflation * (median.seconds / curve.seconds(median.tokens) - 1));
  }
  return result;
}

/// Noise alone would call a bend that the machine puts into the curve significant, so misfit is drawn too:
/// any length's, of either sign, because the longest length holds c alone and so leaves itself no residual.
std::vector<CostCurve> resample_curves(const FitInput& input, const CostCurve& curve, int resamples,
                                       uint64_t seed) {
  const std::vector<double> residuals = misfits(input, curve);
  Resampler random(seed);
  std::vector<CostCurve> curves;
  curves.reserve(static_cast<size_t>(resamples));
  std::vector<MedianTime> medians = input.medians;
  std::vector<double> sample;
  for (int i = 0; i < resamples; ++i) {
    for (size_t j = 0; j < medians.size(); ++j) {
      const std::vector<double>& all = input.samples[j];
      sample.resize(all.size());
      for (double& value : sample) value = all[random.index(all.size())];
      const double noise = median_in_place(sample) / input.medians[j].seconds;
      const double misfit = residuals[random.index(residuals.size())] * (random.coin() ? 1 : -1);
      medians[j].seconds = curve.seconds(medians[j].tokens) * noise * std::max(0.05, 1 + misfit);
    }
    curves.push_back(fit_non_negative(medians));
  }
  return curves;
}

Interval interval_of(const std::vector<CostCurve>& curves, double CostCurve::*coefficient) {
  std::vector<double> values;
  values.reserve(curves.size());
  for (const CostCurve& curve : curves) values.push_back(curve.*coefficient);
  return percentile_interval(values);
}

}  // namespace

double CostCurve::quadratic_share(double tokens) const {
  const double total = seconds(tokens);
  return total > 0 ? quadratic_s * tokens * tokens / total : 0;
}

std::optional<bool> CostFit::quadratic_consistent_with_zero() const {
  if (!intervals) return std::nullopt;
  return intervals->quadratic_s.low <= 0;
}

ModelledTime CostFit::predict(int64_t tokens) const {
  const auto t = static_cast<double>(tokens);
  ModelledTime time;
  time.seconds = curve.seconds(t);
  time.extrapolated = tokens < min_tokens || tokens > max_tokens;
  if (!resampled.empty()) {
    std::vector<double> values;
    values.reserve(resampled.size());
    for (const CostCurve& other : resampled) values.push_back(other.seconds(t));
    time.interval = percentile_interval(values);
  }
  return time;
}

Result<CostFit> fit_cost(std::span<const LengthSamples> samples, int resamples, uint64_t seed) {
  ORTHROS_TRY(auto pools, pool(samples));
  CostFit fit;
  fit.min_tokens = pools.begin()->first;
  fit.max_tokens = pools.rbegin()->first;
  const bool repeated =
      std::all_of(pools.begin(), pools.end(), [](const auto& entry) { return entry.second.size() > 1; });
  const FitInput input = fit_input(pools);
  fit.curve = fit_non_negative(input.medians);
  for (const MedianTime& median : input.medians) {
    const double residual = std::abs(median.seconds / fit.curve.seconds(median.tokens) - 1);
    fit.worst_relative_residual = std::max(fit.worst_relative_residual, residual);
  }
  if (!repeated || resamples < 1) return fit;
  fit.resampled = resample_curves(input, fit.curve, resamples, seed);
  fit.intervals = CostIntervals{interval_of(fit.resampled, &CostCurve::constant_s),
                                interval_of(fit.resampled, &CostCurve::linear_s),
                                interval_of(fit.resampled, &CostCurve::quadratic_s)};
  return fit;
}

}  // namespace orthros
