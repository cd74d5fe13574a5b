#include "widgets/pair_facts.h"

#include <algorithm>
#include <cmath>

#include "widgets/pair_data.h"

namespace orthros::widgets {
namespace {

// The largest size of cells, and that of all but the `skipped` columns (ascending).
std::pair<float, float> heaviestOf(const float* cells, qsizetype columns,
                                   const std::vector<qint64>& skipped) {
  float without = 0;
  float skippedMost = 0;
  qsizetype begin = 0;
  const auto take = [&](qsizetype end) {
    for (qsizetype column = begin; column < end; ++column)
      without = std::max(without, std::abs(cells[column]));
  };
  for (const qint64 skip : skipped) {
    take(skip);
    skippedMost = std::max(skippedMost, std::abs(cells[skip]));
    begin = skip + 1;
  }
  take(columns);
  return {std::max(without, skippedMost), without};
}

// Mean mass of each key over all captured rows that exist.
std::vector<double> meanMass(const PairData& data, bool output) {
  std::vector<double> mass(static_cast<size_t>(data.keys), 0.0);
  const MaxPyramid& matrix = output ? data.output : data.base;
  const qsizetype begin = output ? data.outputBegin() : 0;
  for (qsizetype row = 0; row < matrix.rows(); ++row) {
    const qint64 position = data.positions[static_cast<size_t>(begin + row)];
    const bool byKey = output || data.window == 0;
    const qsizetype end = byKey ? static_cast<qsizetype>(position) + 1 : matrix.columns();
    for (qsizetype column = 0; column < end; ++column) {
      const qint64 key = byKey ? column : data.bandKey(position, column);
      if (key >= 0) mass[static_cast<size_t>(key)] += static_cast<double>(matrix.at(row, column));
    }
  }
  for (double& value : mass) value /= static_cast<double>(std::max<qsizetype>(1, matrix.rows()));
  return mass;
}

std::vector<LaneKey> laneOf(const PairData& data) {
  if (data.isDifference || data.keys == 0 || data.positions.empty()) return {};
  const std::vector<double> base = meanMass(data, false);
  const std::vector<double> output = meanMass(data, true);
  std::vector<LaneKey> lane;
  for (qint64 key = 0; key < data.keys; ++key) {
    const LaneKey one{key, base[static_cast<size_t>(key)], output[static_cast<size_t>(key)]};
    if (key == 0 || std::max(one.base, one.output) > kLaneMass) lane.push_back(one);
  }
  std::ranges::stable_sort(lane.begin() + 1, lane.end(), std::ranges::greater(),
                           [](const LaneKey& one) { return std::max(one.base, one.output); });
  lane.resize(std::min(lane.size(), kLaneKeys));
  std::ranges::sort(lane, {}, &LaneKey::key);
  return lane;
}

MatrixFacts matrixFacts(const PairData& data, bool output, const PairFacts& facts) {
  const MaxPyramid& matrix = output ? data.output : data.base;
  MatrixFacts made;
  if (matrix.isEmpty()) return made;
  made.sums = SumPyramid(matrix);
  const qsizetype begin = output ? data.outputBegin() : 0;
  for (std::vector<float>& most : made.most) most.assign(static_cast<size_t>(matrix.rows()), 0.0F);
  for (qsizetype row = 0; row < matrix.rows(); ++row) {
    const qint64 position = data.positions[static_cast<size_t>(begin + row)];
    const float* cells = matrix.levels().front().cells + row * matrix.columns();
    std::vector<qint64> skipped;
    for (const LaneKey& one : facts.lane) {
      const qint64 column =
          output ? (one.key <= position ? one.key : -1) : data.bandColumn(position, one.key);
      if (column >= 0) skipped.push_back(column);
    }
    std::ranges::sort(skipped);
    const auto [all, without] = heaviestOf(cells, matrix.columns(), skipped);
    const auto visible = static_cast<double>(data.visibleKeys(position, output));
    const float most[2] = {all, without};
    for (int lane = 0; lane < 2; ++lane) {
      made.most[lane][static_cast<size_t>(row)] = most[lane];
      made.heaviest[lane] = std::max(made.heaviest[lane], static_cast<double>(most[lane]));
      made.lift[lane] = std::max(made.lift[lane], static_cast<double>(most[lane]) * visible);
    }
  }
  made.ranks = RowRanks(matrix.rows(), [&, buffer = std::vector<float>()](qsizetype row) mutable {
    return data.visibleCells(begin + row, output, buffer);
  });
  return made;
}

}  // namespace

bool PairFacts::isLane(qint64 key) const {
  return std::ranges::find(lane, key, &LaneKey::key) != lane.end();
}

std::shared_ptr<const PairFacts> factsOf(const PairData& data) {
  auto facts = std::make_shared<PairFacts>();
  facts->lane = laneOf(data);
  facts->base = matrixFacts(data, false, *facts);
  facts->output = matrixFacts(data, true, *facts);
  return facts;
}

}  // namespace orthros::widgets
