#include "widgets/attention_measures.h"

#include <algorithm>
#include <cmath>
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

std::vector<qsizetype> heaviestKeys(std::span<const float> weights, qsizetype count) {
  std::vector<qsizetype> keys(weights.size());
  std::iota(keys.begin(), keys.end(), 0);
  const auto heavier = [weights](qsizetype a, qsizetype b) {
    return weights[static_cast<size_t>(a)] > weights[static_cast<size_t>(b)];
  };
  const auto end = keys.begin() + std::min<qsizetype>(count, static_cast<qsizetype>(keys.size()));
  std::partial_sort(keys.begin(), end, keys.end(), heavier);
  keys.erase(end, keys.end());
  std::erase_if(keys, [weights](qsizetype key) { return weights[static_cast<size_t>(key)] <= 0; });
  return keys;
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

}  // namespace orthros::widgets
