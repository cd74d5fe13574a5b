// Runs a parsed chat template.
// Errors: corrupt_file for what Jinja itself would refuse, unsupported for what is not read here or runs past
// the limits, invalid_argument for raise_exception; all with the line. Threads: one interpreter a render.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/formats/jinja_ast.h"

namespace orthros::jinja {

struct RenderLimits {
  int64_t max_output_bytes = int64_t{16} << 20;
  int64_t max_work = 5'000'000;  // expressions and statements run, and bytes / 16 of the strings made
  int max_call_depth = 8;        // macros in macros
  int max_depth = 500;           // expressions and statements inside each other
};

/// Positional and keyword arguments of a call, filter or test.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string, Value>> keywords;

  /// The argument at a position or of a name; nullptr when absent.
  const Value* find(size_t position, std::string_view name) const;
};

class Interpreter {
 public:
  Interpreter(const DictData& globals, const RenderLimits& limits);
  Result<std::string> render(const Body& body);

 private:
  enum class Flow { on, stop_loop, next_loop };
  using Scope = DictData;

  // Statements
  Result<Flow> run(const Body& body);
  Result<Flow> run(const Statement& statement);
  Result<Flow> run_choice(const Statement& statement);
  Result<Flow> run_loop(const Statement& statement);
  Result<std::vector<Value>> loop_items(const Statement& statement);
  Result<void> assign(const Statement& statement, Value value);
  Result<void> bind(const Statement& statement, const std::vector<std::string>& names, const Value& value);
  Result<Value> capture(const Body& body);
  Result<void> emit(const Statement& statement, const Value& value);

  // Expressions
  Result<Value> evaluate(const Expression& e);
  Result<Value> evaluate_inner(const Expression& e);
  Result<Value> evaluate_applied(const Expression& e);
  Result<Value> evaluate_list(const Expression& e);
  Result<Value> evaluate_dict(const Expression& e);
  Result<Value> conditional(const Expression& e);
  Result<Value> lookup(const std::string& name) const;
  Result<Value> minus(const Expression& e);
  Result<Value> binary(const Expression& e);
  Result<Value> add(const Expression& e, const Value& a, const Value& b);
  Result<Value> arithmetic(const Expression& e, const Value& a, const Value& b);
  Result<Value> integer_arithmetic(const Expression& e, int64_t a, int64_t b);
  Result<Value> concatenate(const Expression& e, std::string_view a, std::string_view b);
  Result<Value> comparison(const Expression& e);
  Result<bool> compare(const Expression& e, const std::string& op, const Value& a, const Value& b);
  Result<bool> contains(const Expression& e, const Value& item, const Value& container);
  Result<Value> attribute(const Expression& e, const Value& object, const std::string& name);
  Result<Value> loop_attribute(const Expression& e, const Loop& loop, const std::string& name);
  Result<Value> item(const Expression& e, const Value& object, const Value& key);
  Result<Value> slice(const Expression& e);
  Result<Arguments> arguments(const Expression& e);

  // Functions, methods, filters, tests
  Result<Value> call(const Expression& e);
  Result<Value> call_macro(const Expression& e, const Statement& macro, const Arguments& arguments);
  Result<Value> call_builtin(const Expression& e, const std::string& name, const Arguments& arguments);
  Result<Value> range(const Expression& e, const Arguments& arguments);
  Result<Value> call_method(const Expression& e, const Value& self, const std::string& name,
                            const Arguments& arguments);
  Result<Value> text_method(const Expression& e, const std::string& text, const std::string& name,
                            const Arguments& arguments);
  Result<Value> dict_method(const Expression& e, const DictData& dict, const std::string& name,
                            const Arguments& arguments);
  Result<Value> filter(const Expression& e, const std::string& name, const Value& input,
                       const Arguments& arguments);
  Result<Value> text_filter(const Expression& e, const std::string& name, const Value& input,
                            const Arguments& arguments);
  Result<Value> list_filter(const Expression& e, const std::string& name, const Value& input,
                            const Arguments& arguments);
  Result<Value> number_filter(const Expression& e, const std::string& name, const Value& input);
  Result<Value> select(const Expression& e, const std::string& name, const Value& input,
                       const Arguments& arguments);
  Result<Value> map(const Expression& e, const Value& input, const Arguments& arguments);
  Result<Value> join(const Expression& e, const Value& input, std::string_view separator);
  Result<bool> test(const Expression& e, const std::string& name, const Value& input,
                    const Arguments& arguments);
  Result<std::vector<Value>> items_of(const Expression& e, const Value& value);
  Result<Value> make_text(const Expression& e, std::string text);

  /// Spends work; unsupported when there is none left.
  Result<void> charge(int line, int64_t work);
  /// Adds the line to an error of a helper that does not know it.
  template <class T>
  Result<T> at(int line, Result<T> result) const;

  RenderLimits limits_;
  Budget budget_;
  std::vector<Scope> scopes_;
  size_t scope_base_ = 0;  // scopes below this one, but the first, belong to callers
  std::string* out_ = nullptr;
  int call_depth_ = 0;
  int depth_ = 0;
};

template <class T>
Result<T> Interpreter::at(int line, Result<T> result) const {
  if (!result) {
    result.error().message = fmt::format("chat template line {}: {}", line, result.error().message);
  }
  return result;
}

}  // namespace orthros::jinja
