#include <algorithm>
#include <utility>

#include "engine/formats/jinja_interpreter.h"
#include "engine/formats/jinja_lexer.h"
#include "engine/formats/jinja_text.h"
#include "engine/formats/quote.h"
#include "engine/formats/utf8.h"

namespace orthros::jinja {
namespace {

constexpr size_t kMaxMessageBytes = 300;

/// The text of an optional argument; None counts as absent, as in Python.
Result<std::optional<std::string_view>> text_argument(const Expression& e, const Arguments& arguments,
                                                      size_t position, std::string_view name) {
  const Value* value = arguments.find(position, name);
  if (value == nullptr || value->is<None>()) return std::optional<std::string_view>();
  if (value->text() == nullptr) {
    return fail_at(e.line, ErrorCode::corrupt_file, "argument {} must be a str, not {}", position + 1,
                   value->type_name());
  }
  return std::optional<std::string_view>(*value->text());
}

Result<std::string_view> required_text(const Expression& e, const Arguments& arguments, size_t position,
                                       std::string_view name) {
  ORTHROS_TRY(const std::optional<std::string_view> text, text_argument(e, arguments, position, name));
  if (!text) return fail_at(e.line, ErrorCode::corrupt_file, "argument {} is missing", position + 1);
  return *text;
}

Value list_of_texts(std::vector<std::string> texts) {
  auto data = std::make_shared<ListData>();
  for (std::string& text : texts) data->items.emplace_back(std::move(text));
  return Value(List(std::move(data)));
}

}  // namespace

Result<Value> Interpreter::call(const Expression& e) {
  ORTHROS_TRY(const Value callee, evaluate(*e.children[0]));
  ORTHROS_TRY(const Arguments given, arguments(e));
  if (const auto* method = callee.get<Method>()) return call_method(e, *method->self, method->name, given);
  if (const auto* macro = callee.get<Macro>()) return call_macro(e, *macro->definition, given);
  if (const auto* builtin = callee.get<Builtin>()) return call_builtin(e, builtin->name, given);
  const Expression& name = *e.children[0];
  const bool known = name.text == "strftime_now" || name.text == "joiner" || name.text == "cycler";
  return fail_at(e.line, known ? ErrorCode::unsupported : ErrorCode::corrupt_file, "{} cannot be called{}",
                 quote(name.text), known ? " here" : "");
}

Result<Value> Interpreter::call_macro(const Expression& e, const Statement& macro, const Arguments& given) {
  if (given.positional.size() > macro.names.size()) {
    return fail_at(e.line, ErrorCode::corrupt_file, "macro {} takes {} arguments", quote(macro.text),
                   macro.names.size());
  }
  if (call_depth_ >= limits_.max_call_depth) {
    return fail_at(e.line, ErrorCode::unsupported, "macros call each other deeper than {}",
                   limits_.max_call_depth);
  }
  for (const auto& [name, unused] : given.keywords) {
    if (std::find(macro.names.begin(), macro.names.end(), name) == macro.names.end()) {
      return fail_at(e.line, ErrorCode::corrupt_file, "macro {} has no parameter {}", quote(macro.text),
                     quote(name));
    }
  }
  const size_t outer_base = std::exchange(scope_base_, scopes_.size());
  scopes_.emplace_back();
  ++call_depth_;
  const size_t first_default = macro.names.size() - macro.defaults.size();
  for (size_t i = 0; i < macro.names.size(); ++i) {
    Value value(Undefined{macro.names[i]});
    if (const Value* argument = given.find(i, macro.names[i])) {
      value = *argument;
    } else if (i >= first_default) {
      ORTHROS_TRY(value, evaluate(*macro.defaults[i - first_default]));
    }
    scopes_.back().set(macro.names[i], std::move(value));
  }
  ORTHROS_TRY(Value text, capture(macro.body));
  --call_depth_;
  scopes_.pop_back();
  scope_base_ = outer_base;
  return text;
}

Result<Value> Interpreter::call_builtin(const Expression& e, const std::string& name,
                                        const Arguments& given) {
  if (name == "raise_exception") {
    ORTHROS_TRY(std::string_view message, required_text(e, given, 0, "message"));
    if (message.size() > kMaxMessageBytes) {
      message = message.substr(0, previous_character(message, kMaxMessageBytes));
    }
    return fail(ErrorCode::invalid_argument, "the chat template refuses these messages: {}", message);
  }
  if (name == "range") return range(e, given);
  if (!given.positional.empty()) {
    return fail_at(e.line, ErrorCode::unsupported, "{} with unnamed arguments is not supported", quote(name));
  }
  if (name == "dict") return at(e.line, make_dict(given.keywords));
  const auto space = std::make_shared<NamespaceData>();
  for (const auto& [key, value] : given.keywords) {
    if (container_depth(value) < 0) {
      return fail_at(e.line, ErrorCode::unsupported, "a {} in a namespace is not supported",
                     value.type_name());
    }
    space->members.set(key, value);
  }
  return Value(Namespace(space));
}

Result<Value> Interpreter::range(const Expression& e, const Arguments& given) {
  std::vector<int64_t> bounds;
  for (const Value& value : given.positional) {
    int64_t bound = 0;
    if (value.integer(bound) == nullptr) {
      return fail_at(e.line, ErrorCode::corrupt_file, "range of a {}", value.type_name());
    }
    bounds.push_back(std::clamp<int64_t>(bound, -(int64_t{1} << 40), int64_t{1} << 40));
  }
  if (bounds.empty() || bounds.size() > 3)
    return fail_at(e.line, ErrorCode::corrupt_file, "range takes 1 to 3 numbers");
  const int64_t start = bounds.size() == 1 ? 0 : bounds[0];
  const int64_t stop = bounds.size() == 1 ? bounds[0] : bounds[1];
  const int64_t step = bounds.size() == 3 ? bounds[2] : 1;
  if (step == 0) return fail_at(e.line, ErrorCode::corrupt_file, "range with step 0");
  std::vector<Value> items;
  for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
    ORTHROS_TRY_VOID(at(e.line, check_list_size(items.size() + 1)));
    items.emplace_back(i);
  }
  ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(items.size())));
  return make_list(std::move(items));
}

Result<Value> Interpreter::call_method(const Expression& e, const Value& self, const std::string& name,
                                       const Arguments& given) {
  if (const std::string* text = self.text()) {
    ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(text->size()) / 16));
    return text_method(e, *text, name, given);
  }
  return dict_method(e, **self.get<Dict>(), name, given);
}

Result<Value> Interpreter::dict_method(const Expression& e, const DictData& dict, const std::string& name,
                                       const Arguments& given) {
  ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(dict.items.size())));
  if (name == "get") {
    ORTHROS_TRY(const std::string_view key, required_text(e, given, 0, "key"));
    if (const Value* found = dict.find(key)) return *found;
    const Value* fallback = given.find(1, "default");
    return fallback == nullptr ? Value(None{}) : *fallback;
  }
  std::vector<Value> items;
  for (const auto& [key, value] : dict.items) {
    if (name == "keys") {
      items.emplace_back(key);
    } else if (name == "values") {
      items.push_back(value);
    } else {
      ORTHROS_TRY(Value pair, at(e.line, make_list({Value(key), value})));
      items.push_back(std::move(pair));
    }
  }
  return at(e.line, make_list(std::move(items)));
}

Result<Value> Interpreter::text_method(const Expression& e, const std::string& text, const std::string& name,
                                       const Arguments& given) {
  if (name == "strip" || name == "lstrip" || name == "rstrip") {
    ORTHROS_TRY(const auto wanted, text_argument(e, given, 0, "chars"));
    const Side side = name == "strip" ? Side::both : name == "lstrip" ? Side::left : Side::right;
    ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(text.size() / 64 * (wanted ? wanted->size() : 1))));
    return Value(strip(text, wanted, side));
  }
  if (name == "split") {
    ORTHROS_TRY(const auto separator, text_argument(e, given, 0, "sep"));
    if (separator && separator->empty())
      return fail_at(e.line, ErrorCode::corrupt_file, "split at an empty separator");
    int64_t limit = -1;
    const Value* limit_value = given.find(1, "maxsplit");
    if (limit_value != nullptr && limit_value->integer(limit) == nullptr) {
      return fail_at(e.line, ErrorCode::corrupt_file, "maxsplit must be an int");
    }
    ORTHROS_TRY(std::vector<std::string> parts, at(e.line, split(text, separator, limit)));
    ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(parts.size())));
    return list_of_texts(std::move(parts));
  }
  if (name == "startswith" || name == "endswith") {
    ORTHROS_TRY(const std::string_view affix, required_text(e, given, 0, "prefix"));
    return Value(name == "startswith" ? text.starts_with(affix) : text.ends_with(affix));
  }
  if (name == "replace") {
    ORTHROS_TRY(const std::string_view from, required_text(e, given, 0, "old"));
    ORTHROS_TRY(const std::string_view to, required_text(e, given, 1, "new"));
    if (from.empty() || given.positional.size() > 2) {
      return fail_at(e.line, ErrorCode::unsupported,
                     "replace of nothing, or of the first few, is not supported");
    }
    ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(text.size() / from.size() * to.size() / 16)));
    return make_text(e, replace(text, from, to));
  }
  if (name == "join") {
    const Value* items = given.find(0, "iterable");
    if (items == nullptr) return fail_at(e.line, ErrorCode::corrupt_file, "join of nothing");
    return join(e, *items, text);
  }
  const auto changed = [&](Result<std::string> result) -> Result<Value> {
    ORTHROS_TRY(std::string out, at(e.line, std::move(result)));
    return Value(std::move(out));
  };
  if (name == "upper") return changed(upper(text));
  if (name == "lower") return changed(lower(text));
  if (name == "capitalize") return changed(capitalize(text));
  if (name == "title") return changed(title(text));
  return fail_at(e.line, ErrorCode::unsupported, "method {} of str is not supported", quote(name));
}

Result<Value> Interpreter::join(const Expression& e, const Value& input, std::string_view separator) {
  ORTHROS_TRY(const std::vector<Value> items, items_of(e, input));
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    ORTHROS_TRY(const std::string part, at(e.line, to_text(items[i])));
    ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(part.size() + separator.size()) / 16));
    if (i > 0) text += separator;
    text += part;
    if (static_cast<int64_t>(text.size()) > limits_.max_output_bytes) break;  // make_text refuses it
  }
  return make_text(e, std::move(text));
}

}  // namespace orthros::jinja
