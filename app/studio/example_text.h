// The text that pages begin with: longer than window and sinks together, for only then do the streams differ.
#pragma once

#include <QString>

namespace orthros::studio {

QString exampleText();

}  // namespace orthros::studio
