// OKLab: colours in which equal steps look equal, and the contrast of two colours as WCAG defines it.
// Units: L in 0..1. Source: Ottosson 2020 (OKLab), WCAG 2.1 (contrast ratio).
#pragma once

#include <QColor>

namespace orthros::widgets {

struct Oklab {
  double lightness = 0, a = 0, b = 0;
};

Oklab toOklab(const QColor& color);
QColor fromOklab(const Oklab& color);
/// t in 0..1 from `from` to `to`.
Oklab mix(const Oklab& from, const Oklab& to, double t);
/// 1 (equal) to 21 (black on white).
double contrastRatio(const QColor& one, const QColor& other);

}  // namespace orthros::widgets
