// What is typed into the NIAH form, read: "256, 512, 1K" as lengths; "11" as a number of depths, "0, 50, 100"
// or "50 %" as depths in percent. Errors: invalid_argument naming what cannot be read. Units: tokens, ppm.
#pragma once

#include <QString>
#include <vector>

#include "engine/base/result.h"

namespace orthros::studio {

Result<std::vector<int64_t>> parseLengths(const QString& text);
Result<std::vector<int64_t>> parseDepths(const QString& text);
/// What parses to the same again.
QString lengthsText(const std::vector<int64_t>& lengths);
QString depthsText(const std::vector<int64_t>& depthsPpm);

}  // namespace orthros::studio
