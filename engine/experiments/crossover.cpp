#include "engine/experiments/crossover.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/experiments/resample.h"

namespace orthros {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct CurvePoint {
  double tokens = 0, ratio = 0;
};

/// 0: reached before the first length. Infinity: not reached.
double first_reaching(std::span<const CurvePoint> curve, double target) {
  if (curve.front().ratio > target) return 0;
  if (curve.front().ratio == target) return curve.front().tokens;
  for (size_t i = 1; i < curve.size(); ++i) {
    const CurvePoint& left = curve[i - 1];
    const CurvePoint& right = curve[i];
    if (right.ratio < target) continue;
    const double part = std::log(target / left.ratio) / std::log(right.ratio / left.ratio);
    return left.tokens * std::pow(right.tokens / left.tokens, part);
  }
  return kInfinity;
}

bool usable(const PairedSamples& entry) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  return entry.tokens > 0 && entry.baseline_s.size() >= 2 &&
         entry.baseline_s.size() == entry.model_s.size() &&
         std::all_of(entry.baseline_s.begin(), entry.baseline_s.end(), positive) &&
         std::all_of(entry.model_s.begin(), entry.model_s.end(), positive);
}

std::vector<const PairedSamples*> usable_by_length(std::span<const PairedSamples> samples) {
  std::vector<const PairedSamples*> sorted;
  for (const PairedSamples& entry : samples) {
    if (usable(entry)) sorted.push_back(&entry);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const PairedSamples* a, const PairedSamples* b) { return a->tokens < b->tokens; });
  return sorted;
}

double resampled_ratio(const PairedSamples& entry, Resampler& random, std::vector<double>& a,
                       std::vector<double>& b) {
  a.resize(entry.baseline_s.size());
  b.resize(entry.model_s.size());
  for (size_t i = 0; i < a.size(); ++i) {
    const size_t pair = random.index(a.size());
    a[i] = entry.baseline_s[pair];
    b[i] = entry.model_s[pair];
  }
  return median_in_place(a) / median_in_place(b);
}

}  // namespace

std::vector<SpeedUpPoint> speed_up_curve(std::span<const PairedSamples> samples, int resamples,
                                         uint64_t seed) {
  std::vector<SpeedUpPoint> curve;
  for (const PairedSamples* entry : usable_by_length(samples)) {
    const auto ratio = bootstrap_paired_ratio(entry->baseline_s, entry->model_s, resamples, seed);
    if (ratio) curve.push_back({entry->tokens, std::ssize(entry->model_s), *ratio});
  }
  return curve;
}

std::optional<FirstFaster> first_faster(std::span<const SpeedUpPoint> curve) {
  const auto faster = [](const SpeedUpPoint& point) { return point.ratio.interval.low > 1; };
  const auto first = std::find_if(curve.begin(), curve.end(), faster);
  if (first == curve.end()) return std::nullopt;
  return FirstFaster{first->tokens, std::all_of(first, curve.end(), faster)};
}

std::optional<int64_t> last_slower(std::span<const SpeedUpPoint> curve) {
  std::optional<int64_t> last;
  for (const SpeedUpPoint& point : curve) {
    if (point.ratio.interval.high < 1) last = point.tokens;
  }
  return last;
}

std::optional<ReachedSpeedUp> length_reaching(std::span<const PairedSamples> samples, double target,
                                              int resamples, uint64_t seed) {
  const std::vector<const PairedSamples*> sorted = usable_by_length(samples);
  if (sorted.empty() || !std::isfinite(target) || !(target > 0) || resamples < 1) return std::nullopt;
  std::vector<CurvePoint> curve;
  curve.reserve(sorted.size());
  for (const PairedSamples* entry : sorted) {
    curve.push_back(
        {static_cast<double>(entry->tokens), *median(entry->baseline_s) / *median(entry->model_s)});
  }
  ReachedSpeedUp reached;
  reached.target = target;
  reached.first_tokens = sorted.front()->tokens;
  reached.last_tokens = sorted.back()->tokens;
  const double tokens = first_reaching(curve, target);
  using Where = ReachedSpeedUp::Where;
  reached.where = tokens == 0 ? Where::before_first : std::isinf(tokens) ? Where::beyond_last : Where::within;
  if (reached.where == Where::within) reached.tokens = tokens;

  Resampler random(seed);
  std::vector<double> crossings, a, b;
  crossings.reserve(static_cast<size_t>(resamples));
  for (int i = 0; i < resamples; ++i) {
    for (size_t j = 0; j < sorted.size(); ++j) curve[j].ratio = resampled_ratio(*sorted[j], random, a, b);
    crossings.push_back(first_reaching(curve, target));
  }
  reached.interval = percentile_interval(crossings);
  return reached;
}

std::string ReachedSpeedUp::sentence() const {
  if (where == Where::before_first)
    return fmt::format("{:g}x already at {} tokens, the shortest measured", target, first_tokens);
  if (where == Where::beyond_last)
    return fmt::format("{:g}x not reached up to {} tokens", target, last_tokens);
  const std::string low = interval.low < static_cast<double>(first_tokens)
                              ? fmt::format("below {}", first_tokens)
                              : fmt::format("{:.0f}", interval.low);
  const std::string high = interval.high > static_cast<double>(last_tokens)
                               ? fmt::format("beyond {}", last_tokens)
                               : fmt::format("{:.0f}", interval.high);
  return fmt::format("{:g}x at {:.0f} tokens (95 %: {} to {})", target, tokens.value_or(0), low, high);
}

double EndToEndTimes::gain(double steps) const {
  return (baseline_ttft_s + steps * baseline_step_s) / (model_ttft_s + steps * model_step_s);
}

GainFall steps_until_gain(const EndToEndTimes& times, double x) {
  const double head_start = times.baseline_ttft_s - x * times.model_ttft_s;
  const double lost_a_step = x * times.model_step_s - times.baseline_step_s;
  if (head_start <= 0) return {GainFall::Kind::starts_below, 0};
  if (lost_a_step <= 0) return {GainFall::Kind::stays_above, 0};
  return {GainFall::Kind::falls, head_start / lost_a_step};
}

}  // namespace orthros
