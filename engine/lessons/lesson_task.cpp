#include "engine/lessons/lesson_task.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/ranges.h>

namespace orthros {
namespace {

constexpr std::array<std::string_view, 10> kEvents{"next",  "step",   "row",    "window",       "head",
                                                   "depth", "regime", "output", "scale_offset", "point"};

std::pair<std::string_view, std::string_view> split(std::string_view event) {
  const size_t colon = event.find(':');
  if (colon == std::string_view::npos) return {event, {}};
  return {event.substr(0, colon), event.substr(colon + 1)};
}

std::optional<int64_t> number_in(std::string_view text) {
  int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number < 1) return {};
  return number;
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

class Task {
 public:
  Task(const LessonCard& card, const PassTrace& trace)
      : card_(card),
        trace_(trace),
        row_(card.row < 0 ? trace.num_tokens() - 1 : card.row),
        layers_(std::ssize(trace.layers)) {}

  std::vector<std::string> check() {
    for (const std::string& event : card_.done) see(event);
    see_arrows();
    return std::move(problems_);
  }

 private:
  // A switch may be named at the place where it stands only if the task moves it away first.
  void see_switch(std::string_view name, std::string_view state, std::string_view present) {
    const auto moved = std::ranges::count_if(
        card_.done, [&](const std::string& other) { return split(other).first == name; });
    if (state == present && moved < 2) wrong("'{}:{}' is so from the beginning", name, state);
  }

  void see(std::string_view event) {
    const auto [name, what] = split(event);
    const int64_t tokens = trace_.num_tokens();
    const int64_t number = number_in(what).value_or(0);
    if (name == "row" && number == row_ + 1) wrong("'{}' is so from the beginning", event);
    if ((name == "row" || name == "window") && number > tokens) wrong("'{}' is not there", event);
    if (name == "window" && number <= tokens && window().sees(row_, number - 1))
      wrong("'{}' is so from the beginning", event);
    if (name == "regime" && !what.empty()) see_switch(name, what, to_string(card_.setting.regime));
    if (name == "output" && !what.empty()) see_switch(name, what, card_.setting.output_on ? "on" : "off");
    if (name == "scale_offset" && !what.empty())
      see_switch(name, what, card_.setting.scale_offset ? "on" : "off");
    const int64_t index = index_of(card_.moment, layers_);
    if (name == "step" && what == "back" && index == 0) wrong("'{}' cannot happen: this is the first", event);
    if (name == "step" && what == "on" && index + 1 == moment_count(layers_))
      wrong("'{}' cannot happen: this is the last", event);
  }

  // A text that names one arrow alone: that one must lead to what the task waits for.
  void see_arrows() {
    const int64_t index = index_of(card_.moment, layers_);
    for (const bool chinese : {false, true}) {
      const std::string& text = card_.task.in(chinese);
      if (chinese && text == card_.task.en) return;  // said already
      const auto says = [&text](const char* key) { return text.find(key) != std::string::npos; };
      const char* const language = chinese ? "zh" : "en";
      const bool up = says("↑"), down = says("↓");
      if (down && !up && row_ + 1 == trace_.num_tokens())
        wrong("{} says ↓, but token {} is the last", language, row_ + 1);
      if (up && !down && row_ == 0) wrong("{} says ↑, but token 1 is the first", language);
      if (says("→") && !says("←") && index + 1 == moment_count(layers_))
        wrong("{} says → at the last step", language);
      if (says("←") && !says("→") && index == 0) wrong("{} says ← at the first step", language);
      for (const std::string& event : card_.done) {
        const auto [name, what] = split(event);
        const int64_t number = number_in(what).value_or(0);
        if (number == 0 || (name != "row" && name != "window")) continue;
        const bool before = number - 1 < row_;
        if (before && down && !up) wrong("{} says ↓, but '{}' lies at ↑", language, event);
        if (!before && up && !down) wrong("{} says ↑, but '{}' lies at ↓", language, event);
      }
    }
  }

  const WindowSpec& window() const { return trace_.layers[static_cast<size_t>(card_.moment.layer)].window; }

  template <class... Parts>
  void wrong(fmt::format_string<Parts...> format, Parts&&... parts) {
    problems_.push_back(fmt::format(format, std::forward<Parts>(parts)...));
  }

  const LessonCard& card_;
  const PassTrace& trace_;
  int64_t row_, layers_;
  std::vector<std::string> problems_;
};

}  // namespace

std::string problem_of_event(std::string_view wanted) {
  const auto [name, what] = split(wanted);
  if (std::ranges::find(kEvents, name) == kEvents.end())
    return fmt::format("'{}': must be one of {}", wanted, fmt::join(kEvents, ", "));
  const auto must = [&](bool holds, std::string_view may) {
    return holds ? std::string() : fmt::format("'{}': after '{}:' {}", wanted, name, may);
  };
  if (name == "window") return must(number_in(what).has_value(), "stands a position");
  if (name == "point") {
    const auto [target, position] = split(what);
    return must(!target.empty() && (position.empty() || number_in(position)),
                "stands what is pointed at, and perhaps its position");
  }
  if (what.empty()) return must(!wanted.ends_with(':'), "something is missing");
  if (name == "row") return must(number_in(what).has_value(), "stands a position");
  if (name == "step") return must(one_of(what, {"on", "back"}), "stands on or back");
  if (name == "regime") return must(parse_regime(what).has_value(), "stands pt, sft, prefill or decode");
  if (name == "output" || name == "scale_offset")
    return must(one_of(what, {"on", "off"}), "stands on or off");
  return must(false, "nothing may stand");
}

bool is_event(std::string_view happened, std::string_view wanted) {
  return happened.starts_with(wanted) && (happened.size() == wanted.size() || happened[wanted.size()] == ':');
}

std::vector<std::string> check_task(const LessonCard& card, const PassTrace& trace) {
  return Task(card, trace).check();
}

}  // namespace orthros
