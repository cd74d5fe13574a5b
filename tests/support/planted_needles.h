// A needle map whose every cell is known: 5 trials each, hits by position, 256 * 2^i tokens from 128 on.
#pragma once

#include <algorithm>

#include "widgets/needle_map.h"

namespace orthros::test {

inline widgets::NeedleCell plantedNeedle(qint64 hits, qint64 trials) {
  widgets::NeedleCell cell;
  cell.state = widgets::NeedleCell::State::Done;
  cell.hits = hits;
  cell.trials = trials;
  cell.value = static_cast<double>(hits) / static_cast<double>(trials);
  cell.low = cell.value / 2;
  cell.high = (1 + cell.value) / 2;
  return cell;
}

inline widgets::NeedleMapData plantedNeedles(qsizetype lengths, qsizetype depths) {
  widgets::NeedleMapData data;
  data.title = QStringLiteral("planted");
  data.architecture = QStringLiteral("orthros");
  for (qsizetype i = 0; i < lengths; ++i) data.lengths.append(qint64{128} << (i % 30));
  for (qsizetype i = 0; i < depths; ++i)
    data.depths.append(depths > 1 ? static_cast<double>(i) / static_cast<double>(depths - 1) : 0.5);
  constexpr double kOff = 0.005;
  for (qsizetype length = 0; length < lengths; ++length) {
    for (qsizetype depth = 0; depth < depths; ++depth) {
      widgets::NeedleCell cell = plantedNeedle((length + depth) % 6, 5);
      const double asked = data.depths[depth];
      cell.depthLow = std::max(0.0, asked - kOff);
      cell.depthHigh = std::min(1.0, asked + kOff);
      cell.mass = 0.25;
      cell.uniform = 0.01;
      data.cells.push_back(cell);
    }
  }
  for (qsizetype i = 0; i < lengths; ++i) data.byLength.push_back(plantedNeedle(i % 4 + 1, 5));
  for (qsizetype i = 0; i < depths; ++i) data.byDepth.push_back(plantedNeedle(i % 5, 5));
  data.all = plantedNeedle(3, 5);
  return data;
}

}  // namespace orthros::test
