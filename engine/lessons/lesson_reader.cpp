#include "engine/lessons/lesson_reader.h"

#include <algorithm>

#include <fmt/ranges.h>

namespace orthros {

LessonValue LessonValue::find(const char* key) const {
  const std::string place = place_.empty() ? key : place_ + "." + key;
  if (json_ == nullptr || !json_->is_object() || !json_->contains(key)) return {nullptr, place, problems_};
  return {&(*json_)[key], place, problems_};
}

LessonValue LessonValue::need(const char* key) const {
  LessonValue found = find(key);
  if (!found.is_there()) found.wrong("is missing");
  return found;
}

std::vector<LessonValue> LessonValue::list(size_t least, size_t most) const {
  std::vector<LessonValue> items;
  if (json_ == nullptr) return items;
  if (!json_->is_array() || json_->size() < least || json_->size() > most) {
    wrong(fmt::format("must be a list of {} to {} items", least, most));
    return items;
  }
  for (size_t i = 0; i < json_->size(); ++i)
    items.emplace_back(&(*json_)[i], fmt::format("{}[{}]", place_, i), problems_);
  return items;
}

void LessonValue::only(std::initializer_list<std::string_view> keys) const {
  if (json_ == nullptr) return;
  if (!json_->is_object()) {
    wrong("must be an object { }");
    return;
  }
  for (const auto& [key, unused] : json_->items()) {
    if (std::ranges::find(keys, key) == keys.end())
      wrong(fmt::format("has no key '{}': {}", key, fmt::join(keys, ", ")));
  }
}

std::string LessonValue::text() const {
  if (json_ == nullptr) return {};
  if (!json_->is_string()) {
    wrong("must be a text");
    return {};
  }
  return json_->get<std::string>();
}

int64_t LessonValue::number(int64_t low, int64_t high, int64_t otherwise) const {
  if (json_ == nullptr) return otherwise;
  if (json_->is_number_integer()) {
    const auto value = json_->get<int64_t>();
    if (value >= low && value <= high) return value;
  }
  wrong(fmt::format("must be a whole number from {} to {}", low, high));
  return otherwise;
}

bool LessonValue::flag(bool otherwise) const {
  if (json_ == nullptr) return otherwise;
  if (json_->is_boolean()) return json_->get<bool>();
  wrong("must be true or false");
  return otherwise;
}

size_t LessonValue::word(std::initializer_list<std::string_view> words) const {
  if (json_ == nullptr) return 0;
  const auto found = json_->is_string() ? std::ranges::find(words, json_->get<std::string>()) : words.end();
  if (found != words.end()) return static_cast<size_t>(found - words.begin());
  wrong(fmt::format("must be one of {}", fmt::join(words, ", ")));
  return 0;
}

}  // namespace orthros
