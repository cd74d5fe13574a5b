// Values of the chat template interpreter, after Python's: undefined, None, bool, int, float, str, list,
// dict, namespace, loop, functions. Threads: values share what they hold; one render is one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/result.h"

namespace orthros::jinja {

class Value;
struct Statement;
using Text = std::shared_ptr<const std::string>;

/// How deep containers are inside containers: bounded, so that no walk over a value can exhaust the stack.
inline constexpr int kMaxContainerDepth = 16;
/// Longest list: bounds the memory that a template can ask for.
inline constexpr int64_t kMaxListItems = 200'000;

struct ListData {
  std::vector<Value> items;
  int depth = 1;
};
using List = std::shared_ptr<const ListData>;

/// Keys are strings, in the order they were added, as in Python.
struct DictData {
  std::vector<std::pair<std::string, Value>> items;
  int depth = 1;
  const Value* find(std::string_view key) const;
  void set(std::string_view key, Value value);
};
using Dict = std::shared_ptr<const DictData>;

/// namespace(): the one thing a template can change from inside a loop.
struct NamespaceData {
  DictData members;
};
using Namespace = std::shared_ptr<NamespaceData>;

struct Undefined {
  std::string name;  // for messages
};
struct None {};
/// A macro of the template, or a function of the interpreter by name.
struct Macro {
  const Statement* definition = nullptr;
};
struct Builtin {
  std::string name;
};
/// A method of a value that is called next, such as message.content.strip().
struct Method {
  std::shared_ptr<const Value> self;
  std::string name;
};
/// `loop` inside a for.
struct Loop {
  int64_t index0 = 0;
  List items;
};

class Value {
 public:
  using Data = std::variant<Undefined, None, bool, int64_t, double, Text, List, Dict, Namespace, Macro,
                            Builtin, Method, Loop>;

  Value() : data_(None{}) {}
  Value(Undefined data) : data_(std::move(data)) {}
  Value(None data) : data_(data) {}
  Value(bool data) : data_(data) {}
  Value(int64_t data) : data_(data) {}
  Value(double data) : data_(data) {}
  Value(List data) : data_(std::move(data)) {}
  Value(Dict data) : data_(std::move(data)) {}
  Value(Namespace data) : data_(std::move(data)) {}
  Value(Macro data) : data_(data) {}
  Value(Builtin data) : data_(std::move(data)) {}
  Value(Method data) : data_(std::move(data)) {}
  Value(Loop data) : data_(std::move(data)) {}
  Value(std::string text) : data_(std::make_shared<const std::string>(std::move(text))) {}
  Value(std::string_view text) : Value(std::string(text)) {}
  Value(const char* text) : Value(std::string(text)) {}

  template <class T>
  const T* get() const {
    return std::get_if<T>(&data_);
  }
  template <class T>
  bool is() const {
    return std::holds_alternative<T>(data_);
  }
  /// The string, or nullptr.
  const std::string* text() const { return is<Text>() ? std::get<Text>(data_).get() : nullptr; }
  bool is_number() const { return is<bool>() || is<int64_t>() || is<double>(); }
  double as_double() const;
  /// bool and int; others have none.
  const int64_t* integer(int64_t& storage) const;

  bool truthy() const;
  const char* type_name() const;

 private:
  Data data_;
};

/// How a value is named in an error: the name of an undefined one, else the type.
std::string describe(const Value& value);

/// Work that a render may still do. Every loop over something that a template can make large spends from it.
struct Budget {
  int64_t work = 0;
  bool spend(int64_t amount) { return (work -= amount) >= 0; }
};

/// Lists and dicts hold data only: a namespace, loop or function in one is unsupported, as is too deep
/// nesting.
Result<Value> make_list(std::vector<Value> items);
Result<void> check_list_size(size_t count);
Result<Value> make_dict(const std::vector<std::pair<std::string, Value>>& items);
/// 0 for plain values, -1 for what no container may hold.
int container_depth(const Value& value);

/// ==, as in Python. False, with the budget overspent, when it costs too much.
bool equal(const Value& a, const Value& b, Budget& budget);
/// str(); unsupported for lists and other values whose Python form no template prints.
Result<std::string> to_text(const Value& value);
/// json.dumps(value, ensure_ascii=False, indent=indent); indent < 0: on one line.
Result<std::string> to_json(const Value& value, int indent, Budget& budget, int depth = 0);

}  // namespace orthros::jinja
