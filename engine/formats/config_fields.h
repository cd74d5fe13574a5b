// ConfigFields: typed, range-checked reading of a JSON object's keys; null counts as missing. Private to
// formats/. Errors: corrupt_file that names the document, the key and what it should be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/formats/json.h"

namespace orthros {

struct IntegerRange {
  int64_t low = 0;
  int64_t high = 0;
};

struct NumberRange {
  double low = 0;
  double high = 0;
};

class ConfigFields {
 public:
  /// `object` must be a JSON object that outlives this; `where` names it in messages ("config.json").
  ConfigFields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

  const Json* find(const char* key) const;  // nothing when missing or null
  bool has(const char* key) const { return find(key) != nullptr; }
  bool is_absent(const char* key) const { return !object_.contains(key); }  // not even null
  const std::string& where() const { return where_; }

  Result<std::optional<int64_t>> integer(const char* key, IntegerRange range) const;
  Result<std::optional<double>> number(const char* key, NumberRange range) const;
  Result<std::optional<std::string>> text(const char* key) const;
  Result<std::optional<bool>> boolean(const char* key) const;

  Result<int64_t> required_integer(const char* key, IntegerRange range) const;
  Result<double> required_number(const char* key, NumberRange range) const;
  Result<std::string> required_text(const char* key) const;

  /// A fixed value where the key is missing.
  Result<int64_t> integer_or(const char* key, IntegerRange range, int64_t fallback) const;
  Result<double> number_or(const char* key, NumberRange range, double fallback) const;
  Result<bool> boolean_or(const char* key, bool fallback) const;

  tl::unexpected<Error> missing(const char* key) const;

 private:
  const Json& object_;
  std::string where_;
};

}  // namespace orthros
