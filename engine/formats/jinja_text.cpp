#include "engine/formats/jinja_text.h"

#include <algorithm>

#include "engine/formats/jinja_value.h"
#include "engine/formats/unicode_class.h"
#include "engine/formats/utf8.h"

namespace orthros::jinja {
namespace {

/// str.isspace: Unicode white space and the four separators of ASCII.
bool is_space(char32_t c) {
  return (c >= 0x1c && c <= 0x1f) || (unicode::classes()[c] & unicode::kSpace) != 0;
}

size_t skip_spaces(std::string_view text, size_t at) {
  while (at < text.size()) {
    const CodePoint c = decode_utf8(text, at);
    if (!is_space(c.value)) break;
    at += c.length;
  }
  return at;
}

Result<std::vector<std::string>> split_at_spaces(std::string_view text, int64_t limit) {
  std::vector<std::string> parts;
  size_t at = skip_spaces(text, 0);
  while (at < text.size()) {
    ORTHROS_TRY_VOID(check_list_size(parts.size() + 1));
    if (limit >= 0 && static_cast<int64_t>(parts.size()) == limit) {
      parts.emplace_back(strip(text.substr(at), std::nullopt, Side::right));
      break;
    }
    size_t end = at;
    while (end < text.size() && !is_space(decode_utf8(text, end).value)) end += decode_utf8(text, end).length;
    parts.emplace_back(text.substr(at, end - at));
    at = skip_spaces(text, end);
  }
  return parts;
}

Result<void> check_ascii(std::string_view text) {
  const bool ascii =
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) < 0x80; });
  if (!ascii) return fail(ErrorCode::unsupported, "change of case outside ASCII is not supported");
  return {};
}

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
char to_upper(char c) {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}
char to_lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string_view strip(std::string_view text, std::optional<std::string_view> wanted, Side side) {
  const std::vector<std::string_view> set = wanted ? characters(*wanted) : std::vector<std::string_view>();
  const auto goes = [&](std::string_view character) {
    if (!wanted) return is_space(decode_utf8(character, 0).value);
    return std::find(set.begin(), set.end(), character) != set.end();
  };
  while (side != Side::right && !text.empty()) {
    const size_t length = decode_utf8(text, 0).length;
    if (!goes(text.substr(0, length))) break;
    text.remove_prefix(length);
  }
  while (side != Side::left && !text.empty()) {
    const size_t begin = previous_character(text, text.size());
    if (!goes(text.substr(begin))) break;
    text.remove_suffix(text.size() - begin);
  }
  return text;
}

Result<std::vector<std::string>> split(std::string_view text, std::optional<std::string_view> separator,
                                       int64_t limit) {
  if (!separator) return split_at_spaces(text, limit);
  std::vector<std::string> parts;
  size_t at = 0;
  while (limit < 0 || static_cast<int64_t>(parts.size()) < limit) {
    const size_t found = text.find(*separator, at);
    if (found == std::string_view::npos) break;
    ORTHROS_TRY_VOID(check_list_size(parts.size() + 2));
    parts.emplace_back(text.substr(at, found - at));
    at = found + separator->size();
  }
  parts.emplace_back(text.substr(at));
  return parts;
}

std::string replace(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  size_t at = 0;
  while (true) {
    const size_t found = text.find(from, at);
    result += text.substr(at, found - at);
    if (found == std::string_view::npos) return result;
    result += to;
    at = found + from.size();
  }
}

Result<std::string> upper(std::string_view text) {
  ORTHROS_TRY_VOID(check_ascii(text));
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), to_upper);
  return result;
}

Result<std::string> lower(std::string_view text) {
  ORTHROS_TRY_VOID(check_ascii(text));
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), to_lower);
  return result;
}

Result<std::string> capitalize(std::string_view text) {
  ORTHROS_TRY(std::string result, lower(text));
  if (!result.empty()) result[0] = to_upper(result[0]);
  return result;
}

Result<std::string> title(std::string_view text) {
  ORTHROS_TRY(std::string result, lower(text));
  bool in_word = false;
  for (char& c : result) {
    if (!in_word) c = to_upper(c);
    in_word = is_lower(c) || is_upper(c);
  }
  return result;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> result;
  for (size_t at = 0; at < text.size();) {
    const size_t length = decode_utf8(text, at).length;
    result.push_back(text.substr(at, length));
    at += length;
  }
  return result;
}

size_t character_count(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(),
                                           [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; }));
}

Result<std::vector<size_t>> slice_positions(int64_t length, std::optional<int64_t> start,
                                            std::optional<int64_t> stop, std::optional<int64_t> step) {
  const int64_t by = step.value_or(1);
  if (by == 0) return fail(ErrorCode::corrupt_file, "a slice has step 0");
  const int64_t lowest = by > 0 ? 0 : -1;
  const int64_t highest = by > 0 ? length : length - 1;
  const auto clamp = [&](std::optional<int64_t> bound, int64_t fallback) {
    if (!bound) return fallback;
    const int64_t from_start = *bound < 0 ? std::max(*bound, -length - 1) + length : *bound;
    return std::clamp(from_start, lowest, std::max(lowest, highest));
  };
  const int64_t first = clamp(start, by > 0 ? lowest : highest);
  const int64_t last = clamp(stop, by > 0 ? highest : lowest);
  std::vector<size_t> positions;
  // A step longer than the list takes one item; the bound keeps the sum in range.
  const int64_t stride = std::clamp(by, -length - 1, length + 1);
  for (int64_t i = first; by > 0 ? i < last : i > last; i += stride)
    positions.push_back(static_cast<size_t>(i));
  return positions;
}

}  // namespace orthros::jinja
