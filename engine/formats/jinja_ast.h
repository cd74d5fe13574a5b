// Syntax tree of a chat template. Depth is bounded by the parser, so walking it cannot exhaust the stack.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/formats/jinja_value.h"

namespace orthros::jinja {

struct Expression;
using ExpressionPtr = std::unique_ptr<Expression>;

enum class ExpressionKind {
  literal,
  name,         // text
  list,         // children
  dict,         // children: key, value, key, value...
  negation,     // not child 0
  minus,        // - child 0
  conjunction,  // child 0 and child 1
  disjunction,
  binary,       // child 0, text, child 1: + - * / // % ~
  comparison,   // child 0, operators[0], child 1, operators[1], child 2...
  conditional,  // child 1 if child 0 else child 2 (may be absent)
  attribute,    // child 0 . text
  item,         // child 0 [ child 1 ]
  slice,        // child 0 [ child 1 : child 2 : child 3 ], each may be null
  call,         // child 0 ( other children, keywords )
  filter,       // child 0 | text ( other children, keywords )
  test,         // child 0 is text ( other children )
};

struct Expression {
  ExpressionKind kind = ExpressionKind::literal;
  int line = 1;
  int depth = 1;
  std::string text;
  Value value;
  std::vector<ExpressionPtr> children;
  std::vector<std::string> operators;
  std::vector<std::pair<std::string, ExpressionPtr>> keywords;
};

enum class StatementKind {
  text,
  print,      // condition: what is printed
  choice,     // branches
  loop,       // names; condition: over what; filter; body; branches[0]: else
  assign,     // names, or names[0].attribute; condition: the value
  capture,    // {% set x %}body{% endset %}
  macro,      // text: name; names: parameters; defaults; body
  group,      // {% generation %}: the body as it is
  stop_loop,  // break
  next_loop,  // continue
};

struct Statement;
using Body = std::vector<Statement>;

struct Branch {
  ExpressionPtr condition;  // null: else
  Body body;
};

struct Statement {
  StatementKind kind = StatementKind::text;
  int line = 1;
  std::string text;
  std::vector<std::string> names;
  std::string attribute;
  ExpressionPtr condition, filter;
  std::vector<ExpressionPtr> defaults;  // of the last parameters
  Body body;
  std::vector<Branch> branches;
};

}  // namespace orthros::jinja
