#include "engine/tasks/value_matcher.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace orthros {
namespace {

constexpr size_t kNone = std::string_view::npos;

// By ASCII alone: the C library's functions depend on the locale.
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool is_letter(char c) {
  return lower(c) >= 'a' && lower(c) <= 'z';
}
bool is_hex(char c) {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f');
}

/// Letters of the two-byte scripts (Latin, Greek, Cyrillic ...); CJK is written without spaces, so it parts.
bool is_two_byte_letter(std::string_view text, size_t at) {
  const auto byte = static_cast<uint8_t>(text[at]);
  return byte >= 0xc3 && byte <= 0xdf;
}
bool word_goes_on_at(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  return is_digit(text[at]) || is_letter(text[at]) || is_two_byte_letter(text, at);
}
bool word_comes_before(std::string_view text, size_t at) {
  if (at == 0) return false;
  const char before = text[at - 1];
  if (is_digit(before) || is_letter(before)) return true;
  return at >= 2 && (static_cast<uint8_t>(before) & 0xc0) == 0x80 && is_two_byte_letter(text, at - 2);
}

constexpr std::array<std::string_view, 6> kSeparators{",", "_", " ", "\u00a0", "\u2009", "\u202f"};

/// Length of the separator that starts, or ends, at a place; 0 if there is none.
size_t separator_at(std::string_view text, size_t at) {
  for (const std::string_view separator : kSeparators) {
    if (text.substr(at).starts_with(separator)) return separator.size();
  }
  return 0;
}
size_t separator_before(std::string_view text, size_t at) {
  for (const std::string_view separator : kSeparators) {
    if (text.substr(0, at).ends_with(separator)) return separator.size();
  }
  return 0;
}

bool digit_at(std::string_view text, size_t at) {
  return at < text.size() && is_digit(text[at]);
}
size_t count_digits(std::string_view text, size_t at) {
  size_t end = at;
  while (digit_at(text, end)) ++end;
  return end - at;
}

/// A separator other than the plain space, which parts words more often than it groups digits.
bool is_tight(std::string_view text, size_t at) {
  return text[at] != ' ';
}

/// No digits of the same number before `at`. lead: digits of the match up to its first separator.
bool number_begins(std::string_view text, size_t at, size_t lead) {
  if (word_comes_before(text, at)) return false;
  if (at >= 2 && (text[at - 1] == '.' || text[at - 1] == '-') && is_digit(text[at - 2])) return false;
  const size_t separator = separator_before(text, at);
  const bool grouped = separator > 0 && separator < at && is_digit(text[at - separator - 1]);
  return !(grouped && lead == 3 && is_tight(text, at - separator));
}

/// No digits of the same number from `end` on.
bool number_ends(std::string_view text, size_t end, size_t lead) {
  if (end == text.size()) return true;
  if (word_goes_on_at(text, end)) return false;
  if ((text[end] == '.' || text[end] == '-') && digit_at(text, end + 1)) return false;
  const size_t separator = separator_at(text, end);
  const bool grouped = separator > 0 && count_digits(text, end + separator) == 3;
  return !(grouped && lead <= 3 && is_tight(text, end));
}

/// End of the digits at `at` if they are the value's, all groups of three parted alike or none; else npos.
size_t match_number(std::string_view text, size_t at, std::string_view value) {
  const size_t lead = count_digits(text, at);
  std::string_view separator;
  size_t end = at;
  for (size_t i = 0; i < value.size(); ++i) {
    const bool group = i > 0 && (value.size() - i) % 3 == 0;
    const bool first_group = group && i <= 3;
    if (first_group && end < text.size()) separator = text.substr(end, separator_at(text, end));
    if (group && !separator.empty()) {
      if (!text.substr(end).starts_with(separator)) return kNone;
      end += separator.size();
    }
    if (end >= text.size() || text[end] != value[i]) return kNone;
    ++end;
  }
  return number_begins(text, at, lead) && number_ends(text, end, lead) ? end : kNone;
}

/// End of a UUID at `at`; any one if value is empty, else that one.
size_t match_uuid(std::string_view text, size_t at, std::string_view value) {
  const auto hyphenated = [&](size_t hyphen, size_t beyond) {
    return text[hyphen] == '-' && (is_digit(text[beyond]) || is_letter(text[beyond]));
  };
  if (word_comes_before(text, at) || (at >= 2 && hyphenated(at - 1, at - 2))) return kNone;
  size_t end = at, next = 0;
  for (int digit = 0; digit < 32; ++digit, ++end) {
    const bool dash = digit == 8 || digit == 12 || digit == 16 || digit == 20;
    if (dash && end < text.size() && text[end] == '-') ++end;
    if (end >= text.size() || !is_hex(text[end])) return kNone;
    if (value.empty()) continue;
    if (value[next] == '-') ++next;
    if (lower(text[end]) != lower(value[next++])) return kNone;
  }
  if (word_goes_on_at(text, end)) return kNone;
  return end + 1 < text.size() && hyphenated(end, end + 1) ? kNone : end;
}

bool is_gap(char c) {
  return c == ' ' || c == '-' || c == '_' || c == '\t' || c == '\n' || c == '\r';
}

size_t match_words(std::string_view text, size_t at, std::string_view value) {
  if (word_comes_before(text, at)) return kNone;
  size_t end = at;
  for (size_t i = 0; i < value.size();) {
    if (end >= text.size()) return kNone;
    if (is_gap(value[i])) {
      if (!is_gap(text[end])) return kNone;
      while (i < value.size() && is_gap(value[i])) ++i;
      while (end < text.size() && is_gap(text[end])) ++end;
      continue;
    }
    if (lower(text[end++]) != lower(value[i++])) return kNone;
  }
  return word_goes_on_at(text, end) ? kNone : end;
}

size_t match_at(ValueKind kind, std::string_view text, size_t at, std::string_view value) {
  switch (kind) {
    case ValueKind::number:
      return match_number(text, at, value);
    case ValueKind::uuid:
      return match_uuid(text, at, value);
    default:
      return match_words(text, at, value);
  }
}

/// A number of its own begins here: digits that no letter adjoins.
bool is_number_start(std::string_view text, size_t at) {
  return is_digit(text[at]) && !word_comes_before(text, at) &&
         !word_goes_on_at(text, at + count_digits(text, at));
}

}  // namespace

ValueKind kind_of_value(std::string_view value) {
  if (std::all_of(value.begin(), value.end(), is_digit)) return ValueKind::number;
  return match_uuid(value, 0, {}) == value.size() ? ValueKind::uuid : ValueKind::words;
}

bool contains_value(std::string_view text, std::string_view value) {
  if (value.empty()) return false;
  const ValueKind kind = kind_of_value(value);
  for (size_t at = 0; at < text.size(); ++at) {
    if (match_at(kind, text, at, value) != kNone) return true;
  }
  return false;
}

bool begins_with_value(std::string_view text, std::string_view value) {
  if (value.empty()) return false;
  const ValueKind kind = kind_of_value(value);
  for (size_t at = 0; at < text.size(); ++at) {
    const bool candidate = kind == ValueKind::number ? is_number_start(text, at)
                           : kind == ValueKind::uuid ? match_uuid(text, at, {}) != kNone
                                                     : word_goes_on_at(text, at);
    if (candidate) return match_at(kind, text, at, value) != kNone;
  }
  return false;
}

}  // namespace orthros
