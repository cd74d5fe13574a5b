// Hand-written scanners for the split patterns of the known families; other patterns go through PCRE2.
// Each pattern matches at every position, so a text is cut into adjacent pre-tokens.
// Units: bytes. Threads: const data only.
// Source: patterns as in the families' tokenizer.json; alternatives are tried in order, as a regex engine
// does.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace orthros {

enum class ScanPattern { gpt2, llama3, qwen2, qwen35 };

inline constexpr std::string_view kGpt2Pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
inline constexpr std::string_view kLlama3Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";
inline constexpr std::string_view kQwen2Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";
inline constexpr std::string_view kQwen35Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// The scanner of a pattern, when the pattern is one of those above.
std::optional<ScanPattern> known_pattern(std::string_view regex);

/// Where the pre-token that starts at `at` ends. The text must be valid UTF-8 and at < text.size().
size_t pretoken_end(ScanPattern pattern, std::string_view text, size_t at);

}  // namespace orthros
