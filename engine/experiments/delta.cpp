#include "engine/experiments/delta.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace orthros {
namespace {

using CellKey = std::tuple<std::string, int64_t, int64_t>;
using TrialKey = std::pair<int64_t, int64_t>;
using Scores = std::map<TrialKey, double>;

std::map<CellKey, Scores> by_cell(std::span<const MapCell> cells) {
  std::map<CellKey, Scores> result;
  for (const MapCell& cell : cells) {
    Scores& scores = result[{cell.variant, cell.ctx_len, cell.depth_ppm}];
    for (const TrialScore& trial : cell.trials) scores[{trial.trial_no, trial.prompt_id}] = trial.score;
  }
  return result;
}

void count(PairedCounts& counts, bool a, bool b) {
  ++(a && b ? counts.both : a ? counts.only_a : b ? counts.only_b : counts.neither);
}

void add(PairedCounts& sum, const PairedCounts& part) {
  sum.both += part.both;
  sum.only_a += part.only_a;
  sum.only_b += part.only_b;
  sum.neither += part.neither;
}

DeltaCell compare(const CellKey& key, const Scores& a, const Scores& b) {
  DeltaCell cell;
  std::tie(cell.variant, cell.ctx_len, cell.depth_ppm) = key;
  cell.n_a = std::ssize(a);
  cell.n_b = std::ssize(b);
  double difference = 0;
  for (const auto& [trial, score_a] : a) {
    const auto found = b.find(trial);
    if (found == b.end()) continue;
    difference += score_a - found->second;
    count(cell.counts, score_a >= kSuccessScore, found->second >= kSuccessScore);
  }
  if (cell.counts.n() > 0) cell.delta = difference / static_cast<double>(cell.counts.n());
  cell.interval = newcombe_paired(cell.counts);
  return cell;
}

}  // namespace

double colour_position(double value, ColourLimits limits) {
  return std::clamp((value - limits.low) / (limits.high - limits.low), 0.0, 1.0);
}

DeltaMap delta_map(std::span<const MapCell> a, std::span<const MapCell> b) {
  std::map<CellKey, Scores> scores_a = by_cell(a), scores_b = by_cell(b);
  for (const auto& [key, scores] : scores_b) scores_a.try_emplace(key);
  DeltaMap map;
  for (const auto& [key, scores] : scores_a) {
    map.cells.push_back(compare(key, scores, scores_b[key]));
    const DeltaCell& cell = map.cells.back();
    add(map.counts, cell.counts);
    map.unpaired_trials += cell.n_a + cell.n_b - 2 * cell.counts.n();
  }
  map.p_value = mcnemar_exact(map.counts);
  return map;
}

}  // namespace orthros
