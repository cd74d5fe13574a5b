#include "widgets/attention_measures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace orthros::widgets {

RowMeasures measureRow(std::span<const float> weights, const RowParts& parts) {
  RowMeasures measures;
  const auto count = static_cast<qsizetype>(weights.size());
  if (count == 0) return measures;
  const qsizetype near = parts.window == 0 ? 0 : std::max<qsizetype>(0, count - parts.window);
  double entropy = 0;
  double distance = 0;
  for (qsizetype key = 0; key < count; ++key) {
    const double weight = weights[static_cast<size_t>(key)];
    if (weight <= 0) continue;
    ++measures.support;
    entropy -= weight * std::log(weight);
    distance += weight * static_cast<double>(count - 1 - key);
    // A sink that the window covers counts as window: the base row reads it either way.
    measures.top = std::max(measures.top, weight);
    const qsizetype offset = count - 1 - key;
    if (offset >= parts.window - kEdge && offset < parts.window) measures.edge += weight;
    double& part = key >= near ? measures.window : key < parts.sinks ? measures.sink : measures.beyond;
    part += weight;
  }
  measures.entropy = measures.support > 1 ? entropy / std::log(static_cast<double>(measures.support)) : 0;
  measures.distance = count > 1 ? distance / static_cast<double>(count - 1) : 0;
  measures.self = weights.back();
  measures.previous = count > 1 ? static_cast<double>(weights[weights.size() - 2]) : 0;
  measures.first = weights.front();
  return measures;
}

double inductionMass(std::span<const float> weights, std::span<const std::int64_t> ids) {
  if (weights.empty() || ids.size() < weights.size()) return 0;
  const std::int64_t asks = ids[weights.size() - 1];
  double mass = 0;
  for (size_t key = 1; key < weights.size(); ++key) {
    if (ids[key - 1] == asks) mass += static_cast<double>(weights[key]);
  }
  return mass;
}

double jensenShannon(std::span<const float> a, std::span<const float> b, qsizetype window) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (a.empty() || a.size() != b.size()) return kNone;
  const auto count = static_cast<qsizetype>(a.size());
  const auto first = static_cast<size_t>(window == 0 ? 0 : std::max<qsizetype>(0, count - window));
  const auto mass = [first](std::span<const float> row) {
    return std::accumulate(row.begin() + static_cast<std::ptrdiff_t>(first), row.end(), 0.0);
  };
  const double massA = mass(a);
  const double massB = mass(b);
  if (massA <= 0 || massB <= 0) return kNone;
  double divergence = 0;
  for (size_t key = first; key < a.size(); ++key) {
    const double p = static_cast<double>(a[key]) / massA;
    const double q = static_cast<double>(b[key]) / massB;
    const double mean = (p + q) / 2;
    if (p > 0) divergence += p / 2 * std::log2(p / mean);
    if (q > 0) divergence += q / 2 * std::log2(q / mean);
  }
  return std::sqrt(std::clamp(divergence, 0.0, 1.0));
}

std::vector<qsizetype> heaviestKeys(std::span<const float> weights, qsizetype count) {
  std::vector<qsizetype> keys(weights.size());
  std::iota(keys.begin(), keys.end(), 0);
  const auto heavier = [weights](qsizetype a, qsizetype b) {
    const float one = weights[static_cast<size_t>(a)], two = weights[static_cast<size_t>(b)];
    return one > two || (one == two && a < b);
  };
  const auto end = keys.begin() + std::min<qsizetype>(count, static_cast<qsizetype>(keys.size()));
  std::partial_sort(keys.begin(), end, keys.end(), heavier);
  keys.erase(end, keys.end());
  std::erase_if(keys, [weights](qsizetype key) { return weights[static_cast<size_t>(key)] <= 0; });
  return keys;
}

KeySet keysReaching(std::span<const float> weights, double share, qsizetype most) {
  KeySet set;
  double sum = 0;
  qsizetype support = 0;
  for (const float weight : weights) {
    sum += static_cast<double>(weight);
    if (weight > 0) ++support;
  }
  if (sum <= 0) return set;
  double mass = 0;
  for (const qsizetype key : heaviestKeys(weights, most)) {
    set.keys.push_back(key);
    mass += static_cast<double>(weights[static_cast<size_t>(key)]);
    if (mass >= share * sum) {
      set.reached = true;
      break;
    }
  }
  set.mass = mass / sum;
  set.others = support - static_cast<qsizetype>(set.keys.size());
  return set;
}

std::vector<float> maxBins(std::span<const float> weights, qsizetype bins) {
  std::vector<float> result(static_cast<size_t>(std::max<qsizetype>(bins, 0)), 0.0F);
  const auto count = static_cast<qsizetype>(weights.size());
  for (qsizetype key = 0; key < count && bins > 0; ++key) {
    float& bin = result[static_cast<size_t>(key * bins / count)];
    bin = std::max(bin, weights[static_cast<size_t>(key)]);
  }
  return result;
}

std::vector<float> sumBins(std::span<const float> weights, qsizetype bins) {
  std::vector<double> sums(static_cast<size_t>(std::max<qsizetype>(bins, 0)), 0.0);
  const auto count = static_cast<qsizetype>(weights.size());
  for (qsizetype key = 0; key < count && bins > 0; ++key)
    sums[static_cast<size_t>(key * bins / count)] += static_cast<double>(weights[static_cast<size_t>(key)]);
  return {sums.begin(), sums.end()};
}

}  // namespace orthros::widgets
