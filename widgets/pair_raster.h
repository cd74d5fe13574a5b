// pairRaster: one pane of the pair view as pixels. A pixel of many cells shows the heaviest or the sum of
// them, through the pyramid; one colour a place of the scale. Masked cells take the ground, rows that were
// not captured are hatched, rows without an output copy are ground with dots where their keys would be.
// Units: positions and columns of the matrix. Threads: pure function.
#pragma once

#include <QImage>
#include <QRectF>
#include <array>

#include "widgets/pair_data.h"
#include "widgets/weight_scale.h"

namespace orthros::widgets {

constexpr int kLutSize = 1024;
constexpr int kAbsentStep = 8;  // pixels between dots

/// -1..1 (differences) or 0..1 to a place on the ramp, 0..1. Scale: log2 from 2^-16, or linear to `most`.
double rampPlace(double weight, bool isDifference, bool isLog, double most);

struct PairColors {
  std::array<QRgb, kLutSize> lut;
  QRgb ground = 0, missing = 0, absent = 0;  // absent: of the dots
};

struct PairRasterSpec {
  const PairData* data = nullptr;  // with its facts
  bool output = true;
  QRectF area;  // x: columns, y: positions
  QSize size;   // pixels
  WeightStyle style;
  WeightScale scale;  // pairScale's, unless a test wants another
};

/// The scale of one pane in a style: its ends are those of the data (without the lane's keys, if asked so).
/// Of sums, where `binned`, only log2, lift and linear mean something: row max is linear and rank log2.
WeightScale pairScale(const PairData& data, bool output, const WeightStyle& style, bool binned);

/// A dot of the rows that do not exist lies at this pixel.
constexpr bool isAbsentDot(int x, int y) {
  return y % kAbsentStep < 2 && (x + y / kAbsentStep % 2 * (kAbsentStep / 2)) % kAbsentStep < 2;
}

QImage pairRaster(const PairRasterSpec& spec, const PairColors& colors);

}  // namespace orthros::widgets
