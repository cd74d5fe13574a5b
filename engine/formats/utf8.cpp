#include "engine/formats/utf8.h"

#include <cstring>

namespace orthros {
namespace {

/// Bytes of the valid sequence at `at`, or 0.
size_t valid_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[at + i]); };
  const auto continues = [&](size_t i, uint8_t low = 0x80, uint8_t high = 0xbf) {
    return at + i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return continues(1) ? 2 : 0;
  if (first < 0xf0) {
    const uint8_t low = first == 0xe0 ? 0xa0 : 0x80;   // overlong
    const uint8_t high = first == 0xed ? 0x9f : 0xbf;  // surrogates
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (first > 0xf4) return 0;
  const uint8_t low = first == 0xf0 ? 0x90 : 0x80;
  const uint8_t high = first == 0xf4 ? 0x8f : 0xbf;
  return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
}

}  // namespace

size_t find_invalid_utf8(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    uint64_t eight;
    if (at + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080u) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    const size_t length = valid_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

void append_utf8(std::string& out, char32_t value) {
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(static_cast<uint8_t>(byte))); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xc0 | value >> 6);
    put(0x80 | (value & 0x3f));
  } else if (value < 0x10000) {
    put(0xe0 | value >> 12);
    put(0x80 | (value >> 6 & 0x3f));
    put(0x80 | (value & 0x3f));
  } else {
    put(0xf0 | value >> 18);
    put(0x80 | (value >> 12 & 0x3f));
    put(0x80 | (value >> 6 & 0x3f));
    put(0x80 | (value & 0x3f));
  }
}

}  // namespace orthros
