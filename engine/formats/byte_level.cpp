#include "engine/formats/byte_level.h"

#include <array>

#include "engine/formats/utf8.h"

namespace orthros {
namespace {

constexpr char32_t kAlphabetEnd = 0x100 + 68;

struct Alphabet {
  std::array<std::string, 256> symbols;
  std::array<int16_t, kAlphabetEnd> bytes;  // -1: not in the alphabet

  Alphabet() {
    bytes.fill(-1);
    char32_t next = 0x100;
    for (int byte = 0; byte < 256; ++byte) {
      const bool printable =
          (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
      const char32_t symbol = printable ? static_cast<char32_t>(byte) : next++;
      append_utf8(symbols[static_cast<size_t>(byte)], symbol);
      bytes[symbol] = static_cast<int16_t>(byte);
    }
  }
};

const Alphabet& alphabet() {
  static const Alphabet instance;
  return instance;
}

}  // namespace

std::string_view byte_to_symbol(uint8_t byte) {
  return alphabet().symbols[byte];
}

std::optional<uint8_t> symbol_to_byte(char32_t symbol) {
  if (symbol >= kAlphabetEnd || alphabet().bytes[symbol] < 0) return std::nullopt;
  return static_cast<uint8_t>(alphabet().bytes[symbol]);
}

void append_byte_level(std::string& out, std::string_view bytes) {
  for (const char c : bytes) out += byte_to_symbol(static_cast<uint8_t>(c));
}

std::string byte_level_to_bytes(std::string_view token) {
  std::string bytes;
  bytes.reserve(token.size());
  for (size_t at = 0; at < token.size();) {
    const CodePoint c = decode_utf8(token, at);
    const std::optional<uint8_t> byte = symbol_to_byte(c.value);
    if (!byte) return std::string(token);
    bytes.push_back(static_cast<char>(*byte));
    at += c.length;
  }
  return bytes;
}

}  // namespace orthros
