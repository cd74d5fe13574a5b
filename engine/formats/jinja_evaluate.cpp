#include <algorithm>
#include <utility>

#include "engine/formats/jinja_interpreter.h"
#include "engine/formats/jinja_lexer.h"
#include "engine/formats/jinja_text.h"
#include "engine/formats/quote.h"

namespace orthros::jinja {
namespace {

/// Methods of str. Those that are not supported fail when they are called; other names are undefined.
bool is_text_method(std::string_view name) {
  static constexpr std::string_view kMethods[] = {
      "strip", "lstrip", "rstrip",    "split",      "startswith", "endswith",   "replace",
      "join",  "upper",  "lower",     "title",      "format",     "find",       "index",
      "count", "rsplit", "isdigit",   "center",     "encode",     "capitalize", "isalpha",
      "rfind", "zfill",  "partition", "splitlines", "isspace",    "isupper",    "casefold"};
  return std::find(std::begin(kMethods), std::end(kMethods), name) != std::end(kMethods);
}

std::optional<int64_t> index_in(int64_t index, size_t size) {
  const auto length = static_cast<int64_t>(size);
  const int64_t at = index < 0 ? index + length : index;
  return at >= 0 && at < length ? std::optional(at) : std::nullopt;
}

}  // namespace

Result<Value> Interpreter::evaluate(const Expression& e) {
  ORTHROS_TRY_VOID(charge(e.line, 1));
  if (depth_ >= limits_.max_depth)
    return fail_at(e.line, ErrorCode::unsupported, "the template nests too deeply");
  ++depth_;
  Result<Value> result = evaluate_inner(e);
  --depth_;
  return result;
}

Result<Value> Interpreter::evaluate_inner(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::literal:
      return e.value;
    case ExpressionKind::name:
      return lookup(e.text);
    case ExpressionKind::list:
      return evaluate_list(e);
    case ExpressionKind::dict:
      return evaluate_dict(e);
    case ExpressionKind::negation: {
      ORTHROS_TRY(const Value value, evaluate(*e.children[0]));
      return Value(!value.truthy());
    }
    case ExpressionKind::minus:
      return minus(e);
    case ExpressionKind::conjunction:
    case ExpressionKind::disjunction: {
      ORTHROS_TRY(Value left, evaluate(*e.children[0]));
      if (left.truthy() == (e.kind == ExpressionKind::disjunction)) return left;
      return evaluate(*e.children[1]);
    }
    case ExpressionKind::binary:
      return binary(e);
    case ExpressionKind::comparison:
      return comparison(e);
    case ExpressionKind::conditional:
      return conditional(e);
    case ExpressionKind::slice:
      return slice(e);
    case ExpressionKind::call:
      return call(e);
    case ExpressionKind::attribute:
    case ExpressionKind::item:
    case ExpressionKind::filter:
    case ExpressionKind::test:
      return evaluate_applied(e);
  }
  return Value();
}

/// Kinds that do something to the value of their first child.
Result<Value> Interpreter::evaluate_applied(const Expression& e) {
  ORTHROS_TRY(const Value input, evaluate(*e.children[0]));
  if (e.kind == ExpressionKind::attribute) return attribute(e, input, e.text);
  if (e.kind == ExpressionKind::item) {
    ORTHROS_TRY(const Value key, evaluate(*e.children[1]));
    return item(e, input, key);
  }
  ORTHROS_TRY(const Arguments given, arguments(e));
  if (e.kind == ExpressionKind::filter) return filter(e, e.text, input, given);
  ORTHROS_TRY(const bool result, test(e, e.text, input, given));
  return Value(result);
}

Result<Value> Interpreter::evaluate_list(const Expression& e) {
  std::vector<Value> items;
  for (const ExpressionPtr& child : e.children) {
    ORTHROS_TRY(Value value, evaluate(*child));
    items.push_back(std::move(value));
  }
  return at(e.line, make_list(std::move(items)));
}

Result<Value> Interpreter::evaluate_dict(const Expression& e) {
  std::vector<std::pair<std::string, Value>> items;
  for (size_t i = 0; i + 1 < e.children.size(); i += 2) {
    ORTHROS_TRY(const Value key, evaluate(*e.children[i]));
    ORTHROS_TRY(Value value, evaluate(*e.children[i + 1]));
    if (key.text() == nullptr) {
      return fail_at(e.line, ErrorCode::unsupported, "a dict key of type {} is not supported",
                     key.type_name());
    }
    items.emplace_back(*key.text(), std::move(value));
  }
  ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(items.size() * items.size())));
  return at(e.line, make_dict(items));
}

Result<Value> Interpreter::conditional(const Expression& e) {
  ORTHROS_TRY(const Value condition, evaluate(*e.children[0]));
  if (condition.truthy()) return evaluate(*e.children[1]);
  if (e.children.size() > 2) return evaluate(*e.children[2]);
  return Value(Undefined{"the value without an else"});
}

Result<Value> Interpreter::attribute(const Expression& e, const Value& object, const std::string& name) {
  if (object.is<Undefined>()) {
    return fail_at(e.line, ErrorCode::corrupt_file, "attribute {} of {}", quote(name), describe(object));
  }
  if (const auto* loop = object.get<Loop>()) return loop_attribute(e, *loop, name);
  if (const auto* space = object.get<Namespace>()) {
    const Value* member = (*space)->members.find(name);
    return member != nullptr ? *member : Value(Undefined{name});
  }
  if (const auto* dict = object.get<Dict>()) {
    // As in Python, a method of dict hides a key of its name.
    if (name == "items" || name == "keys" || name == "values" || name == "get") {
      return Value(Method{std::make_shared<const Value>(object), name});
    }
    const Value* member = (*dict)->find(name);
    return member != nullptr ? *member : Value(Undefined{name});
  }
  if (object.is<Text>() && is_text_method(name)) {
    return Value(Method{std::make_shared<const Value>(object), name});
  }
  return Value(Undefined{name});
}

Result<Value> Interpreter::loop_attribute(const Expression& e, const Loop& loop, const std::string& name) {
  const std::vector<Value>& items = loop.items->items;
  const auto length = static_cast<int64_t>(items.size());
  if (name == "index0") return Value(loop.index0);
  if (name == "index") return Value(loop.index0 + 1);
  if (name == "first") return Value(loop.index0 == 0);
  if (name == "last") return Value(loop.index0 + 1 == length);
  if (name == "length") return Value(length);
  if (name == "revindex") return Value(length - loop.index0);
  if (name == "revindex0") return Value(length - loop.index0 - 1);
  const auto neighbour = [&](int64_t index) {
    return index >= 0 && index < length ? items[static_cast<size_t>(index)] : Value(Undefined{name});
  };
  if (name == "previtem") return neighbour(loop.index0 - 1);
  if (name == "nextitem") return neighbour(loop.index0 + 1);
  return fail_at(e.line, ErrorCode::unsupported, "{} of loop is not supported", quote(name));
}

Result<Value> Interpreter::item(const Expression& e, const Value& object, const Value& key) {
  int64_t index = 0;
  if (key.integer(index) != nullptr) {
    if (const auto* list = object.get<List>()) {
      const auto found = index_in(index, (*list)->items.size());
      return found ? (*list)->items[static_cast<size_t>(*found)] : Value(Undefined{"an item past the end"});
    }
    if (const std::string* text = object.text()) {
      const std::vector<std::string_view> all = characters(*text);
      ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(all.size()) / 4));
      const auto found = index_in(index, all.size());
      return found ? Value(all[static_cast<size_t>(*found)]) : Value(Undefined{"a character past the end"});
    }
  }
  if (const auto* dict = object.get<Dict>()) {
    const Value* member = key.text() == nullptr ? nullptr : (*dict)->find(*key.text());
    if (member != nullptr) return *member;
  }
  if (object.is<Undefined>()) {
    return fail_at(e.line, ErrorCode::corrupt_file, "item of {}", describe(object));
  }
  if (key.text() != nullptr && !object.is<Text>()) return attribute(e, object, *key.text());
  return Value(Undefined{"an item that is not there"});
}

Result<Value> Interpreter::slice(const Expression& e) {
  ORTHROS_TRY(const Value object, evaluate(*e.children[0]));
  std::optional<int64_t> bounds[3];
  for (size_t i = 0; i < 3; ++i) {
    if (e.children[i + 1] == nullptr) continue;
    ORTHROS_TRY(const Value bound, evaluate(*e.children[i + 1]));
    int64_t value = 0;
    if (bound.is<None>()) continue;
    if (bound.integer(value) == nullptr) {
      return fail_at(e.line, ErrorCode::corrupt_file, "a slice is bounded by {}", describe(bound));
    }
    bounds[i] = value;
  }
  if (const auto* list = object.get<List>()) {
    const std::vector<Value>& all = (*list)->items;
    ORTHROS_TRY(const auto positions, at(e.line, slice_positions(static_cast<int64_t>(all.size()), bounds[0],
                                                                 bounds[1], bounds[2])));
    ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(positions.size())));
    std::vector<Value> items;
    for (const size_t position : positions) items.push_back(all[position]);
    return at(e.line, make_list(std::move(items)));
  }
  if (const std::string* text = object.text()) {
    const std::vector<std::string_view> all = characters(*text);
    ORTHROS_TRY(const auto positions, at(e.line, slice_positions(static_cast<int64_t>(all.size()), bounds[0],
                                                                 bounds[1], bounds[2])));
    ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(all.size())));
    std::string out;
    for (const size_t position : positions) out += all[position];
    return Value(std::move(out));
  }
  if (object.is<Undefined>()) {
    return fail_at(e.line, ErrorCode::corrupt_file, "cannot slice {}", describe(object));
  }
  return Value(Undefined{"a slice of a " + std::string(object.type_name())});
}

Result<Arguments> Interpreter::arguments(const Expression& e) {
  Arguments result;
  for (size_t i = 1; i < e.children.size(); ++i) {
    ORTHROS_TRY(Value value, evaluate(*e.children[i]));
    result.positional.push_back(std::move(value));
  }
  for (const auto& [name, expression] : e.keywords) {
    ORTHROS_TRY(Value value, evaluate(*expression));
    result.keywords.emplace_back(name, std::move(value));
  }
  return result;
}

}  // namespace orthros::jinja
