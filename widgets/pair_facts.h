// PairFacts: what a picture of one head needs besides its weights: sums of bins, each row's heaviest weight
// and ranks, and the sink lane: key 0 and keys that take over 0.30 of the mean row, at most 4. Made once with
// the data, off the GUI thread. Units: weights in 0..1. Threads: build on any, read on any.
#pragma once

#include <memory>
#include <vector>

#include "widgets/row_ranks.h"
#include "widgets/sum_pyramid.h"

namespace orthros::widgets {

struct PairData;

constexpr double kLaneMass = 0.30;
constexpr size_t kLaneKeys = 4;

struct LaneKey {
  qint64 key = 0;
  double base = 0, output = 0;  // mean mass over the captured rows
};

struct MatrixFacts {
  SumPyramid sums;
  std::vector<float> most[2];  // [rows of the matrix]: of all keys; without those of the lane
  RowRanks ranks;
  double heaviest[2] = {0, 0};  // of the matrix, likewise
  double lift[2] = {0, 0};      // largest weight x visible keys, likewise
};

struct PairFacts {
  MatrixFacts base, output;
  std::vector<LaneKey> lane;  // ascending by key; empty for differences
  bool isLane(qint64 key) const;
};

/// `data` must outlive the facts (level 0 of the sums is its memory).
std::shared_ptr<const PairFacts> factsOf(const PairData& data);

}  // namespace orthros::widgets
