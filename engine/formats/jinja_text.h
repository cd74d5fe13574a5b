// String functions of Python that templates use. Texts are UTF-8; positions count characters.
// Errors: unsupported for changes of case outside ASCII, which need more than a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace orthros::jinja {

enum class Side { left, right, both };

/// str.strip: of white space, or of the characters in `characters`.
std::string_view strip(std::string_view text, std::optional<std::string_view> characters, Side side);
/// str.split: at white space, or at a separator that is not empty; at most `limit` cuts unless negative.
/// Refuses to make more parts than a list may have.
Result<std::vector<std::string>> split(std::string_view text, std::optional<std::string_view> separator,
                                       int64_t limit);
/// str.replace with an `from` that is not empty.
std::string replace(std::string_view text, std::string_view from, std::string_view to);
Result<std::string> upper(std::string_view text);
Result<std::string> lower(std::string_view text);
Result<std::string> capitalize(std::string_view text);
Result<std::string> title(std::string_view text);

size_t character_count(std::string_view text);
/// The characters, each as a string.
std::vector<std::string_view> characters(std::string_view text);

/// Positions of a Python slice over `length` items.
Result<std::vector<size_t>> slice_positions(int64_t length, std::optional<int64_t> start,
                                            std::optional<int64_t> stop, std::optional<int64_t> step);

}  // namespace orthros::jinja
