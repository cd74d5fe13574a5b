#include "engine/formats/jinja_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "engine/formats/json.h"
#include "engine/formats/quote.h"

namespace orthros::jinja {
namespace {

/// Shortest form that reads back the same, with a fraction or an exponent.
std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string json_string(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Writes the elements of a list or dict with Python's separators.
Result<std::string> json_container(char open, char close, size_t count, int indent, int depth,
                                   const auto& element) {
  std::string out(1, open);
  const auto new_line = [&](int level) {
    if (indent < 0) return;
    out += '\n';
    out.append(static_cast<size_t>(indent) * static_cast<size_t>(level), ' ');
  };
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) out += indent < 0 ? ", " : ",";
    new_line(depth + 1);
    ORTHROS_TRY(const std::string text, element(i));
    out += text;
  }
  if (count > 0) new_line(depth);
  out += close;
  return out;
}

}  // namespace

const Value* DictData::find(std::string_view key) const {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const auto& item) { return item.first == key; });
  return found == items.end() ? nullptr : &found->second;
}

void DictData::set(std::string_view key, Value value) {
  for (auto& item : items) {
    if (item.first == key) {
      item.second = std::move(value);
      return;
    }
  }
  items.emplace_back(key, std::move(value));
}

double Value::as_double() const {
  if (const auto* b = get<bool>()) return *b ? 1 : 0;
  if (const auto* i = get<int64_t>()) return static_cast<double>(*i);
  if (const auto* d = get<double>()) return *d;
  return 0;
}

const int64_t* Value::integer(int64_t& storage) const {
  if (const auto* b = get<bool>()) {
    storage = *b ? 1 : 0;
    return &storage;
  }
  if (const auto* i = get<int64_t>()) {
    storage = *i;
    return &storage;
  }
  return nullptr;
}

bool Value::truthy() const {
  if (is<Undefined>() || is<None>()) return false;
  if (is_number()) return as_double() != 0;
  if (const std::string* t = text()) return !t->empty();
  if (const auto* list = get<List>()) return !(*list)->items.empty();
  if (const auto* dict = get<Dict>()) return !(*dict)->items.empty();
  return true;
}

const char* Value::type_name() const {
  static constexpr std::array names{"undefined", "None",      "bool",  "int",      "float",  "str", "list",
                                    "dict",      "namespace", "macro", "function", "method", "loop"};
  static_assert(names.size() == std::variant_size_v<Data>);
  return names[data_.index()];
}

std::string describe(const Value& value) {
  if (const auto* undefined = value.get<Undefined>()) return quote(undefined->name) + ", which is undefined";
  return fmt::format("a {}", value.type_name());
}

int container_depth(const Value& value) {
  if (const auto* list = value.get<List>()) return (*list)->depth;
  if (const auto* dict = value.get<Dict>()) return (*dict)->depth;
  const bool plain = value.is<Undefined>() || value.is<None>() || value.is_number() || value.is<Text>();
  return plain ? 0 : -1;
}

namespace {

/// Depth of a container with such an element.
Result<int> depth_with(int depth, const Value& element) {
  const int inner = container_depth(element);
  if (inner < 0) {
    return fail(ErrorCode::unsupported, "a {} inside a list, dict or namespace is not supported",
                element.type_name());
  }
  if (inner >= kMaxContainerDepth) {
    return fail(ErrorCode::unsupported, "lists nested deeper than {} are not supported", kMaxContainerDepth);
  }
  return std::max(depth, inner + 1);
}

}  // namespace

Result<void> check_list_size(size_t count) {
  if (static_cast<int64_t>(count) <= kMaxListItems) return {};
  return fail(ErrorCode::unsupported, "a list of {} items, more than {}", count, kMaxListItems);
}

Result<Value> make_list(std::vector<Value> items) {
  ORTHROS_TRY_VOID(check_list_size(items.size()));
  auto data = std::make_shared<ListData>();
  for (const Value& item : items) {
    ORTHROS_TRY(data->depth, depth_with(data->depth, item));
  }
  data->items = std::move(items);
  return Value(List(std::move(data)));
}

Result<Value> make_dict(const std::vector<std::pair<std::string, Value>>& items) {
  auto data = std::make_shared<DictData>();
  for (const auto& [key, value] : items) {
    ORTHROS_TRY(data->depth, depth_with(data->depth, value));
    data->set(key, value);
  }
  return Value(Dict(std::move(data)));
}

bool equal(const Value& a, const Value& b, Budget& budget) {
  if (!budget.spend(1)) return false;
  int64_t i = 0;
  int64_t j = 0;
  if (a.integer(i) != nullptr && b.integer(j) != nullptr) return i == j;
  if (a.is_number() && b.is_number()) return a.as_double() == b.as_double();
  if (a.text() != nullptr && b.text() != nullptr) {
    budget.spend(static_cast<int64_t>(a.text()->size()) / 64);
    return *a.text() == *b.text();
  }
  if ((a.is<None>() && b.is<None>()) || (a.is<Undefined>() && b.is<Undefined>())) return true;
  if (const auto* x = a.get<List>(), *y = b.get<List>(); x != nullptr && y != nullptr) {
    return std::equal((*x)->items.begin(), (*x)->items.end(), (*y)->items.begin(), (*y)->items.end(),
                      [&](const Value& p, const Value& q) { return equal(p, q, budget); });
  }
  if (const auto* x = a.get<Dict>(), *y = b.get<Dict>(); x != nullptr && y != nullptr) {
    const auto& items = (*x)->items;
    return items.size() == (*y)->items.size() &&
           std::all_of(items.begin(), items.end(), [&](const auto& item) {
             budget.spend(static_cast<int64_t>(items.size()));
             const Value* other = (*y)->find(item.first);
             return other != nullptr && equal(item.second, *other, budget);
           });
  }
  return false;
}

Result<std::string> to_text(const Value& value) {
  if (const std::string* text = value.text()) return *text;
  if (value.is<Undefined>()) return std::string();
  if (value.is<None>()) return std::string("None");
  if (const auto* b = value.get<bool>()) return std::string(*b ? "True" : "False");
  if (const auto* i = value.get<int64_t>()) return std::to_string(*i);
  if (const auto* d = value.get<double>()) return float_text(*d);
  return fail(ErrorCode::unsupported, "text of a {} is not supported", value.type_name());
}

Result<std::string> to_json(const Value& value, int indent, Budget& budget, int depth) {
  if (!budget.spend(8)) return fail(ErrorCode::unsupported, "tojson makes too long a text");
  if (const std::string* text = value.text()) {
    budget.spend(static_cast<int64_t>(text->size()) / 16);
    return json_string(*text);
  }
  if (value.is<None>()) return std::string("null");
  if (const auto* b = value.get<bool>()) return std::string(*b ? "true" : "false");
  if (value.is_number()) return to_text(value);
  if (const auto* list = value.get<List>()) {
    return json_container('[', ']', (*list)->items.size(), indent, depth,
                          [&](size_t i) { return to_json((*list)->items[i], indent, budget, depth + 1); });
  }
  if (const auto* dict = value.get<Dict>()) {
    return json_container('{', '}', (*dict)->items.size(), indent, depth,
                          [&](size_t i) -> Result<std::string> {
                            const auto& [key, item] = (*dict)->items[i];
                            ORTHROS_TRY(const std::string text, to_json(item, indent, budget, depth + 1));
                            return json_string(key) + ": " + text;
                          });
  }
  return fail(ErrorCode::unsupported, "tojson of a {} is not supported", value.type_name());
}

}  // namespace orthros::jinja
