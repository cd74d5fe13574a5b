// A plot whose every point is known: a Transformer that takes T + T*T / 4096 and an Orthros model that takes
// T, both in units of 1/100 ms at 256 * 2^i tokens, with whiskers of a tenth; one point without a value; a
// fitted line, a reported point, a guide.
#pragma once

#include "widgets/curve_plot.h"

namespace orthros::test {

inline double plantedMs(double tokens, bool quadratic) {
  constexpr double kBalance = 4096;
  return (tokens + (quadratic ? tokens * tokens / kBalance : 0)) / 100;
}

inline widgets::CurvePlotData plantedCurves(int lengths, bool log) {
  using widgets::Curve;
  using widgets::CurveKind;
  widgets::CurvePlotData data;
  data.title = QStringLiteral("Prefill");
  data.x = {QStringLiteral("context, tokens"), QStringLiteral("tokens"), log, true, {}};
  data.y = {QStringLiteral("time, ms"), QStringLiteral("ms"), log, false, {}};
  for (const bool quadratic : {true, false}) {
    Curve curve;
    curve.label = quadratic ? QStringLiteral("Transformer") : QStringLiteral("Orthros w=128");
    curve.architecture = quadratic ? QStringLiteral("transformer") : QStringLiteral("orthros");
    for (int i = 0; i < lengths; ++i) {
      const double tokens = 256.0 * (1 << i);
      const double ms = plantedMs(tokens, quadratic);
      curve.points.push_back({tokens, ms, ms * 0.9, ms * 1.1, QStringLiteral("n 9")});
    }
    data.curves.push_back(curve);
  }
  widgets::CurvePoint& last = data.curves[0].points.back();
  last = {last.x, widgets::kNoValue, widgets::kNoValue, widgets::kNoValue, QStringLiteral("out of memory")};
  Curve model{QStringLiteral("model"), QStringLiteral("transformer"), 0, CurveKind::Model, false, {}};
  for (const double tokens : {256.0, 1024.0, 8192.0, 16384.0})
    model.points.push_back({tokens, plantedMs(tokens, true), widgets::kNoValue, widgets::kNoValue, {}});
  data.curves.push_back(model);
  data.curves.push_back({QStringLiteral("Paper, somewhere"),
                         QStringLiteral("orthros"),
                         0,
                         CurveKind::Reported,
                         true,
                         {{4096, 60, widgets::kNoValue, widgets::kNoValue, QStringLiteral("from text")}}});
  data.guides.push_back({Qt::Vertical, 4096, QStringLiteral("T*")});
  return data;
}

}  // namespace orthros::test
