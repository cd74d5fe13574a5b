// The byte-level alphabet of GPT-2: each byte is written as one printable character in the vocabulary.
// Bytes that print as Latin-1 (0x21..0x7e, 0xa1..0xac, 0xae..0xff) stand for themselves, the other 68 become
// U+0100, U+0101, ... in byte order.
// Threads: tables are built once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orthros {

/// The character of a byte, in UTF-8.
std::string_view byte_to_symbol(uint8_t byte);

/// The byte of a character of the alphabet.
std::optional<uint8_t> symbol_to_byte(char32_t symbol);

/// Appends `bytes` written in the alphabet.
void append_byte_level(std::string& out, std::string_view bytes);

/// The bytes of a token; a token with a character outside the alphabet (valid UTF-8) stands for itself.
std::string byte_level_to_bytes(std::string_view token);

}  // namespace orthros
