#include "engine/formats/config_fields.h"

#include <cmath>

#include "engine/formats/quote.h"

namespace orthros {
namespace {

std::string short_text(const Json& value) {
  return printable(value.dump(-1, ' ', false, Json::error_handler_t::replace), 48);
}

template <class T>
Result<T> require(const ConfigFields& fields, const char* key, Result<std::optional<T>> value) {
  if (!value) return tl::unexpected(std::move(value).error());
  if (!*value) return fields.missing(key);
  return std::move(**value);
}

template <class T>
Result<T> value_or(Result<std::optional<T>> value, T fallback) {
  if (!value) return tl::unexpected(std::move(value).error());
  return value->value_or(std::move(fallback));
}

}  // namespace

const Json* ConfigFields::find(const char* key) const {
  const auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

tl::unexpected<Error> ConfigFields::missing(const char* key) const {
  return fail(ErrorCode::corrupt_file, "{}: {} is missing", where_, key);
}

Result<std::optional<int64_t>> ConfigFields::integer(const char* key, IntegerRange range) const {
  const Json* value = find(key);
  if (value == nullptr) return std::optional<int64_t>();
  const bool fits =
      value->is_number_integer() &&
      (!value->is_number_unsigned() || value->get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX));
  const int64_t number = fits ? value->get<int64_t>() : 0;
  if (!fits || number < range.low || number > range.high) {
    return fail(ErrorCode::corrupt_file, "{}: {} is {} and should be an integer from {} to {}", where_, key,
                short_text(*value), range.low, range.high);
  }
  return std::optional(number);
}

Result<std::optional<double>> ConfigFields::number(const char* key, NumberRange range) const {
  const Json* value = find(key);
  if (value == nullptr) return std::optional<double>();
  const double number = value->is_number() ? value->get<double>() : std::nan("");
  if (!(number >= range.low && number <= range.high)) {
    return fail(ErrorCode::corrupt_file, "{}: {} is {} and should be a number from {} to {}", where_, key,
                short_text(*value), range.low, range.high);
  }
  return std::optional(number);
}

Result<std::optional<std::string>> ConfigFields::text(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::optional<std::string>();
  if (!value->is_string()) {
    return fail(ErrorCode::corrupt_file, "{}: {} is {} and should be a text", where_, key,
                short_text(*value));
  }
  return std::optional(value->get_ref<const std::string&>());
}

Result<std::optional<bool>> ConfigFields::boolean(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::optional<bool>();
  if (!value->is_boolean()) {
    return fail(ErrorCode::corrupt_file, "{}: {} is {} and should be true or false", where_, key,
                short_text(*value));
  }
  return std::optional(value->get<bool>());
}

Result<int64_t> ConfigFields::required_integer(const char* key, IntegerRange range) const {
  return require<int64_t>(*this, key, integer(key, range));
}

Result<double> ConfigFields::required_number(const char* key, NumberRange range) const {
  return require<double>(*this, key, number(key, range));
}

Result<std::string> ConfigFields::required_text(const char* key) const {
  return require<std::string>(*this, key, text(key));
}

Result<int64_t> ConfigFields::integer_or(const char* key, IntegerRange range, int64_t fallback) const {
  return value_or<int64_t>(integer(key, range), fallback);
}

Result<double> ConfigFields::number_or(const char* key, NumberRange range, double fallback) const {
  return value_or<double>(number(key, range), fallback);
}

Result<bool> ConfigFields::boolean_or(const char* key, bool fallback) const {
  return value_or<bool>(boolean(key), fallback);
}

}  // namespace orthros
