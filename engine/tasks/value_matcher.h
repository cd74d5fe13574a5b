// Where a value stands in an output, with boundaries: numbers (separators between groups of three optional),
// UUIDs (dashes optional, case-folded), words (ASCII case-folded, spaces and hyphens alike).
// A number ends where no letter or digit adjoins and no separator leads on to more of the same number.
// Private to tasks. Units: bytes. Threads: pure functions. Source: niah-and-latency.md 6.1.
#pragma once

#include <cstddef>
#include <string_view>

namespace orthros {

enum class ValueKind { number, uuid, words };
ValueKind kind_of_value(std::string_view value);

/// True where the value stands somewhere in the text. An empty value never does.
bool contains_value(std::string_view text, std::string_view value);

/// The first thing in the text that is of the value's kind (a number, a UUID, a word) is the value.
bool begins_with_value(std::string_view text, std::string_view value);

}  // namespace orthros
