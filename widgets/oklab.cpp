#include "widgets/oklab.h"

#include <algorithm>
#include <cmath>

namespace orthros::widgets {
namespace {

double toLinear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double toGamma(double channel) {
  const double clamped = std::clamp(channel, 0.0, 1.0);
  return clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * std::pow(clamped, 1 / 2.4) - 0.055;
}

double luminance(const QColor& color) {
  return 0.2126 * toLinear(color.redF()) + 0.7152 * toLinear(color.greenF()) +
         0.0722 * toLinear(color.blueF());
}

}  // namespace

Oklab toOklab(const QColor& color) {
  const double r = toLinear(color.redF());
  const double g = toLinear(color.greenF());
  const double b = toLinear(color.blueF());
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

QColor fromOklab(const Oklab& color) {
  const double l = std::pow(color.lightness + 0.3963377774 * color.a + 0.2158037573 * color.b, 3);
  const double m = std::pow(color.lightness - 0.1055613458 * color.a - 0.0638541728 * color.b, 3);
  const double s = std::pow(color.lightness - 0.0894841775 * color.a - 1.2914855480 * color.b, 3);
  const double r = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  const double g = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  const double b = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
  return QColor::fromRgbF(static_cast<float>(toGamma(r)), static_cast<float>(toGamma(g)),
                          static_cast<float>(toGamma(b)));
}

Oklab mix(const Oklab& from, const Oklab& to, double t) {
  return {from.lightness + (to.lightness - from.lightness) * t, from.a + (to.a - from.a) * t,
          from.b + (to.b - from.b) * t};
}

double contrastRatio(const QColor& one, const QColor& other) {
  const double a = luminance(one);
  const double b = luminance(other);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

}  // namespace orthros::widgets
