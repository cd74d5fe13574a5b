// UTF-8 as the tokenizer needs it: check once, then decode without checks.
// Units: bytes. Source: Unicode 15, table 3-7 (no surrogates, no overlong forms, at most U+10FFFF).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace orthros {

struct CodePoint {
  char32_t value = 0;
  size_t length = 0;  // bytes
};

/// Offset of the first byte that does not belong to a valid sequence; npos when all of the text is valid.
size_t find_invalid_utf8(std::string_view text);

/// The text must be valid and `at` the first byte of a character in it.
inline CodePoint decode_utf8(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<char32_t>(static_cast<uint8_t>(text[at + i])); };
  const char32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  if (first < 0xe0) return {(first & 0x1f) << 6 | (byte(1) & 0x3f), 2};
  if (first < 0xf0) return {(first & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f), 3};
  return {(first & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f), 4};
}

/// First byte of the character that ends before `end`, which must be greater than 0.
inline size_t previous_character(std::string_view text, size_t end) {
  size_t at = end - 1;
  while (at > 0 && (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80) --at;
  return at;
}

/// `value` must be a Unicode scalar value.
void append_utf8(std::string& out, char32_t value);

}  // namespace orthros
