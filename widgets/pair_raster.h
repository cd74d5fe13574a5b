// pairRaster: one pane of the pair view as pixels: the largest weight below each pixel through the pyramid,
// on a log2 scale. Masked cells take the ground, rows that were not captured the `missing` colour. Units:
// positions and columns of the matrix. Threads: pure function.
#pragma once

#include <QImage>
#include <QRectF>
#include <array>

#include "widgets/pair_data.h"

namespace orthros::widgets {

constexpr int kLutSize = 1024;
constexpr double kLog2Floor = -16;           // log2 of the least weight that has a colour of its own
constexpr double kLog2DifferenceFloor = -8;  // of the least difference: smaller ones are not of interest

/// -1..1 (differences) or 0..1 to a place on the ramp, 0..1. Scale: log2 from 2^-16, or linear to `most`.
double rampPlace(double weight, bool isDifference, bool isLog, double most);

struct PairColors {
  std::array<QRgb, kLutSize> lut;
  QRgb ground = 0, missing = 0;
};

struct PairRasterSpec {
  const PairData* data = nullptr;
  bool output = true;
  QRectF area;  // x: columns, y: positions
  QSize size;   // pixels
  bool isLog = true;
  double most = 1;  // linear scale's end
};

QImage pairRaster(const PairRasterSpec& spec, const PairColors& colors);

}  // namespace orthros::widgets
