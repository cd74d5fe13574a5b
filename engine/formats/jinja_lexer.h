// Template text into tokens: text, {{ ... }}, {% ... %}; comments go. White space as HF sets Jinja:
// trim_blocks, lstrip_blocks, and the signs - and +. Errors: corrupt_file with the line. Source: Jinja 3.1's
// documented syntax.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace orthros::jinja {

enum class TokenKind {
  text,
  print_begin,
  print_end,
  block_begin,
  block_end,
  name,
  string,
  integer,
  real,
  op,
  end
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;  // of a string: decoded
  int line = 1;
};

/// The last token has kind end.
Result<std::vector<Token>> tokenize(std::string_view source);

/// An error at a line of the template.
template <class... Args>
tl::unexpected<Error> fail_at(int line, ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return fail(
      Error{code,
            fmt::format("chat template line {}: {}", line, fmt::format(format, std::forward<Args>(args)...)),
            {}});
}

}  // namespace orthros::jinja
