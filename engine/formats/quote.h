// Text from a file, made fit for a one-line message: printable ASCII, cut to a length.
#pragma once

#include <string>
#include <string_view>

namespace orthros {

/// Control characters and bytes outside ASCII become '?'; longer text ends in "...".
inline std::string printable(std::string_view text, size_t max_length) {
  std::string result(text.substr(0, max_length));
  for (char& c : result) {
    if (c < 0x20 || c > 0x7e) c = '?';
  }
  if (text.size() > max_length) result += "...";
  return result;
}

/// 'name' in single quotes.
inline std::string quote(std::string_view name) {
  return "'" + printable(name, 96) + "'";
}

/// Names of tensors and keys are printed and compared by people: no control characters.
inline bool has_control_characters(std::string_view text) {
  for (const char c : text) {
    if ((c >= 0 && c < 0x20) || c == 0x7f) return true;
  }
  return false;
}

}  // namespace orthros
