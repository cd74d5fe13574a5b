#include "widgets/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace orthros::widgets {

QString formatNumber(double value) {
  if (value == 0) return QStringLiteral("0");
  if (!std::isfinite(value)) return QStringLiteral("–");
  const double size = std::abs(value);
  if (size < 1e-4 || size >= 1e7) return QString::number(value, 'e', 3);
  const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
  return QString::number(value, 'f', std::max(0, 4 - before));
}

QString formatCount(qint64 value) {
  QString digits = QString::number(value);
  for (qsizetype at = digits.size() - 3; at > (value < 0 ? 1 : 0); at -= 3) digits.insert(at, QChar(0x202f));
  return digits;
}

QString formatShort(double value) {
  constexpr std::array kUnits{"", " k", " M", " G", " T", " P"};
  size_t unit = 0;
  while (std::abs(value) >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return formatNumber(value) + QLatin1String(kUnits[unit]);
}

QString formatBytes(qint64 bytes) {
  constexpr std::array kUnits{"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  while (std::abs(value) >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  const QString number = unit == 0 ? QString::number(bytes) : formatNumber(value);
  return number + u' ' + QLatin1String(kUnits[unit]);
}

QString formatSeconds(double seconds) {
  if (seconds < 60) return QStringLiteral("%1 s").arg(std::max(0, static_cast<int>(std::ceil(seconds))));
  const int whole = static_cast<int>(std::lround(seconds));
  if (whole < 3600) return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QChar(u'0'));
  return QStringLiteral("%1 h %2 min").arg(whole / 3600).arg(whole / 60 % 60, 2, 10, QChar(u'0'));
}

QString formatMilliseconds(double ms) {
  if (ms >= 1000) return formatNumber(ms / 1000) + QStringLiteral(" s");
  return formatNumber(ms) + QStringLiteral(" ms");
}

QString formatPercent(double share) {
  return formatNumber(share * 100) + QStringLiteral(" %");
}

}  // namespace orthros::widgets
