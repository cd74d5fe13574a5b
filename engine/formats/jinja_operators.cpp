#include <cmath>
#include <utility>

#include "engine/formats/jinja_interpreter.h"
#include "engine/formats/jinja_lexer.h"

namespace orthros::jinja {

Result<Value> Interpreter::minus(const Expression& e) {
  ORTHROS_TRY(const Value value, evaluate(*e.children[0]));
  int64_t integer = 0;
  if (value.integer(integer) != nullptr && integer != INT64_MIN) return Value(-integer);
  if (const auto* real = value.get<double>()) return Value(-*real);
  return fail_at(e.line, ErrorCode::corrupt_file, "cannot negate {}", describe(value));
}

Result<Value> Interpreter::binary(const Expression& e) {
  ORTHROS_TRY(const Value a, evaluate(*e.children[0]));
  ORTHROS_TRY(const Value b, evaluate(*e.children[1]));
  if (e.text == "~") {
    ORTHROS_TRY(const std::string left, at(e.line, to_text(a)));
    ORTHROS_TRY(const std::string right, at(e.line, to_text(b)));
    return concatenate(e, left, right);
  }
  if (e.text == "+") return add(e, a, b);
  return arithmetic(e, a, b);
}

Result<Value> Interpreter::concatenate(const Expression& e, std::string_view a, std::string_view b) {
  std::string text;
  text.reserve(a.size() + b.size());
  text += a;
  text += b;
  return make_text(e, std::move(text));
}

Result<Value> Interpreter::add(const Expression& e, const Value& a, const Value& b) {
  if (a.text() != nullptr && b.text() != nullptr) return concatenate(e, *a.text(), *b.text());
  if (const auto* x = a.get<List>(), *y = b.get<List>(); x != nullptr && y != nullptr) {
    ORTHROS_TRY_VOID(at(e.line, check_list_size((*x)->items.size() + (*y)->items.size())));
    std::vector<Value> items = (*x)->items;
    items.insert(items.end(), (*y)->items.begin(), (*y)->items.end());
    ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(items.size())));
    return at(e.line, make_list(std::move(items)));
  }
  return arithmetic(e, a, b);
}

Result<Value> Interpreter::arithmetic(const Expression& e, const Value& a, const Value& b) {
  if (!a.is_number() || !b.is_number()) {
    if (a.text() != nullptr && (e.text == "%" || e.text == "*")) {
      return fail_at(e.line, ErrorCode::unsupported, "'{}' of a str is not supported", e.text);
    }
    return fail_at(e.line, ErrorCode::corrupt_file, "cannot apply '{}' to {} and {}", e.text, describe(a),
                   describe(b));
  }
  int64_t i = 0;
  int64_t j = 0;
  if (a.integer(i) != nullptr && b.integer(j) != nullptr && e.text != "/") return integer_arithmetic(e, i, j);
  const double x = a.as_double();
  const double y = b.as_double();
  if (e.text == "+") return Value(x + y);
  if (e.text == "-") return Value(x - y);
  if (e.text == "*") return Value(x * y);
  if (y == 0) return fail_at(e.line, ErrorCode::corrupt_file, "division by zero");
  if (e.text == "/") return Value(x / y);
  if (e.text == "//") return Value(std::floor(x / y));
  return Value(x - y * std::floor(x / y));
}

Result<Value> Interpreter::integer_arithmetic(const Expression& e, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflow = false;
  if (e.text == "+") {
    overflow = __builtin_add_overflow(a, b, &result);
  } else if (e.text == "-") {
    overflow = __builtin_sub_overflow(a, b, &result);
  } else if (e.text == "*") {
    overflow = __builtin_mul_overflow(a, b, &result);
  } else {
    if (b == 0) return fail_at(e.line, ErrorCode::corrupt_file, "division by zero");
    if (b == -1) {
      overflow = a == INT64_MIN;
      result = e.text == "%" || overflow ? 0 : -a;
    } else {
      // Python rounds towards minus infinity.
      const int64_t quotient = a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
      result = e.text == "//" ? quotient : a - quotient * b;
    }
  }
  if (overflow) return fail_at(e.line, ErrorCode::unsupported, "an integer grows past 64 bits");
  return Value(result);
}

Result<Value> Interpreter::comparison(const Expression& e) {
  ORTHROS_TRY(Value left, evaluate(*e.children[0]));
  for (size_t i = 0; i < e.operators.size(); ++i) {
    ORTHROS_TRY(Value right, evaluate(*e.children[i + 1]));
    ORTHROS_TRY(const bool holds, compare(e, e.operators[i], left, right));
    if (!holds) return Value(false);
    left = std::move(right);
  }
  return Value(true);
}

Result<bool> Interpreter::compare(const Expression& e, const std::string& op, const Value& a,
                                  const Value& b) {
  if (op == "==" || op == "!=") {
    const bool same = equal(a, b, budget_);
    ORTHROS_TRY_VOID(charge(e.line, 0));
    return same == (op == "==");
  }
  if (op == "in" || op == "not in") {
    ORTHROS_TRY(const bool found, contains(e, a, b));
    return found == (op == "in");
  }
  int order = 0;
  if (a.is_number() && b.is_number()) {
    order = a.as_double() < b.as_double() ? -1 : a.as_double() > b.as_double() ? 1 : 0;
  } else if (a.text() != nullptr && b.text() != nullptr) {
    order = a.text()->compare(*b.text());  // the order of UTF-8 is the order of its characters
  } else {
    return fail_at(e.line, ErrorCode::corrupt_file, "cannot compare {} and {}", describe(a), describe(b));
  }
  if (op == "<") return order < 0;
  if (op == "<=") return order <= 0;
  if (op == ">") return order > 0;
  return order >= 0;
}

Result<bool> Interpreter::contains(const Expression& e, const Value& item, const Value& container) {
  if (const std::string* text = container.text()) {
    if (item.text() == nullptr) {
      return fail_at(e.line, ErrorCode::corrupt_file, "cannot look for {} in a str", describe(item));
    }
    ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(text->size()) / 16));
    return text->find(*item.text()) != std::string::npos;
  }
  if (const auto* dict = container.get<Dict>()) {
    ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>((*dict)->items.size())));
    return item.text() != nullptr && (*dict)->find(*item.text()) != nullptr;
  }
  if (const auto* list = container.get<List>()) {
    for (const Value& candidate : (*list)->items) {
      const bool same = equal(item, candidate, budget_);
      ORTHROS_TRY_VOID(charge(e.line, 1));
      if (same) return true;
    }
    return false;
  }
  if (container.is<Undefined>()) return false;
  return fail_at(e.line, ErrorCode::corrupt_file, "cannot look into {}", describe(container));
}

}  // namespace orthros::jinja
