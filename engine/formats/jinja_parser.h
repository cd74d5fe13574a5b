// Tokens of a chat template into a syntax tree.
// Errors: corrupt_file for syntax errors, unsupported naming a statement that is not read here; both with the
// line.
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/jinja_ast.h"
#include "engine/formats/jinja_lexer.h"

namespace orthros::jinja {

/// A position in the tokens.
class TokenStream {
 public:
  explicit TokenStream(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
  const Token& peek() const { return tokens_[at_]; }
  Token take() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_[at_]; }
  bool is_op(std::string_view op) const { return peek().kind == TokenKind::op && peek().text == op; }
  bool is_name(std::string_view name) const { return peek().kind == TokenKind::name && peek().text == name; }
  bool next_is_name(std::string_view name) const;
  bool skip_op(std::string_view op);
  bool skip_name(std::string_view name);
  Result<void> expect_op(std::string_view op);
  Result<std::string> expect_name();
  tl::unexpected<Error> unexpected() const;

 private:
  std::vector<Token> tokens_;
  size_t at_ = 0;
};

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& tokens) : tokens_(tokens) {}

  /// With conditional expressions, but no bare tuple.
  Result<ExpressionPtr> expression();
  /// No conditional: what a for iterates over, so that `if` can follow.
  Result<ExpressionPtr> disjunction();
  /// a or a, b, c
  Result<ExpressionPtr> expression_or_tuple();

 private:
  Result<ExpressionPtr> conjunction();
  Result<ExpressionPtr> negation();
  Result<ExpressionPtr> comparison();
  Result<ExpressionPtr> sum();
  Result<ExpressionPtr> concatenation();
  Result<ExpressionPtr> product();
  Result<ExpressionPtr> unary(bool with_filters);
  Result<ExpressionPtr> primary();
  Result<ExpressionPtr> parenthesis();
  Result<ExpressionPtr> list_literal();
  Result<ExpressionPtr> dict_literal();
  Result<ExpressionPtr> name_or_constant();
  Result<ExpressionPtr> postfix(ExpressionPtr inner);
  Result<ExpressionPtr> subscript(ExpressionPtr inner);
  Result<ExpressionPtr> filters_and_tests(ExpressionPtr inner);
  Result<ExpressionPtr> test(ExpressionPtr inner);
  Result<void> arguments(Expression& call);
  Result<ExpressionPtr> node(ExpressionKind kind, std::string text,
                             std::vector<ExpressionPtr> children) const;
  Result<ExpressionPtr> left_associative(Result<ExpressionPtr> (ExpressionParser::*next)(),
                                         std::initializer_list<std::string_view> operators);

  TokenStream& tokens_;
  int nesting_ = 0;
};

Result<Body> parse_template(std::string_view source);

}  // namespace orthros::jinja
