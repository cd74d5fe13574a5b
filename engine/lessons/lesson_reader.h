// Reads values of a lesson file and remembers where each stands, so that every problem names its place.
// Private. Threads: one caller.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/json.h"

namespace orthros {

/// A value and its place: "cards[2].text".
class LessonValue {
 public:
  LessonValue(const Json* json, std::string place, std::vector<std::string>* problems)
      : json_(json), place_(std::move(place)), problems_(problems) {}

  bool is_there() const { return json_ != nullptr; }
  bool is_text() const { return json_ != nullptr && json_->is_string(); }
  void wrong(const std::string& problem) const { problems_->push_back(place_ + ": " + problem); }

  LessonValue need(const char* key) const;  // a problem when it is not there
  LessonValue find(const char* key) const;
  std::vector<LessonValue> list(size_t least, size_t most) const;
  /// A problem for every key that is not one of these: a misspelt key must not be silence.
  void only(std::initializer_list<std::string_view> keys) const;

  std::string text() const;
  int64_t number(int64_t low, int64_t high, int64_t otherwise) const;
  bool flag(bool otherwise) const;
  /// Index in `words`, 0 with a problem for another word.
  size_t word(std::initializer_list<std::string_view> words) const;

 private:
  const Json* json_;
  std::string place_;
  std::vector<std::string>* problems_;
};

}  // namespace orthros
