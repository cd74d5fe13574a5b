#include "engine/formats/jinja_lexer.h"

#include <algorithm>
#include <array>

#include "engine/formats/quote.h"
#include "engine/formats/utf8.h"

namespace orthros::jinja {
namespace {

constexpr size_t kMaxTokens = 200'000;

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Every line ends in \n, and the last one has no end: as Jinja reads a template.
std::string normalize_newlines(std::string_view source) {
  std::string out;
  out.reserve(source.size());
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r') {
      if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
      out += '\n';
    } else {
      out += source[i];
    }
  }
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

class Lexer {
 public:
  explicit Lexer(std::string source) : source_(std::move(source)) {}

  Result<std::vector<Token>> run() {
    while (at_ < source_.size()) {
      const size_t tag = find_tag();
      add_text(tag);
      if (at_ >= source_.size()) break;
      const char kind = source_[at_ + 1];
      at_ += 2;
      if (at_ < source_.size() && (source_[at_] == '-' || source_[at_] == '+')) ++at_;
      if (kind == '#') {
        ORTHROS_TRY_VOID(skip_comment());
      } else {
        ORTHROS_TRY_VOID(tag_tokens(kind == '%'));
      }
      if (tokens_.size() > kMaxTokens) {
        return fail_at(line_, ErrorCode::unsupported, "more than {} tokens", kMaxTokens);
      }
    }
    tokens_.push_back({TokenKind::end, "", line_});
    return std::move(tokens_);
  }

 private:
  size_t find_tag() const {
    for (size_t i = source_.find('{', at_); i != std::string::npos; i = source_.find('{', i + 1)) {
      if (i + 1 < source_.size() && std::string_view("{%#").find(source_[i + 1]) != std::string_view::npos)
        return i;
    }
    return source_.size();
  }

  /// Adds the text up to `end`, without the white space that the tag there takes away.
  void add_text(size_t end) {
    const size_t next = std::min(end, source_.size());
    std::string_view text = std::string_view(source_).substr(at_, next - at_);
    const int line = line_;
    line_ += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
    if (next < source_.size()) {
      const char sign = next + 2 < source_.size() ? source_[next + 2] : '\0';
      if (sign == '-') {
        while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
      } else if (sign != '+' && source_[next + 1] != '{') {
        const size_t line_begin = text.rfind('\n') + 1;  // 0 when there is none
        const bool starts_line = line_begin > 0 || at_line_start_;
        if (starts_line &&
            std::all_of(text.begin() + static_cast<std::ptrdiff_t>(line_begin), text.end(), is_space)) {
          text = text.substr(0, line_begin);
        }
      }
    }
    if (!text.empty()) tokens_.push_back({TokenKind::text, std::string(text), line});
    at_ = next;
  }

  /// Steps over the end of a tag and the white space that belongs to it. `length` counts a sign.
  void finish_tag(size_t length, char sign, bool trims_newline) {
    const size_t begin = at_;
    at_ += length;
    if (sign == '-') {
      while (at_ < source_.size() && is_space(source_[at_])) ++at_;
    } else if (sign != '+' && trims_newline && at_ < source_.size() && source_[at_] == '\n') {
      ++at_;
    }
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(begin),
                                         source_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
    at_line_start_ = source_[at_ - 1] == '\n';
  }

  Result<void> skip_comment() {
    const size_t end = source_.find("#}", at_);
    if (end == std::string::npos) return fail_at(line_, ErrorCode::corrupt_file, "a comment has no end");
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    const char sign = end > at_ ? source_[end - 1] : '\0';
    at_ = end;
    finish_tag(2, sign, true);
    return {};
  }

  /// True when the tag ends here: "%}", "-%}" or "+%}" ("}}", "-}}").
  bool tag_ends(bool block, size_t& length, char& sign) const {
    const std::string_view end = block ? "%}" : "}}";
    const std::string_view rest = std::string_view(source_).substr(at_);
    if (rest.starts_with(end)) {
      length = 2;
      sign = '\0';
      return true;
    }
    if (rest.size() > 2 && (rest[0] == '-' || (rest[0] == '+' && block)) && rest.substr(1).starts_with(end)) {
      length = 3;
      sign = rest[0];
      return true;
    }
    return false;
  }

  Result<void> tag_tokens(bool block) {
    const int begin_line = line_;
    tokens_.push_back({block ? TokenKind::block_begin : TokenKind::print_begin, "", line_});
    int open_brackets = 0;
    while (at_ < source_.size()) {
      size_t length = 0;
      char sign = '\0';
      if (open_brackets == 0 && tag_ends(block, length, sign)) {
        tokens_.push_back({block ? TokenKind::block_end : TokenKind::print_end, "", line_});
        finish_tag(length, sign, block);
        return {};
      }
      if (is_space(source_[at_])) {
        if (source_[at_] == '\n') ++line_;
        ++at_;
        continue;
      }
      ORTHROS_TRY_VOID(expression_token());
      const Token& token = tokens_.back();
      if (token.kind != TokenKind::op) continue;
      if (token.text == "(" || token.text == "[" || token.text == "{") ++open_brackets;
      if (token.text == ")" || token.text == "]" || token.text == "}")
        open_brackets = std::max(0, open_brackets - 1);
    }
    return fail_at(begin_line, ErrorCode::corrupt_file, "a tag has no end");
  }

  Result<void> expression_token() {
    const char c = source_[at_];
    if (c == '\'' || c == '"') return string_token(c);
    if (is_name_start(c)) {
      const size_t begin = at_;
      while (at_ < source_.size() && (is_name_start(source_[at_]) || is_digit(source_[at_]))) ++at_;
      tokens_.push_back({TokenKind::name, source_.substr(begin, at_ - begin), line_});
      return {};
    }
    if (is_digit(c)) return number_token();
    static constexpr std::array<std::string_view, 24> kOperators{
        "//", "**", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "~",
        "<",  ">",  "=",  "(",  ")",  "[",  "]", "{", "}", ",", ":", "."};
    const std::string_view rest = std::string_view(source_).substr(at_);
    if (rest[0] == '|') {
      tokens_.push_back({TokenKind::op, "|", line_});
      ++at_;
      return {};
    }
    for (const std::string_view op : kOperators) {
      if (!rest.starts_with(op)) continue;
      tokens_.push_back({TokenKind::op, std::string(op), line_});
      at_ += op.size();
      return {};
    }
    return fail_at(line_, ErrorCode::corrupt_file, "unexpected character {}", quote(rest.substr(0, 1)));
  }

  Result<void> number_token() {
    const size_t begin = at_;
    while (at_ < source_.size() && is_digit(source_[at_])) ++at_;
    TokenKind kind = TokenKind::integer;
    if (at_ + 1 < source_.size() && source_[at_] == '.' && is_digit(source_[at_ + 1])) {
      kind = TokenKind::real;
      ++at_;
      while (at_ < source_.size() && is_digit(source_[at_])) ++at_;
    }
    if (at_ < source_.size() && is_name_start(source_[at_])) {
      return fail_at(line_, ErrorCode::unsupported, "number {}",
                     quote(source_.substr(begin, at_ + 1 - begin)));
    }
    tokens_.push_back({kind, source_.substr(begin, at_ - begin), line_});
    return {};
  }

  Result<void> string_token(char delimiter) {
    const int line = line_;
    std::string text;
    for (++at_; at_ < source_.size() && source_[at_] != delimiter;) {
      if (source_[at_] == '\n') ++line_;
      if (source_[at_] == '\\' && at_ + 1 < source_.size()) {
        ++at_;
        ORTHROS_TRY_VOID(escape(text));
      } else {
        text += source_[at_++];
      }
    }
    if (at_ >= source_.size()) return fail_at(line, ErrorCode::corrupt_file, "a string has no end");
    ++at_;
    tokens_.push_back({TokenKind::string, std::move(text), line});
    return {};
  }

  /// The character after a backslash, as in Python.
  Result<void> escape(std::string& text) {
    const char c = source_[at_++];
    static constexpr std::string_view kNames = "nrtbfva\\'\"";
    static constexpr std::string_view kValues = "\n\r\t\b\f\v\a\\'\"";
    if (const size_t known = kNames.find(c); known != std::string_view::npos) {
      text += kValues[known];
      return {};
    }
    if (c == '\n') {  // the line goes on
      ++line_;
      return {};
    }
    const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits > 0) return hexadecimal(digits, text);
    if (is_digit(c) || c == 'N')
      return fail_at(line_, ErrorCode::unsupported, "escape '\\{}' in a string", c);
    text += '\\';
    text += c;
    return {};
  }

  Result<void> hexadecimal(size_t digits, std::string& text) {
    uint64_t value = 0;
    for (size_t i = 0; i < digits; ++i, ++at_) {
      const char c = at_ < source_.size() ? source_[at_] : '\0';
      const int digit = is_digit(c)            ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0)
        return fail_at(line_, ErrorCode::corrupt_file, "an escape needs {} hexadecimal digits", digits);
      value = value * 16 + static_cast<uint64_t>(digit);
    }
    if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) {
      return fail_at(line_, ErrorCode::corrupt_file, "escape of U+{:X}, which is no character", value);
    }
    append_utf8(text, static_cast<char32_t>(value));
    return {};
  }

  std::string source_;
  size_t at_ = 0;
  int line_ = 1;
  bool at_line_start_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

Result<std::vector<Token>> tokenize(std::string_view source) {
  return Lexer(normalize_newlines(source)).run();
}

}  // namespace orthros::jinja
