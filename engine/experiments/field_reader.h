// FieldReader: many fields of one JSON object into plain variables; the first that is missing, of another
// type or out of range is what end() reports, and later ones are left alone. Errors: corrupt_file naming the
// field. Threads: one caller. Public: no torch.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/formats/json_access.h"

namespace orthros {

class FieldReader {
 public:
  explicit FieldReader(const Json& object) : object_(object) {}

  void read(const char* key, int64_t& value) { take(value, json_access::integer(object_, key)); }
  void read(const char* key, std::optional<int64_t>& value) {
    if (json_access::find(object_, key) != nullptr) take(value, json_access::integer(object_, key));
  }
  void read(const char* key, double& value) {
    const Json* json = json_access::find(object_, key);
    if (json == nullptr || !json->is_number()) return broken(key);
    value = json->get<double>();
  }
  void read(const char* key, bool& value) { take(value, boolean(key)); }
  void read(const char* key, std::string& value) { take(value, text(key)); }
  void read(const char* key, std::vector<int64_t>& values) {
    if (const Json* json = array(key)) values = integers(key, *json);
  }
  void read(const char* key, std::vector<std::vector<int64_t>>& lists) {
    const Json* json = array(key);
    for (size_t i = 0; json != nullptr && i < json->size(); ++i) lists.push_back(integers(key, (*json)[i]));
  }
  /// One of the table's names; null or absent: empty.
  template <class Enum, size_t N>
  void read(const char* key, std::optional<Enum>& value, const std::pair<const char*, Enum> (&table)[N]) {
    if (json_access::find(object_, key) == nullptr) return;
    const auto name = text(key);
    for (const auto& [known, meaning] : table) {
      if (name && *name == known) value = meaning;
    }
    if (!value) broken(key);
  }

  Result<void> end() { return std::move(state_); }

 private:
  template <class To, class From>
  void take(To& value, Result<From> read) {
    if (!read && state_) state_ = tl::unexpected(std::move(read).error());
    if (state_) value = *std::move(read);
  }
  void broken(const char* key) {
    if (state_) state_ = fail(ErrorCode::corrupt_file, "'{}' is not what it should be", key);
  }
  Result<bool> boolean(const char* key) const {
    if (json_access::find(object_, key) == nullptr)
      return fail(ErrorCode::corrupt_file, "'{}' is missing", key);
    return json_access::boolean(object_, key, false);
  }
  Result<std::string> text(const char* key) const {
    ORTHROS_TRY(auto found, json_access::text(object_, key));
    if (!found) return fail(ErrorCode::corrupt_file, "'{}' is missing", key);
    return *found;
  }
  const Json* array(const char* key) {
    const auto found = json_access::array(object_, key);
    if (!found || *found == nullptr) broken(key);
    return found ? *found : nullptr;
  }
  std::vector<int64_t> integers(const char* key, const Json& json) {
    std::vector<int64_t> values;
    if (!json.is_array()) broken(key);
    for (size_t i = 0; json.is_array() && i < json.size(); ++i) {
      const bool fits = json[i].is_number_integer() &&
                        !(json[i].is_number_unsigned() && json[i].get<uint64_t>() > uint64_t{INT64_MAX});
      if (!fits) broken(key);
      values.push_back(fits ? json[i].get<int64_t>() : 0);
    }
    return values;
  }

  const Json& object_;
  Result<void> state_;
};

}  // namespace orthros
