#include "engine/formats/pretoken_scanner.h"

#include "engine/formats/unicode_class.h"
#include "engine/formats/utf8.h"

namespace orthros {
namespace {

using unicode::kLetter;
using unicode::kMark;
using unicode::kNumber;
using unicode::kSpace;

/// A text with the class of the character at a position.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), classes_(unicode::classes()) {}

  bool at_end(size_t at) const { return at >= text_.size(); }
  char byte(size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  CodePoint get(size_t at) const { return decode_utf8(text_, at); }
  uint8_t class_of(char32_t c) const { return classes_[c]; }
  uint8_t class_at(size_t at) const { return at_end(at) ? 0 : class_of(get(at).value); }

  /// End of the run of characters, at most `limit` of them, with one of the bits in `wanted`.
  size_t run(size_t at, uint8_t wanted, size_t limit = SIZE_MAX) const {
    for (size_t count = 0; count < limit && !at_end(at); ++count) {
      const CodePoint c = get(at);
      if ((class_of(c.value) & wanted) == 0) break;
      at += c.length;
    }
    return at;
  }
  /// End of the run of characters with none of the bits in `unwanted`.
  size_t run_without(size_t at, uint8_t unwanted) const {
    while (!at_end(at)) {
      const CodePoint c = get(at);
      if ((class_of(c.value) & unwanted) != 0) break;
      at += c.length;
    }
    return at;
  }
  size_t newlines(size_t at) const {
    while (!at_end(at) && (text_[at] == '\r' || text_[at] == '\n')) ++at;
    return at;
  }
  size_t size() const { return text_.size(); }

 private:
  std::string_view text_;
  const uint8_t* classes_;
};

/// End of 's|'t|'re|'ve|'m|'ll|'d at the apostrophe at `at`, or `at`.
size_t contraction(const Reader& text, size_t at, bool ignore_case) {
  const auto lower = [&](char c) {
    return ignore_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  const char first = lower(text.byte(at + 1));
  const char second = lower(text.byte(at + 2));
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return at + 2;
  if ((first == 'r' || first == 'v') && second == 'e') return at + 3;
  if (first == 'l' && second == 'l') return at + 3;
  // U+017F, the long s, is the one other character that folds to a letter of a contraction.
  if (ignore_case && text.byte(at + 1) == '\xc5' && text.byte(at + 2) == '\xbf') return at + 3;
  return at;
}

/// End of \s*[\r\n]+ (only with `newlines`), \s+(?!\S) or \s+, in this order.
size_t white_space(const Reader& text, size_t begin, bool newlines) {
  size_t at = begin;
  size_t last = begin;           // where the last character of the run starts
  size_t after_newline = begin;  // end of the last newline in the run
  while (!text.at_end(at)) {
    const CodePoint c = text.get(at);
    if ((text.class_of(c.value) & kSpace) == 0) break;
    last = at;
    at += c.length;
    if (c.value == U'\r' || c.value == U'\n') after_newline = at;
  }
  if (newlines && after_newline > begin) return after_newline;
  // \s+(?!\S) gives back the last character when something else follows, so that it can lead the next word.
  if (at == text.size() || last == begin) return at;
  return last;
}

size_t gpt2_end(const Reader& text, size_t at) {
  if (text.byte(at) == '\'') {
    if (const size_t end = contraction(text, at, false); end > at) return end;
  }
  const size_t body = text.byte(at) == ' ' ? at + 1 : at;
  if (!text.at_end(body)) {
    const uint8_t kind = text.class_at(body);
    if ((kind & kLetter) != 0) return text.run(body, kLetter);
    if ((kind & kNumber) != 0) return text.run(body, kNumber);
    if ((kind & kSpace) == 0) return text.run_without(body, kSpace | kLetter | kNumber);
  }
  return white_space(text, at, false);
}

struct WordRules {
  uint8_t word = kLetter;  // class bits of a word's characters
  size_t max_digits = 1;
};

size_t llama_end(const Reader& text, size_t at, const WordRules& rules) {
  if (text.byte(at) == '\'') {
    if (const size_t end = contraction(text, at, true); end > at) return end;
  }
  const CodePoint first = text.get(at);
  const uint8_t kind = text.class_of(first.value);
  if ((kind & rules.word) != 0) return text.run(at, rules.word);
  if ((kind & kNumber) != 0) return text.run(at, kNumber, rules.max_digits);
  const size_t next = at + first.length;
  // [^\r\n\p{L}\p{N}]? : one character of any other kind may lead a word.
  if (first.value != U'\r' && first.value != U'\n' && (text.class_at(next) & rules.word) != 0) {
    return text.run(next, rules.word);
  }
  const uint8_t no_symbol = static_cast<uint8_t>(kSpace | kNumber | rules.word | kLetter);
  const size_t body = first.value == U' ' ? next : at;
  if (!text.at_end(body) && (text.class_at(body) & no_symbol) == 0) {
    return text.newlines(text.run_without(body, no_symbol));
  }
  return white_space(text, at, true);
}

}  // namespace

std::optional<ScanPattern> known_pattern(std::string_view regex) {
  if (regex == kGpt2Pattern) return ScanPattern::gpt2;
  if (regex == kLlama3Pattern) return ScanPattern::llama3;
  if (regex == kQwen2Pattern) return ScanPattern::qwen2;
  if (regex == kQwen35Pattern) return ScanPattern::qwen35;
  return std::nullopt;
}

size_t pretoken_end(ScanPattern pattern, std::string_view text, size_t at) {
  const Reader reader(text);
  switch (pattern) {
    case ScanPattern::gpt2:
      return gpt2_end(reader, at);
    case ScanPattern::llama3:
      return llama_end(reader, at, {kLetter, 3});
    case ScanPattern::qwen2:
      return llama_end(reader, at, {kLetter, 1});
    case ScanPattern::qwen35:
      return llama_end(reader, at, {kLetter | kMark, 1});
  }
  return text.size();
}

}  // namespace orthros
