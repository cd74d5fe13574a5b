// A recording that no model made: one head at any length, with planted weights, for views and their
// benchmarks. Base rows are uniform over their band, output rows fall off with distance; row sums are 1 up to
// rounding.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "widgets/pair_data.h"

namespace orthros::test {

struct SyntheticSpec {
  qint64 keys = 131'072;
  qint64 rows = 512;  // output rows, evenly spread, the last one last
  qint64 window = 128, sinks = 4;
  qint64 plantedKey = 77'777;
  float planted = 0.4F;
  qint64 outputFrom = 0;  // earlier positions have no output row; what lies in their memory is no weight
};

/// Every cell of it is some pixels wide in a view.
inline SyntheticSpec smallSpec() {
  SyntheticSpec spec;
  spec.keys = 40;
  spec.rows = 40;
  spec.window = 8;
  spec.sinks = 2;
  spec.plantedKey = 11;
  return spec;
}

inline std::shared_ptr<const widgets::PairData> syntheticPair(const SyntheticSpec& spec = {}) {
  auto data = std::make_shared<widgets::PairData>();
  data->keys = spec.keys;
  data->window = spec.window;
  data->sinks = spec.sinks;
  for (qint64 i = 0; i < spec.rows; ++i) data->positions.push_back((i + 1) * spec.keys / spec.rows - 1);
  const qint64 band = spec.window + spec.sinks;
  auto base = std::make_shared<std::vector<float>>(static_cast<size_t>(spec.rows * band), 0.0F);
  auto output = std::make_shared<std::vector<float>>(static_cast<size_t>(spec.rows * spec.keys), 0.0F);
  for (qint64 row = 0; row < spec.rows; ++row) {
    const qint64 position = data->positions[static_cast<size_t>(row)];
    const auto support = static_cast<float>(std::min(position + 1, band));
    for (qint64 column = 0; column < band; ++column) {
      const qint64 begin = std::max<qint64>(0, position - spec.window + 1);
      const qint64 key =
          column < spec.sinks ? (column < begin ? column : -1) : position - (band - 1 - column);
      if (key >= 0) (*base)[static_cast<size_t>(row * band + column)] = 1 / support;
    }
    float* cells = output->data() + row * spec.keys;
    if (position < spec.outputFrom) {
      std::fill_n(cells, spec.keys, 9.0F);
      continue;
    }
    const bool hasPlanted = position >= spec.plantedKey;
    const float rest = (hasPlanted ? 1 - spec.planted : 1.0F) / static_cast<float>(position + 1);
    for (qint64 key = 0; key <= position; ++key) cells[key] = rest;
    if (hasPlanted) cells[spec.plantedKey] += spec.planted;
  }
  const std::span<const float> baseCells(*base);
  const std::span<const float> outputCells(*output);
  data->base = {base, baseCells, spec.rows, band};
  data->outputFrom = spec.outputFrom;
  const qint64 skipped = data->outputBegin();
  data->output = {output, outputCells.subspan(static_cast<size_t>(skipped * spec.keys)), spec.rows - skipped,
                  spec.keys};
  data->facts = widgets::factsOf(*data);
  return data;
}

}  // namespace orthros::test
