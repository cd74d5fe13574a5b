#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/formats/jinja_parser.h"
#include "engine/formats/quote.h"

namespace orthros::jinja {
namespace {

constexpr int kMaxNesting = 100;  // a bracket counts twice, a sign once
constexpr int kMaxDepth = 100;    // of the tree, which long chains deepen too

std::vector<ExpressionPtr> children_of(ExpressionPtr a, ExpressionPtr b = nullptr) {
  std::vector<ExpressionPtr> children;
  children.push_back(std::move(a));
  if (b != nullptr) children.push_back(std::move(b));
  return children;
}

struct NestingGuard {
  explicit NestingGuard(int& nesting) : nesting_(++nesting) {}
  ~NestingGuard() { --nesting_; }
  int& nesting_;
};

}  // namespace

Result<ExpressionPtr> ExpressionParser::node(ExpressionKind kind, std::string text,
                                             std::vector<ExpressionPtr> children) const {
  auto result = std::make_unique<Expression>();
  result->kind = kind;
  result->line = tokens_.peek().line;
  result->text = std::move(text);
  for (const ExpressionPtr& child : children) {
    if (child != nullptr) result->depth = std::max(result->depth, child->depth + 1);
  }
  result->children = std::move(children);
  if (result->depth > kMaxDepth) {
    return fail_at(result->line, ErrorCode::unsupported, "an expression is deeper than {}", kMaxDepth);
  }
  return result;
}

Result<ExpressionPtr> ExpressionParser::expression_or_tuple() {
  ORTHROS_TRY(ExpressionPtr first, expression());
  if (!tokens_.is_op(",")) return first;
  std::vector<ExpressionPtr> items = children_of(std::move(first));
  while (tokens_.skip_op(",")) {
    if (tokens_.peek().kind == TokenKind::block_end || tokens_.peek().kind == TokenKind::print_end) break;
    ORTHROS_TRY(ExpressionPtr item, expression());
    items.push_back(std::move(item));
  }
  return node(ExpressionKind::list, "", std::move(items));
}

Result<ExpressionPtr> ExpressionParser::expression() {
  const NestingGuard guard(nesting_);
  if (nesting_ > kMaxNesting) {
    return fail_at(tokens_.peek().line, ErrorCode::unsupported, "an expression is nested deeper than {}",
                   kMaxNesting);
  }
  ORTHROS_TRY(ExpressionPtr result, disjunction());
  while (tokens_.skip_name("if")) {
    ORTHROS_TRY(ExpressionPtr condition, disjunction());
    std::vector<ExpressionPtr> children = children_of(std::move(condition), std::move(result));
    if (tokens_.skip_name("else")) {
      ORTHROS_TRY(ExpressionPtr otherwise, expression());
      children.push_back(std::move(otherwise));
    }
    ORTHROS_TRY(result, node(ExpressionKind::conditional, "", std::move(children)));
  }
  return result;
}

Result<ExpressionPtr> ExpressionParser::disjunction() {
  ORTHROS_TRY(ExpressionPtr left, conjunction());
  while (tokens_.skip_name("or")) {
    ORTHROS_TRY(ExpressionPtr right, conjunction());
    ORTHROS_TRY(left, node(ExpressionKind::disjunction, "", children_of(std::move(left), std::move(right))));
  }
  return left;
}

Result<ExpressionPtr> ExpressionParser::conjunction() {
  ORTHROS_TRY(ExpressionPtr left, negation());
  while (tokens_.skip_name("and")) {
    ORTHROS_TRY(ExpressionPtr right, negation());
    ORTHROS_TRY(left, node(ExpressionKind::conjunction, "", children_of(std::move(left), std::move(right))));
  }
  return left;
}

Result<ExpressionPtr> ExpressionParser::negation() {
  int count = 0;
  while (tokens_.skip_name("not")) ++count;
  ORTHROS_TRY(ExpressionPtr result, comparison());
  for (; count > 0; --count) {
    ORTHROS_TRY(result, node(ExpressionKind::negation, "", children_of(std::move(result))));
  }
  return result;
}

Result<ExpressionPtr> ExpressionParser::comparison() {
  ORTHROS_TRY(ExpressionPtr first, sum());
  std::vector<std::string> operators;
  std::vector<ExpressionPtr> children = children_of(std::move(first));
  while (true) {
    const Token& token = tokens_.peek();
    static constexpr std::string_view kOperators[] = {"==", "!=", "<", "<=", ">", ">="};
    if (token.kind == TokenKind::op &&
        std::find(std::begin(kOperators), std::end(kOperators), token.text) != std::end(kOperators)) {
      operators.push_back(tokens_.take().text);
    } else if (tokens_.skip_name("in")) {
      operators.emplace_back("in");
    } else if (tokens_.is_name("not") && tokens_.next_is_name("in")) {
      tokens_.take();
      tokens_.take();
      operators.emplace_back("not in");
    } else {
      break;
    }
    ORTHROS_TRY(ExpressionPtr next, sum());
    children.push_back(std::move(next));
  }
  if (operators.empty()) return std::move(children.front());
  ORTHROS_TRY(ExpressionPtr result, node(ExpressionKind::comparison, "", std::move(children)));
  result->operators = std::move(operators);
  return result;
}

Result<ExpressionPtr> ExpressionParser::left_associative(Result<ExpressionPtr> (ExpressionParser::*next)(),
                                                         std::initializer_list<std::string_view> operators) {
  ORTHROS_TRY(ExpressionPtr left, (this->*next)());
  while (tokens_.peek().kind == TokenKind::op &&
         std::find(operators.begin(), operators.end(), tokens_.peek().text) != operators.end()) {
    const std::string op = tokens_.take().text;
    ORTHROS_TRY(ExpressionPtr right, (this->*next)());
    ORTHROS_TRY(left, node(ExpressionKind::binary, op, children_of(std::move(left), std::move(right))));
  }
  return left;
}

Result<ExpressionPtr> ExpressionParser::sum() {
  return left_associative(&ExpressionParser::concatenation, {"+", "-"});
}

Result<ExpressionPtr> ExpressionParser::concatenation() {
  return left_associative(&ExpressionParser::product, {"~"});
}

Result<ExpressionPtr> ExpressionParser::product() {
  ORTHROS_TRY(ExpressionPtr left, unary(true));
  while (tokens_.is_op("*") || tokens_.is_op("/") || tokens_.is_op("//") || tokens_.is_op("%")) {
    const std::string op = tokens_.take().text;
    ORTHROS_TRY(ExpressionPtr right, unary(true));
    ORTHROS_TRY(left, node(ExpressionKind::binary, op, children_of(std::move(left), std::move(right))));
  }
  if (tokens_.is_op("**")) return fail_at(tokens_.peek().line, ErrorCode::unsupported, "operator '**'");
  return left;
}

Result<ExpressionPtr> ExpressionParser::unary(bool with_filters) {
  const NestingGuard guard(nesting_);
  if (nesting_ > kMaxNesting)
    return fail_at(tokens_.peek().line, ErrorCode::unsupported, "too many signs in a row");
  ExpressionPtr result;
  if (tokens_.skip_op("-")) {
    ORTHROS_TRY(ExpressionPtr inner, unary(false));
    ORTHROS_TRY(result, node(ExpressionKind::minus, "", children_of(std::move(inner))));
  } else if (tokens_.skip_op("+")) {
    ORTHROS_TRY(result, unary(false));
  } else {
    ORTHROS_TRY(ExpressionPtr inner, primary());
    ORTHROS_TRY(result, postfix(std::move(inner)));
  }
  return with_filters ? filters_and_tests(std::move(result)) : std::move(result);
}

Result<ExpressionPtr> ExpressionParser::primary() {
  const Token& token = tokens_.peek();
  if (token.kind == TokenKind::name) return name_or_constant();
  if (token.kind == TokenKind::string) {
    std::string text;
    while (tokens_.peek().kind == TokenKind::string) text += tokens_.take().text;
    ORTHROS_TRY(ExpressionPtr result, node(ExpressionKind::literal, "", {}));
    result->value = Value(std::move(text));
    return result;
  }
  if (token.kind == TokenKind::integer || token.kind == TokenKind::real) {
    ORTHROS_TRY(ExpressionPtr result, node(ExpressionKind::literal, "", {}));
    const char* begin = token.text.data();
    const char* end = begin + token.text.size();
    int64_t integer = 0;
    double real = 0;
    const bool is_integer = token.kind == TokenKind::integer;
    const auto parsed = is_integer ? std::from_chars(begin, end, integer) : std::from_chars(begin, end, real);
    if (parsed.ec != std::errc())
      return fail_at(token.line, ErrorCode::unsupported, "number {}", quote(token.text));
    result->value = is_integer ? Value(integer) : Value(real);
    tokens_.take();
    return result;
  }
  if (tokens_.is_op("(")) return parenthesis();
  if (tokens_.is_op("[")) return list_literal();
  if (tokens_.is_op("{")) return dict_literal();
  return tokens_.unexpected();
}

Result<ExpressionPtr> ExpressionParser::name_or_constant() {
  const std::string name = tokens_.take().text;
  const auto constant = [&](Value value) -> Result<ExpressionPtr> {
    ORTHROS_TRY(ExpressionPtr result, node(ExpressionKind::literal, "", {}));
    result->value = std::move(value);
    return result;
  };
  if (name == "true" || name == "True") return constant(true);
  if (name == "false" || name == "False") return constant(false);
  if (name == "none" || name == "None") return constant(None{});
  return node(ExpressionKind::name, name, {});
}

Result<ExpressionPtr> ExpressionParser::parenthesis() {
  ORTHROS_TRY_VOID(tokens_.expect_op("("));
  std::vector<ExpressionPtr> items;
  bool tuple = tokens_.is_op(")");
  while (!tokens_.is_op(")")) {
    ORTHROS_TRY(ExpressionPtr item, expression());
    items.push_back(std::move(item));
    if (!tokens_.skip_op(",")) break;
    tuple = true;
  }
  ORTHROS_TRY_VOID(tokens_.expect_op(")"));
  if (!tuple) return std::move(items.front());
  return node(ExpressionKind::list, "", std::move(items));
}

Result<ExpressionPtr> ExpressionParser::list_literal() {
  ORTHROS_TRY_VOID(tokens_.expect_op("["));
  std::vector<ExpressionPtr> items;
  while (!tokens_.is_op("]")) {
    ORTHROS_TRY(ExpressionPtr item, expression());
    items.push_back(std::move(item));
    if (!tokens_.skip_op(",")) break;
  }
  ORTHROS_TRY_VOID(tokens_.expect_op("]"));
  return node(ExpressionKind::list, "", std::move(items));
}

Result<ExpressionPtr> ExpressionParser::dict_literal() {
  ORTHROS_TRY_VOID(tokens_.expect_op("{"));
  std::vector<ExpressionPtr> items;
  while (!tokens_.is_op("}")) {
    ORTHROS_TRY(ExpressionPtr key, expression());
    ORTHROS_TRY_VOID(tokens_.expect_op(":"));
    ORTHROS_TRY(ExpressionPtr value, expression());
    items.push_back(std::move(key));
    items.push_back(std::move(value));
    if (!tokens_.skip_op(",")) break;
  }
  ORTHROS_TRY_VOID(tokens_.expect_op("}"));
  return node(ExpressionKind::dict, "", std::move(items));
}

Result<ExpressionPtr> ExpressionParser::postfix(ExpressionPtr inner) {
  while (true) {
    if (tokens_.skip_op(".")) {
      if (tokens_.peek().kind == TokenKind::integer) {
        return fail_at(tokens_.peek().line, ErrorCode::unsupported, "attribute {}",
                       quote(tokens_.peek().text));
      }
      ORTHROS_TRY(std::string name, tokens_.expect_name());
      ORTHROS_TRY(inner, node(ExpressionKind::attribute, std::move(name), children_of(std::move(inner))));
    } else if (tokens_.is_op("[")) {
      ORTHROS_TRY(inner, subscript(std::move(inner)));
    } else if (tokens_.is_op("(")) {
      ORTHROS_TRY(inner, node(ExpressionKind::call, "", children_of(std::move(inner))));
      ORTHROS_TRY_VOID(arguments(*inner));
    } else {
      return inner;
    }
  }
}

Result<ExpressionPtr> ExpressionParser::subscript(ExpressionPtr inner) {
  ORTHROS_TRY_VOID(tokens_.expect_op("["));
  std::vector<ExpressionPtr> children = children_of(std::move(inner));
  bool slice = false;
  for (int part = 0; part < 3; ++part) {
    ExpressionPtr bound;
    if (!tokens_.is_op(":") && !tokens_.is_op("]")) {
      ORTHROS_TRY(bound, expression());
    }
    children.push_back(std::move(bound));
    if (part == 2 || !tokens_.skip_op(":")) break;
    slice = true;
  }
  ORTHROS_TRY_VOID(tokens_.expect_op("]"));
  if (!slice && children[1] == nullptr) return tokens_.unexpected();
  if (slice) children.resize(4);
  return node(slice ? ExpressionKind::slice : ExpressionKind::item, "", std::move(children));
}

Result<ExpressionPtr> ExpressionParser::filters_and_tests(ExpressionPtr inner) {
  while (true) {
    if (tokens_.skip_op("|")) {
      ORTHROS_TRY(std::string name, tokens_.expect_name());
      ORTHROS_TRY(inner, node(ExpressionKind::filter, std::move(name), children_of(std::move(inner))));
      if (tokens_.is_op("(")) ORTHROS_TRY_VOID(arguments(*inner));
    } else if (tokens_.skip_name("is")) {
      ORTHROS_TRY(inner, test(std::move(inner)));
    } else {
      return inner;
    }
  }
}

Result<ExpressionPtr> ExpressionParser::test(ExpressionPtr inner) {
  const bool negated = tokens_.skip_name("not");
  ORTHROS_TRY(std::string name, tokens_.expect_name());
  ORTHROS_TRY(ExpressionPtr result,
              node(ExpressionKind::test, std::move(name), children_of(std::move(inner))));
  const Token& next = tokens_.peek();
  if (tokens_.is_op("(")) {
    ORTHROS_TRY_VOID(arguments(*result));
  } else if (next.kind == TokenKind::string || next.kind == TokenKind::integer ||
             next.kind == TokenKind::real || tokens_.is_op("[") || tokens_.is_op("{") ||
             (next.kind == TokenKind::name && next.text != "else" && next.text != "or" &&
              next.text != "and" && next.text != "if" && next.text != "is" && next.text != "not" &&
              next.text != "in")) {
    ORTHROS_TRY(ExpressionPtr argument, primary());
    ORTHROS_TRY(argument, postfix(std::move(argument)));
    result->depth = std::max(result->depth, argument->depth + 1);
    result->children.push_back(std::move(argument));
  }
  if (negated) return node(ExpressionKind::negation, "", children_of(std::move(result)));
  return result;
}

Result<void> ExpressionParser::arguments(Expression& call) {
  ORTHROS_TRY_VOID(tokens_.expect_op("("));
  while (!tokens_.is_op(")")) {
    if (tokens_.is_op("*") || tokens_.is_op("**")) {
      return fail_at(tokens_.peek().line, ErrorCode::unsupported, "'{}' before an argument",
                     tokens_.peek().text);
    }
    ORTHROS_TRY(ExpressionPtr argument, expression());
    call.depth = std::max(call.depth, argument->depth + 1);
    if (argument->kind == ExpressionKind::name && tokens_.skip_op("=")) {
      ORTHROS_TRY(ExpressionPtr value, expression());
      call.depth = std::max(call.depth, value->depth + 1);
      call.keywords.emplace_back(argument->text, std::move(value));
    } else {
      call.children.push_back(std::move(argument));
    }
    if (!tokens_.skip_op(",")) break;
  }
  if (call.depth > kMaxDepth) {
    return fail_at(call.line, ErrorCode::unsupported, "an expression is deeper than {}", kMaxDepth);
  }
  return tokens_.expect_op(")");
}

}  // namespace orthros::jinja
