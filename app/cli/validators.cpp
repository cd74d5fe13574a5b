// Checks of the command line's own: plain decimal numbers, and options that go together.
#include <charconv>
#include <cmath>

#include <fmt/ranges.h>

#include "app/cli/cli.h"

namespace orthros::cli {
namespace {

template <class Number>
std::optional<Number> parse_whole_text(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || next != end) return std::nullopt;
  return value;
}

}  // namespace

CLI::Validator whole_number(int64_t low, int64_t high) {
  const std::string range =
      high == kNoLimit ? fmt::format("{} or more", low) : fmt::format("{} to {}", low, high);
  const auto check = [low, high, range](std::string& text) -> std::string {
    const auto value = parse_whole_text<int64_t>(text);
    if (!value || *value < low || *value > high)
      return fmt::format("'{}' will not do: give a whole number, {}", text, range);
    // CLI11 would read 010 as eight.
    text = std::to_string(*value);
    return {};
  };
  return {check, range};
}

CLI::Validator seed_number() {
  const auto check = [](std::string& text) -> std::string {
    const auto value = parse_whole_text<uint64_t>(text);
    if (!value) {
      return fmt::format("'{}' will not do: give a whole number, 0 to {}", text,
                         std::numeric_limits<uint64_t>::max());
    }
    text = std::to_string(*value);
    return {};
  };
  return {check, "0 or more"};
}

CLI::Validator real_number(double low, double high) {
  const std::string range =
      std::isfinite(high) ? fmt::format("{} to {}", low, high) : fmt::format("{} or more", low);
  const auto check = [low, high, range](std::string& text) -> std::string {
    const auto value = parse_whole_text<double>(text);
    const bool good = value && std::isfinite(*value) && *value >= low && *value <= high;
    return good ? std::string() : fmt::format("'{}' will not do: give a number, {}", text, range);
  };
  return {check, range};
}

void usage_error(const std::string& message) {
  throw CLI::ValidationError(message);
}

void require_one_of(const std::vector<const CLI::Option*>& options) {
  std::vector<std::string> names;
  size_t given = 0;
  for (const CLI::Option* option : options) {
    names.push_back(option->get_name());
    given += option->count() > 0 ? 1 : 0;
  }
  if (given != 1)
    usage_error(fmt::format("give {} of {}", given == 0 ? "one" : "only one", fmt::join(names, ", ")));
}

}  // namespace orthros::cli
