// WeightScale: the place of a weight on its ramp or bar, 0..1, in one of five ways, with the ends that a
// legend prints. log2 from 2^-16; lift = p x visible keys, so that 1 is a row of equal weights in either
// stream; linear to the heaviest; by the row's heaviest; by rank in the row. Zero has place 0 and nothing
// else has. Units: weights in 0..1, differences in -1..1 (place 0.5 is no difference). Threads: pure
// functions.
#pragma once

#include <QString>
#include <QtGlobal>

namespace orthros::widgets {

enum class ScaleMode { Log, Lift, Linear, RowMax, Rank };
constexpr int kScaleModes = 5;
constexpr double kLog2Floor = -16;           // log2 of the least weight that has a colour of its own
constexpr double kLog2DifferenceFloor = -8;  // of the least difference: smaller ones are not of interest
constexpr double kLeastPlace = 0.02;         // not zero is not nothing

/// How a view shows weights: one for all views of a head.
struct WeightStyle {
  ScaleMode mode = ScaleMode::Log;
  bool sums = false;  // a pixel of many cells: their sum, else the heaviest
  bool lane = false;  // sink keys are left out of the colour range
  bool operator==(const WeightStyle&) const = default;
};

QString scaleName(ScaleMode mode);
QString scaleFormula(ScaleMode mode);

/// What a row brings to its weights' places.
struct RowContext {
  double visible = 1;  // keys
  double most = 1;     // the row's heaviest weight
  double rank = 0;     // of this weight in its row, 0..1
};

struct WeightScale {
  ScaleMode mode = ScaleMode::Log;
  bool isDifference = false;
  double most = 1;      // end of Linear and Log
  double liftBits = 4;  // Lift runs from 2^-bits to 2^bits

  double place(double weight, const RowContext& row) const;
  /// The weight's own row does not matter: one table serves all rows.
  bool isPlain() const { return mode == ScaleMode::Log || mode == ScaleMode::Linear; }
  QString lowEnd() const;
  QString highEnd() const;
};

}  // namespace orthros::widgets
