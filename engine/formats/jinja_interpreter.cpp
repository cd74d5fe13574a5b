#include "engine/formats/jinja_interpreter.h"

#include <algorithm>
#include <utility>

#include "engine/formats/jinja_lexer.h"
#include "engine/formats/jinja_text.h"
#include "engine/formats/quote.h"

namespace orthros::jinja {

const Value* Arguments::find(size_t position, std::string_view name) const {
  if (position < positional.size()) return &positional[position];
  for (const auto& [key, value] : keywords) {
    if (key == name) return &value;
  }
  return nullptr;
}

Interpreter::Interpreter(const DictData& globals, const RenderLimits& limits)
    : limits_(limits), budget_{limits.max_work}, scopes_{globals} {}

Result<void> Interpreter::charge(int line, int64_t work) {
  if (budget_.spend(work)) return {};
  return fail_at(line, ErrorCode::unsupported, "the template runs past its limits");
}

Result<std::string> Interpreter::render(const Body& body) {
  std::string out;
  out_ = &out;
  ORTHROS_TRY_VOID(run(body));
  return out;
}

Result<Interpreter::Flow> Interpreter::run(const Body& body) {
  for (const Statement& statement : body) {
    ORTHROS_TRY(const Flow flow, run(statement));
    if (flow != Flow::on) return flow;
  }
  return Flow::on;
}

Result<Interpreter::Flow> Interpreter::run(const Statement& statement) {
  ORTHROS_TRY_VOID(charge(statement.line, 1));
  switch (statement.kind) {
    case StatementKind::text: {
      ORTHROS_TRY_VOID(emit(statement, Value(statement.text)));
      return Flow::on;
    }
    case StatementKind::print: {
      ORTHROS_TRY(const Value value, evaluate(*statement.condition));
      ORTHROS_TRY_VOID(emit(statement, value));
      return Flow::on;
    }
    case StatementKind::choice:
      return run_choice(statement);
    case StatementKind::loop:
      return run_loop(statement);
    case StatementKind::assign: {
      ORTHROS_TRY(Value value, evaluate(*statement.condition));
      ORTHROS_TRY_VOID(assign(statement, std::move(value)));
      return Flow::on;
    }
    case StatementKind::capture: {
      ORTHROS_TRY(Value value, capture(statement.body));
      ORTHROS_TRY_VOID(assign(statement, std::move(value)));
      return Flow::on;
    }
    case StatementKind::macro:
      scopes_.back().set(statement.text, Macro{&statement});
      return Flow::on;
    case StatementKind::group:
      return run(statement.body);
    case StatementKind::stop_loop:
      return Flow::stop_loop;
    case StatementKind::next_loop:
      return Flow::next_loop;
  }
  return Flow::on;
}

Result<void> Interpreter::emit(const Statement& statement, const Value& value) {
  ORTHROS_TRY(const std::string text, at(statement.line, to_text(value)));
  ORTHROS_TRY_VOID(charge(statement.line, static_cast<int64_t>(text.size()) / 16));
  if (static_cast<int64_t>(out_->size() + text.size()) > limits_.max_output_bytes) {
    return fail_at(statement.line, ErrorCode::unsupported, "the template makes more than {} bytes",
                   limits_.max_output_bytes);
  }
  *out_ += text;
  return {};
}

Result<Interpreter::Flow> Interpreter::run_choice(const Statement& statement) {
  for (const Branch& branch : statement.branches) {
    if (branch.condition != nullptr) {
      ORTHROS_TRY(const Value condition, evaluate(*branch.condition));
      if (!condition.truthy()) continue;
    }
    return run(branch.body);
  }
  return Flow::on;
}

Result<std::vector<Value>> Interpreter::loop_items(const Statement& statement) {
  ORTHROS_TRY(const Value over, evaluate(*statement.condition));
  ORTHROS_TRY(std::vector<Value> items, items_of(*statement.condition, over));
  if (statement.filter == nullptr) return items;
  std::vector<Value> kept;
  for (Value& item : items) {
    scopes_.emplace_back();
    ORTHROS_TRY_VOID(bind(statement, statement.names, item));
    ORTHROS_TRY(const Value keep, evaluate(*statement.filter));
    scopes_.pop_back();
    if (keep.truthy()) kept.push_back(std::move(item));
  }
  return kept;
}

Result<Interpreter::Flow> Interpreter::run_loop(const Statement& statement) {
  ORTHROS_TRY(std::vector<Value> items, loop_items(statement));
  ORTHROS_TRY_VOID(charge(statement.line, static_cast<int64_t>(items.size())));
  if (items.empty()) {
    return statement.branches.empty() ? Result<Flow>(Flow::on) : run(statement.branches.front().body);
  }
  ORTHROS_TRY(const Value list, at(statement.line, make_list(std::move(items))));
  const List& all = *list.get<List>();
  for (size_t i = 0; i < all->items.size(); ++i) {
    // What one round sets is gone in the next one, as in Jinja.
    scopes_.emplace_back();
    scopes_.back().set("loop", Loop{static_cast<int64_t>(i), all});
    ORTHROS_TRY_VOID(bind(statement, statement.names, all->items[i]));
    ORTHROS_TRY(const Flow flow, run(statement.body));
    scopes_.pop_back();
    if (flow == Flow::stop_loop) break;
  }
  return Flow::on;
}

Result<void> Interpreter::bind(const Statement& statement, const std::vector<std::string>& names,
                               const Value& value) {
  if (names.size() == 1) {
    scopes_.back().set(names.front(), value);
    return {};
  }
  const auto* list = value.get<List>();
  if (list == nullptr || (*list)->items.size() != names.size()) {
    return fail_at(statement.line, ErrorCode::corrupt_file, "cannot unpack a {} into {} names",
                   value.type_name(), names.size());
  }
  for (size_t i = 0; i < names.size(); ++i) scopes_.back().set(names[i], (*list)->items[i]);
  return {};
}

Result<void> Interpreter::assign(const Statement& statement, Value value) {
  if (statement.attribute.empty()) return bind(statement, statement.names, value);
  ORTHROS_TRY(const Value target, lookup(statement.names.front()));
  const auto* space = target.get<Namespace>();
  if (space == nullptr) {
    return fail_at(statement.line, ErrorCode::corrupt_file, "{} is a {}, and only a namespace can be set",
                   quote(statement.names.front()), target.type_name());
  }
  if (container_depth(value) < 0) {
    return fail_at(statement.line, ErrorCode::unsupported, "a {} in a namespace is not supported",
                   value.type_name());
  }
  (*space)->members.set(statement.attribute, std::move(value));
  return {};
}

Result<Value> Interpreter::capture(const Body& body) {
  std::string text;
  std::string* const outer = std::exchange(out_, &text);
  const Result<Flow> flow = run(body);
  out_ = outer;
  if (!flow) return tl::unexpected(flow.error());
  return Value(std::move(text));
}

Result<Value> Interpreter::lookup(const std::string& name) const {
  for (size_t i = scopes_.size(); i-- > scope_base_;) {
    if (const Value* found = scopes_[i].find(name)) return *found;
  }
  if (const Value* found = scopes_.front().find(name)) return *found;
  static constexpr std::string_view kBuiltins[] = {"namespace", "range", "raise_exception", "dict"};
  if (std::find(std::begin(kBuiltins), std::end(kBuiltins), name) != std::end(kBuiltins))
    return Value(Builtin{name});
  return Value(Undefined{name});
}

Result<std::vector<Value>> Interpreter::items_of(const Expression& e, const Value& value) {
  std::vector<Value> items;
  if (value.is<Undefined>()) return items;
  if (const auto* list = value.get<List>()) {
    items = (*list)->items;
  } else if (const auto* dict = value.get<Dict>()) {
    for (const auto& [key, unused] : (*dict)->items) items.emplace_back(key);
  } else if (const std::string* text = value.text()) {
    ORTHROS_TRY_VOID(at(e.line, check_list_size(character_count(*text))));
    for (const std::string_view character : characters(*text)) items.emplace_back(character);
  } else {
    return fail_at(e.line, ErrorCode::corrupt_file, "a {} cannot be iterated over", value.type_name());
  }
  ORTHROS_TRY_VOID(charge(e.line, 2 * static_cast<int64_t>(items.size())));
  return items;
}

Result<Value> Interpreter::make_text(const Expression& e, std::string text) {
  ORTHROS_TRY_VOID(charge(e.line, static_cast<int64_t>(text.size()) / 16));
  if (static_cast<int64_t>(text.size()) > limits_.max_output_bytes) {
    return fail_at(e.line, ErrorCode::unsupported, "a text grows past {} bytes", limits_.max_output_bytes);
  }
  return Value(std::move(text));
}

}  // namespace orthros::jinja
