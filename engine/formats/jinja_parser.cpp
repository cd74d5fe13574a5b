#include "engine/formats/jinja_parser.h"

#include <algorithm>
#include <utility>

#include "engine/formats/quote.h"

namespace orthros::jinja {
namespace {

constexpr int kMaxNesting = 30;  // statements inside statements

class StatementParser {
 public:
  explicit StatementParser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<Body> run() {
    std::string end;
    ORTHROS_TRY(Body body, body_until({}, end));
    return body;
  }

 private:
  using Names = std::initializer_list<std::string_view>;

  ExpressionParser expressions() { return ExpressionParser(tokens_); }

  Result<void> end_tag() {
    if (tokens_.peek().kind != TokenKind::block_end) return tokens_.unexpected();
    tokens_.take();
    return {};
  }

  /// Statements up to one of the tags `ends`, whose name is taken and told in `end`; its tag stays open.
  Result<Body> body_until(Names ends, std::string& end) {
    if (++nesting_ > kMaxNesting) {
      return fail_at(tokens_.peek().line, ErrorCode::unsupported, "statements are nested deeper than {}",
                     kMaxNesting);
    }
    Body body;
    while (true) {
      const Token token = tokens_.take();
      if (token.kind == TokenKind::end) {
        if (ends.size() == 0) break;
        return fail_at(token.line, ErrorCode::corrupt_file, "{} is missing", *(ends.end() - 1));
      }
      if (token.kind == TokenKind::text) {
        body.emplace_back();
        body.back().text = token.text;
        continue;
      }
      if (token.kind == TokenKind::print_begin) {
        ORTHROS_TRY(Statement print, print_statement(token.line));
        body.push_back(std::move(print));
        continue;
      }
      ORTHROS_TRY(end, tokens_.expect_name());
      if (std::find(ends.begin(), ends.end(), end) != ends.end()) break;
      ORTHROS_TRY(Statement statement, tagged(end, token.line));
      statement.line = token.line;
      body.push_back(std::move(statement));
    }
    --nesting_;
    return body;
  }

  Result<Statement> print_statement(int line) {
    Statement statement;
    statement.kind = StatementKind::print;
    statement.line = line;
    ORTHROS_TRY(statement.condition, expressions().expression_or_tuple());
    if (tokens_.peek().kind != TokenKind::print_end) return tokens_.unexpected();
    tokens_.take();
    return statement;
  }

  Result<Statement> tagged(const std::string& name, int line) {
    if (name == "if") return choice();
    if (name == "for") return loop();
    if (name == "set") return assignment();
    if (name == "macro") return macro();
    if (name == "generation") return generation();
    if (name == "break" || name == "continue") return loop_control(name, line);
    if (name.starts_with("end") || name == "else" || name == "elif") {
      return fail_at(line, ErrorCode::corrupt_file, "{} without its beginning", quote(name));
    }
    return fail_at(line, ErrorCode::unsupported, "statement {} is not supported", quote(name));
  }

  Result<Statement> choice() {
    Statement statement;
    statement.kind = StatementKind::choice;
    std::string end = "if";
    while (end != "endif") {
      Branch branch;
      const bool last = end == "else";
      if (!last) {
        ORTHROS_TRY(branch.condition, expressions().expression_or_tuple());
      }
      ORTHROS_TRY_VOID(end_tag());
      if (last) {
        ORTHROS_TRY(branch.body, body_until({"endif"}, end));
      } else {
        ORTHROS_TRY(branch.body, body_until({"elif", "else", "endif"}, end));
      }
      statement.branches.push_back(std::move(branch));
    }
    ORTHROS_TRY_VOID(end_tag());
    return statement;
  }

  /// a, b
  Result<std::vector<std::string>> target_names() {
    std::vector<std::string> names;
    const bool bracket = tokens_.skip_op("(");
    do {
      ORTHROS_TRY(std::string name, tokens_.expect_name());
      names.push_back(std::move(name));
    } while (tokens_.skip_op(","));
    if (bracket) ORTHROS_TRY_VOID(tokens_.expect_op(")"));
    return names;
  }

  Result<Statement> loop() {
    Statement statement;
    statement.kind = StatementKind::loop;
    ORTHROS_TRY(statement.names, target_names());
    if (!tokens_.skip_name("in")) return tokens_.unexpected();
    ORTHROS_TRY(statement.condition, expressions().disjunction());
    if (tokens_.skip_name("if")) {
      ORTHROS_TRY(statement.filter, expressions().expression());
    }
    if (tokens_.is_name("recursive")) {
      return fail_at(tokens_.peek().line, ErrorCode::unsupported, "'recursive' loop is not supported");
    }
    ORTHROS_TRY_VOID(end_tag());
    ++loops_;
    std::string end;
    ORTHROS_TRY(statement.body, body_until({"else", "endfor"}, end));
    --loops_;
    if (end == "else") {
      ORTHROS_TRY_VOID(end_tag());
      Branch otherwise;
      ORTHROS_TRY(otherwise.body, body_until({"endfor"}, end));
      statement.branches.push_back(std::move(otherwise));
    }
    ORTHROS_TRY_VOID(end_tag());
    return statement;
  }

  Result<Statement> assignment() {
    Statement statement;
    statement.kind = StatementKind::assign;
    ORTHROS_TRY(statement.names, target_names());
    if (statement.names.size() == 1 && tokens_.skip_op(".")) {
      ORTHROS_TRY(statement.attribute, tokens_.expect_name());
    }
    if (tokens_.skip_op("=")) {
      ORTHROS_TRY(statement.condition, expressions().expression_or_tuple());
      ORTHROS_TRY_VOID(end_tag());
      return statement;
    }
    if (tokens_.is_op("|")) {
      return fail_at(tokens_.peek().line, ErrorCode::unsupported, "a filter on a set block is not supported");
    }
    if (statement.names.size() != 1 || !statement.attribute.empty()) return tokens_.unexpected();
    statement.kind = StatementKind::capture;
    ORTHROS_TRY_VOID(end_tag());
    std::string end;
    ORTHROS_TRY(statement.body, body_until({"endset"}, end));
    ORTHROS_TRY_VOID(end_tag());
    return statement;
  }

  Result<Statement> macro() {
    Statement statement;
    statement.kind = StatementKind::macro;
    ORTHROS_TRY(statement.text, tokens_.expect_name());
    ORTHROS_TRY_VOID(tokens_.expect_op("("));
    while (!tokens_.is_op(")")) {
      ORTHROS_TRY(std::string parameter, tokens_.expect_name());
      statement.names.push_back(std::move(parameter));
      if (tokens_.skip_op("=")) {
        ORTHROS_TRY(ExpressionPtr value, expressions().expression());
        statement.defaults.push_back(std::move(value));
      } else if (!statement.defaults.empty()) {
        return fail_at(tokens_.peek().line, ErrorCode::corrupt_file,
                       "a parameter without default after one with");
      }
      if (!tokens_.skip_op(",")) break;
    }
    ORTHROS_TRY_VOID(tokens_.expect_op(")"));
    ORTHROS_TRY_VOID(end_tag());
    const int loops = std::exchange(loops_, 0);
    std::string end;
    ORTHROS_TRY(statement.body, body_until({"endmacro"}, end));
    loops_ = loops;
    if (tokens_.peek().kind == TokenKind::name) tokens_.take();  // {% endmacro name %}
    ORTHROS_TRY_VOID(end_tag());
    return statement;
  }

  /// HF's own tag: marks what the assistant says, for training masks.
  Result<Statement> generation() {
    Statement statement;
    statement.kind = StatementKind::group;
    ORTHROS_TRY_VOID(end_tag());
    std::string end;
    ORTHROS_TRY(statement.body, body_until({"endgeneration"}, end));
    ORTHROS_TRY_VOID(end_tag());
    return statement;
  }

  Result<Statement> loop_control(const std::string& name, int line) {
    if (loops_ == 0) return fail_at(line, ErrorCode::corrupt_file, "{} outside a loop", quote(name));
    Statement statement;
    statement.kind = name == "break" ? StatementKind::stop_loop : StatementKind::next_loop;
    ORTHROS_TRY_VOID(end_tag());
    return statement;
  }

  TokenStream tokens_;
  int nesting_ = 0;
  int loops_ = 0;
};

}  // namespace

bool TokenStream::next_is_name(std::string_view name) const {
  return at_ + 1 < tokens_.size() && tokens_[at_ + 1].kind == TokenKind::name &&
         tokens_[at_ + 1].text == name;
}

bool TokenStream::skip_op(std::string_view op) {
  if (!is_op(op)) return false;
  take();
  return true;
}

bool TokenStream::skip_name(std::string_view name) {
  if (!is_name(name)) return false;
  take();
  return true;
}

Result<void> TokenStream::expect_op(std::string_view op) {
  if (!skip_op(op)) return unexpected();
  return {};
}

Result<std::string> TokenStream::expect_name() {
  if (peek().kind != TokenKind::name) return unexpected();
  return take().text;
}

tl::unexpected<Error> TokenStream::unexpected() const {
  const Token& token = peek();
  switch (token.kind) {
    case TokenKind::end:
      return fail_at(token.line, ErrorCode::corrupt_file, "the template ends too early");
    case TokenKind::block_end:
    case TokenKind::print_end:
      return fail_at(token.line, ErrorCode::corrupt_file, "the tag ends too early");
    default:
      return fail_at(token.line, ErrorCode::corrupt_file, "unexpected {}", quote(token.text));
  }
}

Result<Body> parse_template(std::string_view source) {
  ORTHROS_TRY(std::vector<Token> tokens, tokenize(source));
  return StatementParser(std::move(tokens)).run();
}

}  // namespace orthros::jinja
