#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "engine/formats/jinja_interpreter.h"
#include "engine/formats/jinja_lexer.h"
#include "engine/formats/jinja_text.h"
#include "engine/formats/quote.h"

namespace orthros::jinja {
namespace {

bool is_any_of(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<int64_t> length_of(const Value& value) {
  if (const std::string* text = value.text()) return static_cast<int64_t>(character_count(*text));
  if (const auto* list = value.get<List>()) return static_cast<int64_t>((*list)->items.size());
  if (const auto* dict = value.get<Dict>()) return static_cast<int64_t>((*dict)->items.size());
  if (value.is<Undefined>()) return 0;
  return std::nullopt;
}

}  // namespace

Result<Value> Interpreter::filter(const Expression& e, const std::string& name, const Value& input,
                                  const Arguments& given) {
  if (name == "default" || name == "d") {
    const Value* fallback = given.find(0, "default_value");
    const Value* also_false = given.find(1, "boolean");
    const bool replaced =
        input.is<Undefined>() || (also_false != nullptr && also_false->truthy() && !input.truthy());
    if (!replaced) return input;
    return fallback == nullptr ? Value("") : *fallback;
  }
  if (name == "length" || name == "count") {
    const std::optional<int64_t> length = length_of(input);
    if (!length) return fail_at(e.line, ErrorCode::corrupt_file, "a {} has no length", input.type_name());
    return Value(*length);
  }
  if (name == "tojson") {
    int64_t indent = -1;
    const Value* indent_value = given.find(0, "indent");
    if (indent_value != nullptr && !indent_value->is<None>() && indent_value->integer(indent) == nullptr) {
      return fail_at(e.line, ErrorCode::unsupported, "tojson with an indent that is no int");
    }
    for (const auto& [key, unused] : given.keywords) {
      if (key != "indent") return fail_at(e.line, ErrorCode::unsupported, "tojson with {}", quote(key));
    }
    ORTHROS_TRY(std::string text,
                at(e.line, to_json(input, static_cast<int>(std::min<int64_t>(indent, 16)), budget_)));
    return make_text(e, std::move(text));
  }
  if (is_any_of(name,
                {"trim", "upper", "lower", "capitalize", "title", "replace", "string", "safe", "join"})) {
    return text_filter(e, name, input, given);
  }
  if (is_any_of(name, {"first", "last", "list", "reverse", "items"}))
    return list_filter(e, name, input, given);
  if (is_any_of(name, {"int", "float", "abs"})) return number_filter(e, name, input);
  if (is_any_of(name, {"select", "reject", "selectattr", "rejectattr"})) return select(e, name, input, given);
  if (name == "map") return map(e, input, given);
  return fail_at(e.line, ErrorCode::unsupported, "filter {} is not supported", quote(name));
}

Result<Value> Interpreter::text_filter(const Expression& e, const std::string& name, const Value& input,
                                       const Arguments& given) {
  if (name == "join") {
    const Value* separator = given.find(0, "d");
    if (given.find(1, "attribute") != nullptr) {
      return fail_at(e.line, ErrorCode::unsupported, "join of an attribute is not supported");
    }
    const std::string* between = separator == nullptr ? nullptr : separator->text();
    return join(e, input, between == nullptr ? std::string_view() : *between);
  }
  ORTHROS_TRY(std::string text, at(e.line, to_text(input)));
  if (name == "string" || name == "safe") return make_text(e, std::move(text));
  // The others are the methods of str, on the text of any value.
  return call_method(e, Value(std::move(text)), name == "trim" ? "strip" : name, given);
}

Result<Value> Interpreter::list_filter(const Expression& e, const std::string& name, const Value& input,
                                       const Arguments& given) {
  if (name == "items") {
    if (input.is<Undefined>()) return make_list({});
    const auto* dict = input.get<Dict>();
    if (dict == nullptr) return fail_at(e.line, ErrorCode::corrupt_file, "items of a {}", input.type_name());
    return dict_method(e, **dict, "items", given);
  }
  if (name == "reverse" && input.text() != nullptr) {
    const std::vector<std::string_view> all = characters(*input.text());
    ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(all.size())));
    std::string text;
    for (auto at = all.rbegin(); at != all.rend(); ++at) text += *at;
    return Value(std::move(text));
  }
  ORTHROS_TRY(std::vector<Value> items, items_of(e, input));
  if (name == "first" || name == "last") {
    if (items.empty()) return Value(Undefined{"the " + name + " item of nothing"});
    return name == "first" ? items.front() : items.back();
  }
  if (name == "reverse") std::reverse(items.begin(), items.end());
  return at(e.line, make_list(std::move(items)));
}

Result<Value> Interpreter::number_filter(const Expression& e, const std::string& name, const Value& input) {
  int64_t integer = 0;
  const bool is_integer = input.integer(integer) != nullptr;
  if (name == "abs") {
    if (is_integer && integer != INT64_MIN) return Value(integer < 0 ? -integer : integer);
    if (const auto* real = input.get<double>()) return Value(std::fabs(*real));
    return fail_at(e.line, ErrorCode::corrupt_file, "abs of a {}", input.type_name());
  }
  double real = input.as_double();
  if (const std::string* text = input.text()) {
    // As in Jinja, what is no number becomes 0.
    const std::string_view digits = strip(*text, std::nullopt, Side::both);
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), real);
    if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size()) real = 0;
  }
  if (name == "float") return Value(real);
  if (is_integer) return Value(integer);
  if (!(std::fabs(real) < 9e18)) return Value(int64_t{0});
  return Value(static_cast<int64_t>(real));
}

Result<Value> Interpreter::select(const Expression& e, const std::string& name, const Value& input,
                                  const Arguments& given) {
  const bool by_attribute = name.ends_with("attr");
  const bool wanted = name.starts_with("select");
  Arguments rest = given;
  std::string attribute_name;
  if (by_attribute) {
    if (rest.positional.empty() || rest.positional[0].text() == nullptr) {
      return fail_at(e.line, ErrorCode::corrupt_file, "{} needs the name of an attribute", name);
    }
    attribute_name = *rest.positional[0].text();
    rest.positional.erase(rest.positional.begin());
  }
  std::string test_name;
  if (!rest.positional.empty()) {
    if (rest.positional[0].text() == nullptr)
      return fail_at(e.line, ErrorCode::corrupt_file, "{} needs a test", name);
    test_name = *rest.positional[0].text();
    rest.positional.erase(rest.positional.begin());
  }
  ORTHROS_TRY(const std::vector<Value> items, items_of(e, input));
  std::vector<Value> kept;
  for (const Value& item : items) {
    Value subject = item;
    if (by_attribute) {
      ORTHROS_TRY(subject, this->item(e, item, Value(attribute_name)));
    }
    bool holds = subject.truthy();
    if (!test_name.empty()) {
      ORTHROS_TRY(holds, test(e, test_name, subject, rest));
    }
    if (holds == wanted) kept.push_back(item);
  }
  return at(e.line, make_list(std::move(kept)));
}

Result<Value> Interpreter::map(const Expression& e, const Value& input, const Arguments& given) {
  const Value* attribute_name = given.find(SIZE_MAX, "attribute");
  ORTHROS_TRY(const std::vector<Value> items, items_of(e, input));
  std::vector<Value> mapped;
  Arguments rest = given;
  std::string filter_name;
  if (attribute_name == nullptr) {
    if (rest.positional.empty() || rest.positional[0].text() == nullptr) {
      return fail_at(e.line, ErrorCode::corrupt_file, "map needs a filter or an attribute");
    }
    filter_name = *rest.positional[0].text();
    if (filter_name == "map") return fail_at(e.line, ErrorCode::unsupported, "map of map is not supported");
    rest.positional.erase(rest.positional.begin());
  }
  for (const Value& item : items) {
    Value value;
    if (attribute_name != nullptr) {
      ORTHROS_TRY(value, this->item(e, item, *attribute_name));
      const Value* fallback = given.find(SIZE_MAX, "default");
      if (value.is<Undefined>() && fallback != nullptr) value = *fallback;
    } else {
      ORTHROS_TRY(value, filter(e, filter_name, item, rest));
    }
    mapped.push_back(std::move(value));
  }
  return at(e.line, make_list(std::move(mapped)));
}

Result<bool> Interpreter::test(const Expression& e, const std::string& name, const Value& input,
                               const Arguments& given) {
  static constexpr std::pair<std::string_view, std::string_view> kComparisons[] = {
      {"eq", "=="},         {"equalto", "=="}, {"==", "=="}, {"ne", "!="}, {"!=", "!="}, {"lt", "<"},
      {"lessthan", "<"},    {"<", "<"},        {"le", "<="}, {"<=", "<="}, {"gt", ">"},  {">", ">"},
      {"greaterthan", ">"}, {"ge", ">="},      {">=", ">="}, {"in", "in"}};
  for (const auto& [test_name, op] : kComparisons) {
    if (test_name != name) continue;
    const Value* other = given.find(0, "b");
    if (other == nullptr)
      return fail_at(e.line, ErrorCode::corrupt_file, "test {} needs a value", quote(name));
    return compare(e, std::string(op), input, *other);
  }
  if (name == "defined") return !input.is<Undefined>();
  if (name == "undefined") return input.is<Undefined>();
  if (name == "none") return input.is<None>();
  if (name == "string") return input.is<Text>();
  if (name == "mapping") return input.is<Dict>();
  if (name == "iterable" || name == "sequence") {
    return input.is<Text>() || input.is<List>() || input.is<Dict>() || input.is<Undefined>();
  }
  if (name == "number") return input.is_number();
  if (name == "integer") return input.is<int64_t>();
  if (name == "float") return input.is<double>();
  if (name == "boolean") return input.is<bool>();
  if (name == "callable") return input.is<Macro>() || input.is<Builtin>() || input.is<Method>();
  if (name == "true" || name == "false") {
    const auto* value = input.get<bool>();
    return value != nullptr && *value == (name == "true");
  }
  if (is_any_of(name, {"odd", "even", "divisibleby"})) {
    int64_t value = 0;
    int64_t divisor = 2;
    const Value* given_divisor = name == "divisibleby" ? given.find(0, "num") : nullptr;
    const bool ok = input.integer(value) != nullptr &&
                    (name != "divisibleby" ||
                     (given_divisor != nullptr && given_divisor->integer(divisor) != nullptr && divisor > 0));
    if (!ok) return fail_at(e.line, ErrorCode::corrupt_file, "test {} needs integers", quote(name));
    return (value % divisor == 0) != (name == "odd");
  }
  return fail_at(e.line, ErrorCode::unsupported, "test {} is not supported", quote(name));
}

}  // namespace orthros::jinja
