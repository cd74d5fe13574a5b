// Numbers as text: four significant digits, units always there, digits grouped.
#pragma once

#include <QString>

namespace orthros::widgets {

/// "0.004000" never becomes "0.00": four significant digits whatever the size; no exponent within 1e-4..1e7.
QString formatNumber(double value);
QString formatCount(qint64 value);      // "134 515 008" with narrow spaces that do not break
QString formatBytes(qint64 bytes);      // "16.06 GB", decimal units
QString formatShort(double value);      // "134.5 M"
QString formatSeconds(double seconds);  // "3 s", "2 min 05 s"
QString formatMilliseconds(double ms);  // "12.35 ms", "1.234 s"
QString formatPercent(double share);    // 0.1234 -> "12.34 %"

}  // namespace orthros::widgets
